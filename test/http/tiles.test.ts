// The tiles of the page, asked over HTTP of the whole sandbox: every order is total, pages join up to the end, filters are exact,
// and what answers a word is said.

import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TILE_ORDERS } from '../../src/api/page-terms.js';
import type { Tile, TileDetails, TileMatch, Tiles } from '../../src/api/tile.js';
import type { Item } from '../../src/lottie/lottie-json.js';
import { colorsOf } from '../../src/lottie/recolor.js';
import { parseColor } from '../../src/model/color.js';
import { readCatalogue } from '../library/scratch-library.js';
import { startSvcd, type StartedSvcd } from '../support/start-svcd.js';

let svcd: StartedSvcd;
beforeAll(async () => {
  svcd = await startSvcd(['--sandbox']);
});
afterAll(() => svcd.stop());

const catalogue = readCatalogue();
const ask = (path: string, query: Record<string, string> = {}, init: RequestInit = {}) =>
  fetch(`${svcd.info.url}${path}?${new URLSearchParams(query).toString()}`, init);
const list = async (query: Record<string, string> = {}) => (await (await ask('/svcd/tiles', query)).json()) as Tiles;
const details = async (preset: string) =>
  (await (await ask(`/svcd/tiles/${encodeURIComponent(preset)}`)).json()) as TileDetails;
const match = async (body: object) => {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  return (await (await ask('/svcd/tiles/match', {}, init)).json()) as TileMatch;
};

const listed = new Map<string, Promise<Tile[]>>();

/** Page by page; the same list once. */
function listAll(query: Record<string, string>): Promise<Tile[]> {
  const key = JSON.stringify(query);
  const all = listed.get(key) ?? listPages(query);
  listed.set(key, all);
  return all;
}

async function listPages(query: Record<string, string>): Promise<Tile[]> {
  const tiles: Tile[] = [];
  for (;;) {
    const page = await list({ ...query, limit: '200', offset: String(tiles.length) });
    tiles.push(...page.tiles);
    if (tiles.length >= page.total || page.tiles.length === 0) return tiles;
  }
}

const names = (tiles: readonly Tile[]) => tiles.map(({ preset }) => preset);
const chroma = ({ color }: Tile) => Math.hypot(...(parseColor(color ?? '') ?? [0, 0, 0]).slice(1));

