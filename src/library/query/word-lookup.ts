// Where one word of a submission occurs in the library: as a whole title or keyword, inside one, or through a synonym.
// The same lookup gives match its scores and its reasons, so that they cannot disagree.

import type { MatchField, Reason } from '../../contract/candidate.js';
import { wordsBeside } from '../search-index/cooccurrence.js';
import { commonFields, forEachPosting } from '../search-index/postings.js';
import type { StickerIndex } from '../search-index/sticker-index.js';
import { IN_KEYWORDS, IN_TITLE } from '../search-index/weigh-terms.js';
import { stemsOf } from '../language/english.js';
import { isWhole, stemOf } from '../language/glossary.js';
import { glossedPieces, MEANING_MARK } from '../language/concepts.js';
import type { QueryContext } from './query-context.js';
import { tokenise } from '../language/tokenise.js';
import type { Vocabulary } from '../search-index/vocabulary.js';

export interface WordForms {
  /** The term that is exactly this word, or -1. */
  readonly exact: number;
  /** A document contains the word when it has all of these in one field. */
  readonly parts: readonly number[];
  /** For an unknown word: the exact terms of the known words it is made of. */
  readonly pieces: readonly number[];
  /** Exact terms of its synonyms, or of those of its pieces. */
  readonly synonyms: readonly number[];
}

export interface WordTerms extends WordForms {
  /** Terms of what it means, by the glossary. */
  readonly meanings: readonly number[];
  /** Exact terms of words that stand beside it in the library; none unless asked for. */
  readonly beside: readonly number[];
}

/** How a word occurs in a document. */
export type Occurrence = 'exact' | 'inside' | 'piece' | 'synonym' | 'meaning' | 'beside';

/** A word means few things at a time. */
const MAX_MEANINGS = 3;
/** A keyword that is made of more words is a sentence: the first are looked for. */
const MAX_PIECES = 12;
/** No title has more without a space. */
const MAX_UNSPACED = 32;

/** The terms of a normalised word, looked up once. */
export function lookUpWord(word: string, context: QueryContext): WordTerms {
  const { exact, parts, pieces, synonyms } = lookUpForms(word, context);
  return { exact, parts, pieces, synonyms, meanings: conceptTermsOf(word, context), beside: NONE };
}

/** The same with the words that stand beside it in the library. */
export function withCooccurring(terms: WordTerms, { index }: QueryContext): WordTerms {
  return { ...terms, beside: wordsBeside(terms.exact, index).map(({ term }) => term) };
}

/** The same without what it means. */
export function lookUpForms(word: string, context: QueryContext): WordForms {
  const { vocabulary, synonyms: table, index } = context;
  const exact = vocabulary.find(word);
  const isKnown = exact >= 0 || table.has(word);
  const pieces = isKnown ? [] : piecesOf(word, vocabulary);
  const synonyms: number[] = [];
  for (const one of [word, ...pieces]) putTerms(table.of(one), vocabulary, synonyms);
  return { exact, parts: partsOf(word, index), pieces: putTerms(pieces, vocabulary, []), synonyms };
}

/** Terms of what a normalised word means. */
export function conceptTermsOf(word: string, { glossary, index, conceptTerms }: QueryContext): number[] {
  // What the characters of an unlisted word mean one by one is not what it means.
  const all = glossedPieces(word, glossary).filter((piece) => piece.word.length > 1 || word.length === 1);
  const pieces = all.slice(0, MAX_PIECES);
  const terms = new Set<number>();
  for (const { meanings } of pieces) {
    let taken = 0;
    for (let i = 0; i < meanings.length && taken < MAX_MEANINGS; i++) {
      if (pieces.length > 1 && !isWhole(meanings[i]!)) continue;
      terms.add(conceptTerms.find(stemOf(meanings[i]!)));
      taken++;
    }
  }
  for (const stem of stemsOf(word)) terms.add(index.find(MEANING_MARK + stem));
  terms.delete(-1);
  return [...terms];
}

