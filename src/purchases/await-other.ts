// Waits for a purchase of the same item that is not this try's own: of another hub on the same database, or of an earlier
// request for the same wish. It is polled: whoever makes it may die, and then somebody else writes down how it ended.

import { SvcdError } from '../model/errors.js';
import type { Sleep } from '../platform/sleep.js';
import type { Attempt } from './join-purchase.js';
import { refused, type Receipt } from './receipt.js';
import { isOpen, type Journal, type Purchase } from './journal.js';
import type { OwnedStore } from './owned-store.js';
import type { Settlement } from './settlement.js';

/** What came of it; undefined when it was refused, so that buying may be tried again. */
export type AwaitOther = (other: Purchase, attempt: Attempt, isGone: () => boolean) => Promise<Receipt | undefined>;

export interface AwaitOtherParts {
  readonly journal: Pick<Journal, 'getPurchase'>;
  readonly owned: Pick<OwnedStore, 'find'>;
  readonly sleep: Sleep;
  /** Why it is not bought again by itself. */
  readonly explain: (purchase: Purchase) => SvcdError;
  /** Has the bytes of a purchase brought once more, where that costs nothing; undefined where it is not possible. */
  readonly bringAgain: (purchase: Purchase, attempt: Attempt) => Promise<Receipt | undefined>;
}

const LOOK_EVERY_MS = 200;

export function createAwaitOther({ journal, owned, sleep, explain, bringAgain }: AwaitOtherParts): AwaitOther {
  return async (other, attempt, isGone) => {
    let purchase = other;
    while (isOpen(purchase)) {
      if (isGone()) return refused(new SvcdError('interrupted', 'the client that asked for it has disconnected'));
      await sleep(LOOK_EVERY_MS);
      purchase = await journal.getPurchase(other.id);
    }
    if (purchase.state === 'refused') return undefined;
    const asset = purchase.state === 'paid' ? await owned.find(purchase.item) : undefined;
    if (asset !== undefined) return { kind: 'bought', asset, cost: 0, kept: true };
    const brought = await bringAgain(purchase, attempt);
    // What it cost is booked where it was bought; this caller has spent nothing.
    if (brought?.kind === 'bought') return { ...brought, cost: 0 };
    return brought ?? { kind: 'unsettled', error: explain(purchase), cost: 0 };
  };
}

/** What somebody at a machine of a hub can do: the purchases are the hub's. */
export const UNSETTLED_AT_HUB =
  'At the hub: "svcd hub purchases --state unknown" lists such purchases, "svcd purchases settle ID" settles one.';

/** When svcd looks again what became of it, as an error tells it; nothing where it does not look by itself. */
export function lookAgain(
  settlement: Pick<Settlement, 'expectLook'>,
  one: Parameters<Settlement['expectLook']>[0],
): { readonly retryAfterS?: number } {
  const { nextLookMs } = settlement.expectLook(one);
  return nextLookMs === undefined ? {} : { retryAfterS: Math.max(1, Math.ceil(nextLookMs / 1000)) };
}

/** Why an item is not bought again by itself, and when svcd looks what became of it. */
export function unsettled({ id, state }: Purchase, isOfHub: boolean, look: ReturnType<typeof lookAgain>): SvcdError {
  const why =
    state === 'paid'
      ? 'was paid, but its file is missing'
      : 'was sent, but its outcome is unknown: it may have been charged';
  const { retryAfterS } = state === 'unknown' ? look : {};
  return new SvcdError('unsettled', `an earlier purchase of this ${why} (purchase ${id})`, {
    hint: isOfHub ? UNSETTLED_AT_HUB : hintOn(id, retryAfterS),
    retryAfterS,
  });
}

function hintOn(id: number, looksInS: number | undefined): string {
  return looksInS === undefined
    ? `See "svcd purchases"; "svcd purchases retry ${id}" buys it again.`
    : `svcd looks again by itself in ${looksInS} s. See "svcd purchases"; "svcd purchases retry ${id}" buys it again, and may cost a second time.`;
}
