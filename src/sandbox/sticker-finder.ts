// Search and match, the sandbox's own plain way: a word is looked for in titles and keywords, whole before
// part, title before keyword. No synonyms, no pinyin. It owes nothing to the library's engine, on purpose:
// the two are compared with one another.

import type { Database, Statement } from '../platform/open-database.js';
import type { Sticker } from '../model/sticker.js';
import type { MatchField, Reason } from '../contract/candidate.js';
import type { MatchRequest } from '../contract/match-request.js';
import type { SearchQuery } from '../contract/search-query.js';
import { SceneWords } from './scene-words.js';
import { FIELD_TITLE, normaliseWord, type Shelf } from './shelf.js';

export interface Hit {
  sticker: Sticker;
  /** For ordering only. */
  score: number;
  reasons: Reason[];
}

export interface Found {
  /** The words that were looked for. */
  words: string[];
  /** How many stickers match, not how many are listed. */
  total: number;
  hits: Hit[];
}

/** More words than this in a query are copy: their scene words are enough. */
const QUERY_WORDS_MAX = 8;
/** The least an explicit keyword brings (3 times this) outweighs the most that 20 scene words can (20 × 10 × 8). */
const EXPLICIT_WEIGHT = 1000;
const SCENE_WEIGHT_MAX = 8;

type Score = { score: number; reasons: Reason[] };
type Scores = Map<number, Score>;
type Place = [sticker: number, field: number, whole: number];

/** Finds stickers for a query or a match request. */
export class StickerFinder {
  readonly #shelf: Shelf;
  readonly #sceneWords: SceneWords;
  readonly #containing: Statement<[string, string], Place>;
  readonly #equal: Statement<[string], Place>;

  constructor(db: Database, shelf: Shelf) {
    this.#shelf = shelf;
    this.#sceneWords = new SceneWords(db);
    // CROSS JOIN fixes the order, few words before many places: left to choose, SQLite begins with the places.
    const places = 'FROM word CROSS JOIN placed ON placed.word = word.id WHERE';
    this.#containing = db
      .prepare<[string, string], Place>(`SELECT sticker, field, text = ? ${places} instr(text, ?) > 0`)
      .raw();
    this.#equal = db.prepare<[string], Place>(`SELECT sticker, field, 1 ${places} text = ?`).raw();
  }

  search({ q, limit }: SearchQuery): Found {
    const parts = distinct(normaliseWord(q).split(/[\s\p{P}]+/u));
    // A query of nothing but signs ("！？") is taken as it is: some stickers are named by signs.
    const words = parts.length === 0 ? [normaliseWord(q)] : parts.slice(0, QUERY_WORDS_MAX);
    return this.#find(words, this.#sceneWords.findIn(q), limit);
  }

  match({ text = '', keywords = [], limit }: MatchRequest): Found {
    return this.#find(distinct(keywords.map(normaliseWord)), this.#sceneWords.findIn(text), limit);
  }

  #find(explicit: string[], scene: string[], limit: number): Found {
    const scores: Scores = new Map();
    for (const word of explicit) tally(scores, word, this.#containing.all(word, word), EXPLICIT_WEIGHT);
    const others = scene.filter((word) => !explicit.includes(word));
    for (const word of others) tally(scores, word, this.#equal.all(word), sceneWeight(word));
    return { words: [...explicit, ...others], total: scores.size, hits: this.#best(scores, limit) };
  }

  #best(scores: Scores, limit: number): Hit[] {
    return [...scores]
      .toSorted(([idA, a], [idB, b]) => b.score - a.score || idA - idB)
      .slice(0, limit)
      .flatMap(([id, score]) => {
        const sticker = this.#shelf.findById(id);
        return sticker === undefined ? [] : [{ sticker, ...score }];
      });
  }
}

/** Adds one word's places to the scores; of several places in one sticker the best counts. */
function tally(scores: Scores, word: string, places: Place[], weight: number): void {
  const best = new Map<number, { grade: number; field: MatchField }>();
  for (const [sticker, field, whole] of places) {
    const grade = gradeOf(field === FIELD_TITLE, whole === 1);
    if (grade <= (best.get(sticker)?.grade ?? 0)) continue;
    best.set(sticker, { grade, field: field === FIELD_TITLE ? 'title' : 'keywords' });
  }
  for (const [id, { grade, field }] of best) {
    const score = scores.get(id) ?? { score: 0, reasons: [] };
    score.score += grade * weight;
    score.reasons.push({ keyword: word, field, source: 'direct' });
    scores.set(id, score);
  }
}

/** A longer word says more: the copy that names a birthday cake is more about it than about cakes. */
function sceneWeight(word: string): number {
  return Math.min(SCENE_WEIGHT_MAX, word.length);
}

function gradeOf(inTitle: boolean, whole: boolean): number {
  if (whole) return inTitle ? 10 : 8;
  return inTitle ? 5 : 3;
}

function distinct(words: string[]): string[] {
  return [...new Set(words)].filter((word) => word !== '');
}
