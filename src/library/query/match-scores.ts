// What the documents score for a copy and keywords: word by word, how well each document suits them.

import { commonFields, documentOf, fieldsOf } from '../search-index/postings.js';
import type { StickerIndex } from '../search-index/sticker-index.js';
import { withRoom } from '../packed/with-room.js';
import { IN_TITLE } from '../search-index/weigh-terms.js';
import { ScoreAccumulator } from './score-accumulator.js';
import type { Scorer } from './top-k.js';

/** What an occurrence is worth beside a title that is exactly the word. */
export const STRENGTH = {
  exact: { title: 1, keywords: 0.85 },
  inside: { title: 0.4, keywords: 0.4 },
  piece: { title: 0.35, keywords: 0.35 },
  synonym: { title: 0.55, keywords: 0.42 },
  meaning: { title: 0.25, keywords: 0.22 },
  beside: { title: 0.15, keywords: 0.12 },
} as const;
/** What every word of a copy after the strongest adds: that several agree is worth something, but many weak ones are no strong one. */
const FURTHER_WORD = 0.5;
/** The same of words that the document does not have, only synonyms of them or what means the same. */
const FURTHER_IMPLIED = 0.4;
/** What is left of a document that shows what the copy negates, whatever else speaks for it. */
const DENIED = 0.2;
/** Among what suits about as well, pictures that people use come first. */
const USUAL = 1.15;
/** Among equals, the sticker that says less besides comes first. */
const FOCUS = 0.12;

const WIDTH = 8;
// Beside each sum lies the most that one word brought to it.
const SAID = 0;
const IMPLIED = 2;
const EXPLICIT = 4;
/** The most that one word brought to any sum, and which word. */
const MOST = 6;
const CHIEF_WORD = 7;
const SUMS = { said: SAID, implied: IMPLIED, explicit: EXPLICIT } as const;
const BITS = 32;

/** What a document gets for a term of a word. */
export interface Credit {
  /** Number of the word, from 1. */
  readonly word: number;
  /** Whether the document has the word, or a synonym or what means the same; or the word was an explicit keyword. */
  readonly by: keyof typeof SUMS;
  /** Worth of the term in a title, and in keywords only. */
  readonly title: number;
  readonly keywords: number;
  /** Of the word. */
  readonly weight: number;
  /** Less than 1 for what only blurs a long copy. */
  readonly blur: number;
  /** Whether the copy negates what shows this. */
  readonly denies: boolean;
}

export class MatchScores implements Scorer {
  readonly met: ScoreAccumulator;
  private readonly index: StickerIndex;
  private readonly readUsual: () => Uint8Array;
  /** By title, 1 for a picture that people use much; of this generation of the index. */
  private usual: Uint8Array = new Uint8Array();
  private generation = 0;
  /** By place, a bit for each word that found the document, in as many blocks as there are words; zero behind those met. */
  private readonly words: Int32Array[] = [];
  private readonly denied = new Set<number>();
  /** In pairs, the place of a document and the word that found it; beside them how much of the word it shows. */
  private credited = new Uint32Array(2 * 4096);
  private parts = new Float32Array(4096);
  private credits = 0;

  constructor(index: StickerIndex, readUsual: () => Uint8Array) {
    this.index = index;
    this.readUsual = readUsual;
    this.met = new ScoreAccumulator(index.capacity, WIDTH);
  }

  /** Forgets everything. */
  clear(): void {
    if (this.generation !== this.index.generation) this.usual = this.readUsual();
    this.generation = this.index.generation;
    for (const bits of this.words) bits.fill(0, 0, this.met.size);
    this.met.clear();
    this.denied.clear();
    this.credits = 0;
  }

