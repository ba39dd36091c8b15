// The safe form of a Lottie file: the same drawing without code, and without anything that a player would ask an address
// for. Pure: the same bytes have the same safe form, which is its own.

import { hasDoubledNames, isRecord } from '../platform/json.js';
import { requirePlayable } from './check-lottie.js';
import { asRecord, carriageOf, filesIn, hasExpression, isNoList, itemsIn, type Item } from './lottie-json.js';

/** A picture of one pixel that shows nothing. */
const EMPTY_PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR42mNgAAIAAAUAAen63NgAAAAASUVORK5CYII=';

/**
 * The same file without expressions, with an empty picture for each asset that is not embedded, and with fonts that
 * are not fetched, and without a name twice; the very same bytes where it has none of these. Throws `invalid_request` for what is no Lottie file.
 */
export function safeFormOf(bytes: Uint8Array): Uint8Array {
  const file = requirePlayable(bytes);
  // Another player may see what this one does not: only one reading is left.
  const isAmbiguous = hasDoubledNames(bytes, file);
  return makeSafe(file) || isAmbiguous ? new TextEncoder().encode(JSON.stringify(file)) : bytes;
}

/** In place: a copy made by names would follow `__proto__`. Whether anything was changed. */
function makeSafe(file: Item): boolean {
  const fonts = asRecord(file['fonts']);
  let changed = isNoList(file['assets']) || isNoList(fonts['list']);
  if (isNoList(file['assets'])) file['assets'] = [];
  if (isNoList(fonts['list'])) fonts['list'] = [];
  changed = emptyAssets(filesIn(file).map(({ asset }) => asset)) || changed;
  changed = unlinkFonts(file) || changed;
  const open: object[] = [file];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (isRecord(value) && hasExpression(value)) {
      delete value['x'];
      changed = true;
    }
    for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) open.push(inner);
  }
  return changed;
}

function emptyAssets(assets: readonly Item[]): boolean {
  const fetched = assets.filter((asset) => ['address', 'beside'].includes(carriageOf(asset) ?? ''));
  for (const asset of fetched) {
    Object.assign(asset, { u: '', p: EMPTY_PICTURE, e: 1 });
    // Data for expressions: the player would parse what it is given.
    if (asset['t'] === 3) delete asset['t'];
  }
  return fetched.length > 0;
}

function unlinkFonts(file: Item): boolean {
  const linked = itemsIn(asRecord(file['fonts'])['list']).filter(({ fPath = '' }) => fPath !== '');
  for (const font of linked) Object.assign(font, { fPath: '', origin: 0 });
  for (const font of linked) if ('fOrigin' in font) font['fOrigin'] = 'n';
  return linked.length > 0;
}
