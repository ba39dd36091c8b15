// All stickers of a library in an order of their own: by title, by age in the library, round the color wheel, by length.
// Made in steps when first asked for, and again when stickers changed; what a list leaves out is for sticker-lists.ts.

import { parseColor } from '../model/color.js';
import type { Clock } from '../platform/clock.js';
import type { ListOrder } from './found-stickers.js';
import { mergeInSteps, pausing, sortInSteps, type Compare, type Pause } from './query/sort-in-steps.js';
import type { SortableRow, StickerStore } from './storage/sticker-store.js';

export type OwnOrder = Exclude<ListOrder, 'best'>;

/** Rows read at once: two milliseconds. */
const ROWS = 2000;
/** What has less color than this (of 32, for the purest) is grey: nobody would say which. */
const LEAST_CHROMA = 3;
const TURN = 2 * Math.PI;
/** Behind every hue: greys, from black to white, then what tells no color. */
const GREY = 1000;

interface Made {
  readonly revision: number;
  readonly rowids: Promise<Uint32Array>;
}

/** Keeps each order until stickers change; of the titles what was compared once. */
export class StickerOrders {
  private readonly store: StickerStore;
  private readonly clock: Clock;
  private readonly titles = new TitleRanks();
  private readonly made = new Map<OwnOrder, Made>();

  constructor(store: StickerStore, clock: Clock) {
    this.store = store;
    this.clock = clock;
  }

  /** The rows of all stickers in an order, as they were when they were read. */
  rowsIn(order: OwnOrder): Promise<Uint32Array> {
    const { revision } = this.store;
    const known = this.made.get(order);
    if (known?.revision === revision) return known.rowids;
    const rowids = this.make(order);
    this.made.set(order, { revision, rowids });
    // A failure is not kept.
    rowids.catch(() => this.made.delete(order));
    return rowids;
  }

  private async make(order: OwnOrder): Promise<Uint32Array> {
    const pause = pausing(this.clock);
    const rows = await this.readAll(pause);
    const keys = order === 'title' ? await this.titles.keysOf(rows, pause) : Float64Array.from(rows, KEYS[order]);
    const compare: Compare = (a, b) => keys[a]! - keys[b]! || a - b;
    const sorted = await sortInSteps(
      Uint32Array.from(rows, (_, i) => i),
      compare,
      pause,
    );
    return sorted.map((i) => rows[i]!.id);
  }

  private async readAll(pause: Pause): Promise<SortableRow[]> {
    const rows: SortableRow[] = [];
    for (;;) {
      const some = this.store.listSortable(rows.at(-1)?.id ?? 0, ROWS);
      for (const row of some) rows.push(row);
      if (some.length < ROWS) return rows;
      const paused = pause();
      if (paused !== undefined) await paused;
    }
  }
}

const KEYS: Readonly<Record<Exclude<OwnOrder, 'title'>, (row: SortableRow) => number>> = {
  // A row that is put in later has a higher number.
  seen: ({ id }) => -id,
  length: ({ duration }) => duration ?? Number.MAX_VALUE,
  hue: ({ color }) => placeOnWheel(color),
};

/** Where a color stands on the wheel, from 0 to a turn; greys behind, what is none last. */
function placeOnWheel(color: string | null): number {
  const lab = parseColor(color ?? '');
  if (lab === undefined) return 2 * GREY;
  const [lightness, greenRed, blueYellow] = lab;
  if (Math.hypot(greenRed, blueYellow) < LEAST_CHROMA) return GREY + lightness;
  return (Math.atan2(blueYellow, greenRed) + TURN) % TURN;
}

/** More titles that no sticker has any more are forgotten with all others. */
const MOST_UNUSED = 10_000;

/** The rank of each title in the order of a Chinese dictionary; a new one is compared with the others once. */
class TitleRanks {
  private numbers = new Map<string, number>();
  private titles: string[] = [];
  private sorted = new Uint32Array();
  private collator: Intl.Collator | undefined;

  async keysOf(rows: readonly SortableRow[], pause: Pause): Promise<Float64Array> {
    if (this.titles.length > rows.length + MOST_UNUSED) this.forget();
    const own = Uint32Array.from(rows, ({ title }) => this.numberOf(title));
    const { compare } = (this.collator ??= new Intl.Collator('zh-Hans-u-co-pinyin', { numeric: true }));
    const { titles } = this;
    const byTitle: Compare = (a, b) =>
      compare(titles[a]!, titles[b]!) || (titles[a]! < titles[b]! ? -1 : Number(titles[a]! > titles[b]!));
    const known = this.sorted;
    const fresh = Uint32Array.from({ length: titles.length - known.length }, (_, i) => known.length + i);
    const sorted = await mergeInSteps(known, await sortInSteps(fresh, byTitle, pause), byTitle, pause);
    // Another order of titles may have been made meanwhile.
    if (sorted.length > this.sorted.length && titles === this.titles) this.sorted = sorted;
    const ranks = new Float64Array(sorted.length);
    for (let rank = 0; rank < sorted.length; rank += 1) ranks[sorted[rank]!] = rank;
    return Float64Array.from(own, (number) => ranks[number]!);
  }

  private numberOf(title: string): number {
    const number = this.numbers.get(title) ?? this.titles.push(title) - 1;
    this.numbers.set(title, number);
    return number;
  }

  private forget(): void {
    this.numbers = new Map();
    this.titles = [];
    this.sorted = new Uint32Array();
  }
}
