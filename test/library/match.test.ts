import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { associationsOf } from '../../src/library/language/associations.js';
import { loadGlossary } from '../../src/library/language/glossary.js';
import { meaningsIn } from '../../src/library/language/concepts.js';
import { normalise } from '../../src/library/language/normalise.js';
import type { Library } from '../../src/library/library.js';
import { parseSynonyms } from '../../src/library/language/synonyms.js';
import { namesInPreset } from '../../src/library/search-index/sticker-terms.js';
import { tokenise } from '../../src/library/language/tokenise.js';
import { readCatalogue, scratchLibrary, sticker, SYNONYMS } from './scratch-library.js';

const scratch = scratchLibrary();
const small = scratchLibrary();
const catalogue = readCatalogue().filter((_, i) => i % 3 === 0);
const namesOfEach = catalogue.map(({ preset, title, keywords }) => [
  ...namesOf([title, ...keywords]),
  ...namesInPreset(preset),
]);
let library: Library;
let tiny: Library;

beforeAll(() => {
  library = scratch.open(SYNONYMS);
  library.importStickers(catalogue, 'catalogue');
  tiny = small.open('包邮 > 快递');
  tiny.importStickers(
    [
      sticker('a/cake', '生日蛋糕', ['生日', '甜点']),
      sticker('a/balloon', '气球', ['生日']),
      sticker('a/van', '货车', ['快递']),
      sticker('a/cat', '猫', ['宠物']),
      sticker('a/tower', '上海电视塔', []),
    ],
    'test',
  );
});

afterAll(() => {
  for (const one of [library, tiny]) one.close();
  for (const one of [scratch, small]) one.remove();
});

function termsOf(word: string): string[] {
  const long = tokenise(word).filter(({ kind }) => kind === 'pair' || kind === 'word');
  return long.length > 0 ? long.map(({ term }) => term) : [word];
}

const glossary = loadGlossary();
const TABLE = parseSynonyms(SYNONYMS);

// A word that nothing in the library is called is found by the known words in it.
function isPieceOf(text: string, asked: string): boolean {
  return tokenise(text).some(({ term, kind }) => kind === 'whole' && asked.includes(term.slice(1)));
}

function meansSame(text: string, asked: string, isTitle: boolean): boolean {
  const meant = meaningsIn(asked, glossary);
  if (isTitle && associationsOf(text).some((stem) => meant.has(stem))) return true;
  if ([...meaningsIn(text, glossary).keys()].some((stem) => meant.has(stem))) return true;
  const pieces = tokenise(asked).filter(({ kind }) => kind === 'pair');
  return pieces.some(({ term }) => TABLE.of(term).includes(text));
}

function namesOf(texts: readonly string[]): string[] {
  const terms = texts.flatMap((text) => tokenise(normalise(text)));
  return terms.flatMap(({ term, kind }) => (kind === 'whole' ? [term.slice(1)] : []));
}

// In some sticker both are names.
function standsBeside(texts: readonly string[], asked: string): boolean {
  const own = new Set(namesOf(texts));
  return namesOfEach.some((names) => names.includes(asked) && names.some((name) => own.has(name)));
}

function presets(submission: { text?: string; keywords?: string[] }): string[] {
  return tiny.match({ ...submission, limit: 12 }).hits.map((hit) => hit.sticker.preset);
}

describe('match', () => {
  test('says which word led to a sticker, in which field, and how', () => {
    const { hits, extractedKeywords, total } = tiny.match({ text: '全场包邮，今天是她的生日', limit: 12 });
    expect(extractedKeywords).toEqual(expect.arrayContaining(['生日', '包邮']));
    expect(total).toBe(3);
    const reasons = Object.fromEntries(hits.map((hit) => [hit.sticker.preset, hit.reasons]));
    // Free delivery brings a parcel to mind, and what carries it.
    expect(reasons['a/van']).toEqual([
      { keyword: '包邮', field: 'keywords', source: 'synonym' },
      { keyword: '包邮', field: 'title', source: 'synonym' },
    ]);
    // A picture of a balloon brings a birthday to mind.
    expect(reasons['a/balloon']).toEqual([
      { keyword: '生日', field: 'keywords', source: 'direct' },
      { keyword: '生日', field: 'title', source: 'synonym' },
    ]);
    expect(reasons['a/cake']).toEqual([
      { keyword: '生日', field: 'keywords', source: 'direct' },
      { keyword: '生日', field: 'title', source: 'direct' },
    ]);
  });

  test('lists what an explicit keyword found, even by a synonym, before anything from the copy', () => {
    expect(presets({ text: '生日蛋糕 生日蛋糕 气球', keywords: ['包邮'] })[0]).toBe('a/van');
  });

  test('echoes explicit keywords as given, once, before the words of the copy', () => {
    const submission = { text: '生日', keywords: [' Ｃat ', '猫', 'cat'], limit: 12 };
    expect(tiny.match(submission).extractedKeywords).toEqual(['Ｃat', '猫', '生日']);
  });

  test('finds an explicit keyword inside a longer title, and an unlisted one by its pieces', () => {
    expect(presets({ keywords: ['电视塔'] })).toEqual(['a/tower']);
    expect(presets({ keywords: ['生日气球'] })).toContain('a/balloon');
  });

  test('takes single characters for words only where they stand alone', () => {
    expect(presets({ text: '猫，和狗' })).toEqual(['a/cat']);
    expect(presets({ text: '熊猫基地' })).toEqual([]);
  });

  test.each(['全场打五折', '8折', '会员9.5折优惠'])(
    'takes a quantity that the synonyms know for a word: %s',
    (text) => {
      const titles = library.match({ text, limit: 6 }).hits.map(({ sticker: { title } }) => title);
      expect(titles.join()).toMatch(/打折|标签|优惠券|百分号/);
    },
  );

  test('finds nothing in copy without scene words', () => {
    expect(tiny.match({ text: '我们就是这样的，OK？123', limit: 12 })).toMatchObject({
      extractedKeywords: [],
      total: 0,
      hits: [],
    });
  });
});

