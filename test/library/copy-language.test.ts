// What in a copy is not its subject: what it negates, what it counts, what it says of everything.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isFiller } from '../../src/library/language/stop-words.js';
import { findNegated, type Span } from '../../src/library/language/negation.js';
import { normalise } from '../../src/library/language/normalise.js';
import { findQuantities } from '../../src/library/language/quantities.js';

const texts = (find: (copy: string) => Span[], copy: string) =>
  find(normalise(copy)).map(({ start, end }) => normalise(copy).slice(start, end));

describe('what a copy negates', () => {
  test.each([
    ['不要蛋糕，要火锅', ['蛋糕']],
    ['没有蜡烛的生日', ['蜡烛']],
    ['不是面包而是蛋糕', ['面包']],
    ['本店禁止吸烟！欢迎品尝咖啡', ['吸烟']],
    ['告别熬夜,轻松早起', ['熬夜']],
    ['别再熬夜，早点睡', ['熬夜']],
    ['無糖可樂', ['糖可']],
    ['拒絕油膩，只要清爽', ['油腻']],
    ['没有游泳池，没有健身房', ['游泳池', '健身房']],
  ])('%s', (copy, negated) => {
    expect(texts(findNegated, copy)).toEqual(negated);
  });

  test.each([
    '海边的别墅里有派对',
    '给孩子买不倒翁和不锈钢餐具',
    '没事儿去爬山，没关系，没问题',
    '不仅有咖啡还有蛋糕',
    '不要错过这家火锅',
    '不能不吃的烤鸭',
    '你今天有没有喝咖啡',
    '没有什么比火锅更治愈',
    '特别好吃的蛋糕，特别的生日',
    '无人机拍日落，无线耳机听音乐',
    '勿忘我和茉莉',
    '了不起的老师',
    '未来的机器人',
  ])('is nothing in %s', (copy) => {
    expect(texts(findNegated, copy)).toEqual([]);
  });
});

describe('what a copy counts', () => {
  test.each([
    ['满300减50', ['300', '50']],
    ['¥99起，买3件打8折', ['¥99起', '3件', '8折']],
    ['2024年12月25日 12:30', ['2024年', '12月', '25日', '12:30']],
    ['一杯咖啡两只老虎', ['一杯', '两只']],
    ['第一名奖励500ml饮料', ['第一名', '500ml']],
    ['３～５天发货', ['3~5天']],
  ])('%s', (copy, quantities) => {
    expect(texts(findQuantities, copy)).toEqual(quantities);
  });

  test.each([
    '618大促',
    '双11',
    '520表白',
    'mp3播放器',
    '三明治',
    '万圣节快乐',
    '七夕',
    '十分开心',
    '千纸鹤',
    '九宫格',
  ])('is nothing in %s', (copy) => {
    expect(texts(findQuantities, copy)).toEqual([]);
  });
});

test('both give spans in order and apart, in any copy', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '不要',
      '没有',
      '别',
      '的',
      '，',
      '3',
      '个',
      '月',
      '¥',
      '第',
      '十',
      '蛋糕',
      '无',
      '而是',
      ' ',
      '12:30',
    ),
    fc.string({ unit: 'binary' }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const copy = normalise(pieces.join(''));
      for (const spans of [findNegated(copy), findQuantities(copy)]) {
        let from = 0;
        for (const { start, end } of spans) {
          expect(start).toBeGreaterThanOrEqual(from);
          expect(end).toBeGreaterThan(start);
          from = end;
        }
        expect(from).toBeLessThanOrEqual(copy.length);
      }
    }),
  );
});

test('fillers are said of everything, and things are no fillers', () => {
  expect(['家人们', '手慢无', '甄选', '小编', '一键三连'].every(isFiller)).toBe(true);
  expect(['蛋糕', '姐姐', '兄弟', '优惠券', '生日', '关注', '点赞'].filter(isFiller)).toEqual([]);
});

// What findQuantities reads by hand, as a regular expression.
const NUMBER = '(?:\\d+(?:[.,:]\\d+)*|[零一二两三四五六七八九十百千万亿半几数]+)';
const LATIN_UNITS = 'kg|km|cm|mm|ml|mg|gb|mb|tb|kb|hz|mah|kwh|kcal|cal|min|pcs|px|fps|rmb|usd|g|m|l|w|v|h|s|k|x|p|d|寸';
const HAN_UNITS =
  '(?:多|余|几|来)?(?:个)?(?:元|块钱|块|毛|角|分钱|折|倍|成|%|年|个月|月份|月|日|号|周|天|小时|钟头|分钟|秒钟|秒|点钟|点半|点|岁|周年|届|期|集|季度|代|世纪|公斤|千克|斤|克|吨|毫升|升|公里|千米|米|厘米|毫米|英寸|平方米|平米|平|度|层|楼|室|厅|人|位|名|个|只|件|条|张|台|辆|瓶|杯|碗|盒|袋|包|箱|份|套|双|对|本|支|根|片|颗|粒|枚|朵|束|把|块|部|款|种|类|次|遍|回|趟|顿|道|步|招|页|行|篇|首|场|场次|轮|级|星级|星|款|家|间|座|栋|万元|千元|百元|亿元|万人|千人|股|组|排|串|滴|口)';
const QUANTITY = new RegExp(
  `第${NUMBER}${HAN_UNITS}?|[¥￥$€£]\\s?\\d+(?:[.,]\\d+)*(?:元|块|万|起)?|${NUMBER}(?:[~～\\-–至到]${NUMBER})?\\s?(?:(?:${LATIN_UNITS})(?![a-z])|${HAN_UNITS})|\\d+(?:[.,:/\\-]\\d+)*%?`,
  'gu',
);

const SPOKEN = '618 520 521 1314 666 6666 233 2333 996 007 886 88 110 119 120 315 985 211 404'.split(' ');

function quantitiesByExpression(copy: string): { start: number; end: number }[] {
  return Array.from(copy.matchAll(QUANTITY), ({ 0: text, index }) => ({
    start: index,
    end: index + text.length,
    isNone: SPOKEN.includes(text) || (index > 0 && /[a-z双]/.test(copy[index - 1]!)),
  }))
    .filter(({ isNone }) => !isNone)
    .map(({ start, end }) => ({ start, end }));
}

describe('quantities read by hand', () => {
  const piece = fc.constantFrom(
    ...'一 二 三 十 百 千 万 亿 半 几 数 第 多 余 来 个 元 块钱 块 月 月份 个月 点半 点 场 场次 星级 千克 千元 万元 万人 亿元 % 折 寸'.split(
      ' ',
    ),
    ...'0 1 9 12 618 88 3.5 2,000 12:30 1/2 kg km k m mah min x d a - ~ ～ – 至 到 . , : / ¥ ￥ $ 起 双 了 好'.split(
      ' ',
    ),
    ' ',
    '\u3000',
    '\n',
    '🎂',
  );

  test('are those of the expression', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const copy = pieces.join('');
        expect(findQuantities(copy)).toEqual(quantitiesByExpression(copy));
      }),
      { numRuns: 20_000 },
    );
  });
});
