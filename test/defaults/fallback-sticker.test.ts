// Falling back, over small stores in memory: which source comes first, and what happens when one is broken.

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFallbackSticker, type FallbackStickerParts } from '../../src/defaults/fallback-sticker.js';
import { DATA_FOLDER } from '../../src/config/config.js';
import { lottieProblem } from '../../src/lottie/judge-lottie.js';
import { silentLog } from '../../src/platform/log.js';
import { openDefaultPack } from '../../src/defaults/default-pack.js';
import type { RegisteredDefault } from '../../src/defaults/registered-defaults.js';
import type { Sticker } from '../../src/model/sticker.js';
import { tinyLottie } from '../sandbox/tiny-catalogue.js';

const HEART: Sticker = { preset: 'a/heart', title: '爱心', keywords: ['爱', '心'], aspect: 1.2 };
const PACK = openDefaultPack(join(DATA_FOLDER, 'defaults'));

describe('an owned sticker', () => {
  it.each<[string, Partial<Sticker>, string]>([
    ['stands in when it shares a word and the shape', {}, 'b/heart'],
    ['stands in when its shape is not known', { aspect: 0 }, 'b/heart'],
    ['is passed over when its shape is another', { aspect: 2 }, 'default/heart'],
    ['is passed over when it shares no word', { title: '雨', keywords: [] }, 'default/heart'],
    ['is passed over when it is the wanted one itself', { preset: HEART.preset }, 'default/heart'],
  ])('%s', async (_what, change, which) => {
    const other = { ...HEART, preset: 'b/heart', ...change };
    const fallbackSticker = createFallbackSticker(partsWith({ known: [HEART, other], owned: [other.preset] }));
    expect(await whichOf(fallbackSticker, HEART.preset)).toBe(which);
  });

  it('does not stand for what ships itself: a bought cake for flowers', async () => {
    const wanted = { ...HEART, title: '爱心', keywords: ['爱', '生日'] };
    const cake = { ...HEART, preset: 'b/cake', title: '生日蛋糕', keywords: ['生日'] };
    const fallbackSticker = createFallbackSticker(partsWith({ known: [wanted, cake], owned: [cake.preset] }));
    expect(await whichOf(fallbackSticker, wanted.preset)).toBe('default/heart');
  });

  it('counts as soon as it is bought', async () => {
    const owned: string[] = [];
    const fallbackSticker = createFallbackSticker(
      partsWith({ known: [HEART, { ...HEART, preset: 'b/heart' }], owned }),
    );
    expect(await whichOf(fallbackSticker, HEART.preset)).toBe('default/heart');
    owned.push('b/heart');
    expect(await whichOf(fallbackSticker, HEART.preset)).toBe('b/heart');
  });
});

describe('what is broken', () => {
  const broken = () => {
    throw new Error('broken');
  };
  const registered = { preset: '*', sha256: 'x' } as RegisteredDefault;

  it.each<[string, Partial<FallbackStickerParts>]>([
    ['a library that cannot be read', { library: { findSticker: broken, synonymsOf: broken } }],
    ['owned files that cannot be listed', { owned: { listStickers: broken, read: async () => undefined } }],
    ['an owned file that is damaged', { owned: { listStickers: listing('b/heart'), read: async () => undefined } }],
    ['a registered file that is damaged', { registered: { ...NOTHING_REGISTERED, find: () => registered } }],
  ])('is passed over: %s', async (_what, part) => {
    const parts = partsWith({ known: [HEART, { ...HEART, preset: 'b/heart' }], owned: [] });
    expect(await whichOf(createFallbackSticker({ ...parts, ...part }), HEART.preset)).toBe('default/heart');
  });
});

describe('what is said of the choice', () => {
  it('is plain ASCII, whatever the preset and the words are', async () => {
    const odd = { ...HEART, preset: '心; 100%\uD800' };
    const fallbackSticker = createFallbackSticker(partsWith({ known: [HEART, odd], owned: [odd.preset] }));
    const delivery = await fallbackSticker(HEART.preset, 'offline');
    expect(delivery?.chosen).toBe(
      '%E5%BF%83%3B 100%25%EF%BF%BD; owned, shares %E7%88%B1%E5%BF%83, %E7%88%B1, %E5%BF%83',
    );
  });

  it('is the same every time, as is the file', async () => {
    const fallbackSticker = createFallbackSticker(partsWith({ known: [HEART], owned: [] }));
    const once = await fallbackSticker(HEART.preset, 'offline');
    expect(await fallbackSticker(HEART.preset, 'offline')).toEqual(once);
    const file = JSON.parse(new TextDecoder().decode(once?.bytes)) as { w: number; h: number };
    expect(file.w / file.h).toBeCloseTo(1.2, 2);
  });
});

