// svcd's own ways of finding, asked over HTTP: filters are exact, pages join up, mistakes are named.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompleteAnswer, FindAnswer, RelatedAnswer } from '../../src/api/find.js';
import type { Tiles } from '../../src/api/tile.js';
import { readCatalogue } from '../library/scratch-library.js';
import { startSvcd, type StartedSvcd } from '../support/start-svcd.js';

let svcd: StartedSvcd;
beforeAll(async () => {
  svcd = await startSvcd(['--sandbox']);
});
afterAll(() => svcd.stop());

const catalogue = new Map(readCatalogue().map((sticker) => [sticker.preset, sticker]));
const ask = (path: string, query: Record<string, string> = {}) =>
  fetch(`${svcd.info.url}/svcd/${path}?${new URLSearchParams(query).toString()}`);
const find = async (query: Record<string, string>) => (await (await ask('search', query)).json()) as FindAnswer;
const related = async (preset: string, query: Record<string, string> = {}) =>
  (await (await ask(`related/${encodeURIComponent(preset)}`, query)).json()) as RelatedAnswer;

async function findAll(query: Record<string, string>): Promise<FindAnswer['results']> {
  const results: FindAnswer['results'][number][] = [];
  for (let offset: number | null = 0; offset !== null;) {
    const page: FindAnswer = await find({ ...query, limit: '50', offset: String(offset) });
    results.push(...page.results);
    offset = page.next;
  }
  return results;
}

describe('a search that cannot have all', () => {
  const mirrored = (q: string) =>
    fetch(`${svcd.info.url}/api/v1/stickers/search?${new URLSearchParams({ q }).toString()}`);
  const note = (answer: Response) => decodeURIComponent(answer.headers.get('x-svcd-search') ?? '');

  it('says what it left out, in the header of the documented path and in its own answer', async () => {
    expect(note(await mirrored('蛋糕 龘龘龘'))).toBe('dropped=龘龘龘');
    expect((await find({ q: '蛋糕 龘龘龘' })).dropped).toEqual(['龘龘龘']);
  });

  it('suggests what may have been meant', async () => {
    expect(note(await mirrored('彩洪'))).toMatch(/^weak; suggested=彩虹(,|$)/);
    expect((await find({ q: '彩洪' })).suggestions[0]).toBe('彩虹');
  });

  it('says that nothing fits, and how well each does', async () => {
    const answer = await mirrored('转场');
    expect(note(answer)).toMatch(/^weak(;|$)/);
    expect(await answer.json()).toMatchObject({ weak: true });
    const cake = await mirrored('生日蛋糕');
    expect(await cake.json()).toMatchObject({ results: expect.arrayContaining([expect.objectContaining({ fit: 1 })]) });
    expect((await find({ q: '转场' })).weak).toBe(true);
    const tiles = await (await ask('tiles', { q: '转场' })).json();
    expect(tiles).toMatchObject({ related_from: 0 });
  });

  it('draws the line of what is loosely related in the order of search alone, and where a page begins behind it', async () => {
    const from = async (more: Record<string, string>) =>
      ((await (await ask('tiles', { q: '生日 火箭', limit: '20', ...more })).json()) as Tiles).related_from;
    const line = Number(await from({ limit: '200' }));
    expect(line).toBeGreaterThan(0);
    expect(await from({ offset: String(line + 1) })).toBe(line + 1);
    for (const sort of ['title', 'seen', 'hue', 'length']) expect(await from({ sort, limit: '200' }), sort).toBeNull();
  });

  it('leaves out of a word what is behind 200 letters, and says so', async () => {
    const long = '彩虹'.repeat(110);
    const { dropped, results } = await find({ q: long });
    expect(dropped).toEqual(['彩虹'.repeat(10)]);
    expect(results[0]?.title).toContain('彩虹');
  });

  it('says nothing otherwise', async () => {
    expect((await mirrored('彩虹')).headers.has('x-svcd-search')).toBe(false);
  });
});

