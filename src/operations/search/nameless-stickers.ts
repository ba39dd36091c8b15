// Stickers that are owned, or in a collection, and that the library does not know: they were bought by their preset, or the
// library was damaged and is filled again. They are listed all the same, under their preset: what was paid for must not
// seem lost.

import type { FindRequest } from '../../api/find.js';
import type { Library } from '../../library/library.js';
import type { SearchHits } from '../../library/found-stickers.js';
import type { Sticker } from '../../model/sticker.js';

export const namelessSticker = (preset: string): Sticker => ({ preset, title: preset, keywords: [] });

/** Whether nothing but presets decides: without the library there are no words to be found by, no shape, color, length or style. */
export const isByPreset = ({ q, color, aspect, duration, style, styleKind }: Omit<FindRequest, 'limit'>): boolean =>
  [q, color, aspect, duration, style, styleKind].every((one) => one === undefined);

/** Puts those of these presets that the library does not know behind the rest of a list of them. */
export type WithNameless = (found: SearchHits, presets: ReadonlySet<string>, page: Page) => SearchHits;

interface Page {
  readonly offset: number;
  readonly limit: number;
}

export function createWithNameless(library: Pick<Library, 'findSticker' | 'revision'>): WithNameless {
  let last:
    { readonly presets: ReadonlySet<string>; readonly revision: number; readonly nameless: string[] } | undefined;
  const namelessOf = (presets: ReadonlySet<string>): readonly string[] => {
    const { revision } = library;
    if (last?.presets !== presets || last.revision !== revision) {
      const nameless = [...presets].filter((preset) => library.findSticker(preset) === undefined);
      last = { presets, revision, nameless };
    }
    return last.nameless;
  };
  return (found, presets, { offset, limit }) => {
    if (found.total >= presets.size) return found;
    const nameless = namelessOf(presets);
    const from = Math.max(0, offset - found.total);
    const listed = found.hits.slice(0, Math.max(0, found.total - offset));
    const more = nameless.slice(from, from + limit - listed.length);
    const hits = [...listed, ...more.map((preset) => ({ sticker: namelessSticker(preset), shipped: false, score: 0 }))];
    return { ...found, total: found.total + nameless.length, hits };
  };
}
