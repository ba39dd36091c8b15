// What svcd buys: its name, its price, the request that buys it, and how the answer is read. Stickers and images are
// two items of one purchase flow (purchase-coordinator.ts).

import { LOTTIE_TYPE, type Asset } from '../model/asset.js';
import { SvcdError } from '../model/errors.js';
import { remotePresetProblem } from '../model/preset.js';
import { stickerPath } from '../model/sticker.js';
import { STICKER_PRICE } from '../contract/limits.js';
import { lottieProblem } from '../lottie/judge-lottie.js';
import type { RemoteAnswer, RemoteRequest } from '../upstream/exchange.js';
import type { PurchaseKind } from './journal.js';

/** Something that can be bought from a remote. */
export interface PurchaseItem {
  /** Its name in the journal and among owned files, such as `sticker:heart`. */
  readonly name: string;
  readonly kind: PurchaseKind;
  /** Credits. */
  readonly price: number;
  /** The request that buys it, without the Key. */
  readonly request: PaidRequest;
  /** Reads a successful, and therefore charged, answer of the remote at `baseUrl`. */
  unpack(answer: RemoteAnswer, baseUrl: string): Unpacked | Promise<Unpacked>;
  /** Paths on the remote of free files that belong to it, such as the picture an image answer points at. */
  linkedFiles?(kept: Asset): readonly string[];
}

export type PaidRequest = Pick<
  RemoteRequest,
  'method' | 'path' | 'body' | 'contentType' | 'timeoutMs' | 'expectsSilence' | 'headers' | 'urgency'
>;

/** What a charged answer holds; `problem` says why it cannot be used. */
export interface Unpacked {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly problem?: string | undefined;
}

/** The longest a sticker's answer is read. */
const STICKER_TIMEOUT_MS = 60_000;

/** Name of a sticker among owned files and purchases. */
export function itemOf(preset: string): string {
  return `sticker:${preset}`;
}

/** Name of a linked file among owned files, by its path on the remote. */
export function fileItem(path: string): string {
  return `file:${path}`;
}

/** A sticker as something to buy. Throws `invalid_request` for what is no preset of a remote, wherever it came from. */
export function stickerItem(preset: string): PurchaseItem {
  const wrong = remotePresetProblem(preset);
  if (wrong !== undefined) {
    throw new SvcdError('invalid_request', `preset: ${wrong}, got ${JSON.stringify(preset)}`);
  }
  return {
    name: itemOf(preset),
    kind: 'sticker',
    price: STICKER_PRICE,
    request: { method: 'GET', path: stickerPath(preset), timeoutMs: STICKER_TIMEOUT_MS },
    unpack: async ({ bytes }) => {
      const problem = await lottieProblem(bytes);
      return { bytes, contentType: LOTTIE_TYPE, problem: problem && `not a playable Lottie file: ${problem}` };
    },
  };
}

/** With what the name of a picture never asked for before goes on after its digest. */
export const FRESH = 'fresh-';

/** Throws `invalid_request` where a machine gives the name of a wish that became `asked` to a wish for another item. */
export function requireSameWish<P extends { readonly item: string }>(asked: P, item: string): P {
  if (wishIn(asked.item) === wishIn(item)) return asked;
  throw new SvcdError('invalid_request', 'X-Svcd-Request-Id: this machine used it for another item before', {
    hint: 'Nothing was bought. Send a new UUID with each wish, and the same one only to ask for the same thing again.',
  });
}

/** A picture never asked for before has another name each time; the wish is the same. */
function wishIn(item: string): string {
  const [kind, digest, variant] = item.split(':', 3);
  return kind === 'image' && variant?.startsWith(FRESH) === true ? `${kind}:${digest}` : item;
}