/** Terms of which a document that contains the word has all in one field, the rarest first. */
export function partsOf(word: string, index: StickerIndex): readonly number[] {
  if (word.length > MAX_UNSPACED && !word.includes(' ')) return NONE;
  const parts: number[] = [];
  for (const { kind, term: text } of tokenise(word)) {
    if (kind !== 'word' && kind !== 'pair') continue;
    const term = index.find(text);
    if (term < 0) return NONE;
    if (!parts.includes(term)) parts.push(term);
  }
  return parts.length < 2 ? parts : parts.toSorted(rarestFirst(index));
}

function piecesOf(word: string, vocabulary: Vocabulary): string[] {
  const pieces = vocabulary.segment(word).filter((piece) => piece.known && piece.text.length > 1);
  return pieces.slice(0, MAX_PIECES).map((piece) => piece.text);
}

function putTerms(words: readonly string[], vocabulary: Vocabulary, terms: number[]): number[] {
  for (const word of words) {
    const term = vocabulary.find(word);
    if (term >= 0) terms.push(term);
  }
  return terms;
}

/** What a word is looked for by: a document with this term has it in the fields of this and all other terms. */
export type VisitTerm = (term: number, how: Occurrence, others: readonly number[]) => void;

/** Calls back for every term that shows a word, those that show it strongest first. */
export function forEachTerm(word: WordTerms, visit: VisitTerm): void {
  forEachFormTerm(word, visit);
  for (const meaning of word.meanings) visit(meaning, 'meaning', NONE);
  for (const beside of word.beside) visit(beside, 'beside', NONE);
}

function forEachFormTerm({ exact, parts, pieces, synonyms }: WordForms, visit: VisitTerm): void {
  if (exact >= 0) visit(exact, 'exact', NONE);
  const [rarest = -1, ...others] = parts;
  if (rarest >= 0) visit(rarest, 'inside', others);
  for (const piece of pieces) visit(piece, 'piece', NONE);
  for (const synonym of synonyms) visit(synonym, 'synonym', NONE);
}

const NONE: readonly number[] = [];

/** Calls back for every document that has the word in some form, perhaps more than once. */
export function forEachForm(word: WordForms, index: StickerIndex, visit: (document: number) => void): void {
  forEachFormTerm(word, (term, _, others) => {
    forEachPosting(term, index, (document, fields) => {
      if (commonFields(others, document, fields, index) !== 0) visit(document);
    });
  });
}

/** The fields of a bit set, the title first. */
function fieldNames(fields: number): MatchField[] {
  const names: MatchField[] = [];
  if (fields & IN_TITLE) names.push('title');
  if (fields & IN_KEYWORDS) names.push('keywords');
  return names;
}

function rarestFirst(index: StickerIndex) {
  return (a: number, b: number) => index.frequency(a) - index.frequency(b) || a - b;
}

const EVERYWHERE = IN_TITLE | IN_KEYWORDS;
const IS_DIRECT = {
  exact: true,
  inside: true,
  piece: true,
  synonym: false,
  meaning: false,
  beside: false,
} as const satisfies Record<Occurrence, boolean>;

/** A word and where it occurs. */
interface FoundWord {
  readonly word: string;
  readonly terms: WordTerms;
}

/** All reasons for a document, in the order of the words; a word gives a field one reason, the direct one if there is one. */
export function reasonsFor(document: number, words: readonly FoundWord[], index: StickerIndex): Reason[] {
  const reasons: Reason[] = [];
  for (const { word, terms } of words) {
    let given = 0;
    forEachTerm(terms, (term, how, others) => {
      if (given === EVERYWHERE) return;
      const fields = commonFields(others, document, index.fieldsOf(term, document), index) & ~given;
      given |= fields;
      const source = IS_DIRECT[how] ? 'direct' : 'synonym';
      for (const field of fieldNames(fields)) reasons.push({ keyword: word, field, source });
    });
  }
  return reasons;
}
