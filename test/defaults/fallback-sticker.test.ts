// Falling back, over small stores in memory: which source comes first, and what happens when one is broken.

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFallbackSticker, type FallbackStickerParts } from '../../src/defaults/fallback-sticker.js';
import { DATA_FOLDER } from '../../src/config/config.js';
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
    ['a library that cannot be read', { library: { findSticker: broken } }],
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
    const { chosen } = await fallbackSticker(HEART.preset, 'offline');
    expect(chosen).toBe('%E5%BF%83%3B 100%25%EF%BF%BD; owned, shares %E7%88%B1%E5%BF%83, %E7%88%B1, %E5%BF%83');
  });

  it('is the same every time, as is the file', async () => {
    const fallbackSticker = createFallbackSticker(partsWith({ known: [HEART], owned: [] }));
    const once = await fallbackSticker(HEART.preset, 'offline');
    expect(await fallbackSticker(HEART.preset, 'offline')).toEqual(once);
    const file = JSON.parse(new TextDecoder().decode(once.bytes)) as { w: number; h: number };
    expect(file.w / file.h).toBeCloseTo(1.2, 2);
  });
});

const NOTHING_REGISTERED: FallbackStickerParts['registered'] = {
  find: () => undefined,
  read: async () => undefined,
};

function listing(...presets: string[]) {
  return (afterId: number) =>
    presets.map((preset, index) => ({ id: index + 1, preset })).filter(({ id }) => id > afterId);
}

function partsWith({ known, owned }: { known: Sticker[]; owned: string[] }): FallbackStickerParts {
  return {
    library: { findSticker: (preset) => known.find((one) => one.preset === preset) },
    registered: NOTHING_REGISTERED,
    owned: {
      listStickers: (afterId) => listing(...owned)(afterId),
      read: async (preset) => new TextEncoder().encode(tinyLottie(preset)),
    },
    defaults: PACK,
    log: silentLog,
  };
}

async function whichOf(
  fallbackSticker: ReturnType<typeof createFallbackSticker>,
  preset: string,
): Promise<string | undefined> {
  return (await fallbackSticker(preset, 'offline')).chosen?.split(';', 1)[0];
}