describe('in one run', () => {
  const cakes = ['生日蛋糕', '大生日蛋糕', '新生日蛋糕', '生日蛋糕2'].map((title, i) => ({
    preset: `x/${i}`,
    title,
    keywords: [],
  }));

  it('no two presets get the same default while another fits, and each keeps its own', async () => {
    const fallbackSticker = createFallbackSticker(partsWith({ known: cakes, owned: [] }));
    const ask = async () => Promise.all(cakes.map(({ preset }) => whichOf(fallbackSticker, preset, 'token 1')));
    const first = await ask();
    expect(new Set(first).size).toBe(cakes.length);
    expect(await ask()).toEqual(first);
  });

  it('an owned sticker stands in once, too', async () => {
    const known = [HEART, { ...HEART, preset: 'c/heart' }, { ...HEART, preset: 'b/heart' }];
    const fallbackSticker = createFallbackSticker(partsWith({ known, owned: ['b/heart'] }));
    expect(await whichOf(fallbackSticker, 'a/heart', 'token 1')).toBe('b/heart');
    expect(await whichOf(fallbackSticker, 'c/heart', 'token 1')).toBe('default/heart');
  });

  it('what another run was given, and what was given long ago, is free', async () => {
    let now = 0;
    const parts = { ...partsWith({ known: cakes, owned: [] }), clock: { now: () => now } };
    const fallbackSticker = createFallbackSticker(parts);
    const [one, other] = ['x/0', 'x/1'];
    const best = await whichOf(fallbackSticker, one, 'token 1');
    expect(await whichOf(fallbackSticker, other, 'token 2')).toBe(best);
    expect(await whichOf(fallbackSticker, other, 'token 1')).not.toBe(best);
    now += 60 * 60_000;
    expect(await whichOf(fallbackSticker, other, 'token 1')).toBe(best);
  });
});

describe('when nothing fits', () => {
  const odd: Sticker = { preset: 'x/1', title: 'qwrtz', keywords: [], width: 300, height: 150, duration: 3, fps: 25 };
  const parts = () => partsWith({ known: [odd, HEART], owned: [] });

  it('the plain one is served, in the wanted shape', async () => {
    const delivery = await createFallbackSticker(parts())(odd.preset, 'offline');
    expect(delivery?.chosen).toMatch(/^default\/plain%3B|^default\/plain; shipped, nothing/);
  });

  it('an empty one of the wanted size and length is served where the user wants that', async () => {
    const serve = createFallbackSticker({ ...parts(), whenNothingFits: 'transparent' });
    const delivery = await serve(odd.preset, 'offline');
    expect(delivery?.chosen).toMatch(/^default\/transparent; /);
    expect(await lottieProblem(delivery?.bytes ?? new Uint8Array())).toBeUndefined();
    const file = JSON.parse(new TextDecoder().decode(delivery?.bytes)) as Record<string, unknown>;
    expect(file).toMatchObject({ w: 300, h: 150, fr: 25, ip: 0, op: 75, layers: [{ ty: 3 }] });
    expect((await serve(HEART.preset, 'offline'))?.chosen).toMatch(/^default\/heart/);
  });

  it('none is served where the user wants the error', async () => {
    const serve = createFallbackSticker({ ...parts(), whenNothingFits: 'error' });
    expect(await serve(odd.preset, 'offline')).toBeUndefined();
    expect((await serve(HEART.preset, 'offline'))?.chosen).toMatch(/^default\/heart/);
  });
});

const NOTHING_REGISTERED: FallbackStickerParts['registered'] = { find: () => undefined, read: async () => undefined };

function listing(...presets: string[]) {
  return (afterId: number) =>
    presets.map((preset, index) => ({ id: index + 1, preset })).filter(({ id }) => id > afterId);
}

function partsWith({ known, owned }: { known: Sticker[]; owned: string[] }): FallbackStickerParts {
  return {
    library: { findSticker: (preset) => known.find((one) => one.preset === preset), synonymsOf: () => [] },
    registered: NOTHING_REGISTERED,
    owned: {
      listStickers: (afterId) => listing(...owned)(afterId),
      read: async (preset) => new TextEncoder().encode(tinyLottie(preset)),
    },
    defaults: PACK,
    whenNothingFits: 'plain',
    clock: { now: () => 0 },
    log: silentLog,
  };
}

async function whichOf(
  fallbackSticker: ReturnType<typeof createFallbackSticker>,
  preset: string,
  caller?: string,
): Promise<string | undefined> {
  return (await fallbackSticker(preset, 'offline', caller))?.chosen?.split(';', 1)[0];
}
