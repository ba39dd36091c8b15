// svcd's own search and related stickers, in pages: what the library finds, and whether a sticker is owned.

import { pageFacts, type FindAnswer, type RelatedAnswer, OFFSET_MAX, type FindRequest } from '../../api/find.js';
import { candidateOf } from '../../contract/candidate.js';
import { isWeak, roundFit } from '../../contract/fit.js';
import type { Library } from '../../library/library.js';
import { otherTitlesOf } from '../../library/search-index/other-titles.js';
import type { StickerFilter } from '../../library/query/filter.js';
import type { ShippedRule } from '../../library/query/shipped-rule.js';
import { UNKNOWN_LICENCE, type Credit } from '../../model/credit.js';
import { parseColor } from '../../model/color.js';
import { SvcdError } from '../../model/errors.js';
import { createWithNameless, isByPreset } from './nameless-stickers.js';
import type { OwnedPresets } from '../owned/owned-files.js';

export type FindStickers = (request: FindRequest) => FindAnswer;

/** Search with filters and pages; addresses are at `origin`. */
export function createFindStickers(
  library: Pick<Library, 'find' | 'findSticker' | 'revision' | 'requireStyle'>,
  ownedPresets: OwnedPresets,
  origin: () => string,
): FindStickers {
  const withNameless = createWithNameless(library);
  return (request) => {
    const { q, offset, limit, shipped, owned } = request;
    const presets = ownedPresets();
    const known = library.find({
      query: q,
      filter: filterOf(request, presets, library),
      offset,
      limit,
      shipped: ruleOf(shipped),
    });
    const isAllOwned = owned === true && isByPreset(request);
    const found = isAllOwned ? withNameless(known, presets, { offset, limit }) : known;
    // Pages end where the total says: behind that the library lists what hardly fits, to fill a first page.
    const hits = found.hits.slice(0, Math.max(0, found.total - offset));
    return {
      query: q ?? null,
      ...pageFacts(found.total, offset, limit, OFFSET_MAX),
      dropped: found.dropped,
      suggestions: found.suggestions,
      ...(offset === 0 && isWeak(hits) && { weak: true }),
      results: hits.map(({ sticker, shipped: isShipped, fit }) => ({
        ...candidateOf(sticker, origin()),
        ...otherTitlesOf(sticker),
        owned: presets.has(sticker.preset),
        shipped: isShipped,
        ...toldCredit(sticker),
        ...(fit !== undefined && { fit: roundFit(fit) }),
      })),
    };
  };
}

export function ruleOf(shipped: boolean | undefined): ShippedRule {
  if (shipped === undefined) return 'last-resort';
  return shipped ? 'listed' : 'left-out';
}

/** Throws `invalid_request` for a style that no sticker has. */
export function filterOf(
  { owned, color, aspect, duration, style, styleKind }: Omit<FindRequest, 'q' | 'offset' | 'limit' | 'shipped'>,
  presets: ReadonlySet<string>,
  library: Pick<Library, 'requireStyle'>,
): StickerFilter {
  if (style !== undefined) library.requireStyle(style);
  const near = color && parseColor(color.hex);
  return {
    aspect,
    duration,
    style,
    styleKind,
    presets: owned === undefined ? undefined : { set: presets, within: owned },
    color: near && { near, within: color.distance },
  };
}

export type ListRelated = (preset: string, page: { offset: number; limit: number }) => RelatedAnswer;

/** Related stickers, a page of them. Throws `unknown_preset` when the library does not know the preset. */
export function createListRelated(
  library: Pick<Library, 'findRelated'>,
  ownedPresets: OwnedPresets,
  origin: () => string,
): ListRelated {
  return (preset, { offset, limit }) => {
    const found = library.findRelated(preset, { offset, limit });
    if (found === undefined) {
      throw new SvcdError('unknown_preset', `the library knows no sticker ${JSON.stringify(preset)}`, {
        hint: 'Search for it: "svcd search WORDS" lists presets.',
      });
    }
    const presets = ownedPresets();
    const results = found.hits.map(({ sticker, shipped, sameConcept, shared, fit }) => ({
      ...candidateOf(sticker, origin()),
      ...otherTitlesOf(sticker),
      owned: presets.has(sticker.preset),
      shipped,
      ...toldCredit(sticker),
      same_concept: sameConcept,
      shared,
      fit: roundFit(fit),
    }));
    return { preset, ...pageFacts(found.total, offset, limit, OFFSET_MAX), results };
  };
}

function toldCredit({ licence, attribution }: Credit) {
  return { licence: licence ?? UNKNOWN_LICENCE, attribution: attribution ?? null };
}
