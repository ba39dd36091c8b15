// What a sticker and a query mean, as English stems: through the glossary for Han words, directly for English ones.
// So that words find each other that share no character. What a meaning is worth is for query-plan.ts.

import { stemsOf } from './english.js';
import type { Glossary } from './glossary.js';

/** Stands before a stem among the terms of the index; neither letter nor digit. */
export const MEANING_MARK = '%';

/** A stem that is one word of a longer gloss. */
const PART_OF_GLOSS = 0.7;
/** The smaller a part of the text is, the less the text means what the part does. */
const SHARE_POWER = 1.2;
const HAN_RUNS = /[\u3007\u3400-\u9FFF]+/g;
const LATIN = /[a-z]/;

/** Every stem a normalised title or keyword may mean, with how surely: 1 for a word whose gloss it is. */
export function meaningsIn(text: string, glossary: Glossary): Map<string, number> {
  const found = new Map<string, number>();
  const put = (stem: string, sure: number) => {
    if (sure > (found.get(stem) ?? 0)) found.set(stem, sure);
  };
  for (const { word, share } of glossedPieces(text, glossary)) {
    for (const { stem, whole } of glossary.of(word)) put(stem, share ** SHARE_POWER * (whole ? 1 : PART_OF_GLOSS));
  }
  if (LATIN.test(text)) {
    const stems = stemsOf(text);
    for (const stem of stems) put(stem, stems.length > 1 ? PART_OF_GLOSS : 1);
  }
  return found;
}

/** A known word of a text. */
export interface GlossedPiece {
  readonly word: string;
  /** As the glossary packs them. */
  readonly meanings: Uint16Array;
  readonly share: number;
}

/** The known words that a normalised text is made of, with their meanings and their share of its Han characters. */
export function glossedPieces(text: string, glossary: Glossary): GlossedPiece[] {
  const runs = text.match(HAN_RUNS);
  if (runs === null) return [];
  const pieces: GlossedPiece[] = [];
  const length = runs.reduce((sum, run) => sum + run.length, 0);
  for (const run of runs) {
    for (const word of cut(run, glossary)) {
      const meanings = glossary.packedOf(word);
      if (meanings.length > 0) pieces.push({ word, meanings, share: word.length / length });
    }
  }
  return pieces;
}

/** One for all texts: to make such arrays takes longer than to cut a query. */
let cuts = { gains: new Float64Array(64), lengths: new Uint8Array(64) };

function cutsFor(length: number): typeof cuts {
  if (length >= cuts.lengths.length)
    cuts = { gains: new Float64Array(2 * length), lengths: new Uint8Array(2 * length) };
  cuts.gains[length] = 0;
  return cuts;
}

// As few and as long words as possible; a character that belongs to none stands by itself.
function cut(run: string, glossary: Glossary): string[] {
  if (glossary.has(run)) return [run];
  const { gains, lengths } = cutsFor(run.length);
  for (let at = run.length - 1; at >= 0; at--) {
    gains[at] = gains[at + 1]!;
    lengths[at] = 1;
    const longest = Math.min(glossary.longestFrom(run.charCodeAt(at)), run.length - at);
    for (let length = longest; length >= 2; length--) {
      const gain = length - 0.5 + gains[at + length]!;
      if (gain <= gains[at]! || !glossary.hasPart(run, at, at + length)) continue;
      gains[at] = gain;
      lengths[at] = length;
    }
  }
  const words: string[] = [];
  for (let at = 0; at < run.length; at += lengths[at]!) words.push(run.slice(at, at + lengths[at]!));
  return words;
}
