// The stickers that came or changed since the index was built: a few, kept beside it in a MiniSearch of their own, so
// that one changed sticker rebuilds nothing. It weighs them with the figures of the index; the next build takes them in.

import type MiniSearch from 'minisearch';
import type { CompiledIndex, VisitPosting } from './compiled-index.js';
import type { Glossary } from '../language/glossary.js';
import { conceptKey, termsOf, type Indexable, type StickerTerms } from './sticker-terms.js';
import { FIELD_BITS, rarityOf, weighMeanings } from './weigh-terms.js';
import { openWordEngine, wordDocument, WORD_FIELDS, type WordDocument } from './word-engine.js';

/** More are for a build. */
export const MAX_CHANGES = 2048;

interface Posting {
  readonly document: number;
  readonly fields: number;
  readonly weight: number;
}

export class Changes {
  /** How many changes were taken; a sticker that changed twice counts twice. */
  size = 0;
  private readonly index: CompiledIndex;
  private engine: MiniSearch<WordDocument> | undefined;
  /** Of words, as the engine told them; forgotten when something changes. */
  private readonly told = new Map<number, readonly Posting[]>();
  private readonly meant = new Map<number, Posting[]>();
  private readonly newTerms = new Map<string, number>();
  private readonly spelled: string[] = [];
  private readonly rowids: number[] = [];
  private readonly concepts: number[] = [];
  /** Concept numbers that the index does not know. */
  private readonly newConcepts = new Map<string, number>();
  private readonly replaced = new Set<number>();
  /** Which document stands for a row now. */
  private current: Map<number, number> | undefined;

  constructor(index: CompiledIndex) {
    this.index = index;
  }

  /** Whether the index stands as it was built. */
  get isEmpty(): boolean {
    return this.size === 0 && this.replaced.size === 0;
  }

  /** Whether there is room for so many more. */
  hasRoomFor(count: number): boolean {
    return this.size + count <= MAX_CHANGES;
  }

  /** Takes a sticker in, in place of what was known of its row. Gives its document number. */
  put(sticker: Indexable, glossary: Glossary): number {
    const document = this.index.size + this.size++;
    const before = this.takeOut(sticker.rowid);
    this.standing().set(sticker.rowid, document);
    this.rowids.push(sticker.rowid);
    this.concepts.push(this.conceptFor(sticker, before));
    const terms = termsOf(sticker, glossary);
    this.engine ??= openWordEngine({
      documents: this.index.size,
      averageLengths: [...this.index.arrays.averages],
    });
    this.engine.add(wordDocument(document, terms));
    this.told.clear();
    for (const field of WORD_FIELDS) for (const term of terms[field].keys()) this.numberOf(term);
    this.addMeanings(document, terms.meanings);
    return document;
  }

  /** Lists the sticker of this row no more. */
  remove(rowid: number): void {
    this.takeOut(rowid);
  }

  private takeOut(rowid: number): number | undefined {
    const before = this.standing().get(rowid);
    if (before === undefined) return undefined;
    this.replaced.add(before);
    this.standing().delete(rowid);
    if (before >= this.index.size) this.engine?.discard(before);
    this.told.clear();
    return before;
  }

  private standing(): Map<number, number> {
    return (this.current ??= new Map(Array.from(this.index.arrays.rowids, (rowid, i) => [rowid, i])));
  }

  private addMeanings(document: number, meanings: StickerTerms['meanings']): void {
    const frequency = (term: string) => Math.max(1, this.index.frequency(this.index.find(term)));
    weighMeanings(meanings, Math.max(1, this.index.size), frequency, (term, fields, weight) => {
      const id = this.numberOf(term);
      const postings = this.meant.get(id);
      if (postings === undefined) this.meant.set(id, [{ document, fields, weight }]);
      else postings.push({ document, fields, weight });
    });
  }

  /** Number of a term that only changed stickers have, or -1. */
  find(term: string): number {
    return this.newTerms.get(term) ?? -1;
  }

  /** The term with this number, which only changed stickers have. */
  spell(term: number): string {
    return this.spelled[term - this.index.terms.size]!;
  }

  /** The terms that only changed stickers have. */
  terms(): Iterable<string> {
    return this.spelled;
  }

  frequency(term: number): number {
    return this.size === 0 ? 0 : this.postingsOf(term).length;
  }

  /** Whether a document is not to be listed any more. */
  replaces(document: number): boolean {
    return this.replaced.has(document);
  }

  rowidOf(document: number): number {
    return this.rowids[document - this.index.size]!;
  }

  conceptOf(document: number): number {
    return this.concepts[document - this.index.size]!;
  }

  forEachPosting(term: number, visit: VisitPosting): void {
    for (const { document, fields, weight } of this.postingsOf(term)) visit(document, fields, weight);
  }

  fieldsOf(term: number, document: number): number {
    return this.postingsOf(term).find((posting) => posting.document === document)?.fields ?? 0;
  }

  private postingsOf(term: number): readonly Posting[] {
    let postings = this.told.get(term);
    if (postings === undefined) this.told.set(term, (postings = this.readPostings(term)));
    return postings;
  }

  private readPostings(term: number): readonly Posting[] {
    const meant = this.meant.get(term)?.filter(({ document }) => !this.replaced.has(document));
    if (meant !== undefined) return meant;
    const found = new Map<number, Posting>();
    for (const field of WORD_FIELDS) {
      for (const { id, score } of this.ask(term, field)) {
        const document = id as number;
        const { fields, weight } = found.get(document) ?? { fields: 0, weight: 0 };
        found.set(document, { document, fields: fields | FIELD_BITS[field], weight: weight + score });
      }
    }
    return [...found.values()].toSorted((a, b) => a.document - b.document);
  }

  // Its own rarity is that of a term among the changes; what counts is how rare it is in the library.
  private ask(term: number, field: (typeof WORD_FIELDS)[number]) {
    if (this.engine === undefined) return [];
    const spelled = this.index.spell(term);
    const ask = (boost: number) => this.engine!.search(spelled, { fields: [field], boostTerm: () => boost });
    const own = ask(1).length;
    if (own === 0) return [];
    const all = own + this.index.frequencyIn(FIELD_BITS[field], term);
    const { documentCount } = this.engine;
    return ask(rarityOf(all, documentCount) / rarityOf(own, documentCount));
  }

  private numberOf(term: string): number {
    const known = this.index.find(term);
    if (known >= 0) return known;
    const number = this.index.terms.size + this.newTerms.size;
    this.newTerms.set(term, number);
    this.spelled.push(term);
    return number;
  }

  // The names of concepts are not in the index: a changed sticker keeps its number, a new one gets one of its own kind.
  private conceptFor(sticker: Indexable, before: number | undefined): number {
    if (before !== undefined) return this.index.conceptOf(before);
    const key = conceptKey(sticker);
    const number = this.newConcepts.get(key) ?? this.index.size + this.newConcepts.size;
    this.newConcepts.set(key, number);
    return number;
  }
}