describe('GET /svcd/search', () => {
  it('begins as search does', async () => {
    const mirrored = (await (
      await fetch(`${svcd.info.url}/api/v1/stickers/search?q=${encodeURIComponent('生日')}&limit=50`)
    ).json()) as { total: number; results: { preset: string }[] };
    const own = await find({ q: '生日', limit: '50' });
    expect(own.total).toBe(mirrored.total);
    expect(own.results.map(({ preset }) => preset)).toEqual(mirrored.results.map(({ preset }) => preset));
  });

  it('pages through everything once, however long the pages', async () => {
    const all = await findAll({ q: '脸' });
    const { total } = await find({ q: '脸' });
    expect(total).toBeGreaterThan(150);
    expect(all).toHaveLength(total);
    expect(new Set(all.map(({ preset }) => preset)).size).toBe(total);
    const short = await find({ q: '脸', limit: '7', offset: '133' });
    expect(short.results.map(({ preset }) => preset)).toEqual(all.slice(133, 140).map(({ preset }) => preset));
  });

  it('counts and lists what passes the filters, and nothing else', async () => {
    const filters = { aspect: 'square', max_duration: '1.5', color: '#ff0000', distance: '20' };
    const all = await findAll({ q: '爱心' });
    const chosen = await findAll({ q: '爱心', ...filters });
    expect(chosen.length).toBeGreaterThan(0);
    expect(chosen.length).toBeLessThan(all.length);
    expect((await find({ q: '爱心', ...filters })).total).toBe(chosen.length);
    for (const { preset, duration, primary_color: color } of chosen) {
      expect(duration, preset).toBeLessThanOrEqual(1.5);
      // Red has more red than anything else, by far.
      expect(parseInt(color?.slice(1, 3) ?? '', 16), preset).toBeGreaterThan(0x90);
    }
    const kept = new Set(chosen.map(({ preset }) => preset));
    const long = all.filter(({ duration = 0 }) => duration > 1.5);
    expect(long.length).toBeGreaterThan(0);
    expect(long.some(({ preset }) => kept.has(preset))).toBe(false);
  });

  it('takes no orange for a red', async () => {
    const colors = (await findAll({ color: '#ff0000' })).map((one) => one.primary_color);
    expect(colors).toContain('#f8312f');
    expect(colors.filter((one) => ['#ff6723', '#fa743e', '#e96a3c', '#c1694f'].includes(one ?? ''))).toEqual([]);
  });

  it('lists what is drawn in one way, says of each how it is drawn, and names the ways', async () => {
    const expected = [...catalogue.keys()].filter((preset) => /^(iconpark-filled|t?e?maki)\//.test(preset));
    const found = await find({ style_kind: 'filled', limit: '50' });
    expect(found.total).toBe(expected.length);
    expect(new Set(found.results.map((one) => one.style_kind))).toEqual(new Set(['filled']));
    const { tiles } = (await (await ask('tiles', { q: '爱心', style_kind: 'outline' })).json()) as Tiles;
    expect(new Set(tiles.map((one) => one.style_kind))).toEqual(new Set(['outline']));
    const mirrored = await fetch(`${svcd.info.url}/api/v1/stickers/search?q=%E7%94%9F%E6%97%A5`);
    expect(await mirrored.json()).toMatchObject({
      results: expect.arrayContaining([expect.objectContaining({ style_kind: 'colour' })]),
    });
  });

  it('finds by the titles in English, Japanese and Korean, and tells them beside the one as sold', async () => {
    for (const q of ['Birthday Cake', 'バースデーケーキ', '생일 케이크']) {
      const [first] = (await find({ q, limit: '1' })).results;
      expect(first, q).toMatchObject({ title: '生日蛋糕', titles: { en: 'birthday cake' }, fit: 1 });
    }
    const { tiles } = (await (await ask('tiles', { q: '강아지 얼굴' })).json()) as Tiles;
    expect(tiles[0]).toMatchObject({ titles: { en: 'dog face', ja: 'イヌの顔', ko: '강아지 얼굴' } });
    expect(tiles[0]).not.toHaveProperty('translated');
  });

  it('lists by preset what a filter alone lets through', async () => {
    const long = [...catalogue.values()].filter(({ duration = 0 }) => duration >= 3);
    const found = await find({ min_duration: '3', limit: '50' });
    expect(found).toMatchObject({ query: null, total: long.length });
    const presets = found.results.map(({ preset }) => preset);
    expect(presets).toEqual(presets.toSorted());
  });

  it('knows what is owned as soon as it is bought', async () => {
    expect(await find({ owned: 'true' })).toMatchObject({ total: 0, results: [], next: null });
    const [wanted] = (await find({ q: '生日' })).results;
    const preset = wanted?.preset ?? '';
    const bought = await fetch(`${svcd.info.url}/api/v1/stickers/${encodeURIComponent(preset)}`, {
      headers: { Authorization: `Bearer ${svcd.info.token}` },
    });
    expect(bought.headers.get('x-svcd-source')).toBe('remote');
    const owned = await find({ owned: 'true' });
    expect(owned).toMatchObject({ total: 1, results: [{ preset, owned: true }] });
    const rest = await findAll({ q: '生日', owned: 'false' });
    expect(rest.map((one) => one.preset)).not.toContain(preset);
    expect(rest).toHaveLength((await find({ q: '生日' })).total - 1);
  });

  it.each([
    [{}, 'q: is required'],
    [{ q: ' ' }, 'q: is empty'],
    [{ q: 'x', colour: '#ff0000' }, 'unknown parameter "colour"'],
    [{ q: 'x', color: 'red' }, 'color: must be six hexadecimal digits'],
    [{ q: 'x', style_kind: 'round' }, 'style_kind: must be one of filled, outline, colour, got "round"'],
    [{ q: 'x', distance: '5' }, 'distance: says how far from color'],
    [{ q: 'x', color: '#ff0000', distance: '201' }, 'distance: must be a number from 0 to 200, got "201"'],
    [{ q: 'x', aspect: 'round' }, 'aspect: must be square'],
    [{ q: 'x', aspect: '2..1' }, 'aspect: must be square'],
    [{ q: 'x', aspect: '..' }, 'aspect: must be square'],
    [{ q: 'x', aspect: '0' }, 'aspect: must be square'],
    [{ q: 'x', min_duration: '-1' }, 'min_duration: must be a number from 0'],
    [{ q: 'x', min_duration: '3', max_duration: '2' }, 'min_duration: must not be more than max_duration'],
    [{ q: 'x', owned: 'yes' }, 'owned: must be true or false, got "yes"'],
    [{ q: 'x', limit: '51' }, 'limit: must be a whole number from 1 to 50'],
    [{ q: 'x', offset: '10001' }, 'offset: must be a whole number from 0 to 10000'],
    [{ q: 'x'.repeat(501) }, '501 characters'],
  ])('refuses %j', async (query, message) => {
    const answer = await ask('search', query);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining(message) as string,
    });
  });

  it('reads ratios in every form', async () => {
    const totals = await Promise.all(
      ['1', '1:1', '1/1', 'square', '0.953..1.05'].map(async (aspect) => (await find({ aspect })).total),
    );
    expect(new Set(totals).size).toBe(1);
    const [wide, tall] = await Promise.all([find({ aspect: 'wide' }), find({ aspect: 'tall' })]);
    expect(wide.results.every(({ aspect_ratio: ratio = 0 }) => ratio > 1)).toBe(true);
    expect(tall.results.every(({ aspect_ratio: ratio = 9 }) => ratio < 1)).toBe(true);
  });
});

