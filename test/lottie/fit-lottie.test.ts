// A default in another shape is still a valid Lottie file: every sticker of the pack in many shapes.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DATA_FOLDER } from '../../src/config/config.js';
import { lottieProblem } from '../../src/lottie/judge-lottie.js';
import { openDefaultPack } from '../../src/defaults/default-pack.js';
import { fitLottie } from '../../src/lottie/fit-lottie.js';
import { compileSchema } from '../data/lottie-checks.js';

interface Fitted {
  w: number;
  h: number;
  ip: number;
  op: number;
  fr: number;
  assets: { id: string; layers: unknown[] }[];
  layers: { refId: string; w: number; h: number; ks: { s: { k: number[] }; p: { k: number[] } } }[];
}

const ASPECTS = [16 / 9, 9 / 16, 1, 2.286, 0.3];
const folder = join(DATA_FOLDER, 'defaults');
const pack = openDefaultPack(folder);
const plain = brotliDecompressSync(readFileSync(join(folder, 'stickers', 'plain.json.br')));
const complaints = compileSchema();

describe('every sticker of the pack', () => {
  it.each(ASPECTS)('is a valid Lottie file of the aspect ratio %f', async (aspect) => {
    for (const sticker of pack.stickers()) {
      const bytes = fitLottie(await pack.readSticker(sticker), aspect);
      const file = parse(bytes);
      expect(complaints(file), sticker.preset).toEqual([]);
      expect(await lottieProblem(bytes)).toBeUndefined();
      expect(Math.abs(file.w / file.h / aspect - 1), sticker.preset).toBeLessThan(0.01);
    }
  });
});

describe('a fitted file', () => {
  it('keeps its length and all of its picture, centred', () => {
    const [file, before] = [parse(fitLottie(plain, 2)), parse(plain)];
    expect([file.w, file.h]).toEqual([512, 256]);
    expect([file.ip, file.op, file.fr]).toEqual([before.ip, before.op, before.fr]);
    expect(file.assets.at(-1)?.layers).toEqual(before.layers);
    const [layer] = file.layers;
    expect(layer).toMatchObject({ w: 512, h: 512, refId: file.assets.at(-1)?.id });
    expect(layer?.ks.s.k).toEqual([50, 50, 100]);
    expect(layer?.ks.p.k).toEqual([256, 128, 0]);
  });

  it('is the very same bytes when the shape is right already, or not known', () => {
    for (const aspect of [1, 1.005, undefined, NaN, 0, -1, Infinity]) expect(fitLottie(plain, aspect)).toBe(plain);
  });

  it('can be fitted again: each wrapping has a name of its own', () => {
    const twice = parse(fitLottie(fitLottie(plain, 2), 0.5));
    expect(new Set(twice.assets.map(({ id }) => id)).size).toBe(2);
    expect(complaints(twice)).toEqual([]);
  });

  it('has whole pixels and the wanted shape, up to 64 to 1', () => {
    const aspects = fc.double({ min: 1 / 64, max: 64, noNaN: true });
    fc.assert(
      fc.property(aspects, (aspect) => {
        const { w, h } = parse(fitLottie(plain, aspect));
        expect([Number.isInteger(w), Number.isInteger(h)]).toEqual([true, true]);
        expect(Math.abs(w / h / aspect - 1)).toBeLessThan(0.015);
        expect(Math.max(w, h)).toBeLessThanOrEqual(4096);
      }),
    );
  });
});

function parse(bytes: Uint8Array): Fitted {
  return JSON.parse(new TextDecoder().decode(bytes)) as Fitted;
}
