// The index: per term the documents that have it, per document what ranking needs to know. It changes in place: how
// rare a term is, and so what it weighs, is worked out when its list is first read after a change. A sticker that changes
// becomes a new document, and its old one is dropped from each list that is read.

import type { Glossary } from '../language/glossary.js';
import { MEANING_MARK } from '../language/concepts.js';
import { WHOLE_MARK } from '../language/tokenise.js';
import { TermDictionary, type TermArrays } from '../packed/term-dictionary.js';
import { withRoom } from '../packed/with-room.js';
import { emptyLengths, type WordLengths } from '../packed/word-lengths.js';
import { PostingLists, type StoredLists } from './posting-lists.js';
import { documentOf, fieldsOf, packPosting, type PostingList } from './postings.js';
import { READING_MARK, ReadingTerms } from './reading-term.js';
import { StickerReader, type ReadSticker } from './sticker-reader.js';
import type { Indexable } from './sticker-terms.js';
import { bm25, FIELD_BOOSTS, IN_KEYWORDS, IN_TITLE, rarityOf, worthOfMeaning } from './weigh-terms.js';

/** What is known of each document. */
interface DocumentArrays {
  /** Its row in the store; the term that stands for its concept, and the one that it is called. */
  readonly rowids: Uint32Array;
  readonly concepts: Uint32Array;
  readonly titles: Uint32Array;
  /** Where its titles and keywords begin in `wholes`. */
  readonly wholeStarts: Uint32Array;
  /** How many terms title and keywords have, and how many wholes the title. */
  readonly titleLengths: Uint16Array;
  readonly keywordLengths: Uint16Array;
  readonly names: Uint8Array;
}

export interface IndexArrays extends DocumentArrays, StoredLists, TermArrays {
  readonly wholes: Uint32Array;
}

interface DescribedSticker extends Pick<ReadSticker, 'wholes' | 'names' | 'concept' | 'name'> {
  /** Of title and of keywords, in terms. */
  readonly lengths: readonly [title: number, keywords: number];
}

type Growing<T> = { -readonly [Name in keyof T]: T[Name] };

const SURE = 0xffff;
const MOST_TIMES = 0xff;
/** So many documents may come before what is made for each document has to be made anew. */
const HEADROOM = 2048;
/** Longer titles are not words that a text would repeat. */
export const MAX_WORD_UNITS = 12;
const MARKS = [MEANING_MARK.charCodeAt(0), READING_MARK.charCodeAt(0)];

export class StickerIndex {
  readonly terms: TermDictionary;
  readonly readings: ReadingTerms;
  /** How many documents have been numbered; some are not listed any more. */
  size: number;
  /** Every document number is below this. */
  capacity: number;
  /** Steps on with each change. */
  generation = 1;
  private readonly documentArrays: Growing<DocumentArrays>;
  private readonly lists: PostingLists;
  private wholes: Uint32Array;
  private wholesEnd: number;
  private isDropped: Uint8Array;
  private dropped = 0;
  /** Of titles and of keywords, in terms. */
  private readonly totalLengths = [0, 0] as [number, number];
  private documentsOfRows: Map<number, number> | undefined;
  private wordLengths = emptyLengths(0);
  private readonly measured = { terms: 0, wholes: 0, most: 0 };
  private readonly list: Growing<PostingList>;

  constructor(
    { wholes, counts, postings, details, characters, offsets, slots, ...documents }: IndexArrays = nothing(),
  ) {
    this.terms = new TermDictionary({ characters, offsets, slots });
    this.readings = new ReadingTerms(this.terms);
    this.lists = new PostingLists({ counts, postings, details });
    this.documentArrays = documents;
    this.size = documents.rowids.length;
    this.capacity = this.size + HEADROOM;
    this.isDropped = new Uint8Array(this.capacity);
    this.wholes = wholes;
    this.wholesEnd = wholes.length;
    this.list = { postings, weights: this.lists.weights, from: 0, to: 0 };
    for (let document = 0; document < this.size; document++) this.countIn(document, 1);
  }

