// A sticker's file: owned, else bought and kept, else a default that fits.

import { LOTTIE_TYPE, type Asset, type Delivery } from '../model/asset.js';
import { SvcdError } from '../model/errors.js';
import { lottieProblem } from '../lottie/check-lottie.js';
import type { DefaultPack } from '../defaults/default-pack.js';
import type { OwnStickers } from '../purchases/own-stickers.js';
import { asAsset, type OwnedStore } from '../purchases/owned-store.js';
import type {
  PaidAnswer,
  PaySteps,
  PurchaseCoordinator,
  Receipt,
} from '../purchases/purchase-coordinator.js';
import type { Savings } from '../purchases/savings.js';
import { isOwnName, stickerPath } from '../model/sticker.js';
import type { RemoteAnswer } from '../upstream/exchange.js';
import type { Remote } from '../upstream/remote.js';
import { keyIdOf, type Spender } from '../model/spender.js';
import { STICKER_PRICE } from '../contract/limits.js';
import { fallbackReason, refuseNobody, unsettledReason, within } from './fallback-policy.js';
import { balanceReader, judgePaidCall, type Unpacked } from '../purchases/judge-paid-call.js';
import type { FallbackSticker } from '../defaults/fallback-sticker.js';

export interface StickerRequest {
  readonly preset: string;
  readonly spender: Spender;
  /** How long the client waits before a default has to do. */
  readonly deadlineMs: number;
  /** Whether a default may stand in. */
  readonly fallback: boolean;
  /** Buy although an earlier purchase of it was charged or may have been. */
  readonly allowRepay?: boolean;
}

export interface StickerShop {
  readonly owned: OwnedStore;
  /** The user's own files. */
  readonly own: Pick<OwnStickers, 'has' | 'read'>;
  /** Whether the library has a sticker. */
  readonly isKnown: (preset: string) => boolean;
  readonly desk: PurchaseCoordinator;
  /** The largest file taken from the remote. */
  readonly maxFileBytes: number;
  readonly savings: Pick<Savings, 'note'>;
  readonly defaults: DefaultPack;
  readonly standIn: FallbackSticker;
  /** Told a preset that the remote does not know, or that it does. */
  readonly noteGone: (preset: string) => void;
  readonly noteThere: (preset: string) => void;
  /** Undefined when no remote is configured. */
  readonly remote: Remote | undefined;
}

export type FetchSticker = (request: StickerRequest) => Promise<Delivery>;

const READ_TIMEOUT_MS = 60_000;

/**
 * Fetches stickers from a shop. Throws `unknown_preset`, `invalid_key`, `key_disabled`, and, when no default
 * may stand in, whatever else went wrong.
 */
export function createFetchSticker(shop: StickerShop): FetchSticker {
  return async (request) => {
    const { preset } = request;
    if (isOwnName(preset)) {
      const own = await findOwn(shop, preset);
      if (own !== undefined) return own;
    }
    const owned = await findOwned(shop, itemOf(preset));
    if (owned instanceof SvcdError) return standIn(shop, request, owned);
    if (owned !== undefined) {
      shop.savings.note(STICKER_PRICE);
      // Spread last: an object that begins with a spread is ten times as slow to build, and this is the hot path.
      return { source: 'owned', cost: 0, ...owned };
    }
    const packed = shop.defaults.findSticker(preset);
    if (packed !== undefined) return shipped(await shop.defaults.readSticker(packed));
    if (request.spender.kind === 'nobody') return withoutKey(shop, request);
    return buy(shop, request, request.spender);
  };
}

/** Name of a sticker among owned things. */
export function itemOf(preset: string): string {
  return `sticker:${preset}`;
}

/** A file of the user's own. What was removed is unknown; whatever is called so by the remote as well is the remote's. */
async function findOwn(shop: StickerShop, preset: string): Promise<Delivery | undefined> {
  if (shop.own.has(preset)) {
    const asset = await shop.own.read(preset);
    // Damaged, which was reported: a render goes on.
    return asset === undefined
      ? shop.standIn(preset, 'upstream_failure')
      : { source: 'owned', cost: 0, ...asset };
  }
  if (shop.isKnown(preset)) return undefined;
  throw new SvcdError('unknown_preset', `there is no sticker of yours called ${JSON.stringify(preset)}`, {
    hint: '"svcd library list" lists those there are.',
  });
}

