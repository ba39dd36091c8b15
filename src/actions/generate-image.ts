// An image for a prompt: owned, else bought and kept with the picture it points at, else a plain default.

import type { Asset, FallbackReason, Source } from '../model/asset.js';
import { SvcdError } from '../model/errors.js';
import type { Log } from '../platform/log.js';
import type { Journal } from '../purchases/journal.js';
import type { OwnedStore } from '../purchases/owned-store.js';
import type { Savings } from '../purchases/savings.js';
import type {
  PaidAnswer,
  PaySteps,
  PurchaseCoordinator,
  Receipt,
} from '../purchases/purchase-coordinator.js';
import type { RemoteAnswer } from '../upstream/exchange.js';
import type { Remote } from '../upstream/remote.js';
import { keyIdOf, type Spender } from '../model/spender.js';
import { dimensionsOf } from '../contract/image-request.js';
import { IMAGE_PRICE } from '../contract/limits.js';
import { fallbackReason, refuseNobody, unsettledReason, within } from './fallback-policy.js';
import { noRemote } from './fetch-sticker.js';
import { imageItem, type ImageName } from '../purchases/image-item.js';
import { balanceReader, judgePaidCall, type Unpacked } from '../purchases/judge-paid-call.js';
import { addressesBelow, FILES, OWN_ADDRESS, relayAddresses } from './relay-address.js';

export interface ImageOrder extends ImageName {
  readonly spender: Spender;
  readonly deadlineMs: number | undefined;
  readonly fallback: boolean;
  /** Buy although an earlier purchase of it was charged or may have been. */
  readonly allowRepay: boolean;
}

export interface ImageShop {
  readonly owned: OwnedStore;
  readonly desk: PurchaseCoordinator;
  /** The largest file taken from the remote. */
  readonly maxFileBytes: number;
  readonly journal: Pick<Journal, 'countPaid'>;
  readonly log: Log;
  readonly savings: Pick<Savings, 'note'>;
  readonly remote: Remote | undefined;
  readonly origin: () => string;
}

export interface ImageAnswer {
  /** JSON. */
  readonly body: string;
  readonly source: Source;
  readonly cost: number;
  readonly reason?: FallbackReason;
  /** Which default and why, in plain ASCII (`X-Svcd-Default`). */
  readonly chosen?: string;
  /** False when it was paid for and could not be written down (yet). */
  readonly kept?: boolean;
}

export type GenerateImage = (order: ImageOrder) => Promise<ImageAnswer>;

const NOT_CHARGED = 'Nothing was charged.';
const CHARGED = 'It was charged, but what came cannot be used.';
const MAYBE_CHARGED = 'Whether it was charged is not known yet: see "svcd purchases".';
const UNDER_WAY = 'It is still being made, and is owned when it comes.';
const TIMEOUT_MS = 5 * 60_000;
const PICTURE_QUEUE_MS = 30_000;
const JSON_TYPE = 'application/json';

/** Generates images; errors as those of fetching a sticker. The prompt is sent and forgotten. */
export function createGenerateImage(shop: ImageShop): GenerateImage {
  return async (order) => {
    const item = await imageItem(shop, order);
    const owned = await shop.owned.find(item);
    if (owned !== undefined) {
      shop.savings.note(IMAGE_PRICE);
      void keepPictures(shop, owned, order.spender);
      return { body: served(owned, shop.origin()), source: 'owned', cost: 0 };
    }
    if (order.spender.kind === 'nobody') return withoutKey(shop, order);
    return buy(shop, order, item, order.spender);
  };
}

/** Name of a picture's file among owned things, by its path on the remote. */
export function fileItem(path: string): string {
  return `file:${path}`;
}

async function buy(
  shop: ImageShop,
  order: ImageOrder,
  item: string,
  { key, tokenId }: Extract<Spender, { kind: 'key' }>,
): Promise<ImageAnswer> {
  const { remote } = shop;
  if (remote === undefined) return standIn(shop, order, noRemote(), NOT_CHARGED);
  const purchase = {
    item,
    kind: 'image',
    price: IMAGE_PRICE,
    keyId: keyIdOf(key),
    tokenId,
    allowRepay: order.allowRepay,
  } as const;
  const bought = shop.desk.buy(purchase, {
    pay: (steps) => pay(remote, order, item, key, shop.maxFileBytes, steps),
    readBalance: balanceReader(remote, key),
  });
  // Part of what a client may wait for, and done even if it does not.
  const complete = bought.then(async (receipt) => {
    if (receipt.kind === 'bought') await keepPictures(shop, receipt.asset, order.spender);
    return receipt;
  });
  const receipt = order.deadlineMs === undefined ? await complete : await within(order.deadlineMs, complete);
  if (receipt === undefined) return standIn(shop, order, late(order.deadlineMs ?? 0), UNDER_WAY);
  return deliver(shop, order, receipt);
}

