// What in a copy is not its subject: what it negates, what it counts, what it says of everything.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isFiller } from '../../src/library/filler-words.js';
import { findNegated, type Span } from '../../src/library/negation.js';
import { normalise } from '../../src/library/normalise.js';
import { findQuantities } from '../../src/library/quantities.js';

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
