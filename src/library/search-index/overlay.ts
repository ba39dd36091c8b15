// The stickers that were added or changed since the index was built: a few, kept in a MiniSearch of their own, so that one
// changed sticker rebuilds nothing. They are weighed with the figures of the index; the next build takes them in.

import type MiniSearch from 'minisearch';
import type { Glossary } from '../language/glossary.js';
import type { CompiledIndex } from './compiled-index.js';
import { forEachPosting } from './postings.js';
import { conceptKey, nameOfTitle, termsOf, type Indexable, type StickerTerms } from './sticker-terms.js';
import { FIELD_BITS, IN_TITLE, rarityOf, weighMeanings } from './weigh-terms.js';
import { openWordEngine, wordDocument, WORD_FIELDS, type WordDocument } from './word-engine.js';

/** More changes are for a build. */
export const MAX_CHANGES = 2048;

export interface AddedPosting {
  readonly document: number;
  readonly fields: number;
  readonly weight: number;
}

export class Overlay {
  /** How many changes were taken; a sticker that changed twice counts twice. */
  size = 0;
  /** Terms that only changed stickers have; their numbers follow those of the index. */
  readonly addedTerms: string[] = [];
  private readonly built: CompiledIndex;
  private engine: MiniSearch<WordDocument> | undefined;
  /** Postings of words as the engine gave them; forgotten at each change. */
  private readonly known = new Map<number, readonly AddedPosting[]>();
  private readonly meanings = new Map<number, AddedPosting[]>();
  private readonly addedNumbers = new Map<string, number>();
  private readonly rowids: number[] = [];
  private readonly concepts: number[] = [];
  private readonly titles: number[] = [];
  /** Numbers of titles that the index does not know. */
  private readonly addedTitles = new Map<string, number>();
  /** Concept numbers that the index does not know. */
  private readonly addedConcepts = new Map<string, number>();
  /** 1 for a document that is not listed any more. */
  private readonly replaced: Uint8Array;
  private replacements = 0;
  /** Rows whose document is not that of the index: the document that stands for them now, -1 for none. */
  private readonly current = new Map<number, number>();

  constructor(built: CompiledIndex) {
    this.built = built;
    this.replaced = new Uint8Array(built.size + MAX_CHANGES);
  }

  /** Whether the index stands as it was built. */
  get isEmpty(): boolean {
    return this.size === 0 && this.replacements === 0;
  }

  /** Whether there is room for so many more. */
  hasRoomFor(count: number): boolean {
    return this.size + count <= MAX_CHANGES;
  }

  /** Adds a sticker, in place of what was known of its row. Gives its document number. */
  put(sticker: Indexable, glossary: Glossary): number {
    const { built } = this;
    const document = built.size + this.size++;
    const before = this.remove(sticker.rowid);
    this.current.set(sticker.rowid, document);
    this.rowids.push(sticker.rowid);
    this.concepts.push(this.conceptFor(sticker, before));
    const terms = termsOf(sticker, glossary);
    this.titles.push(this.titleFor(nameOfTitle(terms.title.keys())));
    this.engine ??= openWordEngine({ documents: built.size, averageLengths: [...built.arrays.averages] });
    this.engine.add(wordDocument(document, terms));
    for (const field of WORD_FIELDS) for (const term of terms[field].keys()) this.numberFor(term);
    // What was counted so far was counted without this one.
    this.known.clear();
    this.addMeanings(document, terms.meanings);
    return document;
  }

  /** Lists the sticker of this row no more; its document number, or -1 when it was not listed. */
  remove(rowid: number): number {
    this.known.clear();
    const before = this.documentOfRow(rowid);
    if (before < 0) return -1;
    this.replaced[before] = 1;
    this.replacements++;
    this.current.set(rowid, -1);
    if (before >= this.built.size) this.engine?.discard(before);
    return before;
  }

  /** The listed document of a row, or -1. */
  documentOfRow(rowid: number): number {
    return this.current.get(rowid) ?? this.built.documentOfRow(rowid);
  }

