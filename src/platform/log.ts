// What the daemon says about itself, one line an event. Callers pass plain facts: never copy, prompts, titles, Keys or
// tokens. What slips in all the same inside an error's words is taken out here, before any line is written.

export type LogFields = Record<string, string | number | boolean | undefined>;

export const LOG_LEVELS = ['info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LogEntry {
  /** ISO 8601. */
  readonly at: string;
  readonly level: LogLevel;
  readonly event: string;
  readonly fields: LogFields;
}

export interface Log {
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

export const silentLog: Log = { info() {}, warn() {}, error() {} };

const TEXT_MAX = 600;

/** Gives each event to `write`, without secrets. */
export function createLog(write: (entry: LogEntry) => void): Log {
  const emit =
    (level: LogLevel) =>
    (event: string, fields: LogFields = {}) => {
      const clean = Object.entries(fields).map(
        ([name, value]) => [name, typeof value === 'string' ? cleanText(value) : value] as const,
      );
      write({ at: new Date().toISOString(), level, event: cleanText(event), fields: Object.fromEntries(clean) });
    };
  return { info: emit('info'), warn: emit('warn'), error: emit('error') };
}

/** Writes one line per event; as JSON when `json`, else as words for a person. */
export function openLog(write: (line: string) => void, { json }: { json: boolean }): Log {
  return createLog((entry) => write(json ? entryAsJson(entry) : entryAsWords(entry)));
}

export function entryAsJson({ at, level, event, fields }: LogEntry): string {
  return JSON.stringify({ at, level, event, ...fields });
}

/** `time` is how the moment is told; the time of day in UTC if nothing else is said. */
export function entryAsWords({ at, level, event, fields }: LogEntry, time = at.slice(11, 19)): string {
  const rest = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${String(value)}`);
  return [time, level === 'info' ? '' : `${level}:`, event, ...rest].filter(Boolean).join(' ');
}

/** One line of bounded length, without what looks like a Key, a token, or text that a parser quotes. */
function cleanText(text: string): string {
  // Most are short words without any of it.
  if (text.length < 12 && !text.includes('\n')) return text;
  const clean = text
    .replace(/\b(?:sk-|svcd_)[\w.~+/-]{6,}/g, '[secret]')
    .replace(/\b(Bearer|Basic) [^\s"',]+/gi, '$1 [secret]')
    .replace(/(\w:\/\/)[^/@\s]*@/g, '$1[secret]@')
    // Queries hold words of search, addresses' codes and the like.
    .replace(/(\w:\/\/[^\s?"'<>]*\?)[^\s"'<>]+/g, '$1…')
    // V8 repeats a part of what it could not read.
    .replace(/Unexpected [^]*?is not valid JSON/g, 'unexpected text: not valid JSON')
    .replace(/[\r\n]+/g, ' ');
  return clean.length <= TEXT_MAX ? clean : `${clean.slice(0, TEXT_MAX)}…`;
}
