// What came of an order, as its caller is told.

import { assetOf, type Asset, type Cost } from '../model/asset.js';
import { SvcdError } from '../model/errors.js';
import { isDiskFull } from '../platform/files/home-folder.js';
import type { PurchaseItem } from './item.js';
import type { ItemFile } from './owned-store.js';

export type Receipt =
  | {
      readonly kind: 'bought';
      readonly asset: Asset;
      /** Credits this caller spent; 0 for one that joined another's purchase, `unknown` until the seller tells it. */
      readonly cost: Cost;
      /** False when the bytes could not be written down (yet). */
      readonly kept: boolean;
      /** Why a file that it links to was refused; undefined where none was. */
      readonly lacks?: SvcdError;
    }
  /** Nothing was charged. */
  | { readonly kind: 'refused'; readonly error: SvcdError }
  /** It was charged, or may have been, and nothing of it is owned; `unknown` for the caller whose call that was. */
  | { readonly kind: 'unsettled'; readonly error: SvcdError; readonly cost: Cost }
  /**
   * It goes on without this client: `timeout`, `offline` where the remote is silent, or why it has not left. `unknown`
   * for the caller whose call is on its way; 0 for one that joined it, and while it has not left.
   */
  | { readonly kind: 'pending'; readonly error: SvcdError; readonly cost: Cost };

export function refused(error: SvcdError): Receipt {
  return { kind: 'refused', error };
}

export function inDoubt(error: SvcdError): Receipt {
  return { kind: 'unsettled', error, cost: 'unknown' };
}

/** What was paid for and is not on disk (yet). */
export function notKept({ bytes, contentType }: ItemFile, cost: Cost): Receipt {
  return { kind: 'bought', asset: assetOf(bytes, contentType), cost, kept: false };
}

/** `disk_full` where that is why what has to be written down before a call may leave could not be; others unchanged. */
export function asDiskFull(cause: unknown): unknown {
  if (!isDiskFull(cause)) return cause;
  return new SvcdError('disk_full', 'the disk is full: what is bought could not be written down, so nothing was sent', {
    cause,
    hint: 'Free some space on the disk of the home folder; "svcd doctor" says which it is.',
  });
}

/** The client waits no longer, and the purchase goes on. */
export function lateError({ kind }: PurchaseItem, deadlineMs: number): SvcdError {
  if (kind === 'sticker') {
    return new SvcdError('timeout', `the remote did not answer within ${deadlineMs} ms`, {
      hint: 'The purchase continues: the sticker is owned as soon as the answer arrives.',
    });
  }
  return new SvcdError('timeout', `the image was not ready within ${deadlineMs} ms`, {
    hint: 'The image is still being made. Ask again later.',
  });
}
