// The index as it was built: per term the documents that have it, with their weights. It never changes. Built by
// build-index.ts, stored by snapshot.ts. A document number is the place of a sticker in preset order.

import { TermDictionary, type TermArrays } from '../packed/term-dictionary.js';
import { documentOf, fieldsOf, type PostingList, type Postings } from './postings.js';
import { rarityOf } from './weigh-terms.js';

export interface IndexArrays extends TermArrays {
  /** Per document, its row in the store. */
  readonly rowids: Uint32Array;
  /** Per document, a number shared by stickers of one concept. */
  readonly concepts: Uint32Array;
  /** Per document, a number shared by stickers with the same title. */
  readonly titles: Uint32Array;
  /** Average length of titles and of keywords, in terms. */
  readonly averages: Float32Array;
  /** Per term, where its postings begin; and the end of the last. */
  readonly starts: Uint32Array;
  /** Document number and field bits, by document. */
  readonly postings: Uint32Array;
  /** Weight of each posting. */
  readonly weights: Float32Array;
  /** For `Postings.wordLengths`. */
  readonly lengths: Uint8Array;
}

export class CompiledIndex implements Postings {
  readonly arrays: IndexArrays;
  readonly terms: TermDictionary;
  readonly addedTerms: readonly string[] = [];
  readonly wordLengths: Uint8Array;
  readonly size: number;
  readonly capacity: number;
  private readonly list: { -readonly [Name in keyof PostingList]: PostingList[Name] };
  private documentsOfRows: ReadonlyMap<number, number> | undefined;

  constructor(arrays: IndexArrays) {
    this.arrays = arrays;
    this.terms = new TermDictionary(arrays);
    this.wordLengths = arrays.lengths;
    this.size = arrays.rowids.length;
    this.capacity = this.size;
    this.list = { postings: arrays.postings, weights: arrays.weights, from: 0, to: 0 };
  }

  find(term: string): number {
    return this.terms.find(term);
  }

  findPart(mark: string, text: string, from: number, to: number): number {
    return this.terms.findPart(mark, text, from, to);
  }

  spell(term: number): string {
    return this.terms.get(term);
  }

  frequency(term: number): number {
    const { starts } = this.arrays;
    return this.has(term) ? starts[term + 1]! - starts[term]! : 0;
  }

  /** How many documents have the term in a field. */
  frequencyIn(field: number, term: number): number {
    const { postings, from, to } = this.listOf(term);
    let count = 0;
    for (let i = from; i < to; i++) if ((postings[i]! & field) !== 0) count++;
    return count;
  }

  rarity(frequency: number): number {
    return rarityOf(frequency, this.size);
  }

  listOf(term: number): PostingList {
    const { list } = this;
    const isKnown = this.has(term);
    list.from = isKnown ? this.arrays.starts[term]! : 0;
    list.to = isKnown ? this.arrays.starts[term + 1]! : 0;
    return list;
  }

  fieldsOf(term: number, document: number): number {
    if (!this.has(term)) return 0;
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

  documents(): Uint32Array {
    return Uint32Array.from({ length: this.size }, (_, document) => document);
  }

  rowidOf(document: number): number {
    return this.arrays.rowids[document]!;
  }

  documentOfRow(rowid: number): number {
    this.documentsOfRows ??= this.listByRow();
    return this.documentsOfRows.get(rowid) ?? -1;
  }

  conceptOf(document: number): number {
    return this.arrays.concepts[document]!;
  }

  titleOf(document: number): number {
    return this.arrays.titles[document]!;
  }

  private listByRow(): ReadonlyMap<number, number> {
    const documents = new Map<number, number>();
    this.arrays.rowids.forEach((row, document) => documents.set(row, document));
    return documents;
  }

  private has(term: number): boolean {
    return term >= 0 && term < this.terms.size;
  }
}
