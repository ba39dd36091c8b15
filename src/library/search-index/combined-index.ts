// The index as it was built and what changed since, read as one. A changed sticker is a document of its own behind those
// of the index, and what it replaces is not listed any more.

import type { TermDictionary } from '../packed/term-dictionary.js';
import type { CompiledIndex } from './compiled-index.js';
import { MAX_CHANGES, Overlay, type AddedPosting } from './overlay.js';
import { documentOf, packPosting, type PostingList, type Postings } from './postings.js';

export class CombinedIndex implements Postings {
  readonly built: CompiledIndex;
  readonly overlay: Overlay;
  readonly terms: TermDictionary;
  readonly wordLengths: Uint8Array;
  readonly size: number;
  readonly capacity: number;
  // Used again for every list, and as long as the longest yet.
  private postings = new Uint32Array();
  // As exact as MiniSearch gives those of changed stickers.
  private weights = new Float64Array();

  constructor(built: CompiledIndex) {
    this.built = built;
    this.overlay = new Overlay(built);
    this.terms = built.terms;
    this.wordLengths = built.wordLengths;
    this.size = built.size;
    this.capacity = built.size + MAX_CHANGES;
  }

  get addedTerms(): readonly string[] {
    return this.overlay.addedTerms;
  }

  find(term: string): number {
    const number = this.built.find(term);
    return number >= 0 ? number : this.overlay.find(term);
  }

  findPart(mark: string, text: string, from: number, to: number): number {
    const number = this.built.findPart(mark, text, from, to);
    return number >= 0 || this.overlay.size === 0 ? number : this.overlay.find(mark + text.slice(from, to));
  }

  spell(term: number): string {
    return term < this.terms.size ? this.built.spell(term) : this.addedTerms[term - this.terms.size]!;
  }

  // What was replaced counts until the next build.
  frequency(term: number): number {
    return this.built.frequency(term) + this.overlay.postingsOf(term).length;
  }

  rarity(frequency: number): number {
    return this.built.rarity(frequency);
  }

  listOf(term: number): PostingList {
    const list = this.built.listOf(term);
    return this.overlay.isEmpty ? list : this.merge(list, this.overlay.postingsOf(term));
  }

  fieldsOf(term: number, document: number): number {
    if (document < this.size) return this.built.fieldsOf(term, document);
    return this.overlay.postingsOf(term).find((posting) => posting.document === document)?.fields ?? 0;
  }

  documents(): Uint32Array {
    const { overlay, built } = this;
    if (overlay.isEmpty) return built.documents();
    const all = Uint32Array.from({ length: this.size + overlay.size }, (_, document) => document);
    return all.filter((document) => !overlay.replaces(document));
  }

  rowidOf(document: number): number {
    return document < this.size ? this.built.rowidOf(document) : this.overlay.rowidOf(document);
  }

  documentOfRow(rowid: number): number {
    return this.overlay.documentOfRow(rowid);
  }

  conceptOf(document: number): number {
    return document < this.size ? this.built.conceptOf(document) : this.overlay.conceptOf(document);
  }

  titleOf(document: number): number {
    return document < this.size ? this.built.titleOf(document) : this.overlay.titleOf(document);
  }

  private merge({ postings, weights, from, to }: PostingList, added: readonly AddedPosting[]): PostingList {
    const { overlay } = this;
    const most = to - from + added.length;
    if (most > this.postings.length) {
      this.postings = new Uint32Array(2 * most);
      this.weights = new Float64Array(2 * most);
    }
    const merged = { postings: this.postings, weights: this.weights, from: 0, to: 0 };
    for (let i = from; i < to; i++) {
      if (overlay.replaces(documentOf(postings[i]!))) continue;
      merged.postings[merged.to] = postings[i]!;
      merged.weights[merged.to++] = weights[i]!;
    }
    for (const { document, fields, weight } of added) {
      merged.postings[merged.to] = packPosting(document, fields);
      merged.weights[merged.to++] = weight;
    }
    return merged;
  }
}
