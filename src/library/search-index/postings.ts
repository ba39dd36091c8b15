// What a list of documents is, and how one is walked. The lists themselves are in sticker-index.ts.

import { IN_KEYWORDS, IN_TITLE } from './weigh-terms.js';

const FIELD_SHIFT = 2;
const FIELD_MASK = IN_TITLE | IN_KEYWORDS;

/** The documents that have a term: `postings[i]` with `weights[i]`, from `from` to before `to`. */
export interface PostingList {
  /** For `documentOf` and `fieldsOf`. */
  readonly postings: Uint32Array;
  /** What the term is worth in the document: its fields and their boosts summed. */
  readonly weights: Float32Array;
  readonly from: number;
  readonly to: number;
}

/** Calls back for every document that has the term. The callback must not ask for another list. */
export function forEachPosting(
  term: number,
  index: { listOf(term: number): PostingList },
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
  index: { fieldsOf(term: number, document: number): number },
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
