// An answer of the service, whose fields nobody documented, as rows of names and values.

import { plain } from './output.js';

/** Rows of every field, deeper ones as `outer.inner`; `none` for what is null. */
export function flatten(name: string, value: unknown): [string, string][] {
  if (value === null) return [[plain(name), 'none']];
  if (typeof value !== 'object') return [[plain(name), shown(value)]];
  return Object.entries(value).flatMap(([inner, one]) =>
    flatten(name === '' ? inner : `${name}.${inner}`, one),
  );
}

/** A value of the service, made safe for a terminal. */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return '';
  return plain(typeof value === 'string' ? value : JSON.stringify(value));
}
