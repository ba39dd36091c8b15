// A catalogue of four stickers, in the format of data/catalogue, for tests that need none of the 12,000.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

export const BIRTHDAY_CAKE = 'food/birthday-cake';
export const CAKE = 'food/cake';
export const RAIN = 'weather/rain & 伞';
export const SIGN = 'sign/what?';

export interface TinySticker {
  readonly preset: string;
  readonly title: string;
  readonly keywords: readonly string[];
  /** Its file, where that matters. */
  readonly lottie?: string;
}

const STICKERS: readonly TinySticker[] = [
  { preset: CAKE, title: '蛋糕', keywords: ['甜点', '生日'] },
  { preset: BIRTHDAY_CAKE, title: '生日蛋糕', keywords: ['蛋糕', '庆祝', 'Party'] },
  { preset: RAIN, title: '下雨', keywords: ['雨', '天气'] },
  { preset: SIGN, title: '！？', keywords: ['疑问'] },
];

/** The Lottie text of a sticker of the tiny catalogue. */
export function tinyLottie(preset: string): string {
  const layers = [{ ty: 4, ip: 0, op: 60, st: 0, ks: {}, shapes: [] }];
  return JSON.stringify({ v: '5.9.0', nm: preset, fr: 30, ip: 0, op: 60, w: 120, h: 100, layers });
}

/** Writes the tiny catalogue, or one of other stickers, into a new folder and returns the folder. */
export function writeTinyCatalogue(
  home: string,
  stickers: readonly TinySticker[] = STICKERS,
  lottie = tinyLottie,
): string {
  const folder = join(home, 'catalogue');
  mkdirSync(join(folder, 'packs'), { recursive: true });
  const files = stickers.map((one) => Buffer.from(one.lottie ?? lottie(one.preset)));
  const block = Buffer.concat(files);
  const pack = brotliCompressSync(block);
  const blocks = [['only.br', 0, pack.length, block.length]];
  writeFileSync(join(folder, 'packs', 'only.br'), pack);
  writeFileSync(join(folder, 'packs', 'index.json'), JSON.stringify({ stamp: 'tiny', blocks }));
  const offsets = files.map((_, i) => Buffer.concat(files.slice(0, i)).length);
  const lines = stickers.map((sticker, i) => JSON.stringify(entryOf(sticker, [0, offsets[i], files[i]?.length])));
  writeFileSync(join(folder, 'stickers.jsonl'), `${lines.join('\n')}\n`);
  return folder;
}

function entryOf({ preset, title, keywords }: TinySticker, at: unknown[]): object {
  const [set, art] = preset.split('/');
  const shape = { width: 120, height: 100, aspect: 1.2, duration: 2, fps: 30, color: '#ff8800' };
  return { preset, title, keywords, set, art, concept: art, licence: 'CC0-1.0', motion: 'beat', ...shape, at };
}
