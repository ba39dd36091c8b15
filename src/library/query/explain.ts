// Why a sticker is among the matches: every word that led to it, the field it was found in, directly or by a synonym.

import type { Reason } from '../../contract/candidate.js';
import { commonFields, type Postings } from '../search-index/postings.js';
import { IN_KEYWORDS, IN_TITLE } from '../search-index/weigh-terms.js';
import type { ExtractedKeyword } from './keyword-extraction.js';
import { fieldNames, forEachTerm, type Occurrence } from './word-lookup.js';

const EVERYWHERE = IN_TITLE | IN_KEYWORDS;
const IS_DIRECT = {
  exact: true,
  inside: true,
  piece: true,
  synonym: false,
  meaning: false,
  beside: false,
} as const satisfies Record<Occurrence, boolean>;

/** All reasons for a document, in the order of the words; a word gives a field one reason, the direct one if there is one. */
export function reasonsFor(document: number, words: readonly ExtractedKeyword[], index: Postings): Reason[] {
  const reasons: Reason[] = [];
  for (const word of words) addReasons(document, word, index, reasons);
  return reasons;
}

function addReasons(document: number, { word, terms }: ExtractedKeyword, index: Postings, reasons: Reason[]): void {
  let given = 0;
  forEachTerm(terms, (term, how, others) => {
    if (given === EVERYWHERE) return;
    const fields = commonFields(others, document, index.fieldsOf(term, document), index) & ~given;
    given |= fields;
    const source = IS_DIRECT[how] ? 'direct' : 'synonym';
    for (const field of fieldNames(fields)) reasons.push({ keyword: word, field, source });
  });
}
