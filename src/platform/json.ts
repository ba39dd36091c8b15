// Reading JSON of foreign origin: bounded before it is parsed. JSON that svcd wrote itself is read with JSON.parse: there a
// failure is a bug.

/** What a JSON text may hold. 32 MB of empty arrays take JSON.parse seconds and a gigabyte; the scan takes milliseconds. */
export interface JsonBounds {
  /** Arrays and objects in each other. */
  readonly depth: number;
  /** Values and names, counted by their `[`, `{`, `,` and `"`: a text of a list counts twice. */
  readonly tokens: number;
  /** Bytes outside of texts, white space too. */
  readonly bare?: number;
}

/** For answers, lines and files that svcd reads; of a list of 50 stickers less than a hundredth of it is used. */
const ANSWER: JsonBounds = { depth: 64, tokens: 200_000, bare: 4 * 1024 * 1024 };

/** The value of a text, or of UTF-8 bytes with invalid sequences replaced; undefined when it is not JSON or beyond bounds. */
export function parseJson(text: string | Uint8Array, bounds: JsonBounds = ANSWER): unknown {
  try {
    // Of a text the bytes are scanned too: its characters would have to be flattened and walked one by one.
    const bytes = typeof text === 'string' ? Buffer.from(text) : text;
    if (boundsProblem(bytes, bounds) !== undefined) return undefined;
    return JSON.parse(typeof text === 'string' ? text : new TextDecoder().decode(text));
  } catch {
    return undefined;
  }
}

/** The same for a JSON object; undefined for every other value too. */
export function parseJsonRecord(text: string | Uint8Array): Record<string, unknown> | undefined {
  const value = parseJson(text);
  return isRecord(value) ? value : undefined;
}

/** Whether a value is an object and no array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_RECORD, CLOSE_RECORD] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Why bytes are too much to be parsed as JSON; undefined when they are not. One pass, which ends where a bound is passed. */
export function boundsProblem(
  bytes: Uint8Array,
  { depth, tokens, bare = Infinity }: JsonBounds = ANSWER,
): string | undefined {
  let [level, count, outside] = [0, 0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (++outside > bare) return `it holds more than ${bare} bytes outside of texts`;
    if (byte === QUOTE) at = endOfText(bytes, at);
    if (byte === CLOSE_LIST || byte === CLOSE_RECORD) level -= 1;
    const opens = byte === OPEN_LIST || byte === OPEN_RECORD;
    if (!opens && byte !== COMMA && byte !== QUOTE) continue;
    if (opens && ++level > depth) return `it is nested deeper than ${depth} levels`;
    if (++count > tokens) return `it holds more than ${tokens} values`;
  }
  return undefined;
}

/**
 * Whether an object of a JSON text says a name twice, however it is spelled: JSON.parse takes the last, other readers the
 * first. `value` is what JSON.parse made of these bytes: as many colons as names are there.
 */
export function hasDoubledNames(bytes: Uint8Array, value: unknown): boolean {
  let names = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === QUOTE) at = endOfText(bytes, at);
    else if (bytes[at] === COLON) names += 1;
  }
  const open = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const inner: unknown[] = Array.isArray(next) ? next : Object.values(next);
    if (inner !== next) names -= inner.length;
    for (const one of inner) if (typeof one === 'object' && one !== null) open.push(one);
  }
  return names > 0;
}

/** Texts are short, or too long to be walked byte by byte: a picture is one of 30 MB. */
const SHORT_TEXT = 64;

/** Where the text that begins at `start` has its closing quote; the end of the bytes when it has none. */
export function endOfText(bytes: Uint8Array, start: number): number {
  const near = Math.min(bytes.length, start + SHORT_TEXT);
  let at = start + 1;
  for (; at < near; at++) {
    if (bytes[at] === QUOTE) return at;
    if (bytes[at] === BACKSLASH) at++;
  }
  // The quotes of the rest are looked for natively. Behind an odd number of backslashes there is none.
  const from = at;
  for (; ; at++) {
    at = bytes.indexOf(QUOTE, at);
    if (at === -1) return bytes.length;
    let before = at;
    while (before > from && bytes[before - 1] === BACKSLASH) before--;
    if ((at - before) % 2 === 0) return at;
  }
}

/** White space, then a text, a number or word, or a sign. */
const TOKEN =
  /[ \t\n\r]*(?:("(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)|([[\]{},:]))/uy;
const VALUE = 'text word { [';

/** `line 3, column 7`: where a text stops being JSON. What JSON.parse says of it quotes the text, and not always the place. */
export function placeOfFault(text: string): string {
  const lines = text.slice(0, faultIn(text)).split(/\r\n|[\n\r]/);
  return `line ${lines.length}, column ${Array.from(lines.at(-1) ?? '').length + 1}`;
}

function faultIn(text: string): number {
  const ends: string[] = [];
  let [allowed, at] = [VALUE, 0];
  for (;;) {
    TOKEN.lastIndex = at;
    const [whole = '', string, word, sign] = TOKEN.exec(text) ?? [];
    const kind = sign ?? (string === undefined ? word && 'word' : 'text');
    const start = at + (/^[ \t\n\r]*/.exec(whole === '' ? text.slice(at) : whole)?.[0].length ?? 0);
    if (kind === undefined || !allowed.split(' ').includes(kind)) return start;
    at += whole.length;
    if (kind === '{') ends.push('}');
    if (kind === '[') ends.push(']');
    if (kind === '}' || kind === ']') ends.pop();
    const end = ends.at(-1);
    if (kind === '{') allowed = 'text }';
    else if (kind === '[') allowed = `${VALUE} ]`;
    else if (kind === ':') allowed = VALUE;
    else if (kind === ',') allowed = end === '}' ? 'text' : VALUE;
    else if (kind === 'text' && allowed.startsWith('text') && !allowed.includes('word')) allowed = ':';
    else allowed = end === undefined ? '' : `, ${end}`;
  }
}
