// What the daemon says about itself, on stderr. Callers pass plain facts: never copy, prompts, Keys or tokens.

export type LogFields = Record<string, string | number | boolean | undefined>;

export interface Log {
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

export const silentLog: Log = { info() {}, warn() {}, error() {} };

/** Writes one line per event; as JSON when `json`, else as words for a person. */
export function openLog(write: (line: string) => void, options: { json: boolean }): Log {
  const emit =
    (level: string) =>
    (event: string, fields: LogFields = {}) => {
      const at = new Date().toISOString();
      write(options.json ? JSON.stringify({ at, level, event, ...fields }) : asWords(at, level, event, fields));
    };
  return { info: emit('info'), warn: emit('warn'), error: emit('error') };
}

function asWords(at: string, level: string, event: string, fields: LogFields): string {
  const rest = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${String(value)}`);
  return [at.slice(11, 19), level === 'info' ? '' : `${level}:`, event, ...rest].filter(Boolean).join(' ');
}