describe('match over the catalogue', () => {
  const titles = (text: string) => library.match({ text, limit: 12 }).hits.map(({ sticker: found }) => found.title);

  test('cuts at the commoner words: 和气 is not in 蛋糕和气球, nor 景色 in 背景色', () => {
    const words = (text: string) => library.match({ text, limit: 1 }).extractedKeywords;
    expect(words('买了蛋糕和气球')).toContain('气球');
    expect(words('文字和背景色都可以改')).not.toContain('景色');
  });

  test('holds back what the copy says not to be so, even where its scene would show it', () => {
    expect(titles('今年生日不要蛋糕').slice(0, 3)).not.toContain('蛋糕');
    expect(titles('今年生日要蛋糕').slice(0, 3)).toContain('蛋糕');
  });

  test('takes no number of a list for a word', () => {
    const { extractedKeywords } = library.match({ text: '1. 蛋糕\n2. 气球\n3. 礼物', limit: 12 });
    expect(extractedKeywords.toSorted()).toEqual(['气球', '礼物', '蛋糕'].toSorted());
  });

  const synonyms = TABLE;
  const words = [...new Set(catalogue.flatMap(({ title, keywords }) => [title, ...keywords]))];
  const copy = fc.array(fc.constantFrom(...words, '我们', '，', '。', '和'), { minLength: 1, maxLength: 15 });
  const keywords = fc.array(fc.constantFrom(...words), { maxLength: 3 });

  test('every result has reasons, and every reason is true', () => {
    fc.assert(
      fc.property(copy, keywords, (text, explicit) => {
        const { hits, extractedKeywords, total } = library.match({
          text: text.join(''),
          keywords: explicit,
          limit: 50,
        });
        expect(total).toBeGreaterThanOrEqual(hits.length);
        for (const { sticker: found, reasons } of hits) {
          expect(reasons.length).toBeGreaterThan(0);
          for (const { keyword, field, source } of reasons) {
            expect(extractedKeywords).toContain(keyword);
            const said = normalise(field === 'title' ? found.title : found.keywords.join('\n'));
            const asked = normalise(keyword);
            const isThere = (word: string) => said.includes(word);
            const texts = (field === 'title' ? [found.title] : found.keywords).map(normalise);
            const holds =
              source === 'direct'
                ? termsOf(asked).every(isThere) || texts.some((one) => isPieceOf(one, asked))
                : synonyms.of(asked).some(isThere) ||
                  texts.some((one) => meansSame(one, asked, field === 'title')) ||
                  standsBeside(texts, asked);
            expect(holds, `${keyword} in ${said}`).toBe(true);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  test('each next picture shows what none before it does, and none comes twice in another style', () => {
    const text = '自驾西藏，雪山、湖泊、牦牛，一路堵车也值得，星空太美了。';
    const shown = library.match({ text, limit: 6 }).hits.map(({ sticker: { title } }) => title.replace(/\d+$/, ''));
    expect(new Set(shown).size).toBe(6);
    for (const scene of ['汽车', '雪山', '星']) expect(shown.join()).toContain(scene);
  });

  test('a longer page begins like a shorter one, the same every time', () => {
    fc.assert(
      fc.property(copy, keywords, (text, explicit) => {
        const submission = { text: text.join(''), keywords: explicit };
        const page = library.match({ ...submission, limit: 12 });
        expect(library.match({ ...submission, limit: 5 }).hits).toEqual(page.hits.slice(0, 5));
        expect(library.match({ ...submission, limit: 12 })).toEqual(page);
      }),
      { numRuns: 60 },
    );
  });
});