describe('a list of tiles', () => {
  it.each(TILE_ORDERS)('has every sticker once in the order "%s", to the end', async (sort) => {
    const all = await listAll({ sort });
    expect(new Set(names(all)).size).toBe(all.length);
    expect(all.length).toBe(catalogue.length);
  });

  it('is in the order it is asked for', async () => {
    const byTitle = (await listAll({ sort: 'title' })).map(({ title }) => title);
    const collator = new Intl.Collator('zh-Hans-u-co-pinyin', { numeric: true });
    expect(byTitle).toEqual(byTitle.toSorted((a, b) => collator.compare(a, b) || (a < b ? -1 : Number(a > b))));
    const byLength = (await listAll({ sort: 'length' })).map(({ duration }) => duration ?? Infinity);
    expect(byLength).toEqual(byLength.toSorted((a, b) => a - b));
    const byHue = await listAll({ sort: 'hue' });
    const firstGrey = byHue.findIndex((tile) => chroma(tile) < 3);
    expect(firstGrey).toBeGreaterThan(1000);
    expect(byHue.slice(firstGrey).every((tile) => chroma(tile) < 3)).toBe(true);
    const hues = byHue.slice(0, firstGrey).map(({ color }) => {
      const [, a, b] = parseColor(color ?? '') ?? [0, 0, 0];
      return (Math.atan2(b, a) + 2 * Math.PI) % (2 * Math.PI);
    });
    expect(hues).toEqual(hues.toSorted((a, b) => a - b));
  });

  it('goes on where the page before ended, whatever is asked', async () => {
    const queries = fc.record({
      sort: fc.constantFrom(...TILE_ORDERS),
      q: fc.constantFrom('', '脸', '蛋糕', 'shengri'),
      aspect: fc.constantFrom('', 'square', 'wide'),
    });
    const property = fc.asyncProperty(
      queries,
      fc.nat(300),
      fc.integer({ min: 1, max: 200 }),
      async (given, at, limit) => {
        const query = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
        const all = await listAll(query);
        const page = await list({ ...query, offset: String(at), limit: String(limit) });
        expect(names(page.tiles)).toEqual(names(all).slice(at, at + limit));
        expect(page.total).toBe(all.length);
      },
    );
    await fc.assert(property, { numRuns: 15 });
  });

  it('lists with a filter exactly what passes it', async () => {
    const bounds = fc.record({
      min: fc.constantFrom(0, 0.9, 1.2, 2.5),
      max: fc.constantFrom(1, 1.3, 2, 9),
      aspect: fc.constantFrom('', 'square', 'tall', 'wide'),
      sort: fc.constantFrom(...TILE_ORDERS),
    });
    const passes = { square: [1 / 1.05, 1.05], wide: [1.05, Infinity], tall: [0, 0.95], '': [0, Infinity] } as const;
    const property = fc.asyncProperty(bounds, async ({ min, max, aspect, sort }) => {
      fc.pre(min <= max);
      const [from, to] = passes[aspect];
      const expected = catalogue.filter(
        ({ duration = NaN, aspect: own = NaN }) => duration >= min && duration <= max && own >= from && own <= to,
      );
      const tiles = await listAll({
        sort,
        min_duration: String(min),
        max_duration: String(max),
        ...(aspect !== '' && { aspect }),
      });
      expect(names(tiles).toSorted()).toEqual(expected.map(({ preset }) => preset).toSorted());
    });
    await fc.assert(property, { numRuns: 8 });
  });

  it('lists one style alone, names those that many stickers have, and refuses one that none has', async () => {
    const styles = [...new Set(catalogue.map(({ preset }) => preset.split('/', 1)[0]!))];
    const { styles: known } = await list({ q: '蛋糕' });
    expect(known).toContain('twemoji');
    expect(styles).toEqual(expect.arrayContaining([...known]));
    const own = catalogue.filter(({ preset }) => preset.startsWith('twemoji/'));
    expect(names(await listAll({ style: 'twemoji' })).toSorted()).toEqual(own.map(({ preset }) => preset).toSorted());
    const found = await listAll({ q: '蛋糕', style: 'twemoji', owned: 'false' });
    expect(found.length > 0 && found.every(({ preset }) => preset.startsWith('twemoji/'))).toBe(true);
    const refused = await ask('/svcd/tiles', { style: 'watercolour' });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ code: 'invalid_request', hint: `Styles are ${known.join(', ')}.` });
  });

  it('finds in another order what search finds', async () => {
    const best = await listAll({ q: '蛋糕' });
    const byTitle = await listAll({ q: '蛋糕', sort: 'title' });
    expect(names(byTitle).toSorted()).toEqual(names(best).toSorted());
    expect(names(byTitle)).not.toEqual(names(best));
  });

  it('says of each how many others show the same', async () => {
    const [cake] = (await list({ q: '生日蛋糕' })).tiles;
    const same = catalogue.filter(
      ({ concept }) => concept === catalogue.find(({ preset }) => preset === cake?.preset)?.concept,
    );
    expect(cake?.variants).toBe(same.length - 1);
  });

  it('refuses a collection without a session, and does not know one that is none', async () => {
    expect((await ask('/svcd/tiles', { collection: 'favourites' })).status).toBe(401);
  });
});

describe('why a tile was found', () => {
  it.each([
    ['生日', '生日蛋糕', { word: '生日', asked: '生日', field: 'title', source: 'direct', at: [0, 2] }],
    ['焰火', '烟花', { word: '烟花', asked: '焰火', field: 'title', source: 'synonym', at: [0, 2] }],
    ['shengri', '生日蛋糕', { word: '生日', asked: 'shengri', field: 'keywords', source: 'direct' }],
    ['蛋糕 蜡烛', '生日蛋糕', { word: '蛋糕', asked: '蛋糕', field: 'title', source: 'direct', at: [2, 4] }],
  ])('%s finds %s', async (q, title, reason) => {
    const tile = (await list({ q, limit: '200' })).tiles.find((one) => one.title === title);
    expect(tile?.because).toContainEqual(reason);
  });

  it('is true: the word is in the field, at its place', async () => {
    for (const q of ['生日快乐', '红色爱心', 'birthday cake', '脸', 'gou', '汽車']) {
      for (const { title, keywords, because } of (await list({ q, limit: '200' })).tiles) {
        for (const { word, field, at } of because) {
          if (field === 'title') expect(title.slice(...(at ?? []))).toBe(word);
          else expect(keywords).toContain(word);
        }
      }
    }
  });
});

