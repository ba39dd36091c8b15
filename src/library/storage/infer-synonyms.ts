// What the remote takes for synonyms, inferred from its reasons: they say that a sticker was found by a synonym of a word,
// not by which.

import type { ReadCandidate } from '../../contract/read-candidates.js';
import { normalise } from '../language/normalise.js';

export interface InferredSynonym {
  readonly word: string;
  readonly finds: string;
}

/** Words common to at least this many stickers, and to this part of all that the synonym found. */
const MIN_STICKERS = 2;
const MIN_SHARE = 0.5;
const MAX_PER_WORD = 3;

/**
 * Pairs of normalised words. A reason that names a word that was not asked for names the synonym itself; one that names
 * the word asked for leaves what most stickers found that way have in common.
 */
export function inferSynonyms(asked: readonly string[], candidates: readonly ReadCandidate[]): InferredSynonym[] {
  const words = new Set(asked.map(normalise));
  const [only] = words.size === 1 ? words : [];
  const found = new Map<string, ReadCandidate[]>();
  const inferred: InferredSynonym[] = [];
  for (const candidate of candidates) {
    for (const reason of candidate.reasons.filter((one) => one.isSynonym)) {
      const word = normalise(reason.keyword);
      if (words.has(word)) found.set(word, [...(found.get(word) ?? []), candidate]);
      else if (only !== undefined && isWord(word)) inferred.push({ word: only, finds: word });
    }
  }
  for (const [word, stickers] of found) inferred.push(...commonWords(word, stickers));
  return inferred;
}

function commonWords(word: string, candidates: readonly ReadCandidate[]): InferredSynonym[] {
  const counts = new Map<string, number>();
  for (const { sticker } of candidates) {
    for (const one of new Set([sticker.title, ...sticker.keywords].map(normalise))) {
      if (isWord(one) && one !== word) counts.set(one, (counts.get(one) ?? 0) + 1);
    }
  }
  const least = Math.max(MIN_STICKERS, candidates.length * MIN_SHARE);
  return [...counts]
    .filter(([, count]) => count >= least)
    .toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, MAX_PER_WORD)
    .map(([finds]) => ({ word, finds }));
}

// The synonym table separates words by white space and gives meaning to three marks.
function isWord(text: string): boolean {
  return text !== '' && text.length <= 12 && !/[\s#>]/.test(text);
}
