// Addresses in answers of the remote that point at the remote itself: a client that follows them must reach svcd instead,
// where they are owned and need no Key.

/** In kept answers this stands for whatever address svcd has when it serves them. */
export const OWN_ADDRESS = 'svcd:';

/** Below this path svcd serves files that the remote keeps outside its API. */
export const FILES = '/svcd/files';

/** Below this path svcd shows owned pictures, each at an address that nobody can guess. */
export const PICTURES = '/svcd/images';

const API = '/api/v1/';

/** Told the path on the remote of every file outside its API that an answer names. */
export type NoteFile = (path: string) => void;

/** A copy of a JSON value in which every text that is an address below `from` is one below `to`. */
export function relayAddresses(value: unknown, from: string, to: string, note?: NoteFile): unknown {
  return mapTexts(value, (text) => relayAddress(text, from, to, note));
}

/** A copy of a JSON value in which every text is what `change` makes of it. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapTexts(item, change)]));
}

/** Paths (with query) of every address below `base` in a JSON value, each once; a bare path of the API is one too. */
export function addressesBelow(value: unknown, base: string): string[] {
  const found = new Set<string>();
  visitTexts(value, (text) => {
    if (text.startsWith(`${base}/`)) found.add(text.slice(base.length));
    else if (text.startsWith(API)) found.add(text);
  });
  return [...found];
}

/** An address below `from` as one below `to`; any other text as it is. */
export function relayAddress(text: string, from: string, to: string, note?: NoteFile): string {
  if (text !== from && !text.startsWith(`${from}/`)) return text;
  const path = text.slice(from.length);
  if (path === '' || path.startsWith(API)) return to + path;
  // What lies outside the API has no route of its own here. In kept answers it is below the files already.
  const own = from === OWN_ADDRESS && path.startsWith(`${FILES}/`) ? path : FILES + path;
  note?.(own.slice(FILES.length));
  return to + own;
}

function visitTexts(value: unknown, visit: (text: string) => void): void {
  if (typeof value === 'string') visit(value);
  else if (typeof value === 'object' && value !== null)
    for (const item of Object.values(value)) visitTexts(item, visit);
}
