// The person's collections, as svcd keeps them. Only what has a session has them. Of what is wanted: where buying is not
// possible now, nothing ends there.

import { effect, signal } from '@preact/signals';
import type { Collection, Collections } from '../api/collections.js';
import { NO_SKETCH, USUAL_COLLECTIONS } from '../api/page-terms.js';
import type { Tile } from '../api/tile.js';
import { ApiError, askJson, messageOf, sendJson } from './api.js';
import { listFree, onChange } from './live.js';
import { hasSession } from './extras.js';
import type { Block } from './spending.js';
import {
  blockOf,
  change,
  chosen,
  focused,
  isThere,
  openList,
  ranges,
  reload,
  say,
  sayToStay,
  summary,
  view,
} from './store.js';
import { extraWords } from './words/extras.js';
import { statusWords } from './words/status.js';
import { credits, nameOfCollection, number, words } from './words/words.js';

export const collections = signal<readonly Collection[]>([]);

const NAME_MAX = 60;
const USUAL: readonly string[] = [...USUAL_COLLECTIONS, NO_SKETCH];
export const isUsual = (name: string): boolean => USUAL.includes(name);

const pathOf = (name: string): string => `/svcd/collections/${encodeURIComponent(name)}`;

let isBegun = false;
let isRead = false;

/** Reads them, and again whenever one changed, in this tab or another. */
export function beginCollections(): void {
  if (isBegun || !hasSession()) return;
  isBegun = true;
  void read();
  onChange((event) => {
    if (event !== 'collections') return;
    void read();
    if (view.value.collection === '') void ranges.renew();
    else reload();
  });
}

/** As svcd has them now. Throws `ApiError`. */
const listCollections = async (): Promise<readonly Collection[]> =>
  (await askJson<Collections>('/svcd/collections')).collections;

const presetsIn = (name: string): readonly string[] =>
  collections.value.find((one) => one.name === name)?.presets ?? [];

async function read(): Promise<void> {
  try {
    collections.value = await listCollections();
    isRead = true;
  } catch (error) {
    // Without an answer what is known stays; svcd being away is said elsewhere.
    if (!(error instanceof ApiError) || error.code !== 'away') sayToStay(messageOf(error));
  }
}

/** What a key or command is about: the chosen, else the tile with the focus. */
export function concerned(): readonly Tile[] {
  if (chosen.value.size > 0) return [...chosen.value.values()];
  return focused.value === undefined ? [] : [focused.value];
}

/** Puts stickers into a collection, or takes them out if all of them are in it. */
export async function toggleIn(name: string, tiles: readonly Tile[]): Promise<void> {
  const text = extraWords.value;
  if (!hasSession()) return;
  if (tiles.length === 0) return say(text.nothingChosen);
  await attempt(async () => {
    // What was in it must be known, or undoing would empty it.
    if (!isRead) collections.value = await listCollections();
    const before = presetsIn(name);
    const asked = tiles.map(({ preset }) => preset);
    const isIn = asked.every((preset) => before.includes(preset));
    const changed = asked.filter((preset) => before.includes(preset) === isIn);
    await changeAll(isIn ? 'DELETE' : 'PUT', name, changed);
    const told = isIn ? text.removedFrom : text.addedTo;
    say(told(number(asked.length), nameOfCollection(name)), {
      label: words.value.undo,
      run: () => void attempt(() => put(name, before)),
    });
    if (view.value.collection === name) reload();
  });
}

/** Why a name cannot be that of a new collection; undefined if it can. */
export function problemOf(name: string): string | undefined {
  const text = extraWords.value;
  const isLine = name.trim() !== '' && Array.from(name).length <= NAME_MAX && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name);
  if (!isLine) return text.badName;
  return isUsual(name) || collections.value.some((one) => one.name === name) ? text.takenName(name) : undefined;
}

export async function makeCollection(name: string, presets: readonly string[]): Promise<void> {
  await attempt(async () => {
    await put(name, presets);
    say(extraWords.value.madeCollection(name, number(presets.length)));
  });
}

