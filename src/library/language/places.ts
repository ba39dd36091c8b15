// Where a folded word stands in a text as it was written, in UTF-16 units. Folding may change lengths: ㎏ is kg.

import { fold, normalise } from './normalise.js';

export type Place = readonly [start: number, end: number];

export interface PlacedText {
  /** As `normalise` gives it. */
  readonly folded: string;
  /** Where this part of `folded` stands in the text. */
  placeOf(from: number, to: number): Place;
}

const SPACE = /^\s+$/;

/** Folds a text so that a place in it can be told. */
export function foldWithPlaces(text: string): PlacedText {
  const plain = normalise(text);
  if (plain === text) return { folded: text, placeOf: (from, to) => [from, to] };
  const starts: number[] = [];
  const ends: number[] = [];
  let spelled = '';
  let at = 0;
  for (const character of text) {
    const piece = fold(character);
    const end = at + character.length;
    const isSpace = SPACE.test(piece);
    if (!isSpace || (spelled !== '' && !spelled.endsWith(' '))) {
      spelled += isSpace ? ' ' : piece;
      for (let i = isSpace ? 1 : piece.length; i > 0; i -= 1) {
        starts.push(at);
        ends.push(end);
      }
    }
    at = end;
  }
  // What folds only beside its neighbors (a letter and its mark) has the length of neither: then the whole text is meant.
  const isSame = spelled.trim().length === plain.length;
  const whole: Place = [0, text.length];
  return {
    folded: plain,
    placeOf: (from, to) => (isSame && to > from ? [starts[from] ?? 0, ends[to - 1] ?? text.length] : whole),
  };
}

const WORD_UNIT = /[\p{L}\p{N}]/u;
const HAN = /\p{Script=Han}/u;

/** Where a folded word begins in a folded text, or -1; a word in letters with spaces between must not begin or end inside another. */
export function findWord(text: string, word: string, from = 0): number {
  for (let at = text.indexOf(word, from); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!runsOn(text[at - 1], word[0]) && !runsOn(text[at + word.length], word.at(-1))) return at;
  }
  return -1;
}

function runsOn(beside: string | undefined, edge: string | undefined): boolean {
  if (beside === undefined || edge === undefined || HAN.test(edge)) return false;
  return WORD_UNIT.test(edge) && WORD_UNIT.test(beside) && !HAN.test(beside);
}
