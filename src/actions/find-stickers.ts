// svcd's own search: what search finds, and besides filters, pages, and what is owned.

import { parseColor } from '../model/color.js';
import type { StickerFilter } from '../library/query/filter.js';
import type { Sticker } from '../model/sticker.js';
import { candidateOf } from '../contract/candidate.js';
import { pageFacts, type FindAnswer } from '../api/find-answer.js';
import { OFFSET_MAX, type FindRequest } from '../api/find-request.js';
import type { OwnedPresets } from './owned-presets.js';

export interface StickerFinder {
  find(request: {
    query: string | undefined;
    filter: StickerFilter;
    offset: number;
    limit: number;
  }): FoundPage;
}

interface FoundPage {
  readonly total: number;
  readonly hits: readonly { readonly sticker: Sticker }[];
  readonly dropped: readonly string[];
  readonly suggestions: readonly string[];
}

export type FindStickers = (request: FindRequest) => FindAnswer;

/** Search with filters and pages; addresses are at `origin`. */
export function createFindStickers(
  library: StickerFinder,
  ownedPresets: OwnedPresets,
  origin: () => string,
): FindStickers {
  return (request) => {
    const { q, offset, limit } = request;
    const presets = ownedPresets();
    const found = library.find({ query: q, filter: filterOf(request, presets), offset, limit });
    return {
      query: q ?? null,
      ...pageFacts(found.total, offset, limit, OFFSET_MAX),
      dropped: found.dropped,
      suggestions: found.suggestions,
      results: found.hits.map(({ sticker }) => ({
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