  /** How many documents are listed. */
  get listed(): number {
    return this.size - this.dropped;
  }

  /** How long titles and keywords are, by how they begin. */
  get lengths(): WordLengths {
    if (this.measured.terms < this.terms.size) this.measure();
    return this.wordLengths;
  }

  /** Reads stickers for `put`; what it remembers is for many in a row. */
  reader(glossary: Glossary): StickerReader {
    return new StickerReader(this.terms, glossary);
  }

  /** Adds a sticker, in place of what was known of its row. Gives its document number. */
  put(sticker: Indexable, reader: StickerReader): number {
    this.drop(sticker.rowid);
    const read = reader.read(sticker);
    const document = this.size++;
    this.describe(document, sticker.rowid, { ...read, lengths: [read.title.size, read.keywords.size] });
    const { lists } = this;
    for (const [term, times] of read.title) {
      const also = read.keywords.get(term) ?? 0;
      const fields = also > 0 ? IN_TITLE | IN_KEYWORDS : IN_TITLE;
      lists.append(term, packPosting(document, fields), packTimes(times, also));
    }
    for (const [term, times] of read.keywords) {
      if (!read.title.has(term)) lists.append(term, packPosting(document, IN_KEYWORDS), packTimes(0, times));
    }
    for (const term of read.others) {
      if (!read.title.has(term) && !read.keywords.has(term))
        lists.append(term, packPosting(document, 0), packTimes(0, 1));
    }
    for (const [term, { fields, sure }] of read.meanings) {
      lists.append(term, packPosting(document, fields), Math.round(sure * SURE));
    }
    this.generation++;
    return document;
  }

  /** Lists the sticker of this row no more. */
  drop(rowid: number): void {
    const document = this.documentOfRow(rowid);
    if (document < 0) return;
    this.isDropped[document] = 1;
    this.dropped++;
    this.countIn(document, -1);
    this.documentsOfRows!.delete(rowid);
    this.generation++;
  }

  /** Number of a term, or -1. */
  find(term: string): number {
    return this.terms.find(term);
  }

  /** Number of the term that is `mark` and the part of a text between two places, or -1; makes no string. */
  findPart(mark: string, text: string, from: number, to: number): number {
    return this.terms.findPart(mark, text, from, to);
  }

  /** The term with this number. */
  spell(term: number): string {
    return this.terms.get(term);
  }

  /** How many documents have the term; 0 for -1. */
  frequency(term: number): number {
    const { from, to } = this.listOf(term);
    return to - from;
  }

  /** MiniSearch's inverse document frequency of something that so many documents have. */
  rarity(frequency: number): number {
    return rarityOf(frequency, this.listed);
  }

  /** The documents that have a term, by number; valid until the next call. None for -1. */
  listOf(term: number): PostingList {
    const { list, lists } = this;
    list.from = list.to = 0;
    if (term < 0 || term >= lists.counts.length) return list;
    if (lists.weighed[term] !== this.generation) this.weigh(term);
    list.postings = lists.postings;
    list.weights = lists.weights;
    list.from = lists.starts[term]!;
    list.to = list.from + lists.counts[term]!;
    return list;
  }

  /** Field bits of a term in a document; 0 when it does not have it. */
  fieldsOf(term: number, document: number): number {
    const place = this.placeOf(term, document);
    return place < 0 ? 0 : fieldsOf(this.lists.postings[place]!);
  }

  /** How surely a document means a term, up to 1; of other terms above 0 where it has it, if only in the name of its preset. */
  sureOf(term: number, document: number): number {
    const place = this.placeOf(term, document);
    return place < 0 ? 0 : this.lists.details[place]! / SURE;
  }

