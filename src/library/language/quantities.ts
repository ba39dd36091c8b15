// Numbers of a copy that say how many, how much or when: 99元, 3个月, 2024年, 12:30. They are about nothing that could
// be seen, and neither are the units after them. Numbers that are words (618, 520) are left to the vocabulary.
// Read by hand: V8 takes longer to compile the regular expression for all this than to read a long copy.

import type { Span } from './negation.js';

/** Numbers people say in place of a word. */
const SPOKEN = new Set('618 520 521 1314 666 6666 233 2333 996 007 886 88 110 119 120 315 985 211 404'.split(' '));

// What a code unit can be, by bits.
const DIGIT = 1;
const NUMERAL = 2;
/** A numeral that is also how a unit begins: 五百元 may be 五 and 百元. */
const NUMERAL_IN_UNIT = 4;
const CURRENCY = 8;
const AFTER_PRICE = 16;
const RANGE = 32;
const BEFORE_UNIT = 64;
const ORDINAL = 128;
const KINDS = kindsOf([
  ['0123456789', DIGIT],
  ['零一二两三四五六七八九十百千万亿半几数', NUMERAL],
  ['百千万亿几', NUMERAL_IN_UNIT],
  ['¥￥$€£', CURRENCY],
  ['元块万起', AFTER_PRICE],
  ['~～-–至到', RANGE],
  ['多余几来', BEFORE_UNIT],
  ['第', ORDINAL],
]);
const BEGINS = DIGIT | NUMERAL | CURRENCY | ORDINAL;
const LATIN_UNITS = new Set(
  'kg km cm mm ml mg gb mb tb kb hz mah kwh kcal cal min pcs px fps rmb usd g m l w v h s k x p d'.split(' '),
);
/** By first character; what is listed first is taken. */
const UNITS = byFirst(
  '元|块钱|块|毛|角|分钱|折|倍|成|%|年|个月|月份|月|日|号|周|天|小时|钟头|分钟|秒钟|秒|点钟|点半|点|岁|周年|届|期|集|季度|代|世纪|公斤|千克|斤|克|吨|毫升|升|公里|千米|米|厘米|毫米|英寸|平方米|平米|平|度|层|楼|室|厅|人|位|名|个|只|件|条|张|台|辆|瓶|杯|碗|盒|袋|包|箱|份|套|双|对|本|支|根|片|颗|粒|枚|朵|束|把|块|部|款|种|类|次|遍|回|趟|顿|道|步|招|页|行|篇|首|场|场次|轮|级|星级|星|款|家|间|座|栋|万元|千元|百元|亿元|万人|千人|股|组|排|串|滴|口',
);

/** The quantities of a normalised copy with their units, in order and apart. */
export function findQuantities(copy: string): Span[] {
  const found: Span[] = [];
  for (let start = 0; start < copy.length;) {
    if (!is(BEGINS, copy, start)) {
      start++;
      continue;
    }
    const end = endOfQuantity(copy, start);
    if (end > start && !SPOKEN.has(copy.slice(start, end)) && !isInsideWord(copy, start)) found.push({ start, end });
    // Of numerals after which nothing fits, nothing fits after fewer of them.
    start = end > start ? end : Math.max(start + 1, endOfNumerals(copy, start));
  }
  return found;
}

// The numbers in mp3 and 双11 are parts of names.
function isInsideWord(copy: string, at: number): boolean {
  return at > 0 && (isLetter(copy, at - 1) || copy[at - 1] === '双');
}

/** -1 where none begins. */
function endOfQuantity(copy: string, at: number): number {
  if (is(ORDINAL, copy, at)) return endOfOrdinal(copy, at + 1);
  if (is(CURRENCY, copy, at)) return endOfPrice(copy, at + 1);
  const counted = endOfNumber(copy, at, endOfCount);
  return counted < 0 && is(DIGIT, copy, at) ? endOfPlain(copy, at) : counted;
}

/** 第三届, 第3, 第3个. */
function endOfOrdinal(copy: string, at: number): number {
  return endOfNumber(copy, at, (_, number) => {
    let end = is(BEFORE_UNIT, copy, number) ? number + 1 : number;
    if (copy[end] === '个') end++;
    return Math.max(end, endOfListed(copy, end));
  });
}

