// What a person would see: which colors fill a picture.

import { inflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { drawImage, readColors } from '../../src/sandbox/images/draw-image.js';

const SIZE = '1024x1024';
type Rgb = [number, number, number];

describe('a picture of the sandbox', () => {
  test.each([
    ['粉色背景', 0],
    ['绿色', 1],
    ['a blue background', 2],
    ['一辆红色的汽车，蓝色背景', 2],
  ])('of "%s" is mostly of the color that the prompt gives its backdrop', async (prompt, strongest) => {
    const counts = [0, 0, 0];
    for (const color of pixelsOf(await drawImage({ prompt, size: SIZE }))) {
      const at = color.indexOf(Math.max(...color));
      counts[at] = (counts[at] ?? 0) + 1;
    }
    expect(counts.indexOf(Math.max(...counts))).toBe(strongest);
  });

  test('shows every color that the prompt names', async () => {
    const named = readColors('a red car and a yellow sun on a blue wall');
    expect(named).toHaveLength(3);
    const seen = new Set(
      pixelsOf(await drawImage({ prompt: 'a red car and a yellow sun on a blue wall', size: SIZE })).map(String),
    );
    for (const color of named) expect(seen).toContain(String(color));
  });

  test.each(['1024x1024', '1536x1024', '1024x1536'] as const)('has the size %s', async (size) => {
    const png = await drawImage({ prompt: '蛋糕', size });
    expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`).toBe(size);
  });

  test('differs when the prompt does, and not otherwise', async () => {
    const first = await drawImage({ prompt: '粉色的蛋糕', size: SIZE });
    expect(first.equals(await drawImage({ prompt: '粉色的蛋糕', size: SIZE }))).toBe(true);
    expect(first.equals(await drawImage({ prompt: '粉色的蛋糕。', size: SIZE }))).toBe(false);
  });
});

describe('a prompt', () => {
  test('tells the color of the backdrop from that of a thing', () => {
    const [[red], [blue]] = [readColors('红'), readColors('蓝')];
    expect(readColors('一辆红色的汽车，蓝色背景')).toEqual([blue, red]);
    expect(readColors('a red car on a blue wall')).toEqual([blue, red]);
    expect(readColors('蛋糕')).toEqual([]);
  });
});

/** Every 16th pixel of an RGB file as the sandbox writes it: one IDAT, no filter. */
function pixelsOf(png: Buffer): Rgb[] {
  const rows = inflateSync(png.subarray(41, 41 + png.readUInt32BE(33)));
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  return Array.from({ length: (width * height) / 16 }, (_, i) => {
    const [x, y] = [(i * 16) % width, Math.floor((i * 16) / width)];
    const at = y * (1 + width * 3) + 1 + x * 3;
    return [rows[at] ?? 0, rows[at + 1] ?? 0, rows[at + 2] ?? 0];
  });
}