  private placeOf(term: number, document: number): number {
    const { postings, starts, counts } = this.lists;
    if (term < 0 || term >= counts.length) return -1;
    let low = starts[term]!;
    let high = low + counts[term]!;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const found = documentOf(postings[middle]!);
      if (found === document) return middle;
      if (found < document) low = middle + 1;
      else high = middle;
    }
    return -1;
  }

  /** Every listed document: in preset order as far as they were put in so. */
  documents(): Uint32Array {
    const all = Uint32Array.from({ length: this.size }, (_, document) => document);
    return this.dropped === 0 ? all : all.filter((document) => this.isDropped[document] === 0);
  }

  /** The store's row of a document. */
  rowidOf(document: number): number {
    return this.documentArrays.rowids[document]!;
  }

  /** The listed document of a row, or -1. */
  documentOfRow(rowid: number): number {
    this.documentsOfRows ??= new Map(Array.from(this.documents(), (document) => [this.rowidOf(document), document]));
    return this.documentsOfRows.get(rowid) ?? -1;
  }

  /** A number that documents of one concept share, below the number of terms. */
  conceptOf(document: number): number {
    return this.documentArrays.concepts[document]!;
  }

  /** A number that documents with the same title share, below the number of terms. */
  titleOf(document: number): number {
    return this.documentArrays.titles[document]!;
  }

  /** How many wholes its title has: one with a colon has its parts too. */
  namesOf(document: number): number {
    return this.documentArrays.names[document]!;
  }

  /** Calls back for each title and keyword of a document, by term. */
  forEachWhole(document: number, visit: (term: number) => void): void {
    const { wholeStarts } = this.documentArrays;
    const end = document + 1 < this.size ? wholeStarts[document + 1]! : this.wholesEnd;
    for (let i = wholeStarts[document]!; i < end; i++) visit(this.wholes[i]!);
  }

  /** All of it for the next start, as if nothing had ever been dropped. */
  toArrays(): IndexArrays {
    const { size, terms, documentArrays: own } = this;
    if (this.dropped > 0) return this.withoutDropped();
    const documents = Object.entries(own).map(([name, array]) => [name, array.subarray(0, size)] as const);
    return {
      ...(Object.fromEntries(documents) as unknown as DocumentArrays),
      wholes: this.wholes.subarray(0, this.wholesEnd),
      ...this.lists.toStored(terms.size),
      ...terms.arrays,
    };
  }

  private withoutDropped(): IndexArrays {
    const packed = new StickerIndex();
    const { documentArrays: own } = this;
    const numbers = new Int32Array(this.terms.size).fill(-1);
    const numberOf = (term: number) =>
      numbers[term]! >= 0 ? numbers[term]! : (numbers[term] = packed.terms.add(this.spell(term)));
    const places = new Uint32Array(this.size);
    for (const [place, document] of this.documents().entries()) {
      places[document] = place;
      const wholes: number[] = [];
      this.forEachWhole(document, (term) => wholes.push(numberOf(term)));
      const [concept, name] = [numberOf(this.conceptOf(document)), numberOf(this.titleOf(document))];
      const lengths = [own.titleLengths[document]!, own.keywordLengths[document]!] as const;
      packed.describe(packed.size++, this.rowidOf(document), {
        wholes,
        names: this.namesOf(document),
        concept,
        name,
        lengths,
      });
    }
    for (let term = 0; term < this.terms.size; term++) {
      const { postings, from, to } = this.listOf(term);
      for (let i = from; i < to; i++) {
        const posting = packPosting(places[documentOf(postings[i]!)]!, fieldsOf(postings[i]!));
        packed.lists.append(numberOf(term), posting, this.lists.details[i]!);
      }
    }
    return packed.toArrays();
  }

  private describe(document: number, rowid: number, read: DescribedSticker): void {
    const { documentArrays: own } = this;
    if (document >= this.capacity) {
      this.capacity = Math.ceil(1.25 * document) + HEADROOM;
      this.isDropped = withRoom(this.isDropped, this.capacity);
    }
    if (document >= own.rowids.length) {
      for (const [name, array] of Object.entries(own)) Object.assign(own, { [name]: withRoom(array, document + 1) });
    }
    own.rowids[document] = rowid;
    own.concepts[document] = read.concept;
    own.titles[document] = read.name;
    own.titleLengths[document] = read.lengths[0];
    own.keywordLengths[document] = read.lengths[1];
    own.names[document] = read.names;
    own.wholeStarts[document] = this.wholesEnd;
    this.wholes = withRoom(this.wholes, this.wholesEnd + read.wholes.length);
    this.wholes.set(read.wholes, this.wholesEnd);
    this.wholesEnd += read.wholes.length;
    this.countIn(document, 1);
    this.documentsOfRows?.set(rowid, document);
  }

  private countIn(document: number, times: 1 | -1): void {
    this.totalLengths[0] += times * this.documentArrays.titleLengths[document]!;
    this.totalLengths[1] += times * this.documentArrays.keywordLengths[document]!;
  }

  private weigh(term: number): void {
    const { lists, isDropped } = this;
    if (this.dropped > 0) lists.keepOnly(term, (posting) => isDropped[documentOf(posting)] === 0);
    if (MARKS.includes(this.terms.unitAt(term, 0))) this.weighMeaning(term);
    else this.weighWord(term);
    lists.weighed[term] = this.generation;
  }

  private weighMeaning(term: number): void {
    const { details, weights, starts, counts } = this.lists;
    const worth = worthOfMeaning(counts[term]!, this.listed) / SURE;
    const end = starts[term]! + counts[term]!;
    for (let i = starts[term]!; i < end; i++) weights[i] = worth * details[i]!;
  }

  private weighWord(term: number): void {
    const { postings, details, weights, starts, counts } = this.lists;
    const { titleLengths, keywordLengths } = this.documentArrays;
    const from = starts[term]!;
    const to = from + counts[term]!;
    const { listed } = this;
    const [titles, keywords] = this.totalLengths;
    const [averageTitle, averageKeywords] = [titles / listed || 1, keywords / listed || 1];
    let inTitles = 0;
    let inKeywords = 0;
    for (let i = from; i < to; i++) {
      if ((details[i]! & MOST_TIMES) > 0) inTitles++;
      if (details[i]! >>> 8 > 0) inKeywords++;
    }
    const titleRarity = FIELD_BOOSTS.title * rarityOf(inTitles, listed);
    const keywordRarity = FIELD_BOOSTS.keywords * rarityOf(inKeywords, listed);
    for (let i = from; i < to; i++) {
      const document = documentOf(postings[i]!);
      const inTitle = details[i]! & MOST_TIMES;
      const inKeyword = details[i]! >>> 8;
      let weight = 0;
      if (inTitle > 0) weight += bm25(titleRarity, inTitle, titleLengths[document]! / averageTitle);
      if (inKeyword > 0) weight += bm25(keywordRarity, inKeyword, keywordLengths[document]! / averageKeywords);
      weights[i] = weight;
    }
  }

  private measure(): void {
    const { terms, measured } = this;
    const mark = WHOLE_MARK.charCodeAt(0);
    const from = measured.terms;
    for (let id = from; id < terms.size; id++) if (terms.unitAt(id, 0) === mark) measured.wholes++;
    measured.terms = terms.size;
    const isOutgrown = measured.wholes > measured.most;
    if (isOutgrown) {
      measured.most = 2 * measured.wholes;
      this.wordLengths = emptyLengths(measured.most);
    }
    for (let id = isOutgrown ? 0 : from; id < terms.size; id++) {
      const length = terms.lengthOf(id) - WHOLE_MARK.length;
      if (terms.unitAt(id, 0) !== mark || length > MAX_WORD_UNITS) continue;
      this.wordLengths.put(terms.unitAt(id, 1), terms.unitAt(id, 2), length);
    }
  }
}

function packTimes(title: number, keywords: number): number {
  return Math.min(title, MOST_TIMES) | (Math.min(keywords, MOST_TIMES) << 8);
}

function nothing(): IndexArrays {
  return {
    rowids: new Uint32Array(),
    concepts: new Uint32Array(),
    titles: new Uint32Array(),
    wholeStarts: new Uint32Array(),
    titleLengths: new Uint16Array(),
    keywordLengths: new Uint16Array(),
    names: new Uint8Array(),
    wholes: new Uint32Array(),
    counts: new Uint32Array(),
    postings: new Uint32Array(),
    details: new Uint16Array(),
    ...new TermDictionary().arrays,
  };
}
