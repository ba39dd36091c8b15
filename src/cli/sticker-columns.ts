// Stickers as a person compares them: color, title, length, shape, identifier, price.

import { STICKER_PRICE } from '../contract/limits.js';
import { expectOk, type Client } from './client.js';
import { counted, plain } from './output.js';

export interface Dimensions {
  readonly width?: number;
  readonly height?: number;
  readonly aspect_ratio?: number;
}

/** What a sticker would cost now. */
export interface Price {
  readonly owned: boolean;
  /** Credits. */
  readonly cost: number;
}

/** The same results, each with what it would cost now. */
export async function addPrices<T extends { preset: string }>(
  client: Client,
  results: readonly T[],
): Promise<(T & Price)[]> {
  if (results.length === 0) return [];
  const query = new URLSearchParams();
  for (const { preset } of results) query.append('preset', preset);
  const answer = expectOk(await client.request('GET', `/svcd/owned?${query.toString()}`));
  const { owned, shipped } = answer.json() as { owned: string[]; shipped: string[] };
  const free = new Set([...owned, ...shipped]);
  return results.map((result) => ({
    ...result,
    owned: owned.includes(result.preset),
    cost: free.has(result.preset) ? 0 : STICKER_PRICE,
  }));
}

/** `owned`, `free` or `1 credit`. */
export function priceColumn({ owned, cost }: Price): string {
  if (owned) return 'owned';
  return cost === 0 ? 'free' : counted(cost, 'credit');
}

/** Seconds with one decimal; nothing when unknown. */
export function secondsColumn(duration: number | undefined): string {
  return duration === undefined ? '' : `${duration.toFixed(1)} s`;
}

// As far from square as an eye forgives.
const SQUARE_TOLERANCE = 0.05;

/** `square`, `wide` or `tall`, with the size when it is known. */
export function shapeColumn({ width, height, aspect_ratio: told }: Dimensions): string {
  const sized = width !== undefined && height !== undefined && height > 0;
  const aspect = sized ? width / height : told;
  if (aspect === undefined) return '';
  const lying = aspect > 1 ? 'wide' : 'tall';
  const shape = Math.abs(aspect - 1) <= SQUARE_TOLERANCE ? 'square' : lying;
  return sized ? `${shape} ${width}×${height}` : shape;
}

/** A text of the library as a cell. */
export function textColumn(text: string | undefined): string {
  return plain(text ?? '');
}
