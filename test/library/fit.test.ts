// How well an answer fits, by the same measure for every question, and what is asked besides where nothing does.

import { describe, expect, it, onTestFinished } from 'vitest';
import { isWeak, relatedFrom, wordOfFit } from '../../src/contract/fit.js';
import { kindsAbove } from '../../src/library/language/hypernyms.js';
import { readCatalogue, libraryForFile, scratchLibrary, SHIPPED_SYNONYMS, sticker } from './scratch-library.js';

const library = libraryForFile(readCatalogue, SHIPPED_SYNONYMS);

const first = (query: string) => {
  const [hit] = library.search(query, 3).hits;
  return { title: hit?.sticker.title, fit: hit?.fit, weak: isWeak(library.search(query, 3).hits) };
};

describe('fit', () => {
  it('is 1 for what is called so, less by synonyms, letters and the noun at the end', () => {
    expect(first('气球')).toMatchObject({ title: '气球', fit: 1 });
    expect(first('太空人')).toMatchObject({ fit: 0.85, weak: false });
    expect(first('shengri').fit).toBe(0.75);
    expect(first('布偶猫')).toMatchObject({ title: '猫', fit: 0.65 });
  });

  it('takes what stands in the title and in keywords apart for no word', () => {
    const apart = scratchLibrary();
    const own = apart.open();
    onTestFinished(() => (own.close(), apart.remove()));
    own.importStickers([sticker('a/a', '海洋', ['洋葱头']), sticker('a/b', '海洋葱')], 'test');
    const fits = own.search('海洋葱', 3).hits.map(({ sticker: { preset }, fit }) => [preset, fit]);
    expect(fits).toEqual([
      ['a/b', 1],
      ['a/a', 0],
    ]);
  });

  it('is the mean of several words, and the same on a later page', () => {
    const both = library.find({ query: '生日 火箭', filter: {}, offset: 0, limit: 40 }).hits;
    expect(both[0]!.fit).toBeCloseTo(0.5, 1);
    const later = library.list({ query: '生日 火箭', filter: {}, order: 'best', offset: 20, limit: 20 });
    expect(later).toMatchObject({ hits: both.slice(20).map(({ fit }) => ({ fit })) });
  });

  it('says that nothing fits what has no picture, and nothing of what was not asked', () => {
    for (const query of ['转场', '不可知论', '霍桑效应']) expect(first(query), query).toMatchObject({ weak: true });
    expect(library.find({ query: undefined, filter: {}, offset: 0, limit: 1 }).hits[0]).not.toHaveProperty('fit');
  });

  it('of a copy is that of the word that tells most, never of one that the copy denies', () => {
    const fits = (text: string) => library.match({ text, limit: 6 }).hits.map(({ fit }) => wordOfFit(fit));
    expect(fits('生日蛋糕')[0]).toBe('strong');
    const denied = fits('不要蛋糕');
    expect(denied.length).toBeGreaterThan(0);
    expect(new Set(denied)).toEqual(new Set(['weak']));
  });

  it('draws one line behind the last that fits', () => {
    const of = (...fits: number[]) => fits.map((fit) => ({ fit }));
    expect(relatedFrom(of(0.9, 0.4, 0.6, 0.3), 10)).toBe(13);
    expect(relatedFrom(of(0.9))).toBeNull();
  });
});

describe('what is found where nothing fits', () => {
  it('is what the words are kinds of', () => {
    expect(kindsAbove('corgi')[0]).toEqual(['dog']);
    expect(kindsAbove('zzz')).toEqual([]);
    expect(first('柯基').title).toBe('狗');
  });
});