  /** Number of a term that only changed stickers have, or -1. */
  find(term: string): number {
    return this.addedNumbers.get(term) ?? -1;
  }

  /** Whether a document is not listed any more. */
  replaces(document: number): boolean {
    return this.replaced[document] === 1;
  }

  rowidOf(document: number): number {
    return this.rowids[document - this.built.size]!;
  }

  conceptOf(document: number): number {
    return this.concepts[document - this.built.size]!;
  }

  titleOf(document: number): number {
    return this.titles[document - this.built.size]!;
  }

  /** The changed stickers that have a term, by document; none for -1. */
  postingsOf(term: number): readonly AddedPosting[] {
    if (term < 0 || this.size === 0) return [];
    let postings = this.known.get(term);
    if (postings === undefined) this.known.set(term, (postings = this.readPostings(term)));
    return postings;
  }

  private readPostings(term: number): readonly AddedPosting[] {
    const meant = this.meanings.get(term)?.filter(({ document }) => !this.replaces(document));
    if (meant !== undefined) return meant;
    const found = new Map<number, AddedPosting>();
    for (const field of WORD_FIELDS) {
      for (const { id, score } of this.ask(term, field)) {
        const document = id as number;
        const { fields, weight } = found.get(document) ?? { fields: 0, weight: 0 };
        found.set(document, { document, fields: fields | FIELD_BITS[field], weight: weight + score });
      }
    }
    return [...found.values()].toSorted((a, b) => a.document - b.document);
  }

  // The engine's rarity is that of a term among the changes; what counts is how rare it is in the library.
  private ask(term: number, field: (typeof WORD_FIELDS)[number]) {
    const { engine, built } = this;
    if (engine === undefined) return [];
    const text = term < built.terms.size ? built.spell(term) : this.addedTerms[term - built.terms.size]!;
    const ask = (boost: number) => engine.search(text, { fields: [field], boostTerm: () => boost });
    const own = ask(1).length;
    if (own === 0) return [];
    const all = own + built.frequencyIn(FIELD_BITS[field], term);
    return ask(rarityOf(all, engine.documentCount) / rarityOf(own, engine.documentCount));
  }

  private addMeanings(document: number, meanings: StickerTerms['meanings']): void {
    const { built } = this;
    const frequency = (term: string) => {
      const number = this.numberOf(term);
      return Math.max(1, built.frequency(number) + this.postingsOf(number).length);
    };
    weighMeanings(meanings, Math.max(1, built.size), frequency, (term, fields, weight) => {
      const number = this.numberFor(term);
      const postings = this.meanings.get(number);
      if (postings === undefined) this.meanings.set(number, [{ document, fields, weight }]);
      else postings.push({ document, fields, weight });
    });
  }

  private numberOf(term: string): number {
    const number = this.built.find(term);
    return number >= 0 ? number : this.find(term);
  }

  /** The same, a new number where there is none. */
  private numberFor(term: string): number {
    const known = this.numberOf(term);
    if (known >= 0) return known;
    const number = this.built.terms.size + this.addedTerms.push(term) - 1;
    this.addedNumbers.set(term, number);
    return number;
  }

  // The names of concepts are not in the index: a changed sticker keeps its number, a new one gets one of its own kind.
  private conceptFor(sticker: Indexable, before: number): number {
    const { built } = this;
    if (before >= 0) return before < built.size ? built.conceptOf(before) : this.conceptOf(before);
    const key = conceptKey(sticker);
    const number = this.addedConcepts.get(key) ?? built.size + this.addedConcepts.size;
    this.addedConcepts.set(key, number);
    return number;
  }

  /** The same number for the same title, here and in the index. */
  private titleFor(name: string): number {
    const { built, addedTitles } = this;
    let known = addedTitles.get(name);
    if (known !== undefined) return known;
    forEachPosting(built.find(name), built, (document, fields) => {
      if ((fields & IN_TITLE) !== 0) known ??= built.titleOf(document);
    });
    known ??= built.size + addedTitles.size;
    addedTitles.set(name, known);
    return known;
  }
}
