// Offers with a number in them are searched by their name, whatever the number; numbers that offer nothing stay as they are.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalise } from '../../src/library/language/normalise.js';
import { findOffers, spellOut } from '../../src/library/language/offers.js';
import { loadShippedSynonyms } from '../../src/library/language/shipped-synonyms.js';
import { parseSynonyms } from '../../src/library/language/synonyms.js';

describe('an offer', () => {
  test.each([
    ['满300减50', '满减'],
    ['每滿２００元立減３０元', '每 满减'],
    ['限时立减20元', '限时 满减'],
    ['全场 50% OFF!', '全场 折扣 !'],
    ['Save up to $20', '折扣'],
    ['仅需9.9元', '特价'],
    ['到手价 ￥19.9', '特价'],
    ['only $9.99', '特价'],
    ['最后三天', '倒计时'],
    ['仅剩 2 个小时', '倒计时'],
    ['Last 3 days', '倒计时'],
    ['5 hours left', '倒计时'],
    ['买2送1', '买一送一'],
    ['Buy one, get one free', '买一送一'],
    ['最后3天，满100减10，送好礼', '倒计时 ,满减 ,送好礼'],
  ])('%s is looked for as %s', (said, spelled) => {
    // Spaces are nothing that is looked for.
    expect(spellOut(said).replaceAll(' ', '')).toBe(normalise(spelled).replaceAll(' ', ''));
  });

  test.each([
    '还有五公里',
    '最后一个',
    '满一岁啦',
    '买二手车',
    '省道105',
    '50%',
    'offline 50',
    '3 daylight',
    '第一百天',
  ])('%s is none', (said) => {
    expect(spellOut(said)).toBe(normalise(said));
  });

  test('has a name that the synonyms know', () => {
    const said = '满3减1 9% off 仅需9元 最后3天 买2送1';
    const synonyms = parseSynonyms(loadShippedSynonyms());
    const names = findOffers(normalise(said)).map(({ word }) => word);
    expect(names).toEqual(['满减', '折扣', '特价', '倒计时', '买一送一']);
    expect(names.filter((name) => !synonyms.has(name))).toEqual([]);
  });

  test('is apart from every other, in order, and spelling it out a second time changes nothing', () => {
    const piece = fc.constantFrom(
      '满300减50',
      '5% off',
      '最后3天',
      '买1送1',
      '蛋糕',
      ' ',
      '3',
      '天',
      '减',
      'only 3 days left',
      '🎂',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = normalise(pieces.join(''));
        let end = 0;
        for (const offer of findOffers(text)) {
          expect(offer.start).toBeGreaterThanOrEqual(end);
          expect(offer.end).toBeGreaterThan(offer.start);
          ({ end } = offer);
        }
        expect(end).toBeLessThanOrEqual(text.length);
        expect(spellOut(spellOut(text))).toBe(spellOut(text));
      }),
    );
  });

  test('takes no time that grows with what is typed', () => {
    const long = '满'.repeat(20_000) + '9'.repeat(20_000) + '一'.repeat(20_000) + 'save up to '.repeat(2_000);
    expect(findOffers(long)).toEqual([]);
  });
});
