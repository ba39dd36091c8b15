// Lists what was bought, and settles a purchase whose end was not seen.

import type { PurchaseView, SettledPurchases } from '../../api/answers.js';
import type { Delivery } from '../../model/asset.js';
import { templateOf } from '../../auth/token-store.js';
import { SvcdError } from '../../model/errors.js';
import { COST_UNTOLD } from '../../purchases/owned-store.js';
import { BALANCE_ROSE, LATE } from '../../purchases/settlement-rules.js';
import { keyIdOf, type Spender } from '../../model/spender.js';
import { itemOf } from '../../purchases/item.js';
import type { Settlement } from '../../purchases/settlement.js';
import { within } from '../../platform/sleep.js';
import { inParts } from '../../platform/steps.js';
import { askBalance, type Remote } from '../../upstream/remote.js';
import type { Rooms } from '../rooms.js';
import { requireKey } from '../stickers/fallback-policy.js';
import type { FetchSticker } from '../stickers/fetch.js';
import type { Purchase, PurchaseState } from '../../purchases/journal.js';

export interface ListFilter {
  readonly limit: number;
  /** Milliseconds since the epoch. */
  readonly since?: number | undefined;
  readonly preset?: string | undefined;
  readonly state?: PurchaseState | undefined;
  /** Leaves out those that cost nothing and are older than this. */
  readonly freeSince?: number | undefined;
}

/** Reviews the purchases of one journal. */
export function createReviewPurchases(rooms: Rooms, fetchSticker: FetchSticker) {
  const { journal, settlement, clock, log } = rooms;
  const viewOf = (purchase: Purchase) => view(purchase, settlement, clock.now());
  const listUnknown = () => journal.list({ limit: SETTLED_AT_ONCE, state: 'unknown' });
  return {
    list: async ({ preset, ...filter }: ListFilter): Promise<PurchaseView[]> => {
      const item = preset === undefined ? undefined : itemOf(preset);
      return inParts(await journal.list({ ...filter, item }), VIEWS_AT_ONCE, (part) => part.map(viewOf));
    },
    /** The purchase of this number. Throws `not_found`. */
    get: async (id: number): Promise<PurchaseView> => viewOf(await journal.getPurchase(id)),
    /** Settles an unknown purchase by the user's word, or by the remote's balance. Throws `not_found`, `unsettled`. */
    settle: async (id: number, as: 'paid' | 'refused' | undefined, spender: Spender): Promise<PurchaseView> => {
      if (as !== undefined) {
        const decided = await journal.decide(id, as);
        log.info('a purchase was settled by the user', { purchase: id, credits: decided.cost ?? undefined });
        return viewOf(decided);
      }
      const purchase = await look(rooms, id, requireKey(spender));
      if (purchase.state === 'unknown') throw explainUnknown(rooms, purchase);
      return viewOf(purchase);
    },
    /**
     * Looks once at the balance for all that are unknown, and for what was settled as free and may be charged late. Buys nothing;
     * throws `invalid_key` where no Key is at hand.
     */
    settleAll: async (spender: Spender): Promise<SettledPurchases> => {
      const key = requireKey(spender);
      const before = await listUnknown();
      if (rooms.remote !== undefined) await lookAt(rooms.remote, settlement, key);
      const left = await listUnknown();
      const stay = new Set(left.map(({ id }) => id));
      const gone = before.filter(({ id }) => !stay.has(id));
      const settled = await Promise.all(gone.map(({ id }) => journal.getPurchase(id)));
      log.info('purchases of unknown outcome were looked at', { settled: settled.length, left: left.length });
      return {
        settled: settled.map(viewOf),
        left: left.map((one) => ({ ...viewOf(one), why: explainUnknown(rooms, one).message })),
      };
    },
    /** Buys the sticker of a purchase again. Throws `not_found`, `invalid_request`, and as fetching does. */
    retry: async (id: number, spender: Spender, deadlineMs: number): Promise<Delivery> => {
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

const SETTLED_AT_ONCE = 10_000;
const VIEWS_AT_ONCE = 1000;
const LOOK_WAIT_MS = 2500;

/** The purchase after a look at the balance of its account, if this Key is of it. */
async function look({ journal, settlement, remote }: Rooms, id: number, key: string): Promise<Purchase> {
  const purchase = await journal.getPurchase(id);
  if (purchase.state !== 'unknown' || remote === undefined || purchase.keyId !== keyIdOf(key)) return purchase;
  await lookAt(remote, settlement, key);
  return journal.getPurchase(id);
}

/** The same for the user's own account, without a word of what came of it; what takes longer goes on by itself. */
export async function lookAtBalance({ remote, settlement, userKey }: Rooms): Promise<void> {
  const key = userKey();
  if (key !== undefined && remote !== undefined) await within(LOOK_WAIT_MS, lookAt(remote, settlement, key));
}

/** One free call, where the balance of the account of this Key can still say something. */
function lookAt(remote: Remote, settlement: Settlement, key: string): Promise<void> {
  return settlement.settle(keyIdOf(key), () => askBalance(remote, key));
}

/** Why it cannot be told whether it was charged. */
function explainUnknown({ settlement, remote }: Rooms, purchase: Purchase): SvcdError {
  const { id, reason } = purchase;
  const hint = `If you know the outcome, record it: "svcd purchases settle ${id} --as charged" or "--as free".`;
  if (remote?.reach().offline !== false)
    return new SvcdError('offline', `the remote cannot be reached, so the outcome of purchase ${id} stays unknown`, {
      hint,
    });
  const unsettled = (message: string) => new SvcdError('unsettled', message, { hint });
  if (reason === COST_UNTOLD) return unsettled(`the hub that made purchase ${id} has not told what it cost`);
  if (reason === LATE) return unsettled(`the balance fell after purchase ${id} had been taken as not charged`);
  if (reason === BALANCE_ROSE)
    return unsettled(`the balance rose meanwhile, so it does not show whether purchase ${id} was charged`);
  const { graceLeftMs, nextLookMs } = settlement.expectLook(purchase);
  if (graceLeftMs === 0) return unsettled(`the balance does not show whether purchase ${id} was charged`);
  const seconds = Math.ceil(graceLeftMs / 1000);
  const looks = nextLookMs === undefined ? '' : ` svcd looks again by itself in ${Math.ceil(nextLookMs / 1000)} s.`;
  return new SvcdError('unsettled', `it is too early to tell whether purchase ${id} was charged`, {
    hint: `The service may charge it late: try again in ${seconds} seconds.${looks} ${hint}`,
    retryAfterS: seconds,
  });
}

function view(purchase: Purchase, settlement: Settlement, now: number): PurchaseView {
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
    ...looksAgain(purchase, settlement, now),
  };
}

function looksAgain(purchase: Purchase, settlement: Settlement, now: number): { looks_again_at?: string } {
  if (purchase.state !== 'unknown') return {};
  const { nextLookMs } = settlement.expectLook(purchase);
  return nextLookMs === undefined ? {} : { looks_again_at: new Date(now + nextLookMs).toISOString() };
}
