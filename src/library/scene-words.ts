// What a submission is about: its explicit keywords, and the words of its copy that the library knows, weighed by how
// telling they are. Where they occur is word-lookup.ts.

import { normalise } from './normalise.js';
import type { Lexicon } from './query-plan.js';
import { isStopWord } from './stop-words.js';
import type { Piece } from './vocabulary.js';
import { lookUpWord, type WordTerms } from './word-lookup.js';

export interface SceneWord {
  /** As it was given, for an explicit keyword; else normalised. */
  readonly word: string;
  readonly explicit: boolean;
  readonly weight: number;
  readonly terms: WordTerms;
}

export interface Submission {
  readonly text?: string | undefined;
  readonly keywords?: readonly string[] | undefined;
}

/** More words than this make a long copy no clearer. */
const MAX_COPY_WORDS = 40;
const INSIDE_WEIGHT = 0.5;
const SINGLE_WEIGHT = 0.4;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const DIGITS = /^\p{N}+$/u;

/** The words of a submission: explicit keywords in their order, then words of the copy by weight; each once. */
export function sceneWords({ text = '', keywords = [] }: Submission, lexicon: Lexicon): SceneWord[] {
  const explicit = new Map<string, SceneWord>();
  for (const keyword of keywords) {
    const word = normalise(keyword);
    if (word === '' || explicit.has(word)) continue;
    const terms = lookUpWord(word, lexicon);
    explicit.set(word, { word: keyword.trim(), explicit: true, weight: 1, terms });
  }
  const found = copyWords(normalise(text), lexicon).filter(({ word }) => !explicit.has(word));
  return [...explicit.values(), ...found];
}

function copyWords(copy: string, lexicon: Lexicon): SceneWord[] {
  const words = Array.from(countWords(copy, lexicon), ([word, { factor, times }]) => ({
    word,
    weight: factor * telling(word, times, lexicon),
  }));
  return words
    .toSorted((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1))
    .slice(0, MAX_COPY_WORDS)
    .map(({ word, weight }) => ({ word, explicit: false, weight, terms: lookUpWord(word, lexicon) }));
}

interface Count {
  times: number;
  /** 1 for a word the copy really has; less for one inside a longer word, and for a single character. */
  factor: number;
}

function countWords(copy: string, { vocabulary }: Lexicon): Map<string, Count> {
  const counts = new Map<string, Count>();
  const count = (word: string, factor: number) => {
    if (isStopWord(word)) return;
    const known = counts.get(word) ?? { times: 0, factor: 0 };
    counts.set(word, { times: known.times + 1, factor: Math.max(known.factor, factor) });
  };
  const pieces = vocabulary.segment(copy);
  for (const [i, piece] of pieces.entries()) {
    if (!isWord(piece)) continue;
    if (piece.text.length > 1) {
      count(piece.text, 1);
      for (const word of vocabulary.inside(piece.text)) count(word, INSIDE_WEIGHT);
    } else if (standsAlone(pieces[i - 1]) && standsAlone(pieces[i + 1])) {
      count(piece.text, SINGLE_WEIGHT);
    }
  }
  return counts;
}

function isWord({ known, text }: Piece): boolean {
  return known && LETTER_OR_DIGIT.test(text) && !DIGITS.test(text);
}

// A single character beside letters that belong to no word is most likely a piece of a word nobody listed.
function standsAlone(neighbour: Piece | undefined): boolean {
  if (neighbour === undefined || neighbour.known) return true;
  return !LETTER_OR_DIGIT.test(neighbour.text) || isStopWord(neighbour.text);
}

// Rare words and long words tell more; repeating one adds a little.
function telling(word: string, times: number, { index, vocabulary, synonyms }: Lexicon): number {
  const own = index.frequency(vocabulary.find(word));
  const others = () => synonyms.of(word).map((synonym) => index.frequency(vocabulary.find(synonym)));
  const frequency = own > 0 ? own : Math.max(1, ...others());
  return index.rarity(frequency) * Math.sqrt(Math.min(word.length, 4) / 2) * (1 + 0.3 * Math.log(times));
}