/** ¥ 99.9起. */
function endOfPrice(copy: string, at: number): number {
  const end = endOfDigits(copy, isSpace(copy, at) ? at + 1 : at, '.,');
  return end >= 0 && is(AFTER_PRICE, copy, end) ? end + 1 : end;
}

/** What is left of 3-5 天, 99元 after its first number. */
function endOfCount(copy: string, at: number): number {
  const ranged = is(RANGE, copy, at) ? endOfNumber(copy, at + 1, endOfUnit) : -1;
  return ranged < 0 ? endOfUnit(copy, at) : ranged;
}

/** 12:30, 1/2, 50%. */
function endOfPlain(copy: string, at: number): number {
  const end = endOfDigits(copy, at, '.,:/-');
  return copy[end] === '%' ? end + 1 : end;
}

/** Where what follows a number ends: of the longest number with which it does. */
function endOfNumber(copy: string, at: number, endOfRest: (copy: string, end: number) => number): number {
  const digits = endOfDigits(copy, at, '.,:');
  // Nothing that may follow begins with what a shorter one would leave.
  if (digits >= 0) return endOfRest(copy, digits);
  const longest = endOfNumerals(copy, at);
  for (let end = longest; end > at; end--) {
    const rest = end === longest || is(NUMERAL_IN_UNIT, copy, end) ? endOfRest(copy, end) : -1;
    if (rest >= 0) return rest;
  }
  return -1;
}

function endOfNumerals(copy: string, at: number): number {
  let end = at;
  while (is(NUMERAL, copy, end)) end++;
  return end;
}

function endOfDigits(copy: string, at: number, between: string): number {
  if (!is(DIGIT, copy, at)) return -1;
  let end = at + 1;
  while (is(DIGIT, copy, end) || (between.includes(copy[end] ?? ' ') && is(DIGIT, copy, end + 1))) end++;
  return end;
}

function endOfUnit(copy: string, at: number): number {
  const from = isSpace(copy, at) ? at + 1 : at;
  let end = copy[from] === '寸' ? from + 1 : from;
  if (end > from && !isLetter(copy, end)) return end;
  for (end = from; isLetter(copy, end);) end++;
  return LATIN_UNITS.has(copy.slice(from, end)) ? end : endOfHanUnit(copy, from);
}

/** 多个月 is 多 and 个月, or 多, 个 and 月. */
function endOfHanUnit(copy: string, at: number): number {
  const befores = is(BEFORE_UNIT, copy, at) ? [at + 1, at] : [at];
  for (const before of befores) {
    const end = copy[before] === '个' ? endOfListed(copy, before + 1) : -1;
    const either = end < 0 ? endOfListed(copy, before) : end;
    if (either >= 0) return either;
  }
  return -1;
}

function endOfListed(copy: string, at: number): number {
  const unit = UNITS.get(copy[at] ?? '')?.find((one) => copy.startsWith(one, at));
  return unit === undefined ? -1 : at + unit.length;
}

function is(kind: number, copy: string, at: number): boolean {
  return at < copy.length && (KINDS[copy.charCodeAt(at)]! & kind) !== 0;
}

function isLetter(copy: string, at: number): boolean {
  const unit = copy.charCodeAt(at);
  return unit >= 0x61 && unit <= 0x7a;
}

function isSpace(copy: string, at: number): boolean {
  return at < copy.length && copy[at]!.trim() === '';
}

function byFirst(list: string): ReadonlyMap<string, readonly string[]> {
  const units = new Map<string, string[]>();
  for (const unit of list.split('|')) units.set(unit[0]!, [...(units.get(unit[0]!) ?? []), unit]);
  return units;
}

function kindsOf(lists: readonly (readonly [string, number])[]): Uint8Array {
  const kinds = new Uint8Array(0x10000);
  for (const [characters, kind] of lists)
    for (let i = 0; i < characters.length; i++) kinds[characters.charCodeAt(i)]! |= kind;
  return kinds;
}
