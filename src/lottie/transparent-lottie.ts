// A Lottie file that shows nothing, of a given size and length.

import { aspectOf, type Sticker } from '../model/sticker.js';

const LONG_SIDE = 512;
const SECONDS = 2;
const FPS = 30;

/** An empty file in the size, length and speed of a sticker, as far as these are known. */
export function transparentLottie(like: Partial<Sticker> = {}): Uint8Array {
  const fr = sound(like.fps) ?? FPS;
  const op = Math.max(1, Math.round((sound(like.duration) ?? SECONDS) * fr));
  const { width, height } = sizeOf(like);
  // A layer, though an empty one: players refuse a file without any.
  const still = { a: 0, k: [0, 0, 0] };
  const ks = { o: { a: 0, k: 0 }, r: { a: 0, k: 0 }, p: still, a: still, s: { a: 0, k: [100, 100, 100] } };
  const layer = { ty: 3, nm: 'nothing', ind: 1, ip: 0, op, st: 0, sr: 1, ddd: 0, bm: 0, ao: 0, ks };
  const file = {
    v: '5.7.0',
    nm: 'transparent',
    fr,
    ip: 0,
    op,
    w: width,
    h: height,
    ddd: 0,
    assets: [],
    layers: [layer],
  };
  return new TextEncoder().encode(JSON.stringify(file));
}

function sizeOf(like: Partial<Sticker>): { width: number; height: number } {
  const [width, height] = [sound(like.width), sound(like.height)];
  if (width !== undefined && height !== undefined) return { width, height };
  const aspect = aspectOf(like) ?? 1;
  const short = (ratio: number) => Math.max(1, Math.round(LONG_SIDE / ratio));
  return aspect >= 1 ? { width: LONG_SIDE, height: short(aspect) } : { width: short(1 / aspect), height: LONG_SIDE };
}

function sound(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 && Number.isFinite(value) ? value : undefined;
}
