// What a person would see: which colors fill a picture, and that the things named stand in it.

import { inflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { drawWith, type Catalogue } from '../../src/sandbox/draw-image.js';
import { readPrompt } from '../../src/sandbox/picture/read-prompt.js';

const EMPTY: Catalogue = { choose: () => [], readLottie: () => Promise.reject(new Error('not read')) };
const SIZE = '1024x1024';

/** A square of one color, as a sticker's file. */
const RED_SQUARE = JSON.stringify({
  layers: [
    {
      shapes: [
        {
          ty: 'gr',
          it: [
            {
              ty: 'sh',
              ks: {
                k: {
                  c: true,
                  v: [
                    [0, 0],
                    [8, 0],
                    [8, 8],
                    [0, 8],
                  ],
                  i: zeros(),
                  o: zeros(),
                },
              },
            },
            { ty: 'fl', c: { k: [1, 0, 0] }, o: { k: 100 }, r: 1 },
          ],
        },
      ],
    },
  ],
});
const ONE: Catalogue = {
  choose: () => [{ at: [0, 0, 0] }] as never,
  readLottie: () => Promise.resolve(Buffer.from(RED_SQUARE)),
};

describe('a picture of the sandbox', () => {
  test('has the color that the prompt gives its backdrop', async () => {
    const behind = async (prompt: string) => pixel(await drawWith(EMPTY)({ prompt, size: SIZE }), 2, 2);
    for (const [prompt, strongest] of [
      ['粉色背景', 0],
      ['绿色', 1],
      ['a blue background', 2],
    ] as const) {
      const color = await behind(`${prompt} zz`);
      expect(color.indexOf(Math.max(...color)), prompt).toBe(strongest);
    }
  });

  test('is dark at night and light by day', async () => {
    const brightness = async (prompt: string) =>
      pixel(await drawWith(EMPTY)({ prompt, size: SIZE }), 2, 2).reduce((sum, value) => sum + value, 0);
    expect(await brightness('夜空')).toBeLessThan(200);
    expect(await brightness('蓝天白云')).toBeGreaterThan(400);
  });

  test('has the sticker that the prompt speaks of in its middle', async () => {
    const png = await drawWith(ONE)({ prompt: '方块', size: SIZE });
    expect(pixel(png, 512, 553)).toEqual([255, 0, 0]);
    expect(pixel(png, 512, 760)).toEqual([255, 0, 0]);
    expect(pixel(png, 512, 40)).not.toEqual([255, 0, 0]);
  });

  test('differs when the prompt does, and not otherwise', async () => {
    const draw = drawWith(EMPTY);
    const first = await draw({ prompt: '圆形', size: SIZE });
    expect(first.equals(await draw({ prompt: '圆形', size: SIZE }))).toBe(true);
    expect(first.equals(await draw({ prompt: '圆形。', size: SIZE }))).toBe(false);
  });
});

describe('a prompt', () => {
  test('tells the color of the backdrop from that of a thing', () => {
    const [red, blue] = [readPrompt('红').color, readPrompt('蓝').color];
    expect(readPrompt('一辆红色的汽车，蓝色背景')).toMatchObject({ color: blue, accents: [red] });
    expect(readPrompt('a red car on a blue wall')).toMatchObject({ color: blue, accents: [red] });
    expect(readPrompt('蛋糕').color).toBeUndefined();
  });
});

function zeros(): number[][] {
  return Array.from({ length: 4 }, () => [0, 0]);
}

/** One pixel of an RGB file as the sandbox writes it: one IDAT, no filter. */
function pixel(png: Buffer, x: number, y: number): [number, number, number] {
  const rows = inflateSync(png.subarray(41, 41 + png.readUInt32BE(33)));
  const at = y * (1 + png.readUInt32BE(16) * 3) + 1 + x * 3;
  return [rows[at] ?? 0, rows[at + 1] ?? 0, rows[at + 2] ?? 0];
}
