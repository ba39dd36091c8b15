// Which other colors a sticker is asked for in, as it is typed and stands in an address.

/** The main color and its shades, or all, turn into shades of one; or each into what is said of it. Colors are `#rrggbb`. */
export type ColorWish =
  | { readonly how: 'main' | 'all'; readonly to: string }
  | { readonly how: 'pairs'; readonly map: ReadonlyMap<string, string> };

/** What `readWish` reads, for those who wrote something else. */
export const WISHES =
  'a color such as #e5484d, all=#e5484d, or colors of the sticker with others: #333=#fff,#000=#e5484d';

/** What is asked for in a text; undefined for what says none. The `#` may be left out, and three digits stand for six. */
export function readWish(text: string): ColorWish | undefined {
  const parts = text.split(',').map((part) => part.split('=').map((side) => side.trim()));
  const [[first = '', second, ...more] = []] = parts;
  if (parts.length === 1 && more.length === 0 && (second === undefined || first === 'all')) {
    const to = readHex(second ?? first);
    return to === undefined ? undefined : { how: second === undefined ? 'main' : 'all', to };
  }
  const map = new Map<string, string>();
  for (const sides of parts) {
    const [from, to] = sides.map(readHex);
    if (sides.length !== 2 || from === undefined || to === undefined || map.has(from)) return undefined;
    map.set(from, to);
  }
  return { how: 'pairs', map };
}

/** A color as `#rrggbb`. */
export function readHex(text: string): string | undefined {
  const [, digits] = /^#?([\da-f]{3}|[\da-f]{6})$/i.exec(text) ?? [];
  return digits && `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`.toLowerCase();
}
