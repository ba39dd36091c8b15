// Which shipped sticker stands in for which: by words, synonyms, meanings, kinds and the preset's own name.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DATA_FOLDER } from '../../src/config/config.js';
import { createChooseDefault } from '../../src/defaults/fallback-sticker.js';
import { openDefaultPack } from '../../src/defaults/default-pack.js';
import { readRelatedWords } from '../../src/defaults/related-words.js';
import { createNearStickers } from '../../src/defaults/nearest-owned.js';
import { createRateDefaults } from '../../src/defaults/rate-defaults.js';
import { loadGlossary } from '../../src/library/language/glossary.js';
import { loadShippedSynonyms } from '../../src/library/language/shipped-synonyms.js';
import { parseSynonyms } from '../../src/library/language/synonyms.js';
import type { Sticker } from '../../src/model/sticker.js';

const shipped = openDefaultPack(join(DATA_FOLDER, 'defaults'));
const pack = shipped.stickers();
const synonyms = parseSynonyms(loadShippedSynonyms());
const synonymsOf = (word: string) => synonyms.of(word);
const rate = createRateDefaults(readRelatedWords(pack, shipped.readMeanings()), { glossary: loadGlossary, synonymsOf });
const choose = createChooseDefault(pack, rate);

const known = (title: string, keywords: string[] = [], more: Partial<Sticker> = {}): Sticker => ({
  preset: `some/${title}`,
  title,
  keywords,
  ...more,
});

describe('the shipped default', () => {
  it.each([
    ['shares most words', known('生日蛋糕', ['生日', '派对']), 'default/birthday-cake', /^shares 生日蛋糕/],
    ['shares a word in another form', known('王冠', ['ＶＩＰ']), 'default/crown', /王冠/],
    ['means the same in other words', known('太空人'), 'default/astronaut', /太空人/],
    ['is of the same kind', known('斑马'), 'default/horse', /斑马/],
    ['has a synonym', known('庆生'), 'default/birthday-cake', /庆生/],
    ['has an English title', known('Birthday cake'), 'default/birthday-cake', /title says birthday cake/],
    ['has a title in pinyin', known('shengri dangao'), 'default/birthday-cake', /reads 生日蛋糕/],
    ['shares a word in traditional characters', known('婚禮'), 'default/wedding', /婚礼/],
    ['has a word that stands inside the title', known('跑步姿势'), 'default/running', /^shares 跑步/],
    ['is of what the title ends with', known('茉莉花'), 'default/flower', /花/],
    ['is plain when nothing is like it', known('乎者也'), 'default/plain', /nothing in the pack/],
  ])('%s', (_what, wanted, preset, why) => {
    const choice = choose(wanted.preset, wanted);
    expect([choice.sticker.preset, why.test(choice.why)]).toEqual([preset, true]);
  });

  it.each([
    ['fluent/yen-banknote', 'the preset says yen banknote'],
    ['any/Shopping_Carts-01', 'the preset says shopping carts'],
  ])('for %s is told by the words as they stand there: %s', (preset, why) => {
    expect(choose(preset, undefined).why).toBe(why);
  });

  it.each([
    ['food/birthday-cake', 'default/birthday-cake'],
    ['set/Shopping_Cart-01', 'default/shopping-cart'],
    ['any/arrow-left', 'default/arrow-left'],
    ['iconpark-outline/file-failed', 'default/page-facing-up'],
    ['maki/amenity/doctors/cardiology', 'default/anatomical-heart'],
    ['twemoji/woman-cook-medium-dark-skin-tone', 'default/cook'],
    ['icons/shengri', 'default/birthday-cake'],
    ['any/constructor', 'default/plain'],
    ['any/x1-77', 'default/plain'],
    ['食物/蛋糕', 'default/plain'],
  ])('goes by the English words of an unknown preset: %s', (preset, expected) => {
    expect(choose(preset, undefined).sticker.preset).toBe(expected);
  });

  it('never throws, and the same question has the same answer, whatever the metadata are', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom(...pack.map(({ title }) => title)),
    );
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 5 }), text, (title, keywords, preset) => {
        const wanted = { preset, title, keywords };
        expect(choose(preset, wanted)).toEqual(choose(preset, wanted));
      }),
      { numRuns: 200 },
    );
  });
});

describe('one that is taken in the same run', () => {
  it('gives way to the next that fits, then to one akin to it, then stands in again', () => {
    const cake = known('生日蛋糕', ['生日']);
    const taken = new Set<string>();
    const next = () => {
      const { sticker, fits } = choose(cake.preset, cake, (preset) => taken.has(preset));
      expect(fits).toBe(true);
      taken.add(sticker.preset);
      return sticker.preset;
    };
    const chosen = Array.from({ length: 4 }, next);
    expect(new Set(chosen).size).toBe(4);
    expect(chosen[0]).toBe('default/birthday-cake');
    expect(choose(cake.preset, cake, () => true).sticker.preset).toBe('default/birthday-cake');
  });
});

describe('for stickers of the catalogue', () => {
  const rows = readFileSync(join(DATA_FOLDER, 'catalogue', 'stickers.jsonl'), 'utf8')
    .trimEnd()
    .split('\n');
  // Every 23rd: 521 of all sets.
  const sample = rows.filter((_, i) => i % 23 === 5).map((row) => JSON.parse(row) as Sticker);
  const sharePlain = (plain: (sticker: Sticker) => boolean) => sample.filter(plain).length / sample.length;

  it.each<[string, number, (sticker: Sticker) => boolean]>([
    ['all is known', 0.02, (one) => !choose(one.preset, one).fits],
    ['only the preset is known', 0.06, (one) => !choose(one.preset, undefined).fits],
    ['the preset says nothing', 0.06, (one) => !choose('x', { ...one, preset: 'x' }).fits],
  ])('few are plain when %s', (_what, most, isPlain) => {
    expect(sharePlain(isPlain)).toBeLessThanOrEqual(most);
  });

  // Looked at by hand: what shows the same, or a thing of the same kind.
  it.each([
    ['双峰骆驼', 'deer'],
    ['会计事务所', 'office-worker'],
    ['直剃刀', 'scissors'],
    ['监狱', 'lock'],
    ['温度计', 'thermometer'],
    ['火葬场', 'coffin'],
  ])('%s is shown by %s', (title, name) => {
    expect(choose('x', known(title)).sticker.preset).toBe(`default/${name}`);
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
