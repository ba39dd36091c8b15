// An image as something to buy. Its name holds a digest of prompt and size, so that the prompt is stored nowhere.

import { IMAGE_PRICE } from '../contract/limits.js';
import type { ImageRequest } from '../contract/requests.js';
import { sha256Hex } from '../model/hash.js';
import { boundsProblem, parseJson, parseJsonRecord } from '../platform/json.js';
import { putLongTextsAside } from '../platform/long-texts.js';
import type { Asset } from '../model/asset.js';
import type { RemoteAnswer } from '../upstream/exchange.js';
import { mayFollow } from '../api/path-reading.js';
import { addressesBelow, FILES, OWN_ADDRESS, relayAddresses } from '../upstream/relay-address.js';
import { fileItem, type PurchaseItem, type Unpacked } from './item.js';
import type { PurchaseCoordinator } from './purchase-coordinator.js';
import { FRESH } from './item.js';
import type { Journal } from './journal.js';
import type { OwnedStore } from './owned-store.js';

export interface ImageOptions extends ImageRequest {
  /** Another picture for the same words. */
  readonly variant: string | undefined;
  /** One never asked for before. */
  readonly fresh: boolean;
}

/** Where the name of an image is looked up. */
export interface ImageNames {
  readonly journal: Pick<Journal, 'countPaid'>;
  readonly owned: Pick<OwnedStore, 'findNewestOf' | 'has'>;
  readonly coordinator: Pick<PurchaseCoordinator, 'isBuying'>;
  /** What tells fresh pictures of this machine from those of others that share a hub. */
  readonly freshMark?: string | undefined;
}

const TIMEOUT_MS = 5 * 60_000;
const JSON_TYPE = 'application/json';

/** The image that a request means, owned or yet to be bought. */
export async function imageItem(names: ImageNames, options: ImageOptions): Promise<PurchaseItem> {
  const { prompt, size } = options;
  const name = await nameOf(names, options);
  const variant = name.split(':').slice(2).join(':');
  return {
    name,
    kind: 'image',
    price: IMAGE_PRICE,
    request: {
      method: 'POST',
      path: '/api/v1/images',
      contentType: JSON_TYPE,
      body: new TextEncoder().encode(JSON.stringify({ prompt, size })),
      timeoutMs: TIMEOUT_MS,
      expectsSilence: true,
      // A hub names its pictures alike.
      ...(variant !== '' && { headers: { 'X-Svcd-Variant': variant } }),
    },
    unpack,
    linkedFiles: filesNamedBy,
  };
}

/** What an image is called where its prompt must not stand; a variant has its own name. */
export function imageDigest({
  prompt,
  size,
  variant,
}: ImageRequest & { readonly variant?: string | undefined }): string {
  const digest = sha256Hex(`${size}\n${prompt}`);
  return variant === undefined ? digest : `${digest}:${variant}`;
}

/** Name of the newest picture owned for these words. */
export function findOwnedImage(owned: ImageNames['owned'], request: ImageRequest): string | undefined {
  const name = `image:${imageDigest(request)}`;
  return owned.findNewestOf(name, `${name}:${FRESH}`);
}

/**
 * Without a variant that is the newest picture owned for these words, a fresh one too; else a fresh one that is being
 * made, because the remote makes no two at once.
 */
async function nameOf(
  { journal, owned, coordinator, freshMark = '' }: ImageNames,
  { prompt, size, variant, fresh }: ImageOptions,
): Promise<string> {
  const name = `image:${imageDigest({ prompt, size })}`;
  if (variant !== undefined && !fresh) return `${name}:${variant}`;
  const newest = fresh ? undefined : findOwnedImage(owned, { prompt, size });
  if (newest !== undefined) return newest;
  // Numbered by how many were paid for: one whose end was not seen keeps its number, so that a client that tries
  // again by itself does not buy again.
  const begins = `${name}:${FRESH}${freshMark}`;
  let number = await journal.countPaid(begins);
  // Bytes may be here before it is known what they cost.
  while (owned.has(`${begins}${number}`)) number += 1;
  const next = `${begins}${number}`;
  return fresh || coordinator.isBuying(next) ? next : name;
}

/** Paths on the remote of the files that a kept answer names and that may be followed. */
export function filesNamedBy({ bytes }: Pick<Asset, 'bytes'>): readonly string[] {
  return linkedPaths(parseJson(putLongTextsAside(bytes).bytes));
}

/** The answer with the remote's addresses replaced by ours. */
function unpack({ bytes }: RemoteAnswer, baseUrl: string): Unpacked {
  const short = putLongTextsAside(bytes);
  const answer = parseJsonRecord(short.bytes);
  if (answer === undefined) {
    const excess = boundsProblem(bytes);
    const problem = excess === undefined ? 'the image answer is not a JSON object' : `of the image answer, ${excess}`;
    return { bytes, contentType: JSON_TYPE, problem };
  }
  const relayed = JSON.stringify(relayAddresses(answer, baseUrl, OWN_ADDRESS));
  return { bytes: short.restore(relayed), contentType: JSON_TYPE };
}

/** The owned file that a text of a kept answer names, as far as it names one. */
export function pictureItemOf(text: string): string | undefined {
  const [path] = linkedPaths(text);
  return path === undefined ? undefined : fileItem(path);
}

function linkedPaths(kept: unknown): readonly string[] {
  return addressesBelow(kept, OWN_ADDRESS)
    .map((path) => (path.startsWith(`${FILES}/`) ? path.slice(FILES.length) : path))
    .filter(mayFollow);
}