/** What is owned, or the error that keeps us from knowing: then nothing is bought, for it may be owned. */
async function findOwned({ owned }: StickerShop, item: string): Promise<Asset | undefined | SvcdError> {
  try {
    return await owned.find(item);
  } catch (cause) {
    return new SvcdError('internal', 'owned.db cannot be read', { cause });
  }
}

async function buy(
  shop: StickerShop,
  request: StickerRequest,
  { key, tokenId }: Extract<Spender, { kind: 'key' }>,
): Promise<Delivery> {
  const { remote } = shop;
  if (remote === undefined) return standIn(shop, request, noRemote());
  const { preset } = request;
  const order = {
    item: itemOf(preset),
    kind: 'sticker',
    price: STICKER_PRICE,
    keyId: keyIdOf(key),
    tokenId,
    allowRepay: request.allowRepay ?? false,
  } as const;
  const receipt = await within(
    request.deadlineMs,
    shop.desk.buy(order, {
      pay: (steps) => pay(remote, preset, key, shop.maxFileBytes, steps),
      readBalance: balanceReader(remote, key),
    }),
  );
  if (receipt === undefined) return standIn(shop, request, late(request.deadlineMs));
  return deliver(shop, request, receipt);
}

async function pay(
  remote: Remote,
  preset: string,
  key: string,
  maxBytes: number,
  { beforeSend }: PaySteps,
): Promise<PaidAnswer> {
  const path = stickerPath(preset);
  const exchange = await remote.exchange({
    method: 'GET',
    path,
    key,
    cost: 'paid',
    timeoutMs: READ_TIMEOUT_MS,
    maxBytes,
    beforeSend,
  });
  return judgePaidCall('sticker', exchange, (answer) => unpack(answer, preset));
}

function unpack({ bytes }: RemoteAnswer, preset: string): Unpacked {
  const brought = { item: itemOf(preset), bytes, contentType: LOTTIE_TYPE };
  const problem = lottieProblem(bytes);
  return problem === undefined ? { brought } : { brought, problem: `not a playable Lottie file: ${problem}` };
}

async function deliver(shop: StickerShop, request: StickerRequest, receipt: Receipt): Promise<Delivery> {
  if (receipt.kind === 'bought') {
    shop.noteThere(request.preset);
    return { ...receipt.asset, source: 'remote', cost: receipt.cost, kept: receipt.kept };
  }
  const { error } = receipt;
  if (receipt.kind === 'unsettled')
    return shop.standIn(request.preset, unsettledReason(error, request.fallback));
  if (error.code !== 'not_found') return standIn(shop, request, error);
  shop.noteGone(request.preset);
  throw new SvcdError('unknown_preset', `there is no sticker ${JSON.stringify(request.preset)}`, {
    cause: error,
    fromRemote: true,
  });
}

async function withoutKey(shop: StickerShop, request: StickerRequest): Promise<Delivery> {
  refuseNobody(request.spender, request.fallback);
  return shop.standIn(request.preset, 'no_key');
}

async function standIn(shop: StickerShop, request: StickerRequest, error: SvcdError): Promise<Delivery> {
  return shop.standIn(request.preset, fallbackReason(error, request.fallback));
}

function shipped(bytes: Uint8Array): Delivery {
  return { ...asAsset({ bytes, contentType: LOTTIE_TYPE }), source: 'library', cost: 0 };
}

function late(deadlineMs: number): SvcdError {
  return new SvcdError('timeout', `the remote did not answer within ${deadlineMs} ms`);
}

/** The error of whatever needs a remote when none is configured. */
export function noRemote(): SvcdError {
  return new SvcdError('offline', 'no remote is configured', {
    hint: 'Give one with "svcd config set remote https://…", or try "svcd start --sandbox".',
  });
}
