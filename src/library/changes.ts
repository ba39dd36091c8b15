// The stickers that came or changed since the index was built: a few, kept beside it as maps, so that one changed
// sticker rebuilds nothing. Weighed with the figures of the index they stand beside; the next build takes them in.

import type { CompiledIndex, VisitPosting } from './compiled-index.js';
import { conceptKey, termsOf, type Indexable } from './sticker-terms.js';
import type { Glossary } from './glossary.js';
import { weighTerms, type LibraryFigures } from './weigh-terms.js';

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
  private readonly postings = new Map<number, Posting[]>();
  private readonly newTerms = new Map<string, number>();
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

  /** Whether there is room for so many more. */
  hasRoomFor(count: number): boolean {
    return this.size + count <= MAX_CHANGES;
  }

  /** Takes a sticker in, in place of what was known of its row. Gives its document number. */
  put(sticker: Indexable, glossary: Glossary): number {
    const document = this.index.size + this.size++;
    this.current ??= new Map(Array.from(this.index.arrays.rowids, (rowid, i) => [rowid, i]));
    const before = this.current.get(sticker.rowid);
    if (before !== undefined) this.replaced.add(before);
    this.current.set(sticker.rowid, document);
    this.rowids.push(sticker.rowid);
    this.concepts.push(this.conceptFor(sticker, before));
    weighTerms(termsOf(sticker, glossary), this.figures(), (term, fields, weight) => {
      const id = this.numberOf(term);
      const posting = { document, fields, weight };
      const postings = this.postings.get(id);
      if (postings === undefined) this.postings.set(id, [posting]);
      else postings.push(posting);
    });
    return document;
  }

  /** Number of a term that only changed stickers have, or -1. */
  find(term: string): number {
    return this.newTerms.get(term) ?? -1;
  }

  /** The term with this number, which only changed stickers have. */
  spell(term: number): string {
    return Array.from(this.newTerms.keys())[term - this.index.terms.size]!;
  }

  /** The terms that only changed stickers have. */
  terms(): Iterable<string> {
    return this.newTerms.keys();
  }

  frequency(term: number): number {
    return this.postings.get(term)?.length ?? 0;
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
    for (const { document, fields, weight } of this.postings.get(term) ?? []) {
      if (!this.replaced.has(document)) visit(document, fields, weight);
    }
  }

  fieldsOf(term: number, document: number): number {
    return this.postings.get(term)?.find((posting) => posting.document === document)?.fields ?? 0;
  }

  private numberOf(term: string): number {
    const known = this.index.find(term);
    if (known >= 0) return known;
    const number = this.index.terms.size + this.newTerms.size;
    this.newTerms.set(term, number);
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

  private figures(): LibraryFigures {
    const { index } = this;
    const [title = 1, keywords = 1] = index.arrays.averages;
    return {
      documents: Math.max(1, index.size),
      averageLength: { title, keywords },
      frequency: (term) => Math.max(1, index.frequency(index.find(term))),
    };
  }
}
