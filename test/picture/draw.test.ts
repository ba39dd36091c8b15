// Drawing stickers: frames and sheets, bounded in time, of the safe form only.

import { inflateSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { safeFormOf } from '../../src/lottie/safe-form.js';
import { createDraw } from '../../src/picture/draw.js';
import { drawSheet } from '../../src/picture/sheet.js';

/** A red square in the middle of a transparent ground; `x` is an expression of its place. */
function square(x?: string): Uint8Array<ArrayBuffer> {
  const [at, all] = [
    { a: 0, k: [50, 50], ...(x !== undefined && { x }) },
    { a: 0, k: [100, 100] },
  ];
  const shape = { ty: 'rc', p: { a: 0, k: [0, 0] }, s: { a: 0, k: [50, 50] }, r: { a: 0, k: 0 } };
  const fill = { ty: 'fl', c: { a: 0, k: [1, 0, 0, 1] }, o: { a: 0, k: 100 } };
  const group = { ty: 'gr', it: [shape, fill, { ty: 'tr', p: { a: 0, k: [0, 0] }, s: all, o: { a: 0, k: 100 } }] };
  const layer = { ty: 4, ind: 1, ip: 0, op: 60, st: 0, ks: { p: at, s: all, o: { a: 0, k: 100 } }, shapes: [group] };
  const file = { v: '5.7.0', fr: 30, ip: 0, op: 60, w: 100, h: 100, layers: [layer] };
  return new TextEncoder().encode(JSON.stringify(file));
}

function openDraw(limits: { timeMs?: number } = {}) {
  const { draw, close } = createDraw({ timeMs: 20_000, restMs: 60_000, memoryMb: 256, growthMb: 512, ...limits });
  onTestFinished(close);
  return (bytes: Uint8Array<ArrayBuffer>, size = 100) => draw({ bytes, width: size, height: size, at: 0.5 });
}

const pixelAt = (pixels: Uint8Array, size: number, x: number, y: number) => [
  ...pixels.subarray((y * size + x) * 4, (y * size + x) * 4 + 4),
];

it('draws a frame in the size that is asked for, with what is transparent', async () => {
  const draw = openDraw();
  for (const size of [100, 40]) {
    const { pixels, frame } = await draw(square(), size);
    expect([pixels.byteLength, frame]).toEqual([size * size * 4, 30]);
    expect(pixelAt(pixels, size, size / 2, size / 2)).toEqual([255, 0, 0, 255]);
    expect(pixelAt(pixels, size, 1, 1)[3]).toBe(0);
  }
});

it('ends what never ends, says so, and draws the next', async () => {
  const draw = openDraw({ timeMs: 3000 });
  await expect(draw(square('while (true) {}'))).rejects.toMatchObject({ code: 'not_drawable' });
  await expect(draw(new TextEncoder().encode('{"v":1}'))).rejects.toMatchObject({ code: 'not_drawable' });
  const safe = Uint8Array.from(safeFormOf(square('while (true) {}')));
  expect((await draw(safe)).pixels.byteLength).toBe(40_000);
});

it('says of a file at which the engine fails that it cannot be drawn, and draws the next', async () => {
  const draw = openDraw();
  const still = { p: { a: 0, k: [0, 0] }, s: { a: 0, k: [100, 100] }, o: { a: 0, k: 100 } };
  const nested = { ty: 0, refId: 'a', ind: 1, ip: 0, op: 60, st: 0, w: 100, h: 100, ks: still };
  const file = {
    v: '5.7.0',
    fr: 30,
    ip: 0,
    op: 60,
    w: 100,
    h: 100,
    assets: [{ id: 'a', layers: [nested] }],
    layers: [nested],
  };
  const itself = new TextEncoder().encode(JSON.stringify(file));
  await expect(draw(itself)).rejects.toMatchObject({ code: 'not_drawable' });
  expect((await draw(square())).pixels.byteLength).toBe(40_000);
});

it('puts numbers above tiles, and a card where there is no picture', async () => {
  const { pixels } = await openDraw()(square(), 96);
  const png = await drawSheet([{ pixels }, { color: '#0000ff', aspect: 2 }], 96, 2, 1);
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  expect([width, height]).toEqual([216, 130]);
  const rows = inflateSync(png.subarray(png.indexOf('IDAT') + 4));
  const at = (x: number, y: number) => [
    ...rows.subarray(y * (width * 3 + 1) + 1 + x * 3, y * (width * 3 + 1) + 4 + x * 3),
  ];
  expect(at(8 + 48, 8 + 18 + 48)).toEqual([255, 0, 0]);
  // Blue and light inside of the card, nothing above it; ink somewhere in the place of each number.
  expect(at(112 + 30, 8 + 18 + 48)[2]).toBeGreaterThan(at(112 + 30, 8 + 18 + 48)[0] ?? 0);
  expect(at(112 + 48, 8 + 18 + 4)).toEqual([0xf4, 0xf4, 0xf4]);
  for (const left of [8, 112]) {
    const dots = Array.from({ length: 6 * 10 }, (_, i) => at(left + (i % 6), 8 + 3 + Math.floor(i / 6))[0]);
    expect(dots).toContain(0x22);
  }
});
