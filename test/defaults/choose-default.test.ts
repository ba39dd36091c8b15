// Which shipped sticker stands in for which: words first, then shape, length and color, then the preset's own.

import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DATA_FOLDER } from '../../src/config/config.js';
import { createChooseDefault } from '../../src/defaults/choose-default.js';
import { openDefaultPack } from '../../src/defaults/default-pack.js';
import { createNearStickers } from '../../src/defaults/near-stickers.js';
import type { Sticker } from '../../src/model/sticker.js';

const pack = openDefaultPack(join(DATA_FOLDER, 'defaults')).stickers();
const choose = createChooseDefault(pack);

const known = (title: string, keywords: string[] = [], more: Partial<Sticker> = {}): Sticker => ({
  preset: `some/${title}`,
  title,
  keywords,
  ...more,
});

describe('the shipped default', () => {
  it.each([
    ['shares most words', known('生日蛋糕', ['生日', '派对']), 'default/birthday-cake', /^shares 生日蛋糕, 生日/],
    ['shares a word in another form', known('ＶＩＰ', ['皇冠']), 'default/crown', /皇冠/],
    ['shares a word in traditional characters', known('婚禮'), 'default/wedding', /婚礼/],
    ['has a word that stands inside the title', known('跑步机'), 'default/running', /^shares 跑步$/],
    ['shares a whole word rather than one inside', known('跑步机', ['蛋糕']), 'default/birthday-cake', /蛋糕/],
    ['is plain when only a single character is shared', known('心电仪'), 'default/plain', /no word/],
    ['is plain when no word is shared', known('量子力学'), 'default/plain', /no word/],
  ])('%s', (_what, wanted, preset, why) => {
    const choice = choose(wanted.preset, wanted);
    expect([choice.sticker.preset, why.test(choice.why)]).toEqual([preset, true]);
  });

  it.each([
    ['food/birthday-cake', 'default/birthday-cake'],
    ['set/Shopping_Cart-01', 'default/shopping-cart'],
    ['any/arrow-left', 'default/arrow-left'],
    ['any/greeting-card', 'default/plain'],
    ['any/starfish', 'default/plain'],
    ['食物/蛋糕', 'default/plain'],
  ])('goes by the English words of an unknown preset: %s', (preset, expected) => {
    expect(choose(preset, undefined).sticker.preset).toBe(expected);
  });

  it('is chosen the same way whatever order the pack is in', () => {
    const words = [...new Set(pack.flatMap(({ keywords }) => keywords))];
    const shuffled = fc.shuffledSubarray([...pack], { minLength: pack.length });
    fc.assert(
      fc.property(shuffled, fc.subarray(words, { minLength: 1, maxLength: 6 }), (other, keywords) => {
        const wanted = known('甲', keywords);
        expect(createChooseDefault(other)('x', wanted)).toEqual(choose('x', wanted));
      }),
      { numRuns: 50 },
    );
  });
});

describe('among stickers that share as many words', () => {
  const candidate = (preset: string, more: Partial<Sticker>) => ({ ...known('心', ['爱'], more), preset });
  const nearest = (wanted: Partial<Sticker>, ...candidates: Sticker[]) =>
    createNearStickers(candidates).findNearest(known('心', [], wanted))?.sticker.preset;

  it.each<[string, Partial<Sticker>, Partial<Sticker>, Partial<Sticker>]>([
    ['shape', { aspect: 2 }, { width: 200, height: 100 }, { aspect: 1 }],
    ['length', { duration: 2 }, { duration: 2.1 }, { duration: 9 }],
    ['color', { color: '#ff0000' }, { color: '#ee1111' }, { color: '#00ff00' }],
  ])('the nearer in %s is chosen', (_what, wanted, near, far) => {
    expect(nearest(wanted, candidate('b', near), candidate('a', far))).toBe('b');
  });

  it('the first by name is chosen when nothing else tells them apart', () => {
    expect(nearest({}, candidate('b', {}), candidate('a', {}))).toBe('a');
  });

  it('is none when none is accepted', () => {
    expect(createNearStickers([known('心')]).findNearest(known('心'), () => false)).toBeUndefined();
  });
});
