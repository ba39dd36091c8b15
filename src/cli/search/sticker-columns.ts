// Stickers as a person compares them: title, length, shape, identifier, price.

import { STICKER_PRICE } from '../../contract/limits.js';
import type { Client } from '../connection/client.js';
import { formatCount, formatNumber, sanitize } from '../terminal/format.js';
import { findWords } from './words.js';

interface Dimensions {
  readonly width?: number;
  readonly height?: number;
  readonly aspect_ratio?: number;
}

/** What a sticker would cost now. */
export interface Price {
  readonly owned: boolean;
  /** Whether it is one of svcd's own. */
  readonly shipped: boolean;
  /** Credits. */
  readonly cost: number;
}

/** An answer whose results have prices. */
export type Priced<T extends { readonly results: readonly unknown[] }> = Omit<T, 'results'> & {
  results: (T['results'][number] & Price)[];
};

// A wider sticker than this looks wide.
const SQUARE_TOLERANCE = 0.05;

/** The same answer, each result with its price. */
export async function addPrices<T extends { readonly results: readonly { readonly preset: string }[] }>(
  client: Client,
  answer: T,
): Promise<Priced<T>> {
  const { results, ...rest } = answer;
  if (results.length === 0) return { ...rest, results: [] };
  const { owned, shipped } = await askFree(
    client,
    results.map(({ preset }) => preset),
  );
  const free = new Set([...owned, ...shipped]);
  const priced = results.map((result) => ({
    ...result,
    owned: owned.includes(result.preset),
    shipped: shipped.includes(result.preset),
    cost: free.has(result.preset) ? 0 : STICKER_PRICE,
  }));
  return { ...rest, results: priced };
}

/** Those of the presets that cost nothing now. */
export async function listFree(client: Client, presets: readonly string[]): Promise<ReadonlySet<string>> {
  const free = new Set<string>();
  for (let at = 0; at < presets.length; at += ASK_AT_ONCE) {
    const { owned, shipped } = await askFree(client, presets.slice(at, at + ASK_AT_ONCE));
    for (const preset of [...owned, ...shipped]) free.add(preset);
  }
  return free;
}

/** As many as the daemon takes. */
const ASK_AT_ONCE = 50;

interface Free {
  readonly owned: readonly string[];
  readonly shipped: readonly string[];
}

function askFree(client: Client, presets: readonly string[]): Promise<Free> {
  const query = new URLSearchParams(presets.map((preset): [string, string] => ['preset', preset]));
  return client.ask('GET', `/svcd/owned?${query.toString()}`);
}

/** `owned`, `svcd's own`, which is free, or `1 credit`. */
export function priceColumn({ owned, shipped, cost }: Price): string {
  const words = findWords();
  if (owned) return words.owns;
  if (shipped) return words.ships;
  return cost === 0 ? words.free : formatCount(cost, 'credit');
}

/** Seconds with one decimal; nothing when unknown. */
export function secondsColumn(duration: number | undefined): string {
  return duration === undefined ? '' : findWords().seconds(duration.toFixed(1));
}

/** `square`, `wide` or `tall`, with the size when it is known. */
export function shapeColumn({ width, height, aspect_ratio: ratio }: Dimensions): string {
  const sized = width !== undefined && height !== undefined && height > 0;
  const aspect = sized ? width / height : ratio;
  if (aspect === undefined) return '';
  const { square, wide, tall } = findWords().shapes;
  const long = aspect > 1 ? wide : tall;
  const shape = Math.abs(aspect - 1) <= SQUARE_TOLERANCE ? square : long;
  return sized ? `${shape} ${width}×${height}` : shape;
}

/** A text of the library as a cell. */
export function textColumn(text: string | undefined): string {
  return sanitize(text ?? '');
}

/** `--offset 20 shows the next page.`, where there is one. */
export function nextPage(next: number | null | undefined): string {
  return typeof next === 'number' ? findWords().nextPage(next) : '';
}

/** `20 of 1,234.` */
export function countOf(results: readonly unknown[], total: number): string {
  return findWords().count(results.length, formatNumber(total));
}