  /**
   * Credits a word by a term of it and the others that have to stand beside it, once per document: what it brings first
   * counts, so that the largest is to come first.
   */
  credit(term: number, others: readonly number[], credit: Credit): void {
    const { index, met } = this;
    const { rows } = met;
    const { title, keywords, weight, blur, word, by, denies } = credit;
    const bits = this.bitsOf(word);
    const bit = bitOf(word);
    const sum = SUMS[by];
    const { postings, weights, from, to } = index.listOf(term);
    for (let i = from; i < to; i++) {
      const document = documentOf(postings[i]!);
      let fields = fieldsOf(postings[i]!);
      if (others.length > 0) fields = commonFields(others, document, fields, index);
      if (fields === 0) continue;
      if (denies) this.denied.add(document);
      const place = met.meet(document);
      if ((bits[place]! & bit) !== 0) continue;
      bits[place]! |= bit;
      const strength = (fields & IN_TITLE) !== 0 ? title : keywords;
      this.note(place, word, strength);
      const share = strength * (1 + FOCUS * weights[i]!) * weight * blur;
      const at = place * WIDTH;
      if (share > rows[at + MOST]!) {
        rows[at + MOST] = share;
        rows[at + CHIEF_WORD] = word;
      }
      rows[at + sum]! += share;
      if (share > rows[at + sum + 1]!) rows[at + sum + 1] = share;
    }
  }

  /** Whether a word found a document that was met. */
  hasWord(document: number, word: number): boolean {
    return (this.bitsOf(word)[this.met.placeOf(document)]! & bitOf(word)) !== 0;
  }

  /** Calls back for each of these documents and each word that found it: how much of it the document shows, from 0 to 1. */
  forEachShown(documents: readonly number[], visit: (nth: number, word: number, part: number) => void): void {
    const nth = new Int16Array(this.met.size).fill(-1);
    for (const [i, document] of documents.entries()) nth[this.met.placeOf(document)] = i;
    for (let i = 0; i < this.credits; i++) {
      const found = nth[this.credited[2 * i]!]!;
      if (found >= 0) visit(found, this.credited[2 * i + 1]!, this.parts[i]!);
    }
  }

  /** Whether an explicit keyword found the document. */
  isExplicit(document: number): boolean {
    return this.met.valueOf(document, EXPLICIT) > 0;
  }

  /** How surely a document suits: an explicit keyword found it (3), a word of the copy does (2), or what that implies (1). */
  gradeOf(document: number): number {
    if (this.isExplicit(document)) return 3;
    return this.met.valueOf(document, SAID) > 0 ? 2 : 1;
  }

  /** The word that brought a document most. */
  chiefWordOf(document: number): number {
    return this.met.valueOf(document, CHIEF_WORD);
  }

  /** Explicit keywords decide, the copy only orders what they found; without them the copy's words decide. */
  score(document: number): number {
    const { rows } = this.met;
    const at = this.met.placeOf(document) * WIDTH;
    const explicit = rows[at + EXPLICIT]!;
    const said = rows[at + SAID + 1]!;
    const implied = rows[at + IMPLIED + 1]!;
    const all =
      said + FURTHER_WORD * (rows[at + SAID]! - said) + implied + FURTHER_IMPLIED * (rows[at + IMPLIED]! - implied);
    const sum = this.usual[this.index.titleOf(document)] === 1 ? USUAL * all : all;
    const copy = this.denied.size > 0 && this.denied.has(document) ? DENIED * sum : sum;
    return explicit > 0 ? explicit + copy / (20 + copy) : copy;
  }

  private note(place: number, word: number, part: number): void {
    const i = this.credits++;
    if (i === this.parts.length) {
      this.parts = withRoom(this.parts, i + 1);
      this.credited = withRoom(this.credited, 2 * i + 2);
    }
    this.credited[2 * i] = place;
    this.credited[2 * i + 1] = word;
    this.parts[i] = part;
  }

  private bitsOf(word: number): Int32Array {
    const block = Math.floor(word / BITS);
    while (this.words.length <= block) this.words.push(new Int32Array(this.met.documents.length));
    return this.words[block]!;
  }
}

function bitOf(word: number): number {
  return 1 << (word % BITS);
}
