// Which of many stickers is nearest to one: most shared words (a title says more than a keyword), then shape,
// length and color.

import { aspectOf, type Sticker } from '../model/sticker.js';

export interface Near {
  readonly sticker: Sticker;
  /** Words both have, in the order of the wanted one's. */
  readonly shared: readonly string[];
}

export interface NearStickers {
  readonly size: number;
  /** Adds a sticker; one of the same preset only once. */
  add(sticker: Sticker): void;
  /**
   * The nearest that shares a word and is accepted. Equally near ones go by the order of their names, so that
   * the answer is the same every time.
   */
  findNearest(wanted: Sticker, accept?: (sticker: Sticker) => boolean): Near | undefined;
}

const ALIKE_RATIO = 1.25;

/** Stickers indexed by word, so that only those that share one are looked at. */
export function createNearStickers(stickers: Iterable<Sticker> = []): NearStickers {
  const presets = new Set<string>();
  const byWord = new Map<string, Sticker[]>();
  const add = (sticker: Sticker) => {
    if (presets.has(sticker.preset)) return;
    presets.add(sticker.preset);
    for (const word of wordsOf(sticker)) {
      const holders = byWord.get(word);
      if (holders === undefined) byWord.set(word, [sticker]);
      else holders.push(sticker);
    }
  };
  for (const sticker of stickers) add(sticker);
  return {
    get size() {
      return presets.size;
    },
    add,
    findNearest: (wanted, accept = () => true) => {
      const near = sharing(wanted, byWord).filter(({ sticker }) => accept(sticker));
      return near.reduce<Near | undefined>(
        (best, one) => (best === undefined || compare(wanted, one, best) < 0 ? one : best),
        undefined,
      );
    },
  };
}

/** Whether two stickers are of about the same shape; what is not known is no difference. */
export function areAlike(a: Sticker, b: Sticker): boolean {
  const [one, other] = [aspectOf(a), aspectOf(b)];
  return one === undefined || other === undefined || Math.max(one / other, other / one) <= ALIKE_RATIO;
}

function sharing(wanted: Sticker, byWord: ReadonlyMap<string, readonly Sticker[]>): Near[] {
  const shared = new Map<Sticker, string[]>();
  for (const word of wordsOf(wanted)) {
    for (const sticker of byWord.get(word) ?? []) {
      const words = shared.get(sticker);
      if (words === undefined) shared.set(sticker, [word]);
      else words.push(word);
    }
  }
  return [...shared].map(([sticker, words]) => ({ sticker, shared: words }));
}

function compare(wanted: Sticker, a: Near, b: Near): number {
  return (
    weight(wanted, b) - weight(wanted, a) ||
    distance(wanted, a.sticker) - distance(wanted, b.sticker) ||
    (a.sticker.preset < b.sticker.preset ? -1 : 1)
  );
}

/** A word counts once more for each of the two that has it as its title. */
function weight(wanted: Sticker, { sticker, shared }: Near): number {
  const titles = [wanted.title, sticker.title].map(normalise);
  return shared.length + titles.filter((title) => shared.includes(title)).length;
}

function wordsOf({ title, keywords }: Sticker): Set<string> {
  return new Set([title, ...keywords].map(normalise));
}

function normalise(word: string): string {
  return word.normalize('NFKC').toLowerCase();
}

/** 0 for the same shape, length and color; each of the three adds up to about 1. */
function distance(a: Sticker, b: Sticker): number {
  return (
    ratioDistance(aspectOf(a), aspectOf(b)) +
    ratioDistance(a.duration, b.duration) +
    colorDistance(a.color, b.color)
  );
}

function ratioDistance(a: number | undefined, b: number | undefined): number {
  if (a === undefined || b === undefined || !(a > 0) || !(b > 0)) return 0.5;
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
