// What is owned and no search ever named: it was bought by its preset, or the library was lost. It is listed all the same.

import { describe, expect, it } from 'vitest';
import type { FindAnswer } from '../../src/api/find.js';
import type { TileDetails, Tiles } from '../../src/api/tile.js';
import { stickerPath } from '../../src/model/sticker.js';
import { BIRTHDAY_CAKE, CAKE, RAIN, SIGN } from '../sandbox/tiny-catalogue.js';
import { startPair } from '../support/start-pair.js';

async function start() {
  const { svcd } = await startPair();
  const list = async (query: string) => (await (await svcd.get(`/svcd/tiles?${query}`)).json()) as Tiles;
  const buy = async (preset: string) => expect((await svcd.get(stickerPath(preset))).status).toBe(200);
  const show = async (preset: string) => {
    const answer = await svcd.get(`/svcd/tiles/${encodeURIComponent(preset)}`);
    return (await answer.json()) as TileDetails;
  };
  const keep = async (name: string, presets: readonly string[]) => {
    expect((await svcd.send('PUT', `/svcd/collections/${name}`, { presets })).status).toBe(200);
  };
  return { svcd, list, buy, show, keep };
}

const names = ({ tiles }: Tiles) => tiles.map(({ preset }) => preset);

describe('an owned sticker that no search named', () => {
  it('is in the list of what is owned, under its preset until its name is known', async () => {
    const { svcd, list, buy } = await start();
    await buy(RAIN);
    const [tile] = (await list('owned=true')).tiles;
    expect(tile).toMatchObject({ preset: RAIN, title: RAIN, price: 0, picture: 'owned', purchase: null });
    expect((await svcd.get('/api/v1/stickers/search?q=%E4%B8%8B%E9%9B%A8')).status).toBe(200);
    const named = await list('owned=true');
    expect(named.tiles).toMatchObject([{ preset: RAIN, title: '下雨' }]);
    expect(named.total).toBe(1);
  });

  it('stands behind those that are known, once, in every order and on every page', async () => {
    const { svcd, list, buy } = await start();
    await svcd.get('/api/v1/stickers/search?q=%E8%9B%8B%E7%B3%95');
    for (const preset of [CAKE, RAIN, SIGN, BIRTHDAY_CAKE]) await buy(preset);
    for (const sort of ['best', 'title', 'seen', 'hue', 'length']) {
      const whole = await list(`owned=true&sort=${sort}`);
      expect(whole.total).toBe(4);
      expect(names(whole).slice(0, 2).toSorted()).toEqual([BIRTHDAY_CAKE, CAKE].toSorted());
      expect(names(whole).slice(2).toSorted()).toEqual([RAIN, SIGN].toSorted());
      const pages = [];
      for (let offset = 0; offset < 5; offset += 1) {
        pages.push(...names(await list(`owned=true&sort=${sort}&limit=1&offset=${offset}`)));
      }
      expect(pages).toEqual(names(whole));
    }
  });

  it('is listed by the search with filters as well, on every page and once', async () => {
    const { svcd, buy } = await start();
    await svcd.get('/api/v1/stickers/search?q=%E8%9B%8B%E7%B3%95');
    for (const preset of [CAKE, RAIN, SIGN, BIRTHDAY_CAKE]) await buy(preset);
    const find = async (query: string) => {
      const answer = (await (await svcd.get(`/svcd/search?${query}`)).json()) as FindAnswer;
      return { ...answer, presets: answer.results.map(({ preset }) => preset) };
    };
    const whole = await find('owned=true');
    expect(whole.total).toBe(4);
    expect(whole.presets.slice(0, 2).toSorted()).toEqual([BIRTHDAY_CAKE, CAKE].toSorted());
    expect(whole.presets.slice(2).toSorted()).toEqual([RAIN, SIGN].toSorted());
    expect(whole.results.at(-1)).toMatchObject({ title: whole.presets.at(-1), owned: true, shipped: false });
    const pages: string[] = [];
    for (let offset: number | null = 0; offset !== null;) {
      const page: Awaited<ReturnType<typeof find>> = await find(`owned=true&limit=1&offset=${offset}`);
      pages.push(...page.presets);
      offset = page.next;
    }
    expect(pages).toEqual(whole.presets);
    for (const query of ['owned=false', 'owned=true&q=weather', 'owned=true&aspect=1..2', 'owned=true&color=ff8800']) {
      expect((await find(query)).presets).not.toContain(RAIN);
    }
  });

  it('answers no words, no shape, no color and no length, and is not among what is not owned', async () => {
    const { list, buy } = await start();
    await buy(RAIN);
    for (const query of ['q=weather', 'aspect=1..2', 'color=ff8800', 'max_duration=9']) {
      expect(names(await list(`owned=true&${query}`))).toEqual([]);
    }
    expect(names(await list('owned=false'))).not.toContain(RAIN);
  });

  it('is shown with its file, and in a collection at its place', async () => {
    const { svcd, list, buy, show, keep } = await start();
    await svcd.get('/api/v1/stickers/search?q=%E8%9B%8B%E7%B3%95');
    await buy(RAIN);
    const file = await (await svcd.get(`/svcd/pictures/${encodeURIComponent(RAIN)}`)).arrayBuffer();
    expect(await show(RAIN)).toMatchObject({
      title: RAIN,
      picture: 'owned',
      file: { bytes: file.byteLength },
      same: [],
    });
    expect(await show(SIGN)).toMatchObject({ code: 'unknown_preset' });
    await keep('favourites', [CAKE, RAIN, BIRTHDAY_CAKE]);
    expect(names(await list('collection=favourites'))).toEqual([CAKE, RAIN, BIRTHDAY_CAKE]);
    expect(names(await list('collection=favourites&owned=true'))).toEqual([RAIN]);
    expect(names(await list('collection=favourites&owned=false'))).toEqual([CAKE, BIRTHDAY_CAKE]);
  });
});
