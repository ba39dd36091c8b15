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

/** Whether a value is computed by code; handles of easings and split positions have numbers, lists, objects there. */
export function hasExpression(node: Item): boolean {
  return typeof node['x'] === 'string';
}

/** How the bytes of an image or sound come: with the file, marked as it must be or not; or from an address. */
export function carriageOf({ u, p, e }: Item): 'embedded' | 'unmarked' | 'beside' | 'address' | undefined {
  if (typeof p !== 'string') return undefined;
  if (/^data:/i.test(p)) return e === 1 ? 'embedded' : 'unmarked';
  const isAddress = (text: string) => /^(?:[a-z][a-z\d+.-]*:|[\\/]{2})/i.test(text.trim());
  return isAddress(p) || isAddress(`${typeof u === 'string' ? u : ''}${p}`) ? 'address' : 'beside';
}

/** What stands for a file of its own: assets, and the values of slots that take one. */
export function filesIn(file: Item): { asset: Item; place: (string | number)[] }[] {
  const slots = Object.entries(asRecord(file['slots'])).map(([id, slot]) => ({
    asset: asRecord(asRecord(slot)['p']),
    place: ['slots', id, 'p'],
  }));
  return [...itemsIn(file['assets']).map((asset, at) => ({ asset, place: ['assets', at] })), ...slots].filter(
    ({ asset }) => typeof asset['p'] === 'string',
  );
}