describe('GET /svcd/complete', () => {
  const complete = async (q: string, limit = '12') =>
    ((await (await ask('complete', { q, limit })).json()) as CompleteAnswer).completions;

  it('goes on with words of the library, the commonest first', async () => {
    const found = await complete('生');
    expect(found.map(({ word }) => word)).toContain('生日');
    expect(found.every(({ word }) => word.startsWith('生'))).toBe(true);
    const counts = found.map(({ stickers }) => stickers);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    expect(await complete('生', '3')).toEqual(found.slice(0, 3));
  });

  it('has nothing for what no word begins with', async () => {
    expect(await complete('龘龘')).toEqual([]);
  });

  it('refuses nothing', async () => {
    expect((await ask('complete')).status).toBe(400);
    expect((await ask('complete', { q: 'x', limt: '3' })).status).toBe(400);
  });
});

describe('GET /svcd/related/{preset}', () => {
  const cake = 'fluent-emoji-flat/birthday-cake';

  it('lists the same thing in other styles first, then what shares its words', async () => {
    const { results, total } = await related(cake, { limit: '50' });
    const concept = catalogue.get(cake)?.concept;
    const same = [...catalogue.values()].filter((one) => one.concept === concept && one.preset !== cake);
    expect(same.length).toBeGreaterThan(0);
    const first = results.slice(0, same.length);
    expect(first.map(({ preset }) => preset).toSorted()).toEqual(same.map(({ preset }) => preset).toSorted());
    expect(first.every((one) => one.same_concept)).toBe(true);
    expect(total).toBeGreaterThan(same.length);
    for (const { preset, shared, same_concept: isSame } of results) {
      expect(preset).not.toBe(cake);
      expect(isSame || shared.length > 0, preset).toBe(true);
    }
  });

  it('goes on where the page before ended', async () => {
    const all = (await related(cake, { limit: '20' })).results.map(({ preset }) => preset);
    const next = (await related(cake, { limit: '10', offset: '10' })).results.map(({ preset }) => preset);
    expect(next).toEqual(all.slice(10));
  });

  it('says so when it knows no such sticker', async () => {
    const answer = await ask('related/no-such%2Fsticker');
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: 'unknown_preset' });
  });
});

it.each(['search', 'complete', 'related/x'])('GET and HEAD alone are for /svcd/%s', async (path) => {
  const answer = await fetch(`${svcd.info.url}/svcd/${path}`, { method: 'POST' });
  expect(answer.status).toBe(405);
  expect(answer.headers.get('allow')).toBe('GET, HEAD');
});
