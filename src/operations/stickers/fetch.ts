// A sticker's file: the user's own, owned, shipped, else bought and kept, else a default that fits.

import {
  assetOf,
  LOTTIE_TYPE,
  type Asset,
  type Cost,
  type Delivery,
  type FallbackReason,
  type Form,
} from '../../model/asset.js';
import type { ColorWish } from '../../model/color-wish.js';
import { creditOf } from '../../model/credit.js';
import { type ErrorCode, isSvcdError, SvcdError } from '../../model/errors.js';
import { isOwnName } from '../../model/sticker.js';
import { STICKER_PRICE } from '../../contract/limits.js';
import type { FallbackSticker } from '../../defaults/fallback-sticker.js';
import { type Coloring, requireChangeable } from '../../lottie/recolor.js';
import type { StickerReader } from '../../lottie/read-sticker.js';
import { itemOf, stickerItem } from '../../purchases/item.js';
import type { LearnQuietly } from '../library/learn-quietly.js';
import type { Rooms } from '../rooms.js';
import { buyOrFallBack, looksAgain, fallbackReason, requireDeclared, type Terms } from './fallback-policy.js';

export interface StickerRequest extends Terms {
  readonly preset: string;
  /** Tells callers apart: of one caller no two presets get the same default while another fits. */
  readonly caller?: string;
  /** `as-bought` where it is left out. */
  readonly form?: Form;
  /** In other colors. */
  readonly wish?: ColorWish | undefined;
}

/** What fetching needs besides the rooms. */
export interface StickerSources extends Rooms, LearnQuietly {
  readonly fallbackSticker: FallbackSticker;
}

export type FetchSticker = (request: StickerRequest) => Promise<Delivery>;

/**
 * Fetches stickers. Throws `unknown_preset`, `invalid_key`, `key_disabled`, `invalid_request` for colors that cannot be, before it
 * is paid for where its licence forbids them, and, when no default may stand in, every other error.
 */
export function createFetchSticker(sources: StickerSources): FetchSticker {
  const { owned, defaults, savings, findCredit, reader } = sources;
  const fetchAsBought: FetchSticker = async (request) => {
    const { preset } = request;
    requireDeclared(request.spender);
    if (isOwnName(preset)) return findOwn(sources, request);
    if (request.batch?.holds(itemOf(preset)) === true) return buy(sources, request);
    let asset: Asset | undefined;
    try {
      asset = await owned.find(itemOf(preset));
    } catch (cause) {
      // It may be owned, so it must not be bought.
      const isAway = isSvcdError(cause, 'database_away');
      const error = isAway ? cause : new SvcdError('internal', 'owned.db cannot be read', { cause });
      return fallBack(sources, request, fallbackReason(error, request.fallback), error);
    }
    if (asset !== undefined) {
      savings.note(STICKER_PRICE);
      // Spread last: an object that begins with a spread is ten times as slow to build, and this is the hot path.
      const { warnings, verdict } = reader.inPassing(asset);
      return { source: 'owned', cost: 0, warnings, verdict, ...asset, ...findCredit(preset) };
    }
    const packed = defaults.findSticker(preset);
    if (packed === undefined) return buy(sources, request);
    const shipped = assetOf(await defaults.readSticker(packed), LOTTIE_TYPE);
    const { verdict } = reader.inPassing(shipped);
    return { source: 'library', cost: 0, verdict, ...shipped, ...creditOf(packed) };
  };
  return async (request) => {
    const { preset, form, wish } = request;
    const known = wish && (sources.library.findSticker(preset) ?? defaults.findSticker(preset));
    if (wish !== undefined) requireChangeable({ preset, licence: known?.licence });
    const bought = await fetchAsBought(request);
    const delivery = form === 'safe' ? await makeSafe(reader, bought) : bought;
    if (wish === undefined) return delivery;
    if (delivery.source === 'default') return { ...delivery, warnings: [...(delivery.warnings ?? []), 'not_colored'] };
    return makeColored(reader, delivery, { licence: delivery.licence, ...known, wish, preset });
  };
}

/** The safe form of what is delivered: what was bought is kept as it came. Throws `internal` with what was spent. */
async function makeSafe(reader: StickerReader, delivery: Delivery): Promise<Delivery> {
  try {
    return withFile(reader, delivery, await reader.safeFormOf(delivery));
  } catch (cause) {
    throw new SvcdError('internal', 'the safe form of this sticker cannot be made', {
      cause,
      cost: delivery.cost,
      hint: 'Ask without form=safe to get it as it was bought.',
    });
  }
}

