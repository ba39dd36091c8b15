// What a query needs of an index: terms by number, which documents have a term, and what is known of a document. The
// index as it was built (compiled-index.ts) and the same with later changes (combined-index.ts) both answer so.

import type { TermDictionary } from '../packed/term-dictionary.js';
import { IN_KEYWORDS, IN_TITLE } from './weigh-terms.js';

const FIELD_SHIFT = 2;
const FIELD_MASK = IN_TITLE | IN_KEYWORDS;

/** The documents that have a term: `postings[i]` with `weights[i]`, from `from` to before `to`. */
export interface PostingList {
  /** For `documentOf` and `fieldsOf`. */
  readonly postings: Uint32Array;
  /** What the term is worth in the document: its fields and their boosts summed. */
  readonly weights: Float32Array | Float64Array;
  readonly from: number;
  readonly to: number;
}

export interface Postings {
  /** The terms known when the index was built, sorted; their numbers begin at 0. */
  readonly terms: TermDictionary;
  /** Terms that only later changes have; their numbers follow. */
  readonly addedTerms: readonly string[];
  /** How long titles and keywords are, by their first characters; for `WordLengths`. */
  readonly wordLengths: Uint8Array;
  /** How many documents the index was built of; numbers of changed ones follow. */
  readonly size: number;
  /** Every document number is below this. */
  readonly capacity: number;
  /** Number of a term, or -1. */
  find(term: string): number;
  /** Number of the term that is `mark` and the part of a text between two places, or -1; makes no string where it can. */
  findPart(mark: string, text: string, from: number, to: number): number;
  /** The term with this number. */
  spell(term: number): string;
  /** How many documents have the term; 0 for -1. */
  frequency(term: number): number;
  /** MiniSearch's inverse document frequency of something that so many documents have. */
  rarity(frequency: number): number;
  /** The documents that have the term; empty for -1. Valid until the next call. */
  listOf(term: number): PostingList;
  /** Field bits of a term in a document; 0 when the document does not have it. */
  fieldsOf(term: number, document: number): number;
  /** Every listed document, in preset order; changed ones come last. */
  documents(): Uint32Array;
  /** The store's row of a document. */
  rowidOf(document: number): number;
  /** The listed document of a row, or -1. */
  documentOfRow(rowid: number): number;
  /** A number that documents of one concept share. */
  conceptOf(document: number): number;
  /** A number that documents with the same title share; a changed document has a number of its own. */
  titleOf(document: number): number;
}

/** Calls back for every document that has the term. The callback must not ask for another list. */
export function forEachPosting(
  term: number,
  index: Pick<Postings, 'listOf'>,
  visit: (document: number, fields: number) => void,
): void {
  const { postings, from, to } = index.listOf(term);
  for (let i = from; i < to; i++) visit(documentOf(postings[i]!), fieldsOf(postings[i]!));
}

/** Which of the fields of a document have all these terms too, as bits. */
export function commonFields(
  terms: readonly number[],
  document: number,
  fields: number,
  index: Pick<Postings, 'fieldsOf'>,
): number {
  let common = fields;
  for (const term of terms) if (common !== 0) common &= index.fieldsOf(term, document);
  return common;
}

/** A posting as it is stored. */
export function packPosting(document: number, fields: number): number {
  return ((document << FIELD_SHIFT) | fields) >>> 0;
}

/** Document number of a posting. */
export function documentOf(posting: number): number {
  return posting >>> FIELD_SHIFT;
}

/** Field bits of a posting. */
export function fieldsOf(posting: number): number {
  return posting & FIELD_MASK;
}
