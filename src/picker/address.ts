// What the page shows, and the address that says so: the two are the same thing written twice. Of a copy only the
// id is part of it.

import { TILE_ORDERS, type TileOrder } from '../api/page-terms.js';

/** What is shown. Everything in it can be sent to somebody as a link. */
export interface View {
  readonly q: string;
  readonly owned: boolean;
  /** Six hexadecimal digits, without `#`. */
  readonly color: string;
  /** As `/svcd/tiles` reads it: `square`, `wide`, `tall`, `16:9`. */
  readonly aspect: string;
  /** Seconds; 0 for any. */
  readonly maxDuration: number;
  /** The first part of presets. */
  readonly style: string;
  readonly collection: string;
  readonly sort: TileOrder;
  readonly mode: 'grid' | 'copy';
  /** The script that is open, as svcd keeps it. */
  readonly project: string;
  /** The sticker whose details are open. */
  readonly preset: string;
}

export const EVERYTHING: View = {
  q: '',
  owned: false,
  color: '',
  aspect: '',
  maxDuration: 0,
  style: '',
  collection: '',
  sort: 'best',
  mode: 'grid',
  project: '',
  preset: '',
};

/** The view that an address names. What cannot be read in it is left out, as if it were not there. */
export function readAddress(address: URL): View {
  const given = address.searchParams;
  const text = (name: string, form: RegExp, most = 500) => {
    const value = given.get(name) ?? '';
    return form.test(value) && Array.from(value).length <= most ? value : '';
  };
  const longest = Number(text('max_duration', /^\d{1,6}(\.\d{1,6})?$/));
  return {
    q: text('q', /\S/),
    owned: given.get('owned') === 'true',
    color: text('color', /^#?[\da-f]{6}$/i)
      .replace('#', '')
      .toLowerCase(),
    aspect: text('aspect', /^(square|wide|tall|[\d.:/]{1,20}(\.\.[\d.:/]{0,20})?)$/),
    maxDuration: Number.isFinite(longest) ? longest : 0,
    style: text('style', /^[^/]+$/, 64),
    collection: text('collection', /\S/, 60),
    sort: TILE_ORDERS.find((one) => one === given.get('sort')) ?? 'best',
    mode: given.get('view') === 'copy' ? 'copy' : 'grid',
    project: text('project', /^[\w-]{1,64}$/),
    preset: decode(address.hash.slice(1)),
  };
}

/** The address of a view, from `/`: only what differs from everything is in it. */
export function writeAddress(view: View, lang?: string): string {
  const query = new URLSearchParams(filtersOf(view));
  if (view.mode === 'copy') query.set('view', 'copy');
  if (view.project !== '') query.set('project', view.project);
  if (lang !== undefined) query.set('lang', lang);
  const text = query.size === 0 ? '' : `?${query}`;
  return `/${text}${view.preset === '' ? '' : `#${encodeURIComponent(view.preset)}`}`;
}

/** The parameters of `/svcd/tiles` for a view, without its place. Two views with the same ones list the same. */
export function filtersOf({
  q,
  owned,
  color,
  aspect,
  maxDuration,
  style,
  collection,
  sort,
}: View): Record<string, string> {
  return {
    ...(q.trim() !== '' && { q }),
    ...(owned && { owned: 'true' }),
    ...(color !== '' && { color }),
    ...(aspect !== '' && { aspect }),
    ...(maxDuration > 0 && { max_duration: `${maxDuration}` }),
    ...(style !== '' && { style }),
    ...(collection !== '' && { collection }),
    ...(sort !== 'best' && { sort }),
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