/** The file in other colors. Throws `invalid_request` with what was spent. */
async function makeColored(reader: StickerReader, delivery: Delivery, coloring: Coloring): Promise<Delivery> {
  try {
    return withFile(reader, delivery, await reader.coloredOf(delivery, coloring));
  } catch (error) {
    const { cost } = delivery;
    throw isSvcdError(error) && cost !== 0 ? error.with({ cost }) : error;
  }
}

/** Another file in place of that which is delivered. */
function withFile(reader: StickerReader, delivery: Delivery, { bytes, contentType, sha256 }: Asset): Delivery {
  if (sha256 === delivery.sha256) return delivery;
  const { gzip: _gzip, brotli: _brotli, ...facts } = delivery;
  const { warnings, verdict } = reader.inPassing({ bytes, sha256 });
  return { ...facts, bytes, contentType, sha256, ...(facts.warnings !== undefined && { warnings }), verdict };
}

/** A file of the user's own. The remote is never asked for one, whatever the library was told. */
async function findOwn(sources: StickerSources, request: StickerRequest): Promise<Delivery> {
  const { own, owned, findCredit, reader } = sources;
  const { preset } = request;
  if (own.has(preset)) {
    const asset = await own.read(preset);
    // A damaged file was reported; a render goes on.
    if (asset !== undefined) {
      const { warnings, verdict } = reader.inPassing(asset);
      return { source: 'owned', cost: 0, warnings, verdict, ...asset, ...findCredit(preset) };
    }
    const error = new SvcdError('internal', `the file of ${JSON.stringify(preset)} is damaged; add it again`);
    return fallBack(sources, request, fallbackReason(error, request.fallback), error);
  }
  // An older version may have bought one from a remote with such names.
  const bought = await owned.find(itemOf(preset));
  if (bought !== undefined) return { source: 'owned', cost: 0, ...bought };
  throw new SvcdError('unknown_preset', `there is no sticker of yours called ${JSON.stringify(preset)}`, {
    hint: '"svcd library list" lists your stickers.',
  });
}

/** Where the service did not say whether it has a sticker, the complete list does. Of anything else a person has to know. */
const NOT_HEARD: ReadonlySet<ErrorCode> = new Set([
  'offline',
  'timeout',
  'upstream_failure',
  'rate_limited',
  'busy',
  'budget',
  'spending_stopped',
]);

async function buy(sources: StickerSources, request: StickerRequest): Promise<Delivery> {
  const { preset, fallback } = request;
  const { noteGone, noteThere } = sources;
  const isUnlisted = () => sources.isUnlisted(preset);
  const outcome = await buyOrFallBack(sources, stickerItem(preset), request, (error) => {
    const fromRemote = error.code === 'not_found';
    if (!fromRemote && (fallback || !NOT_HEARD.has(error.code) || !isUnlisted())) return;
    if (fromRemote) noteGone(preset);
    throw new SvcdError('unknown_preset', `there is no sticker ${JSON.stringify(preset)}`, {
      cause: error,
      fromRemote,
    });
  });
  if (outcome.kind === 'fallback') {
    const isUnknown = outcome.charged === 'no' && NOT_HEARD.has(outcome.error.code) && isUnlisted();
    const reason = isUnknown ? 'unknown_preset' : outcome.reason;
    return fallBack(sources, request, reason, outcome.error, outcome.cost);
  }
  noteThere(preset);
  const { asset, cost, kept } = outcome;
  const { warnings, verdict } = sources.reader.inPassing(asset);
  return { ...asset, source: 'remote', cost, kept, warnings, verdict, ...sources.findCredit(preset) };
}

/** The default for a preset. Throws the error itself when nothing fits and the user wants no default then. */
async function fallBack(
  { fallbackSticker, reader }: StickerSources,
  { preset, caller }: StickerRequest,
  reason: FallbackReason,
  error: SvcdError,
  cost: Cost = 0,
): Promise<Delivery> {
  const delivery = await fallbackSticker(preset, reason, caller);
  if (delivery === undefined) throw error;
  const { verdict } = reader.inPassing(delivery);
  return { ...delivery, verdict, cost: cost === 0 ? delivery.cost : cost, ...looksAgain(reason, error) };
}
