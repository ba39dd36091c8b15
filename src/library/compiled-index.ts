// The index as search reads it: per term the documents that have it, with their weights. Built by build-index.ts,
// stored by snapshot.ts. A document number is the place of a sticker in preset order; stickers that changed since are
// documents of their own behind these (changes.ts), and what they replace is not listed any more.

import { TermDictionary, type TermArrays } from './term-dictionary.js';
import { IN_KEYWORDS, IN_TITLE, rarityOf } from './weigh-terms.js';

export { IN_KEYWORDS, IN_TITLE };

const FIELD_BITS = 2;
const FIELD_MASK = IN_TITLE | IN_KEYWORDS;

export interface IndexArrays extends TermArrays {
  /** Per document, its row in the store. */
  readonly rowids: Uint32Array;
  /** Per document, a number shared by stickers of one concept. */
  readonly concepts: Uint32Array;
  /** Average length of titles and of keywords, in terms. */
  readonly averages: Float32Array;
  /** Per term, where its postings begin; and the end of the last. */
  readonly starts: Uint32Array;
  /** Document number and field bits, by document. */
  readonly postings: Uint32Array;
  /** Score of the posting, fields and their boosts summed. */
  readonly weights: Float32Array;
}

/** What calls back for a posting. */
export type VisitPosting = (document: number, fields: number, weight: number) => void;

export class CompiledIndex {
  readonly arrays: IndexArrays;
  readonly terms: TermDictionary;
  /** How many documents it was built of. */
  readonly size: number;

  constructor(arrays: IndexArrays) {
    this.arrays = arrays;
    this.terms = new TermDictionary(arrays);
    this.size = arrays.rowids.length;
  }

  /** How many documents have the term; 0 for -1. */
  frequency(term: number): number {
    return term < 0 ? 0 : this.arrays.starts[term + 1]! - this.arrays.starts[term]!;
  }

  /** Rarity of something `frequency` documents have: MiniSearch's inverse document frequency. */
  rarity(frequency: number): number {
    return rarityOf(frequency, this.size);
  }

  /** Field bits of a term in a document; 0 when it is not there. */
  fieldsOf(term: number, document: number): number {
    if (term < 0) return 0;
    const { starts, postings } = this.arrays;
    let low = starts[term]!;
    let high = starts[term + 1]!;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const found = documentOf(postings[middle]!);
      if (found === document) return fieldsOf(postings[middle]!);
      if (found < document) low = middle + 1;
      else high = middle;
    }
    return 0;
  }
}

/** A posting as stored. */
export function packPosting(document: number, fields: number): number {
  return ((document << FIELD_BITS) | fields) >>> 0;
}

/** Document number of a posting. */
export function documentOf(posting: number): number {
  return posting >>> FIELD_BITS;
}

/** Field bits of a posting. */
export function fieldsOf(posting: number): number {
  return posting & FIELD_MASK;
}
