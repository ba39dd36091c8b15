// svcd's own search: what search finds, with filters, pages, and whether a sticker is owned.

import { pageFacts, type FindAnswer } from '../api/find-answer.js';
import { OFFSET_MAX, type FindRequest } from '../api/find-request.js';
import { candidateOf } from '../contract/candidate.js';
import type { Library } from '../library/library.js';
import type { StickerFilter } from '../library/query/filter.js';
import { parseColor } from '../model/color.js';
import type { OwnedPresets } from './owned-presets.js';

export type FindStickers = (request: FindRequest) => FindAnswer;

/** Search with filters and pages; addresses are at `origin`. */
export function createFindStickers(
  library: Pick<Library, 'find'>,
  ownedPresets: OwnedPresets,
  origin: () => string,
): FindStickers {
  return (request) => {
    const { q, offset, limit } = request;
    const presets = ownedPresets();
    const found = library.find({ query: q, filter: filterOf(request, presets), offset, limit });
    // Pages end where the total says: behind that the library lists what hardly fits, to fill a first page.
    const hits = found.hits.slice(0, Math.max(0, found.total - offset));
    return {
      query: q ?? null,
      ...pageFacts(found.total, offset, limit, OFFSET_MAX),
      dropped: found.dropped,
      suggestions: found.suggestions,
      results: hits.map(({ sticker }) => ({
        ...candidateOf(sticker, origin()),
        owned: presets.has(sticker.preset),
      })),
    };
  };
}

function filterOf(
  { owned, color, aspect, duration }: FindRequest,
  presets: ReadonlySet<string>,
): StickerFilter {
  const near = color && parseColor(color.hex);
  return {
    aspect,
    duration,
    presets: owned === undefined ? undefined : { set: presets, within: owned },
    color: near && { near, within: color.distance },
  };
}