async function pay(
  remote: Remote,
  { prompt, size, deadlineMs = TIMEOUT_MS }: ImageOrder,
  item: string,
  key: string,
  maxBytes: number,
  steps: PaySteps,
): Promise<PaidAnswer> {
  const exchange = await remote.exchange({
    method: 'POST',
    path: '/api/v1/images',
    key,
    contentType: JSON_TYPE,
    body: new TextEncoder().encode(JSON.stringify({ prompt, size })),
    cost: 'paid',
    timeoutMs: TIMEOUT_MS,
    maxBytes,
    ...steps,
    joinForMs: Math.min(deadlineMs, TIMEOUT_MS),
  });
  return judgePaidCall('image', exchange, (answer) => unpack(remote, answer, item));
}

/** The answer with its addresses made ours. */
function unpack(remote: Remote, { bytes }: RemoteAnswer, item: string): Unpacked {
  const answer = parse(bytes);
  if (answer === undefined) {
    return {
      brought: { item, bytes, contentType: JSON_TYPE },
      problem: 'the image answer is not a JSON object',
    };
  }
  const kept = new TextEncoder().encode(JSON.stringify(relayAddresses(answer, remote.baseUrl, OWN_ADDRESS)));
  return { brought: { item, bytes: kept, contentType: JSON_TYPE } };
}

/** Fetches what a kept answer points at and is not owned yet. What cannot be had now is tried at the next request. */
async function keepPictures(shop: ImageShop, answer: Asset, spender: Spender): Promise<void> {
  const { remote, owned, log } = shop;
  if (remote === undefined || spender.kind === 'nobody') return;
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(answer.bytes));
    const paths = addressesBelow(value, OWN_ADDRESS).map(withoutFiles).filter(isFree);
    const missing = paths.filter((path) => !owned.has(fileItem(path)));
    await Promise.all(missing.map((path) => keepPicture(shop, remote, path, spender.key)));
  } catch (error) {
    log.warn('a picture could not be kept', { why: String(error) });
  }
}

async function keepPicture(shop: ImageShop, remote: Remote, path: string, key: string): Promise<void> {
  const request = { method: 'GET', path, key, cost: 'free', queueTimeoutMs: PICTURE_QUEUE_MS } as const;
  const exchange = await remote.exchange({ ...request, timeoutMs: 60_000, maxBytes: shop.maxFileBytes });
  if (exchange.kind !== 'answer' || exchange.status !== 200) return;
  const contentType = exchange.headers['content-type'] ?? 'application/octet-stream';
  await shop.owned.keepFile({ item: fileItem(path), bytes: exchange.bytes, contentType });
}

function withoutFiles(path: string): string {
  return path.startsWith(`${FILES}/`) ? path.slice(FILES.length) : path;
}

/** An address of something that is sold must never be followed by itself. */
function isFree(path: string): boolean {
  return !path.startsWith('/api/v1/stickers') && !/^\/api\/v1\/images\/?(\?|$)/.test(path);
}

function parse(bytes: Uint8Array): object | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function deliver(shop: ImageShop, order: ImageOrder, receipt: Receipt): ImageAnswer {
  if (receipt.kind === 'unsettled') {
    return defaultFor(shop, order, unsettledReason(receipt.error, order.fallback), MAYBE_CHARGED);
  }
  if (receipt.kind === 'refused') {
    return standIn(shop, order, receipt.error, receipt.charged ? CHARGED : NOT_CHARGED);
  }
  return {
    body: served(receipt.asset, shop.origin()),
    source: 'remote',
    cost: receipt.cost,
    kept: receipt.kept,
  };
}

function served(kept: Asset, origin: string): string {
  const answer: unknown = JSON.parse(new TextDecoder().decode(kept.bytes));
  return JSON.stringify(relayAddresses(answer, OWN_ADDRESS, origin));
}

function withoutKey(shop: ImageShop, order: ImageOrder): ImageAnswer {
  refuseNobody(order.spender, order.fallback);
  return defaultFor(shop, order, 'no_key', NOT_CHARGED);
}

function standIn(shop: ImageShop, order: ImageOrder, error: SvcdError, money: string): ImageAnswer {
  return defaultFor(shop, order, fallbackReason(error, order.fallback), money);
}

function defaultFor(
  { origin }: ImageShop,
  { size }: ImageOrder,
  reason: FallbackReason,
  money: string,
): ImageAnswer {
  const message = `This is a default picture: the image could not be generated (${reason}). ${money}`;
  const body = JSON.stringify({
    size,
    ...dimensionsOf(size),
    requested_size: size,
    url: `${origin()}/svcd/defaults/images/${size}.png`,
    notices: [{ code: 'default_image', message }],
  });
  const chosen = `images/${size}.png; shipped, the picture of this size`;
  return { body, source: 'default', cost: 0, reason, chosen };
}

function late(deadlineMs: number): SvcdError {
  return new SvcdError('timeout', `the image was not ready within ${deadlineMs} ms`, {
    hint: 'It is still being made: ask again later.',
  });
}
