// Numbers of a copy that say how many, how much or when: 99元, 3个月, 2024年, 12:30. They are about nothing that could
// be seen, and neither are the units after them. Numbers that are words (618, 520) are left to the vocabulary.

import type { Span } from './negation.js';

/** Numbers people say in place of a word. */
const SPOKEN = new Set(
  '618 520 521 1314 666 6666 233 2333 996 007 886 88 110 119 120 315 985 211 404'.split(' '),
);

const HAN_NUMERALS = '零一二两三四五六七八九十百千万亿半几数';
const NUMBER = '(?:\\d+(?:[.,:]\\d+)*|[' + HAN_NUMERALS + ']+)';
const LATIN_UNITS =
  'kg|km|cm|mm|ml|mg|gb|mb|tb|kb|hz|mah|kwh|kcal|cal|min|pcs|px|fps|rmb|usd|g|m|l|w|v|h|s|k|x|p|d|寸';
const HAN_UNITS =
  '(?:多|余|几|来)?(?:个)?(?:元|块钱|块|毛|角|分钱|折|倍|成|%|年|个月|月份|月|日|号|周|天|小时|钟头|分钟|秒钟|秒|点钟|点半|点|岁|周年|届|期|集|季度|代|世纪|公斤|千克|斤|克|吨|毫升|升|公里|千米|米|厘米|毫米|英寸|平方米|平米|平|度|层|楼|室|厅|人|位|名|个|只|件|条|张|台|辆|瓶|杯|碗|盒|袋|包|箱|份|套|双|对|本|支|根|片|颗|粒|枚|朵|束|把|块|部|款|种|类|次|遍|回|趟|顿|道|步|招|页|行|篇|首|场|场次|轮|级|星级|星|款|家|间|座|栋|万元|千元|百元|亿元|万人|千人|股|组|排|串|滴|口)';
const QUANTITY = new RegExp(
  `第${NUMBER}${HAN_UNITS}?|[¥￥$€£]\\s?\\d+(?:[.,]\\d+)*(?:元|块|万|起)?|${NUMBER}(?:[~～\\-–至到]${NUMBER})?\\s?(?:(?:${LATIN_UNITS})(?![a-z])|${HAN_UNITS})|\\d+(?:[.,:/\\-]\\d+)*%?`,
  'uy',
);
/** Nothing else begins one: most of a copy need not be compared. */
const BEGINNINGS = new Set(
  Array.from(`0123456789¥￥$€£第${HAN_NUMERALS}`, (character) => character.charCodeAt(0)),
);

/** The quantities of a normalised copy with their units, in order and apart. */
export function findQuantities(copy: string): Span[] {
  const found: Span[] = [];
  for (let at = 0; at < copy.length;) {
    const text = BEGINNINGS.has(copy.charCodeAt(at)) ? quantityAt(copy, at) : '';
    const isOne = text !== '' && !SPOKEN.has(text) && !isInsideWord(copy, at);
    if (isOne) found.push({ start: at, end: at + text.length });
    at += Math.max(1, text.length);
  }
  return found;
}

function quantityAt(copy: string, at: number): string {
  QUANTITY.lastIndex = at;
  return QUANTITY.exec(copy)?.[0] ?? '';
}

// The numbers in mp3 and 双11 are parts of names.
function isInsideWord(copy: string, at: number): boolean {
  return at > 0 && /[a-z双]/.test(copy[at - 1]!);
}