describe('a copy matched by sentence', () => {
  it('gives each sentence its place, its words with theirs, and its best', async () => {
    const text = '今天是小明的生日！大家一起放焰火。\n\nLet us eat pizza. ……';
    const { sentences } = await match({ text });
    expect(sentences.map(({ at }) => text.slice(...at))).toEqual([
      '今天是小明的生日！',
      '大家一起放焰火。',
      'Let us eat pizza.',
    ]);
    for (const { words, tiles } of sentences) {
      for (const { word, at } of words) if (at !== undefined) expect(text.slice(...at).toLowerCase()).toBe(word);
      expect(tiles.length).toBeGreaterThan(0);
      expect(tiles.length).toBeLessThanOrEqual(6);
      expect(tiles.every(({ because }) => because.length > 0)).toBe(true);
    }
    expect(sentences[1]?.words).toContainEqual({ word: '焰火', at: [14, 16] });
  });

  it('places an offer where the copy makes it: 满300减50', async () => {
    const text = '开业大吉。全场满３００减５０，Only 3 days left!';
    const words = (await match({ text })).sentences.flatMap((sentence) => sentence.words);
    const said = words.map(({ word, at }) => [word, at && text.slice(...at)]);
    expect(said).toContainEqual(['满减', '满３００减５０']);
    expect(said).toContainEqual(['倒计时', 'Only 3 days left']);
  });

  it('gives the best of the whole copy as match does', async () => {
    const text = '生日蛋糕和气球。大家一起放焰火。';
    const { sentences } = await match({ text, by: 'copy', limit: 12 });
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text, limit: 12 }),
    };
    const mirrored = (await (await ask('/api/v1/stickers/match', {}, init)).json()) as {
      results: { preset: string }[];
    };
    expect(sentences).toHaveLength(1);
    expect(names(sentences[0]?.tiles ?? [])).toEqual(mirrored.results.map(({ preset }) => preset));
  });

  it('gives each sentence a picture of its own, as a plan gives its slots', async () => {
    const texts = ['祝你生日快乐。', '生日蛋糕。', '小明的生日。'];
    const { sentences } = await match({ text: texts.join('') });
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${svcd.info.token}` };
    const body = JSON.stringify({ slots: texts.map((text, nth) => ({ id: `s${nth}`, text })) });
    const planned = await ask('/svcd/plan', {}, { method: 'POST', headers, body });
    const { slots } = (await planned.json()) as { slots: { preset: string }[] };
    expect(sentences.map(({ best }) => best?.preset)).toEqual(slots.map(({ preset }) => preset));
    const pictures = new Set(sentences.map(({ best }) => best?.title));
    expect(pictures.size).toBe(texts.length);
    expect(new Set(sentences.map(({ tiles }) => tiles[0]?.title)).size).toBeLessThan(texts.length);
    expect((await match({ text: '没有这样的词xyzzy。' })).sentences.map(({ best, total }) => [best, total])).toEqual([
      [null, 0],
    ]);
  });

  it('gives all sentences one style where that is asked for, and says which', async () => {
    const text = '祝你生日快乐。吹了很多气球。红色的小汽车。外面下雨了。';
    const { style, sentences } = await match({ text, style: 'auto' });
    const styles = sentences.map(({ best }) => best?.preset.split('/')[0]);
    expect(styles.filter((one) => one === style).length).toBeGreaterThan(2);
    const other = styles.includes('twemoji') ? 'fluent-emoji-flat' : 'twemoji';
    const asked = await match({ text, style: other });
    expect([asked.style, asked.sentences[0]?.best?.preset.split('/')[0]]).toEqual([other, other]);
    expect((await match({ text })).style).toBeNull();
    // The balloon is for the sentence that names it, and not for the first that it suits.
    const balloon = await match({ text: '今天是小明的五岁生日。我们吹气球布置房间。', style: 'fluent-emoji-flat' });
    expect(balloon.sentences[1]?.best?.title).toBe('气球');
    const refused = await match({ text, style: 'watercolour' });
    expect(refused).toMatchObject({ code: 'invalid_request', hint: expect.stringMatching(/^Styles are .*twemoji/) });
  });

  it('searches for a sentence by other words where these are given, and for all within the filters', async () => {
    const text = '祝你生日快乐。下雨了！下雨了！';
    const plain = await match({ text });
    const lines = [{ text: '下雨了！' }, { text: '下雨了！', q: '披萨' }];
    const { sentences } = await match({ text, lines });
    expect(sentences.map(({ q }) => q)).toEqual([undefined, undefined, '披萨']);
    expect(sentences[1]?.tiles).toEqual(plain.sentences[1]?.tiles);
    expect([sentences[2]?.best?.title, sentences[2]?.tiles[0]?.title]).toEqual(['披萨', '披萨']);
    const filters = { style: 'twemoji', color: '#ff0000', distance: '40' };
    const red = await match({ text, lines, filters });
    const tiles = red.sentences.flatMap((one) => [...one.tiles, ...(one.best === null ? [] : [one.best])]);
    expect(tiles.length).toBeGreaterThan(3);
    const all = new Set(names(await listAll(filters)));
    expect(names(tiles).filter((preset) => !all.has(preset))).toEqual([]);
    expect(await match({ text, filters: { color: 'red' } })).toMatchObject({ code: 'invalid_request' });
  });

  it('takes as long a copy as match, and lets others have their turn between sentences', async () => {
    const sentence = '今天是小明的生日，大家一起放焰火。';
    const text = sentence.repeat(Math.floor(2000 / sentence.length));
    const order: string[] = [];
    const long = match({ text }).then(({ sentences }) => order.push(`match ${sentences.length}`));
    await Promise.all(Array.from({ length: 3 }, () => ask('/svcd/status').then(() => order.push('status'))));
    await long;
    expect(order.at(-1)).toBe(`match ${Math.floor(2000 / sentence.length)}`);
    expect(await match({ text: '长'.repeat(2001) })).toMatchObject({ code: 'invalid_request' });
  });
});

describe('one tile', () => {
  it('tells all of it, what shows the same, then what is like it', async () => {
    const cake = await details('fluent-emoji-flat/birthday-cake');
    expect(cake).toMatchObject({
      title: '生日蛋糕',
      picture: 'sandbox',
      price: 1,
      licence: expect.stringContaining('MIT') as string,
    });
    const bytes = await (await ask('/svcd/pictures/fluent-emoji-flat%2Fbirthday-cake')).arrayBuffer();
    expect(cake.file).toMatchObject({ bytes: bytes.byteLength, fps: 60 });
    expect(names(cake.same)).toEqual(['twemoji/birthday-cake']);
    expect(cake.same).toHaveLength(cake.variants);
    expect(cake.related.length).toBeGreaterThan(3);
    expect(new Set(names([cake, ...cake.same, ...cake.related])).size).toBe(2 + cake.related.length);
  });

  it('is refused where the library knows none', async () => {
    expect(await details('no/such')).toMatchObject({ code: 'unknown_preset' });
  });
});

describe('a picture in another color', () => {
  it('is a copy with a tag of its own, that is asked for without a token', async () => {
    const look = (color?: string, headers = {}) =>
      ask('/svcd/pictures/fluent-emoji-flat%2Fbirthday-cake', color === undefined ? {} : { color }, { headers });
    const answers = await Promise.all([look(), look('#e5484d'), look('E5484D'), look('all=#000')]);
    const [plain, colored, again, black] = answers.map((one) => one.headers.get('etag') ?? '');
    expect(colored).toMatch(/^"[\da-f]{32}"$/);
    expect([again, new Set([plain, colored, black]).size]).toEqual([colored, 3]);
    expect((await look('#e5484d', { 'if-none-match': colored })).status).toBe(304);
    const [was, is] = await Promise.all(answers.map(async (one) => colorsOf((await one.json()) as Item)));
    expect([was, is].map((all) => all!.some(({ color }) => color === '#e5484d'))).toEqual([false, true]);
    for (const color of ['red', '#123456=#fff']) {
      expect(await (await look(color)).json()).toMatchObject({ code: 'invalid_request' });
    }
  });
});

describe('a sketch', () => {
  it('is a free drawing that stays what it is; a drawing that must be credited is none', async () => {
    const drawing = await ask('/svcd/sketches/iconpark-filled/birthday-cake');
    expect([drawing.status, drawing.headers.get('cache-control')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ]);
    expect(await drawing.json()).toMatchObject({ layers: expect.any(Array) as unknown[] });
    expect((await ask('/svcd/sketches/twemoji/birthday-cake')).status).toBe(404);
    const tiles = await listAll({ q: '生日' });
    expect(tiles.filter(({ sketch }) => sketch?.id.startsWith('twemoji/'))).toEqual([]);
  });
});
