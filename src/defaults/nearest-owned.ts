// Which owned sticker could stand in for another: the one nearest in words, if it is of a similar shape.

import { aspectOf, type Sticker } from '../model/sticker.js';
import { colorDistance, parseColor } from '../model/color.js';
import { normalise } from '../library/language/normalise.js';
import { wholes } from '../library/language/tokenise.js';

/** The owned stickers, by the number of their row. */
export interface OwnedList {
  /** Those kept since the row `afterId`, the latest first. */
  listStickers(afterId: number, limit: number): { id: number; preset: string }[];
}

/** What is known of stickers. */
export interface KnownStickers {
  findSticker(preset: string): Sticker | undefined;
}

/**
 * The nearest owned sticker that has a word of the wanted one and about its shape; never the wanted one itself, and none that
 * is taken.
 */
export type FindNearestOwned = (wanted: Sticker, isTaken: (preset: string) => boolean) => Near | undefined;

/** Most owned stickers that are compared: those kept last. */
const COMPARED = 2000;
const ALIKE_RATIO = 1.25;

/**
 * Candidates among what is owned and known to the library. Stickers bought since are added at each question, so no event
 * is needed; a sticker that the library comes to know later counts from the next start.
 */
export function createNearestOwned(owned: OwnedList, library: KnownStickers): FindNearestOwned {
  let near = createNearStickers();
  let lastId = 0;
  const addNew = () => {
    // Twice as many means that half of them are old: begin again with the new ones.
    if (near.size >= 2 * COMPARED) [near, lastId] = [createNearStickers(), 0];
    for (const { id, preset } of owned.listStickers(lastId, COMPARED)) {
      lastId = Math.max(lastId, id);
      const sticker = library.findSticker(preset);
      if (sticker !== undefined) near.add(sticker);
    }
  };
  return (wanted, isTaken) => {
    addNew();
    const suits = (sticker: Sticker) =>
      sticker.preset !== wanted.preset && areAlike(sticker, wanted) && !isTaken(sticker.preset);
    return near.findNearest(wanted, suits);
  };
}

/** Whether two stickers are of about the same shape; what is not known is no difference. */
function areAlike(a: Sticker, b: Sticker): boolean {
  const [one, other] = [aspectOf(a), aspectOf(b)];
  return one === undefined || other === undefined || Math.max(one / other, other / one) <= ALIKE_RATIO;
}

interface Near {
  readonly sticker: Sticker;
  /** Words both have, in the order of the wanted one's. */
  readonly shared: readonly string[];
}

/** Words of a sticker, each with whether its title has it. */
type Words = ReadonlyMap<string, boolean>;

/** Stickers indexed by word, so that only those that share one are compared. */
export function createNearStickers(stickers: Iterable<Sticker> = []) {
  const presets = new Set<string>();
  const byWord = new Map<string, Sticker[]>();

  function add(sticker: Sticker): void {
    if (presets.has(sticker.preset)) return;
    presets.add(sticker.preset);
    for (const word of wordsOf(sticker).keys()) {
      const holders = byWord.get(word);
      if (holders === undefined) byWord.set(word, [sticker]);
      else holders.push(sticker);
    }
  }

  function findNearest(wanted: Sticker, accept: (sticker: Sticker) => boolean = () => true): Near | undefined {
    const words = wordsOf(wanted);
    const shared = new Map<Sticker, string[]>();
    for (const word of words.keys()) {
      for (const sticker of byWord.get(word) ?? []) {
        const known = shared.get(sticker);
        if (known === undefined) shared.set(sticker, [word]);
        else known.push(word);
      }
    }
    const [best] = Array.from(shared, ([sticker, of]) => ({ sticker, shared: of }))
      .filter(({ sticker }) => accept(sticker))
      .map((near) => ({ near, weight: weigh(near, words), distance: distanceOf(wanted, near.sticker) }))
      .toSorted(
        (a, b) =>
          b.weight - a.weight || a.distance - b.distance || (a.near.sticker.preset < b.near.sticker.preset ? -1 : 1),
      );
    return best?.near;
  }

  for (const sticker of stickers) add(sticker);
  return {
    get size(): number {
      return presets.size;
    },
    /** Adds a sticker; one of the same preset only once. */
    add,
    /**
     * The nearest that has a whole title or keyword of the wanted one and is accepted: most shared words (a title says more than a
     * keyword), then shape, length and color. Equally near ones go by the order
     * of their presets, so that the answer is the same every time.
     */
    findNearest,
  };
}

/** A title or keyword and, where it has separators or a number, its parts. */
function wholesOf(text: string): string[] {
  return wholes(normalise(text));
}

function wordsOf({ title, keywords }: Sticker): Words {
  const words = new Map(wholesOf(title).map((word) => [word, true]));
  for (const word of keywords.flatMap(wholesOf)) if (!words.has(word)) words.set(word, false);
  return words;
}

/** A word counts once more for each of the two that has it in its title. */
function weigh({ sticker, shared }: Near, wanted: Words): number {
  const title = new Set(wholesOf(sticker.title));
  return shared.reduce((sum, word) => sum + 1 + Number(wanted.get(word) ?? false) + Number(title.has(word)), 0);
}

/** 0 for the same shape, length and color; each of the three adds at most 1. */
export function distanceOf(a: Sticker, b: Sticker): number {
  return (
    ratioDistance(aspectOf(a), aspectOf(b)) + ratioDistance(a.duration, b.duration) + differenceOf(a.color, b.color)
  );
}

/** What is not known is half of a difference. */
const UNKNOWN = 0.5;

function ratioDistance(a: number | undefined, b: number | undefined): number {
  if (a === undefined || b === undefined || !(a > 0) || !(b > 0)) return UNKNOWN;
  return Math.min(1, Math.abs(Math.log(a / b)));
}

function differenceOf(a = '', b = ''): number {
  const [one, other] = [parseColor(a), parseColor(b)];
  if (one === undefined || other === undefined) return UNKNOWN;
  return Math.min(1, colorDistance(one, other) / 100);
}
