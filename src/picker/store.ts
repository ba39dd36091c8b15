// What the page knows, as signals: what is shown, what is chosen, what the daemon says of itself. Components read them; the
// few functions here change them.

import { computed, effect, signal } from '@preact/signals';
import type { Summary } from '../api/page-operations.js';
import type { Tile } from '../api/tile.js';
import { afterPaint } from './after-paint.js';
import { EVERYTHING, filtersOf, readAddress, type View, writeAddress } from './address.js';
import { type ApiError, onReach, secret } from './api.js';
import { type Facts, Ranges } from './grid/ranges.js';
import { type Block, type Session, whyNot } from './spending.js';

export const view = signal<View>(EVERYTHING);
/** Of the list that is shown; undefined until the first answer. */
export const facts = signal<Facts | undefined>(undefined);
/** The styles of the library. */
export const styles = signal<readonly string[]>([]);
/** Whether a question has been out for longer than a moment. */
export const isSlow = signal(false);
export const failure = signal<ApiError | undefined>(undefined);
/** By how many the daemon's list is longer than the one on screen; undefined while it has not changed. */
export const more = signal<number | undefined>(undefined);
/** The tile with the grid's tab stop. */
export const focused = signal<Tile | undefined>(undefined);
/** Presets that were chosen, in the order in which they were, with the tile as it was then. */
export const chosen = signal<ReadonlyMap<string, Tile>>(new Map());
/** Whether the list is that of what is chosen; it is in no address. */
export const onlyChosen = signal(false);
/** What the daemon says of balance, budgets, remote and library; undefined without a session. */
export const summary = signal<Summary | undefined>(undefined);
/** Until svcd says that it is over. */
export const session = signal<Session>(secret === null ? 'none' : 'live');
/** What this page is buying; `slow` after a while. */
export const buying = signal<ReadonlyMap<string, 'new' | 'slow'>>(new Map());
/** Whether the daemon answers. */
export const isThere = signal(true);
/** Whether this browser begins no worker that draws. */
export const drawsNothing = signal(false);
/** The one line that says what happened last, with an undo where there is one. */
export const notice = signal<Notice | undefined>(undefined);
/** The layer over the grid, if one is open; Esc closes it. */
export const layer = signal<Layer | undefined>(undefined);

export interface Notice {
  readonly text: string;
  readonly action?: { readonly label: string; run(this: void): void };
  /** What went wrong, and what is offered nowhere else, stays until it is closed. */
  readonly stays?: boolean;
}

/** `presets` is what it is about; of `filters`, the one that is to be changed. */
export interface Layer {
  readonly kind: 'buy' | 'take' | 'export' | 'help' | 'money' | 'commands' | 'filters' | 'own';
  readonly presets: readonly string[];
}

/** So long nothing is shown of a list that is asked for. */
const SLOW_MS = 100;

export const SIZES = { small: 120, medium: 176, large: 256 } as const;

/** What a person set once, kept in the browser: nothing of it is about what was searched or bought. */
export const settings = {
  motion: kept<'hover' | 'view' | 'never'>(
    'motion',
    matchMedia('(prefers-reduced-motion: reduce)').matches ? 'never' : 'hover',
  ),
  size: kept<keyof typeof SIZES>('size', 'medium'),
  theme: kept<'system' | 'light' | 'dark'>('theme', 'system'),
  /** Whether the sandbox's art is hidden, as with the real service. */
  asReal: kept<boolean>('as-real', false),
  /** Whether single letters act in the grid. */
  letters: kept<boolean>('letters', true),
  /** The way out that was chosen last. */
  export: kept<string>('export', 'folder'),
  /** What was sent to an editing program the last time (export/programs.ts). */
  editor: kept<string>('editor', ''),
};

export const filterCount = computed(() => Object.keys(filtersOf(view.value)).filter((one) => one !== 'q').length);

type ListListener = (event: 'begun' | { readonly first: number; readonly end: number }) => void;
const listeners = new Set<ListListener>();

export const ranges = new Ranges({
  begun: (told) => {
    afterPaint(writeNow);
    facts.value = told;
    if (told.styles.length > 0) styles.value = told.styles;
    failure.value = undefined;
    more.value = undefined;
    for (const listener of listeners) listener('begun');
  },
  came: (first, end) => {
    for (const listener of listeners) listener({ first, end });
  },
  failed: (error) => {
    failure.value = error;
  },
  changed: (by) => {
    more.value = by;
  },
});

