// Which default stands in for a sticker: the nearest by words, then shape, length and colour.

import type { Sticker } from '../sticker.js';
import { PLAIN_PRESET } from './default-pack.js';

export interface Choice<T extends Sticker> {
  readonly sticker: T;
  /** Why, in words a person can read, such as `shares 生日, 蛋糕`. */
  readonly why: string;
}

/**
 * The candidate nearest to `wanted`: most shared words first, then aspect ratio, duration and colour, then
 * the order of names, so that the choice is the same every time. Without a shared word the plain one; what
 * is wanted may be unknown. Throws nothing; `candidates` holds the plain one.
 */
export function chooseDefault<T extends Sticker>(
  wanted: Sticker | undefined,
  candidates: readonly T[],
): Choice<T> {
  const plain = candidates.find(({ preset }) => preset === PLAIN_PRESET);
  const ranked = wanted === undefined ? [] : rank(wanted, candidates);
  const [best] = ranked;
  if (best !== undefined) return { sticker: best.sticker, why: `shares ${best.shared.join(', ')}` };
  const sticker = plain ?? candidates[0];
  if (sticker === undefined) throw new Error('the default pack is empty');
  return {
    sticker,
    why: wanted === undefined ? 'nothing is known of this preset' : 'shares no word with any default',
  };
}

function rank<T extends Sticker>(wanted: Sticker, candidates: readonly T[]) {
  const words = wordsOf(wanted);
  return candidates
    .filter(({ preset }) => preset !== PLAIN_PRESET)
    .map((sticker) => ({ sticker, shared: wordsOf(sticker).filter((word) => words.includes(word)) }))
    .filter(({ shared }) => shared.length > 0)
    .toSorted(
      (a, b) =>
        b.shared.length - a.shared.length ||
        distance(wanted, a.sticker) - distance(wanted, b.sticker) ||
        (a.sticker.preset < b.sticker.preset ? -1 : 1),
    );
}

function wordsOf({ title, keywords }: Sticker): string[] {
  return [...new Set([title, ...keywords].map((word) => word.normalize('NFKC').toLowerCase()))];
}

/** 0 for the same shape, length and colour; each of the three adds up to about 1. */
function distance(a: Sticker, b: Sticker): number {
  return (
    ratioDistance(a.aspect, b.aspect) +
    ratioDistance(a.duration, b.duration) +
    colorDistance(a.color, b.color)
  );
}

function ratioDistance(a: number | undefined, b: number | undefined): number {
  if (a === undefined || b === undefined || a <= 0 || b <= 0) return 0.5;
  return Math.min(1, Math.abs(Math.log(a / b)));
}

function colorDistance(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return 0.5;
  const [one, other] = [channels(a), channels(b)];
  return one.reduce((sum, value, index) => sum + Math.abs(value - (other[index] ?? 0)), 0) / (3 * 255);
}

function channels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) || 0);
}
