// The list behind the grid: asked for in ranges as they come into view, kept while near, and never older than the newest
// question. An answer for what was asked before is dropped.

import { TILE_RANGE } from '../../api/page-terms.js';
import type { Tile, Tiles } from '../../api/tile.js';
import { ApiError, isAborted, listTiles } from '../api.js';

const RANGE = TILE_RANGE;
/** At most so many tiles are asked for at once. */
export const TILES_ASKED = 200;
/** As many ranges are kept: more than any screen, and little memory. */
const KEPT = 30;
/** What went by without being looked at is not asked for any more. */
const NEAR = 2;

/** What is known of a list besides its tiles. */
export type Facts = Pick<Tiles, 'query' | 'total' | 'revision' | 'dropped' | 'suggestions' | 'styles'>;

export interface RangeEvents {
  /** The first answer to a new question: from now on its list is shown. */
  begun(facts: Facts): void;
  /** Tiles from `first` to before `end` are known now. */
  came(first: number, end: number): void;
  failed(error: ApiError): void;
  /** The daemon's list has changed since it was begun, and has so many more. */
  changed(more: number): void;
}

/** One list at a time. */
export class Ranges {
  private readonly events: RangeEvents;
  private filters: Readonly<Record<string, string>> = {};
  private readonly pages = new Map<number, readonly Tile[]>();
  /** What svcd said of every page of where those begin that are only loosely related. */
  private readonly related = new Map<number, number | null>();
  private readonly asked = new Map<number, AbortController>();
  /** The next list, until its first answer is there: the old one stays on screen. */
  private coming: AbortController | undefined;
  private generation = 0;
  private revision = '';
  /** Whether all of the list is here, and svcd has none like it. */
  private isOwn = false;
  total = 0;

  constructor(events: RangeEvents) {
    this.events = events;
  }

  /** Asks for another list. What is shown stays until the answer is there; an older question that is still out is dropped. */
  async show(filters: Readonly<Record<string, string>>): Promise<void> {
    this.coming?.abort();
    const coming = (this.coming = new AbortController());
    try {
      const answer = await listTiles(filters, 0, RANGE, coming.signal);
      if (this.coming !== coming) return;
      this.coming = undefined;
      this.begin(filters, answer);
    } catch (error) {
      if (this.coming === coming && !isAborted(error)) this.fail(error);
    }
  }

  /** Shows these, which are known already. */
  showThese(tiles: readonly Tile[]): void {
    this.coming?.abort();
    this.coming = undefined;
    const answer = {
      query: null,
      offset: 0,
      revision: '',
      dropped: [],
      suggestions: [],
      styles: [],
      related_from: null,
    };
    this.begin({}, { ...answer, total: tiles.length, tiles: tiles.slice(0, RANGE) }, () => {
      this.isOwn = true;
      for (let at = RANGE; at < tiles.length; at += RANGE) this.pages.set(at / RANGE, tiles.slice(at, at + RANGE));
    });
  }

  /** Whether a list has been asked for and is not there yet. */
  get isComing(): boolean {
    return this.coming !== undefined;
  }

  /** From which place on all are only loosely related; undefined where none are, and while the end of the list is not known. */
  get relatedFrom(): number | undefined {
    if (this.related.get(0) === 0) return 0;
    let from: number | undefined;
    for (let page = Math.ceil(this.total / RANGE) - 1; page >= 0; page -= 1) {
      const said = this.related.get(page) ?? undefined;
      // Nothing of the page fits: those before it may not either.
      if (said !== page * RANGE) return said ?? (this.related.has(page) ? from : undefined);
      from = said;
    }
    return from;
  }

  at(index: number): Tile | undefined {
    return this.pages.get(Math.floor(index / RANGE))?.[index % RANGE];
  }

