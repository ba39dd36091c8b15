// Reading a parsed Lottie file, in which anything may be of another type than it should.

import { isRecord } from '../platform/json.js';

export type Item = Record<string, unknown>;

export function itemsIn(value: unknown): Item[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function asRecord(value: unknown): Item {
  return isRecord(value) ? value : {};
}

export function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : NaN;
}

export function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : -1;
}

/** Whether a value never differs from zero. */
export function isZero(property: unknown): boolean {
  const { a, k } = asRecord(property);
  if (k === undefined) return true;
  return a !== 1 && (k === 0 || (Array.isArray(k) && k.every((one) => one === 0)));
}

/**
 * Whether a value is computed by code. Handles of easings have numbers there, or lists of them; split positions objects. A
 * player makes a text of a list beside a value, and runs it.
 */
export function hasExpression(node: Item): boolean {
  const { x } = node;
  if (Array.isArray(x)) return 'k' in node || x.some((one) => typeof one !== 'number');
  return typeof x === 'string';
}

/** How the bytes of an image or sound come: with the file, marked as it must be or not; or from an address. */
export function carriageOf({ u, p, e }: Item): 'embedded' | 'unmarked' | 'beside' | 'address' | undefined {
  const hasFolder = u !== undefined && u !== '';
  if (p === undefined && !hasFolder) return undefined;
  // A player makes texts of them, and an address of these.
  if (typeof p !== 'string' || (hasFolder && typeof u !== 'string')) return 'address';
  if (/^data:/i.test(p)) {
    if (e === 1) return 'embedded';
    return hasFolder ? 'address' : 'unmarked';
  }
  const isAddress = (text: string) => /^(?:[a-z][a-z\d+.-]*:|[\\/]{2})/i.test(text.trim());
  return isAddress(p) || isAddress(`${typeof u === 'string' ? u : ''}${p}`) ? 'address' : 'beside';
}

/** Whether something is in the place of a list that is none: a player that counts on its length reads it all the same. */
export function isNoList(value: unknown): boolean {
  return value !== undefined && value !== null && !Array.isArray(value);
}

/** What stands for a file of its own: assets, and the values of slots that take one. */
export function filesIn(file: Item): { asset: Item; place: (string | number)[] }[] {
  const slots = Object.entries(asRecord(file['slots'])).map(([id, slot]) => ({
    asset: asRecord(asRecord(slot)['p']),
    place: ['slots', id, 'p'],
  }));
  return [...itemsIn(file['assets']).map((asset, at) => ({ asset, place: ['assets', at] })), ...slots].filter(
    ({ asset }) => carriageOf(asset) !== undefined,
  );
}