/** Under the new name first: if svcd goes away between the two, nothing is lost. */
export async function renameCollection(name: string, to: string): Promise<void> {
  const presets = presetsIn(name);
  await attempt(async () => {
    await put(to, presets);
    await sendJson<unknown>('DELETE', pathOf(name));
    collections.value = collections.value.filter((one) => one.name !== name);
    if (view.value.collection === name) change({ collection: to });
  });
}

export async function removeCollection(name: string): Promise<void> {
  const text = extraWords.value;
  const presets = presetsIn(name);
  await attempt(async () => {
    await sendJson<unknown>('DELETE', pathOf(name));
    collections.value = collections.value.filter((one) => one.name !== name);
    if (view.value.collection === name) change({ collection: '' });
    say(text.removedCollection(nameOfCollection(name)), {
      label: words.value.undo,
      run: () => void attempt(() => put(name, presets)),
    });
  });
}

async function put(name: string, presets: readonly string[]): Promise<void> {
  keep(await sendJson<Collection>('PUT', pathOf(name), { presets }));
  if (view.value.collection === name) reload();
}

/** One by one: what another tab puts in meanwhile stays. */
async function changeAll(method: 'PUT' | 'DELETE', name: string, presets: readonly string[]): Promise<void> {
  for (const preset of presets) {
    keep(await sendJson<Collection>(method, `${pathOf(name)}/${encodeURIComponent(preset)}`));
  }
}

/** Takes up what svcd says of one. */
function keep(made: Collection): void {
  const { name } = made;
  const others = collections.value.filter((one) => one.name !== name);
  const at = collections.value.findIndex((one) => one.name === name);
  collections.value = at === -1 ? [...others, made] : others.toSpliced(at, 0, made);
}

async function attempt(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    const isAway = error instanceof ApiError && error.code === 'away';
    sayToStay(isAway ? words.value.awayNow : words.value.failed(messageOf(error)));
  }
}

/** Puts these on the list of what is wanted, and says so with the way back. */
export function want(presets: readonly string[]): Promise<void> {
  const text = statusWords.value;
  return attempt(async () => {
    await changeAll('PUT', 'wanted', presets);
    const undo = async () => {
      await changeAll('DELETE', 'wanted', presets);
      say(statusWords.value.undone);
    };
    say(text.wanted(presets.length, number(presets.length)), {
      label: words.value.undo,
      run: () => void attempt(undo),
    });
  });
}

const wantedNow = async (): Promise<readonly string[]> =>
  (await listCollections().catch(() => [])).find(({ name }) => name === 'wanted')?.presets ?? [];

/** What was bought is wanted no more. */
export const leaveWanted = (bought: readonly string[]): Promise<void> =>
  attempt(async () => {
    const wanted = bought.length === 0 ? [] : await wantedNow();
    await changeAll(
      'DELETE',
      'wanted',
      wanted.filter((preset) => bought.includes(preset)),
    );
  });

/** What may pass by itself, so that what was wanted meanwhile can be bought. */
const PASSING: ReadonlySet<Block['kind']> = new Set(['offline', 'credits', 'budget', 'stopped']);

/** Once buying is possible again, says what of the list could be bought; it buys nothing by itself. */
export function beginOffers(): void {
  let before: Block['kind'] | undefined;
  effect(() => {
    const price = summary.value?.price.sticker;
    if (price === undefined || !isThere.value) return;
    const now = blockOf(price)?.kind;
    if (now === undefined && before !== undefined && PASSING.has(before)) void offerWanted(price);
    before = now;
  });
}

async function offerWanted(price: number): Promise<void> {
  const wanted = await wantedNow();
  const free = await listFree(wanted).catch(() => undefined);
  const left = free === undefined ? [] : wanted.filter((one) => !free.has(one));
  if (left.length === 0) return;
  const text = statusWords.value;
  const [count, cost] = [left.length, left.length * price];
  sayToStay(text.canBuyWanted(count, number(count), credits(cost)), {
    label: text.see,
    run: () => openList('buy', left),
  });
}