  /** The tile of a sticker, if it is kept. */
  find(preset: string): Tile | undefined {
    for (const tiles of this.pages.values()) {
      const found = tiles.find((tile) => tile.preset === preset);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** All tiles of these places, also of rows that were never drawn; undefined if another list came meanwhile. */
  async between(first: number, end: number): Promise<readonly Tile[] | undefined> {
    const known = Array.from({ length: end - first }, (_, at) => this.at(first + at));
    if (known.every((tile) => tile !== undefined)) return known;
    const { generation, filters } = this;
    const tiles: Tile[] = [];
    for (let offset = first; offset < end; offset += TILES_ASKED) {
      const limit = Math.min(TILES_ASKED, end - offset);
      const answer = await listTiles(filters, offset, limit, new AbortController().signal);
      if (generation !== this.generation) return undefined;
      tiles.push(...answer.tiles);
    }
    return tiles;
  }

  /** Puts another tile in the place of one that changed, wherever it is known. */
  replace(tile: Tile): void {
    for (const [page, tiles] of this.pages) {
      const at = tiles.findIndex(({ preset }) => preset === tile.preset);
      if (at === -1) continue;
      this.pages.set(page, tiles.with(at, tile));
      this.events.came(page * RANGE + at, page * RANGE + at + 1);
    }
  }

  /** Asks for what is not known of these places, and drops what was asked for and is far from them. */
  want(first: number, end: number): void {
    if (this.isOwn || (this.coming !== undefined && this.pages.size === 0)) return;
    const [from, to] = [Math.floor(first / RANGE), Math.floor(Math.max(first, end - 1) / RANGE)];
    for (const [page, controller] of this.asked) {
      if (page >= from - NEAR && page <= to + NEAR) continue;
      controller.abort();
      this.asked.delete(page);
    }
    for (let page = from; page <= to && page * RANGE < this.total; page += 1) {
      if (!this.pages.has(page) && !this.asked.has(page)) void this.load(page);
    }
    this.forget(from, to);
  }

  /** Asks again for what is kept, without moving anything: prices and pictures may have changed. */
  async renew(): Promise<void> {
    const { generation } = this;
    if (this.isOwn) return;
    for (const page of this.pages.keys()) {
      const signal = new AbortController().signal;
      const answer = await listTiles(this.filters, page * RANGE, RANGE, signal).catch(() => undefined);
      if (answer === undefined || generation !== this.generation || !this.pages.has(page)) return;
      const before = this.pages.get(page) ?? [];
      // What moved meanwhile stays where it was: a list on screen does not jump.
      const now = new Map(answer.tiles.map((tile) => [tile.preset, tile]));
      this.pages.set(
        page,
        before.map((tile) => now.get(tile.preset) ?? tile),
      );
      this.events.came(page * RANGE, page * RANGE + before.length);
    }
  }

  /** Whether svcd's list is another by now: nothing on screen moves by it, and it is said by how much it is longer. */
  async check(): Promise<void> {
    const { generation } = this;
    if (this.pages.size === 0 || this.isOwn) return;
    const answer = await listTiles(this.filters, 0, 1, new AbortController().signal).catch(() => undefined);
    if (answer === undefined || generation !== this.generation || answer.revision === this.revision) return;
    if (answer.total !== this.total) return this.events.changed(answer.total - this.total);
    this.revision = answer.revision;
    await this.renew();
  }

  private begin(filters: Readonly<Record<string, string>>, answer: Tiles, more?: () => void): void {
    this.generation += 1;
    for (const controller of this.asked.values()) controller.abort();
    this.asked.clear();
    this.pages.clear();
    this.filters = filters;
    this.total = answer.total;
    this.revision = answer.revision;
    this.isOwn = false;
    this.pages.set(0, answer.tiles);
    this.related.clear();
    this.related.set(0, answer.related_from);
    more?.();
    this.events.begun(answer);
  }

  private async load(page: number): Promise<void> {
    const controller = new AbortController();
    this.asked.set(page, controller);
    const { generation } = this;
    try {
      const answer = await listTiles(this.filters, page * RANGE, RANGE, controller.signal);
      if (generation !== this.generation) return;
      this.pages.set(page, answer.tiles);
      this.related.set(page, answer.related_from);
      if (answer.revision !== this.revision) this.events.changed(answer.total - this.total);
      this.events.came(page * RANGE, page * RANGE + answer.tiles.length);
    } catch (error) {
      if (generation === this.generation && !isAborted(error)) this.fail(error);
    } finally {
      if (this.asked.get(page) === controller) this.asked.delete(page);
    }
  }

  private forget(from: number, to: number): void {
    if (this.pages.size <= KEPT) return;
    const far = (page: number) => Math.max(from - page, page - to);
    const byDistance = [...this.pages.keys()].toSorted((a, b) => far(b) - far(a));
    for (const page of byDistance.slice(0, this.pages.size - KEPT)) this.pages.delete(page);
  }

  private fail(error: unknown): void {
    this.events.failed(error instanceof ApiError ? error : new ApiError('internal', String(error)));
  }
}
