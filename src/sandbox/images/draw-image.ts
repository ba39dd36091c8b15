// The images of the sandbox: a plain field and some discs in the colors that the prompt names, in Chinese or English.
// The same prompt and size give the same bytes on every machine. A row is filled at once, not pixel by pixel, so that
// an image costs a few milliseconds.

import { createHash } from 'node:crypto';
import { writePng } from '../../picture/write-png.js';
import { dimensionsOf } from '../wire/limits.js';
import type { ImageRequest } from '../wire/requests.js';

type Rgb = readonly [red: number, green: number, blue: number];

const COLORS: readonly (readonly [words: RegExp, color: Rgb])[] = [
  [/粉红?|\bpink/, [255, 182, 203]],
  [/红|\bred\b|crimson/, [226, 61, 66]],
  [/橙|橘|\borange\b/, [250, 152, 58]],
  [/黄|\byellow/, [252, 213, 83]],
  [/金|\bgold/, [232, 186, 74]],
  [/绿|\bgreen/, [92, 184, 110]],
  [/青|\bteal\b|turquoise|\bcyan/, [70, 190, 190]],
  [/蓝|\bblue|\bnavy/, [84, 150, 236]],
  [/紫|\bpurple|violet|lavender/, [158, 117, 224]],
  [/棕|褐|咖啡色|\bbrown/, [150, 104, 72]],
  [/黑|\bblack/, [38, 40, 48]],
  [/灰|\bgr[ae]y/, [168, 174, 184]],
  [/白|\bwhite/, [246, 247, 249]],
];
/** Words that say a color is that of the backdrop, after it or before it. */
const BACKDROP_AFTER = /^色?的?(背景|底色?|墙|天空|纸)|^\s*(background|backdrop|wall|sky|paper)/;
const BACKDROP_BEFORE = /(\bon|against|背景是?|背景为)\s*(an?\s|the\s)?(soft|light|dark|浅|淡|深)?\s*$/;

const DISCS = 7;
const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];

/** The PNG of a request. */
export async function drawImage({ prompt, size }: ImageRequest): Promise<Buffer> {
  const { width, height } = dimensionsOf(size);
  const chance = createHash('sha256').update(prompt).digest();
  const byChance = COLORS[chance.readUInt8(31) % COLORS.length]?.[1] ?? WHITE;
  const [backdrop = byChance, ...others] = readColors(prompt);
  const accents = others.length > 0 ? others : [mix(backdrop, WHITE, 0.6), mix(backdrop, BLACK, 0.25)];
  const discs = Array.from({ length: DISCS }, (_, at) => ({
    x: (chance.readUInt8(at * 4) / 255) * width,
    y: (chance.readUInt8(at * 4 + 1) / 255) * height,
    radius: (0.06 + chance.readUInt16BE(at * 4 + 2) / 500_000) * Math.min(width, height),
    color: accents[at % accents.length] ?? WHITE,
  }));
  const row = Buffer.alloc(width * 3);
  return writePng(width, height, (y) => {
    fill(row, 0, width, mix(backdrop, WHITE, (0.35 * y) / height));
    for (const { x, y: middle, radius, color } of discs) {
      const half = Math.sqrt(radius ** 2 - (y - middle) ** 2);
      if (half > 0) fill(row, x - half, x + half, color);
    }
    return row;
  });
}

/** The colors that a prompt names, that of its backdrop first. */
export function readColors(prompt: string): Rgb[] {
  const text = prompt.toLowerCase();
  const named = COLORS.flatMap(([words, color]) => {
    const found = words.exec(text);
    if (found === null) return [];
    const [before, after] = [text.slice(0, found.index), text.slice(found.index + found[0].length)];
    const isBackdrop = BACKDROP_AFTER.test(after) || BACKDROP_BEFORE.test(before);
    return [{ at: found.index, color, isBackdrop }];
  });
  return named.toSorted((a, b) => Number(b.isBackdrop) - Number(a.isBackdrop) || a.at - b.at).map(({ color }) => color);
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const channel = (at: 0 | 1 | 2) => Math.round(from[at] + (to[at] - from[at]) * share);
  return [channel(0), channel(1), channel(2)];
}

/** Fills the pixels of a row between two places. */
function fill(row: Buffer, from: number, to: number, color: Rgb): void {
  const [start, end] = [Math.max(0, Math.round(from)), Math.min(row.length / 3, Math.round(to))];
  if (end > start) row.fill(Uint8Array.from(color), start * 3, end * 3);
}
