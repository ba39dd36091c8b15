// Stickers related to one: the same thing in other styles, then stickers that share its words.

import { SvcdError } from '../model/errors.js';
import type { Library } from '../library/library.js';
import { candidateOf } from '../contract/candidate.js';
import { pageFacts, type RelatedAnswer } from '../api/find-answer.js';
import { OFFSET_MAX } from '../api/find-request.js';
import type { OwnedPresets } from './owned-presets.js';

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
    const results = found.hits.map(({ sticker, sameConcept, shared }) => ({
      ...candidateOf(sticker, origin()),
      owned: presets.has(sticker.preset),
      same_concept: sameConcept,
      shared,
    }));
    return { preset, ...pageFacts(found.total, offset, limit, OFFSET_MAX), results };
  };
}
