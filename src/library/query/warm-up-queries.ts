// Queries and copies to warm up with: they read the tables and compile the code that a user's first ones would wait for,
// in steps of a few milliseconds each, small parts first.

import { spellEmoji } from '../language/emoji-words.js';
import { findNegated } from '../language/negation.js';
import { normalise } from '../language/normalise.js';
import { termsSpelled } from './pinyin-terms.js';
import { findQuantities } from '../language/quantities.js';
import type { QueryContext } from './query-context.js';
import { extractKeywords } from './keyword-extraction.js';

/** What answers them. */
export interface WarmedLibrary {
  search(query: string, limit: number): unknown;
  match(submission: { text: string; limit: number }): unknown;
}

/** Each kind needs tables of its own: Han, two words, an emoji, traditional characters, English, pinyin, a mistake, kinds. */
const QUERIES = ['生日快乐', '气球 派对', '🎂', '聖誕樹', 'cake', 'shengri', 'brithday', '生日快了', '柯基'];

/** Of all sorts, so that the code meets what a real copy brings: headlines, numbers, negations, Latin words, emoji. */
const LINES = [
  '周末去爬山，看日出，拍照打卡，带上帐篷和睡袋。',
  '新品上市，全场5折，咖啡买一送一，快来抢购吧！',
  '今天妈妈生日🎂，准备了蛋糕、鲜花和气球，祝她健康快乐。',
  '不要熬夜加班，早点睡觉，多喝热水，坚持运动30分钟。',
  '春节回家坐高铁，红包、烟花、饺子和团圆饭一样都不能少。',
  '618大促倒计时3天，手机、电脑、耳机最低99元，AI助手帮你选。',
  '考研冲刺：数学公式、英语单词、政治笔记，图书馆里见。',
  '下雨天的猫咪趴在窗台上，听音乐，看书，心情也变得温柔。',
] as const;
/** Lines a copy, from round to round: short ones while the code is slow; after the last most of it is compiled for good. */
const ROUNDS = [1, 2, 4, 4];
const LIMIT = 12;
/** Terms that are read in a step: two milliseconds. */
const TERMS = 2000;

/** Matches copies, one a step. */
export function* warmUpCopies(library: WarmedLibrary, context: QueryContext): Iterable<void> {
  const [line] = LINES;
  yield void normalise(line);
  yield void spellEmoji(line);
  yield void findQuantities(line);
  yield void findNegated(line);
  yield void context.vocabulary.cut(line, context.glossary);
  yield void context.vocabulary.inside('生日快乐');
  yield void extractKeywords({ text: line }, context);
  yield void library.match({ text: line.slice(0, 2), limit: LIMIT });
  for (const lines of ROUNDS) {
    for (const first of LINES.keys()) {
      const text = [...LINES, ...LINES].slice(first, first + lines).join('\n');
      yield void library.match({ text, limit: LIMIT });
    }
  }
}

/** Searches for words, one query a step. */
export function* warmUpQueries(library: WarmedLibrary, { spelling, index }: QueryContext): Iterable<void> {
  while (index.readings.readSome(TERMS)) yield;
  while (spelling.readSome(TERMS)) yield;
  yield void termsSpelled('shengri', index);
  yield void spelling.wordsLike('brithday', false);
  for (const query of QUERIES) yield void library.search(query, LIMIT);
}
