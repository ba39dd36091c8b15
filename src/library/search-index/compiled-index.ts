// The index as search reads it: per term the documents that have it, with their weights. Built by build-index.ts,
// stored by snapshot.ts. A document number is the place of a sticker in preset order; stickers that changed since are
// documents of their own behind these (changes.ts), and what they replace is not listed any more.

import { Changes, MAX_CHANGES } from './changes.js';
import { TermDictionary, type TermArrays } from '../packed/term-dictionary.js';
import { IN_KEYWORDS, IN_TITLE, rarityOf } from './weigh-terms.js';

export { IN_KEYWORDS, IN_TITLE };

const FIELD_SHIFT = 2;
const FIELD_MASK = IN_TITLE | IN_KEYWORDS;

export interface IndexArrays extends TermArrays {
  /** Per document, its row in the store. */
  readonly rowids: Uint32Array;
  /** Per document, a number shared by stickers of one concept. */
  readonly concepts: Uint32Array;
  /** Per document, a number shared by stickers that are called the same. */
  readonly titles: Uint32Array;
  /** Average length of titles and of keywords, in terms. */
  readonly averages: Float32Array;
  /** Per term, where its postings begin; and the end of the last. */
  readonly starts: Uint32Array;
  /** Document number and field bits, by document. */
  readonly postings: Uint32Array;
  /** Score of the posting, fields and their boosts summed. */
  readonly weights: Float32Array;
  /** How long titles and keywords are, by how they begin; for `WordLengths`. */
  readonly lengths: Uint8Array;
}

/** What calls back for a posting. */
export type VisitPosting = (document: number, fields: number, weight: number) => void;

export class CompiledIndex {
  readonly arrays: IndexArrays;
  readonly terms: TermDictionary;
  /** How many documents it was built of. */
  readonly size: number;
  /** What came since. */
  readonly changes: Changes;

  constructor(arrays: IndexArrays) {
    this.arrays = arrays;
    this.terms = new TermDictionary(arrays);
    this.size = arrays.rowids.length;
    this.changes = new Changes(this);
  }

  /** How many documents there can ever be: those of its making and the changes it takes. */
  get capacity(): number {
    return this.size + MAX_CHANGES;
  }

  /** Number of the term, or -1. */
  find(term: string): number {
    const id = this.terms.find(term);
    return id >= 0 || this.changes.size === 0 ? id : this.changes.find(term);
  }

  /** The term with this number. */
  spell(term: number): string {
    return term < this.terms.size ? this.terms.get(term) : this.changes.spell(term);
  }

  /** Every document that is listed, in preset order but for what changed, which comes last. */
  documents(): Uint32Array {
    const all = Uint32Array.from({ length: this.size + this.changes.size }, (_, document) => document);
    return this.changes.isEmpty ? all : all.filter((document) => !this.changes.replaces(document));
  }

  /** How many documents have the term; 0 for -1. */
  frequency(term: number): number {
    if (term < 0) return 0;
    const { starts } = this.arrays;
    const own = term < this.terms.size ? starts[term + 1]! - starts[term]! : 0;
    return own + this.changes.frequency(term);
  }

  /** How many documents of its making have the term in a field. */
  frequencyIn(field: number, term: number): number {
    if (term < 0 || term >= this.terms.size) return 0;
    const { starts, postings } = this.arrays;
    let count = 0;
    for (let i = starts[term]!; i < starts[term + 1]!; i++) if ((postings[i]! & field) !== 0) count++;
    return count;
  }

  /** Rarity of something `frequency` documents have: MiniSearch's inverse document frequency. */
  rarity(frequency: number): number {
    return rarityOf(frequency, this.size);
  }

  /** The store's row of a document. */
  rowidOf(document: number): number {
    return document < this.size ? this.arrays.rowids[document]! : this.changes.rowidOf(document);
  }

  /** A number that documents of one concept share. */
  conceptOf(document: number): number {
    return document < this.size ? this.arrays.concepts[document]! : this.changes.conceptOf(document);
  }

  /** A number that documents share that are called the same; one that came since has a number of its own. */
  titleOf(document: number): number {
    return document < this.size ? this.arrays.titles[document]! : document;
  }

  /** Calls back for every document that has the term and was not replaced. */
  forEachPosting(term: number, visit: VisitPosting): void {
    const { starts, postings, weights } = this.arrays;
    const { changes } = this;
    if (term < this.terms.size) {
      const isWhole = changes.isEmpty;
      for (let i = starts[term]!, end = starts[term + 1]!; i < end; i++) {
        const posting = postings[i]!;
        const document = posting >>> FIELD_SHIFT;
        if (isWhole || !changes.replaces(document)) visit(document, posting & FIELD_MASK, weights[i]!);
      }
    }
    if (changes.size > 0) changes.forEachPosting(term, visit);
  }

  /** Field bits of a term in a document; 0 when it is not there. */
  fieldsOf(term: number, document: number): number {
    if (term < 0) return 0;
    if (document >= this.size) return this.changes.fieldsOf(term, document);
    if (term >= this.terms.size) return 0;
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
