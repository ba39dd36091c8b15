// What a purchase would come to at this moment, asked of svcd and never taken from what the page remembers.

import { signal } from '@preact/signals';
import type { PurchaseView } from '../../api/answers.js';
import type { Summary } from '../../api/page-operations.js';
import type { Tile } from '../../api/tile.js';
import { ApiError, askJson, readTile } from '../api.js';
import { listFree, readSummary } from '../live.js';
import { chosen, ranges, summary } from '../store.js';
import { sayFailure } from '../words/money.js';
import { toldTile } from './details-body.js';

/** One of what is asked for. */
export interface Row {
  readonly preset: string;
  readonly title: string;
  readonly isFree: boolean;
  /** Whether it is being bought: whoever buys it too joins in, and pays nothing. */
  readonly isUnderWay: boolean;
  /** Since when an earlier purchase of it has an unknown end. */
  readonly unknownSince: string | undefined;
  /** Since when it is charged without its file. */
  readonly lostSince: string | undefined;
}

export interface Figures {
  readonly rows: readonly Row[];
  /** Of one sticker. */
  readonly price: number;
  readonly balance: Summary['balance'];
  readonly budgets: Summary['budgets'];
}

/** As many credits may be spent at once now, as far as is known. */
export function mostAtOnce({ balance, budgets }: Summary): number {
  const left = budgets.map(({ limit, spent }) => (limit === null ? Infinity : Math.max(0, limit - (spent ?? 0))));
  return Math.min(balance?.credits ?? Infinity, ...left);
}

/** As many as one order may name. */
export const MOST = 200;

/** The figures of now; undefined without a session. Throws `ApiError`. */
export async function readFigures(presets: readonly string[]): Promise<Figures | undefined> {
  const wanted = presets.slice(0, MOST);
  const [free, unknown, newest] = await Promise.all([
    listFree(wanted),
    listPurchases('state=unknown&limit=10000'),
    listPurchases(`limit=${NEWEST}`),
    readSummary(),
  ]);
  const since = (purchases: readonly PurchaseView[], preset: string) =>
    purchases.find((one) => one.preset === preset)?.created_at;
  const lost = newest.filter(isLost);
  const underWay = newest.filter(({ state }) => state === 'intent' || state === 'sent');
  if (summary.value === undefined) return undefined;
  const { price, balance, budgets } = summary.value;
  const rows = wanted.map((preset) => ({
    preset,
    title: titleOf(preset),
    isFree: free.has(preset) || tileOf(preset)?.picture === 'own',
    isUnderWay: since(underWay, preset) !== undefined,
    unknownSince: since(unknown, preset),
    lostSince: since(lost, preset),
  }));
  return { rows, price: price.sticker, balance, budgets };
}

/** As many of the last purchases are looked at for files that never came. */
const NEWEST = 50;

/** Throws `ApiError`. */
export async function listPurchases(query: string): Promise<readonly PurchaseView[]> {
  return (await askJson<{ purchases: PurchaseView[] }>(`/svcd/purchases?${query}`)).purchases;
}

/**
 * Whether it was charged, and its file never came, or is gone: svcd buys it no more by itself. A hub keeps what it paid for,
 * and gives it again for nothing.
 */
export const isLost = ({ kind, state, owned }: PurchaseView): boolean =>
  kind === 'sticker' && state === 'paid' && !owned && (summary.value?.hub ?? null) === null;

export function titleOf(preset: string): string {
  return tileOf(preset)?.title ?? preset;
}

/** What is known here of a sticker: chosen, in the list, in the details, or asked for by itself. */
export function tileOf(preset: string): Tile | undefined {
  return chosen.value.get(preset) ?? ranges.find(preset) ?? toldTile(preset) ?? learned.value.get(preset);
}

/** Stickers that are not in the list. */
const learned = signal<ReadonlyMap<string, Tile>>(new Map());
/** As many are asked for at once. */
const MOST_LEARNED = 50;

/** Asks for the stickers that are not known here. */
export async function learnTiles(presets: readonly string[]): Promise<void> {
  const missing = [...new Set(presets)].filter((one) => tileOf(one) === undefined).slice(0, MOST_LEARNED);
  const found = await Promise.all(
    missing.map((preset) =>
      readTile(preset).then(
        (tile) => [preset, tile] as const,
        () => undefined,
      ),
    ),
  );
  learned.value = new Map([...learned.value, ...found.filter((one) => one !== undefined)]);
}

/** Whether somebody who saw one has seen the other. */
export function areSame(one: Figures, other: Figures): boolean {
  const shown = ({ rows, price, balance, budgets }: Figures) => [rows, price, balance?.credits, budgets];
  return JSON.stringify(shown(one)) === JSON.stringify(shown(other));
}

/** Does something and says what came of it; whether it went well. */
export type Attempt = (work: () => Promise<unknown>, done: string | ((answer: unknown) => string)) => Promise<boolean>;

export const sayError = (error: unknown): string =>
  error instanceof ApiError ? sayFailure(error.code, error.message) : String(error);
