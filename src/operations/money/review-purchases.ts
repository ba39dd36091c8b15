// Lists what was bought, and settles a purchase whose end was not seen.

import type { PurchaseView } from '../../api/answers.js';
import type { Delivery } from '../../model/asset.js';
import { templateOf } from '../../auth/token-store.js';
import { SvcdError } from '../../model/errors.js';
import type { Purchase, PurchaseState } from '../../purchases/journal.js';
import { GRACE_MS } from '../../purchases/settlement-rules.js';
import { keyIdOf, type Spender } from '../../model/spender.js';
import { itemOf } from '../../purchases/item.js';
import { askBalance } from '../../upstream/remote.js';
import type { Rooms } from '../rooms.js';
import { requireKey } from '../stickers/fallback-policy.js';
import type { FetchSticker } from '../stickers/fetch.js';

export interface ListFilter {
  readonly limit: number;
  /** Milliseconds since the epoch. */
  readonly since?: number | undefined;
  readonly preset?: string | undefined;
  readonly state?: PurchaseState | undefined;
  /** Leaves out those that cost nothing and are older than this. */
  readonly freeSince?: number | undefined;
}

export interface ReviewPurchases {
  list(filter: ListFilter): Promise<PurchaseView[]>;
  /** The purchase of this number. Throws `not_found`. */
  get(id: number): Promise<PurchaseView>;
  /** Settles an unknown purchase by the user's word, or by the remote's balance. Throws `not_found`, `unsettled`. */
  settle(id: number, as: 'paid' | 'refused' | undefined, spender: Spender): Promise<PurchaseView>;
  /** Buys the sticker of a purchase again. Throws `not_found`, `invalid_request`, and as fetching does. */
  retry(id: number, spender: Spender, deadlineMs: number): Promise<Delivery>;
}

/** Reviews the purchases of one journal. */
export function createReviewPurchases(rooms: Rooms, fetchSticker: FetchSticker): ReviewPurchases {
  const { journal, log } = rooms;
  return {
    list: async ({ preset, ...filter }) => {
      const item = preset === undefined ? undefined : itemOf(preset);
      return (await journal.list({ ...filter, item })).map(viewOf);
    },
    get: async (id) => viewOf(await journal.getPurchase(id)),
    settle: async (id, as, spender) => {
      if (as !== undefined) {
        const decided = await journal.decide(id, as);
        log.info('a purchase was settled by the user', { purchase: id, credits: decided.cost ?? undefined });
        return viewOf(decided);
      }
      return settleByBalance(rooms, id, requireKey(spender));
    },
    retry: async (id, spender, deadlineMs) => {
      const { item } = await journal.getPurchase(id);
      if (!item.startsWith(STICKER)) {
        throw new SvcdError('invalid_request', `purchase ${id} is an image, and svcd does not keep prompts`, {
          hint: 'Send the image request again with the header "X-Svcd-Allow-Repay: 1".',
        });
      }
      const preset = item.slice(STICKER.length);
      return fetchSticker({ preset, spender, deadlineMs, fallback: false, allowRepay: true });
    },
  };
}

const STICKER = itemOf('');

async function settleByBalance(
  { journal, settlement, remote, clock }: Rooms,
  id: number,
  key: string,
): Promise<PurchaseView> {
  const { state, keyId } = await journal.getPurchase(id);
  if (state === 'unknown' && remote !== undefined && keyId === keyIdOf(key)) {
    await settlement.settle(keyId, () => askBalance(remote, key));
  }
  const purchase = await journal.getPurchase(id);
  if (purchase.state !== 'unknown') return viewOf(purchase);
  if (remote?.reach().offline !== false) {
    throw new SvcdError('offline', `the remote cannot be reached, so the outcome of purchase ${id} stays unknown`, {
      hint: sayIt(id),
    });
  }
  const waitMs = (purchase.settledAt ?? purchase.createdAt) + GRACE_MS[purchase.kind] - clock.now();
  if (waitMs > 0) {
    const seconds = Math.ceil(waitMs / 1000);
    throw new SvcdError('unsettled', `it is too early to tell whether purchase ${id} was charged`, {
      hint: `The service may charge it late: try again in ${seconds} seconds. ${sayIt(id)}`,
      retryAfterS: seconds,
    });
  }
  throw new SvcdError('unsettled', `the balance does not show whether purchase ${id} was charged`, {
    hint: sayIt(id),
  });
}

function sayIt(id: number): string {
  return `If you know the outcome, record it: "svcd purchases settle ${id} --as charged" or "--as free".`;
}

function viewOf(purchase: Purchase): PurchaseView {
  const { id, item, kind, state, price, cost, reason, owned, token, createdAt, settledAt } = purchase;
  const template = templateOf(token ?? '');
  const name = item.slice(item.indexOf(':') + 1);
  return {
    id,
    kind,
    ...(kind === 'sticker' ? { preset: name } : { image: name }),
    state,
    price,
    cost,
    reason,
    owned: owned === 1,
    ...(template !== undefined && { template }),
    created_at: new Date(createdAt).toISOString(),
    settled_at: settledAt === null ? null : new Date(settledAt).toISOString(),
  };
}