/** Tells of every list that begins and every range of tiles that comes. */
export function watchList(listener: ListListener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Takes up the view of the address, and follows Back and Forward. */
export function beginView(): void {
  view.value = readAddress(new URL(location.href));
  placeToRestore = placeIn(history.state);
  addEventListener('popstate', ({ state }) => {
    clearTimeout(unwritten);
    unwritten = undefined;
    if (closesLayer()) return;
    const place = placeIn(state);
    placeToRestore = place;
    const before = JSON.stringify(filtersOf(view.value));
    view.value = readAddress(new URL(location.href));
    // The same list is not asked for again.
    if (before === JSON.stringify(filtersOf(view.value))) restorePlace();
  });
  addEventListener('pagehide', keepPlace);
  // A page that is loaded again has no layer.
  if (isLayerEntry()) history.replaceState({}, '', location.href);
  effect(keepLayer);
  let listed = '';
  effect(() => {
    const filters = filtersOf(view.value);
    const key = JSON.stringify(filters);
    if (key === listed) return;
    listed = key;
    onlyChosen.value = false;
    const timer = setTimeout(() => (isSlow.value = true), SLOW_MS);
    void ranges.show(filters).finally(() => {
      clearTimeout(timer);
      isSlow.value = false;
    });
  });
}

/** Where the grid is, by its index, and how it is put there: told by the grid. */
export const gridPlace = { read: (): number | undefined => undefined, go: (_index: number): void => undefined };
let placeToRestore: number | undefined;

const placeIn = (state: unknown): number | undefined => (state as { place?: number } | null)?.place;

/** The entry of the history remembers the place, so that Back comes to it. */
function keepPlace(): void {
  writeNow();
  history.replaceState({ ...(history.state as object | null), place: gridPlace.read() }, '');
}

/** Goes to the place of the entry that was come back to; answers whether there was one. */
export function restorePlace(): boolean {
  const place = placeToRestore;
  placeToRestore = undefined;
  if (place === undefined) return false;
  gridPlace.go(place);
  return true;
}

/** No kept script is open any more. */
export function leaveProject(): void {
  view.value = { ...view.value, project: '' };
  unwritten ??= setTimeout(writeNow, WRITE_AFTER_MS);
  writeNow();
}

/** Changes what is shown: typing and filters replace the entry of the history, opening adds one. */
export function change(part: Partial<View>, asked: 'replace' | 'push' = 'replace'): void {
  const before = view.value;
  // The script that is open stays so, whatever is listed.
  let next = { ...before, ...part, project: part.project || before.project };
  let how = asked;
  // What narrows the rows of the copy too stays there; any other search leads back to the list.
  const { color, aspect, maxDuration, style } = before;
  const isOther = placeOnly({ ...next, color, aspect, maxDuration, style }) !== placeOnly(before);
  if (before.mode === 'copy' && part.mode === undefined && isOther) {
    next = { ...next, mode: 'grid' };
    how = 'push';
  }
  // What is replaced is written a little later, but before another entry begins.
  if (how === 'push') writeNow();
  view.value = next;
  // Closing the details goes back only where opening them is all that the entry is for.
  const entry = (part.preset ?? '') === '' ? {} : { openedIn: placeOnly(next) };
  if (how === 'replace' || layer.peek() !== undefined) {
    unwritten ??= setTimeout(writeNow, WRITE_AFTER_MS);
    if (!Object.keys(part).every((name) => OFTEN.has(name))) writeNow();
  }
  // What a layer led to takes the place of its entry.
  else if (isLayerEntry()) history.replaceState(entry, '', addressOf(next));
  else {
    keepPlace();
    history.pushState(entry, '', addressOf(next));
  }
}

/** What changes at every letter and every arrow. */
const OFTEN = new Set(['q', 'preset']);

/** To write the address takes a browser longer than to show a list, and it refuses 200 of them in half a minute. */
const WRITE_AFTER_MS = 150;
let unwritten: ReturnType<typeof setTimeout> | undefined;

function writeNow(): void {
  if (unwritten === undefined) return;
  clearTimeout(unwritten);
  unwritten = undefined;
  history.replaceState(history.state, '', addressOf(view.peek()));
}

const addressOf = (shown: View): string =>
  writeAddress(shown, new URLSearchParams(location.search).get('lang') ?? undefined);

/** The address of the list alone. */
const placeOnly = (shown: View): string => addressOf({ ...shown, preset: '' });

const isLayerEntry = (): boolean => (history.state as { layer?: boolean } | null)?.layer === true;
/** Whether the next step back is that of a layer which was closed here. */
let isLeaving = false;

/** The address that the open layer was opened at. */
let openedAt = '';

/** A layer has an entry of the history, so that Back closes it. What was changed in it stays, and is undone by another Back. */
function keepLayer(): void {
  if (layer.value === undefined) {
    // Something else may be opened in its place.
    setTimeout(() => {
      if (layer.peek() !== undefined || !isLayerEntry()) return;
      const address = addressOf(view.peek());
      if (address !== openedAt) return history.replaceState({}, '', address);
      isLeaving = true;
      history.back();
    });
  } else if (!isLayerEntry()) addLayerEntry();
}

function addLayerEntry(): void {
  keepPlace();
  openedAt = addressOf(view.peek());
  history.pushState({ ...(history.state as object | null), layer: true }, '', location.href);
}

/** Whether a step of the history was that of a layer. */
function closesLayer(): boolean {
  const wasLeft = isLeaving;
  isLeaving = false;
  const isMine = wasLeft || (layer.peek() !== undefined && !isLayerEntry());
  if (!wasLeft) layer.value = undefined;
  const address = addressOf(view.peek());
  if (isMine && address !== openedAt) history.pushState({}, '', address);
  // One that was opened in place of the one that was closed here.
  if (layer.peek() !== undefined) addLayerEntry();
  return isMine;
}

/** Closes the details; what Back would do, where they were opened from here and nothing was changed beside them. */
export function closeDetails(): void {
  writeNow();
  const { openedIn } = (history.state as { openedIn?: string } | null) ?? {};
  if (openedIn === placeOnly(view.peek())) return history.back();
  change({ preset: '' });
  const place = gridPlace.read();
  if (place !== undefined) gridPlace.go(place);
}

/** The focus goes to the first of the list that comes: what was pressed goes with the old one. */
export function goOnAtFirst(): void {
  placeToRestore = 0;
}

/** Asks for the list again, as it is now. */
export function reload(): void {
  onlyChosen.value = false;
  void ranges.show(filtersOf(view.value));
}

/** Lists what is chosen, or again what is searched. */
export function showChosen(isShown: boolean): void {
  if (!isShown) return reload();
  onlyChosen.value = true;
  // They are seen in the grid; Back leads to the script again.
  if (view.peek().mode === 'copy') change({ mode: 'grid' }, 'push');
  ranges.showThese([...chosen.peek().values()]);
}

/** What keeps so many credits from being spent now; undefined when nothing does. */
export const blockOf = (cost: number): Block | undefined =>
  whyNot(cost, { isThere: isThere.value, session: session.value, summary: summary.value });

/** Chooses a tile, or no longer. */
export function choose(tiles: readonly Tile[], isChosen: boolean): void {
  const next = new Map(chosen.value);
  for (const tile of tiles) {
    if (isChosen) next.set(tile.preset, tile);
    else next.delete(tile.preset);
  }
  chosen.value = next;
  if (next.size === 0 && onlyChosen.peek()) reload();
}

/** Other lists than the grid's, which show stickers too. */
export const tileLists = new Set<(preset: string, part: Partial<Tile>) => void>();

/** Changes what is known of a sticker, wherever it is shown. */
export function changeTile(preset: string, part: Partial<Tile>): void {
  for (const list of tileLists) list(preset, part);
  const tile = ranges.find(preset);
  if (tile !== undefined) ranges.replace({ ...tile, ...part });
  const picked = chosen.value.get(preset);
  if (picked !== undefined) chosen.value = new Map(chosen.value).set(preset, { ...picked, ...part });
}

/** Opens the layer for these; of `buy` that is the first of the two acts. */
export function openList(kind: Layer['kind'], presets: readonly string[] = []): void {
  layer.value = { kind, presets };
}

/** Says what was done, for a while: it can be seen in the page as well. */
export function say(text: string, action?: Notice['action']): void {
  notice.value = action === undefined ? { text } : { text, action };
}

/** Says what must not be missed. */
export function sayToStay(text: string, action?: Notice['action']): void {
  say(text, action);
  notice.value = { ...notice.value, text, stays: true };
}

onReach((reached) => {
  isThere.value = reached;
});

function kept<T extends string | boolean>(name: string, otherwise: T) {
  const key = `svcd.${name}`;
  const made = signal<T>(readKept(key, otherwise));
  let first = true;
  effect(() => {
    const text = JSON.stringify(made.value);
    if (!first) localStorage.setItem(key, text);
    first = false;
  });
  return made;
}

/** What the browser kept; `otherwise` for nothing, and for what another program on this port wrote. */
function readKept<T extends string | boolean>(key: string, otherwise: T): T {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    return typeof value === typeof otherwise ? (value as T) : otherwise;
  } catch {
    return otherwise;
  }
}
