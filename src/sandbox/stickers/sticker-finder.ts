// Search and match, the sandbox's own plain way: a word is looked for in titles and keywords, whole before
// part, title before keyword. No synonyms, no pinyin, and nothing of the library's engine, on purpose: the two are
// compared with one another. What a sticker looks like in the answers of both.

import { stickerPath, type Sticker } from '../../model/sticker.js';
import type { SandboxState } from '../state/sandbox-state.js';
import type { Answer } from '../wire/answer-schemas.js';
import type { MatchRequest, SearchQuery } from '../wire/requests.js';
import { FIELD_TITLE, findById, normaliseWord } from './sticker-store.js';

type MatchResult = Answer<'MatchAnswer'>['results'][number];
type Reason = MatchResult['reasons'][number];

interface Hit {
  sticker: Sticker;
  /** For ordering only. */
  score: number;
  reasons: Reason[];
}

interface Found {
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
/** Nearly every title and keyword of the catalogue is this short. */
const WORD_MAX = 8;
const KEYWORDS_MAX = 20;

type Score = { score: number; reasons: Reason[] };
type Scores = Map<number, Score>;
type Place = { sticker: number; field: number; whole: 0 | 1 };

// CROSS JOIN fixes the order, few words before many places: left to choose, SQLite begins with the places.
const PLACES = 'FROM word CROSS JOIN placed ON placed.word = word.id WHERE';
const CONTAINING = `SELECT sticker, field, text = ? AS whole ${PLACES} instr(text, ?) > 0`;
const EQUAL = `SELECT sticker, field, 1 AS whole ${PLACES} text = ?`;

/** The stickers of a query. */
export function search(state: SandboxState, { q, limit }: SearchQuery): Found {
  const parts = distinct(normaliseWord(q).split(/[\s\p{P}]+/u));
  // A query of nothing but signs ("！？") is taken as it is: some stickers are named by signs.
  const words = parts.length === 0 ? [normaliseWord(q)] : parts.slice(0, QUERY_WORDS_MAX);
  return find(state, words, extractKeywords(state, q), limit);
}

/** The stickers of a match request. */
export function match(state: SandboxState, { text = '', keywords = [], limit }: MatchRequest): Found {
  return find(state, distinct(keywords.map(normaliseWord)), extractKeywords(state, text), limit);
}

function find(state: SandboxState, explicit: string[], scene: string[], limit: number): Found {
  const { db } = state;
  const scores: Scores = new Map();
  for (const word of explicit) addScores(scores, word, db.all(CONTAINING, word, word), EXPLICIT_WEIGHT);
  const others = scene.filter((word) => !explicit.includes(word));
  for (const word of others) addScores(scores, word, db.all(EQUAL, word), sceneWeight(word));
  const hits = [...scores]
    .toSorted(([idA, a], [idB, b]) => b.score - a.score || idA - idB)
    .slice(0, limit)
    .flatMap(([id, score]) => {
      const sticker = findById(state, id);
      return sticker === undefined ? [] : [{ sticker, ...score }];
    });
  return { words: [...explicit, ...others], total: scores.size, hits };
}

/** Adds one word's places to the scores; of several places in one sticker the best counts. */
function addScores(scores: Scores, word: string, places: Place[], weight: number): void {
  const best = new Map<number, { grade: number; field: Reason['field'] }>();
  for (const { sticker, field, whole } of places) {
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

/** At most 20 known words, in the order in which the copy first names them, the longer first where two begin. */
function extractKeywords({ db }: SandboxState, copy: string): string[] {
  const stretches = [...new Set(runsOf(copy).flatMap(stretchesOf))];
  const sql = 'SELECT text FROM word WHERE text IN (SELECT value FROM json_each(?))';
  const known = new Set(db.all<{ text: string }>(sql, JSON.stringify(stretches)).map(({ text }) => text));
  return stretches.filter((stretch) => known.has(stretch)).slice(0, KEYWORDS_MAX);
}

/** Latin words are whole or nothing ("heart" does not speak of art); Han runs have no word boundaries to keep. */
function runsOf(copy: string): string[] {
  return normaliseWord(copy).match(/\p{Script=Han}+|[a-z0-9]+/gu) ?? [];
}

function stretchesOf(run: string): string[] {
  if (/^[a-z0-9]/.test(run)) return [run];
  const characters = Array.from(run);
  // A single character is a word only where it stands alone; inside a run it is mostly half of another word.
  const shortest = Math.min(2, characters.length);
  return characters.flatMap((_, start) => {
    const longest = Math.min(WORD_MAX, characters.length - start);
    return Array.from({ length: Math.max(0, longest - shortest + 1) }, (__, i) =>
      characters.slice(start, start + longest - i).join(''),
    );
  });
}

/** A sticker in a search answer; `origin` is the sandbox's own address, without a slash at its end. */
export function candidateOf(sticker: Sticker, origin: string): Answer<'SearchAnswer'>['results'][number] {
  const { preset, title, keywords, width, height, duration, aspect, color } = sticker;
  return {
    preset,
    title,
    keywords: [...keywords],
    width,
    height,
    duration,
    aspect_ratio: aspect,
    primary_color: color,
    file: origin + stickerPath(preset),
  };
}

/** A sticker in a match answer, its score rounded to what ordering needs. */
export function matchResultOf({ sticker, score, reasons }: Hit, origin: string): MatchResult {
  const { preset, title, width, height, duration } = sticker;
  const rounded = Math.round(score * 1000) / 1000;
  return { preset, title, score: rounded, reasons, width, height, duration, file: origin + stickerPath(preset) };
}
