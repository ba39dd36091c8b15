// Settling purchases whose end was not seen, where a hub made them: it is asked what became of each, by its name. No balance
// is compared, so that nothing has to be quiet for it.

import type { Clock } from '../../platform/clock.js';
import type { Log } from '../../platform/log.js';
import type { Database } from '../../platform/open-database.js';
import type { Remote } from '../../upstream/remote.js';
import { askOutcome, wentByHub, type HubTrade } from './trade.js';
import { LOOKED_UP, type Purchase } from '../../purchases/journal.js';
import { OF_HUB } from '../../purchases/owned-rows.js';
import type { Settlement } from '../../purchases/settlement.js';

export interface HubSettlementParts {
  readonly hub: HubTrade;
  readonly db: Database;
  readonly remote: Pick<Remote, 'exchange' | 'reach'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Brings the bytes of a purchase that the hub has paid. Where that is not possible now, they come when somebody wants them. */
  readonly fetch: (purchase: Purchase) => Promise<void>;
}

const TIMEOUT_MS = 2000;
const ASK_AGAIN_MS = 1000;
/** One that never arrived may still be on its way so long. */
const ON_ITS_WAY_MS = 3000;
const LOOK_FIRST_MS = 1000;
const LOOK_LAST_MS = 60_000;

export function openHubSettlement({ hub, db, remote, clock, log, fetch }: HubSettlementParts): Settlement {
  const listUnknown = db.prepare<[string], Purchase>(
    `SELECT ${LOOKED_UP} FROM purchase WHERE scope = ? AND state = 'unknown' ORDER BY id`,
  );
  const close = db.prepare(
    `UPDATE purchase SET state = ?, cost = ?, reason = ?, settled_at = ? WHERE id = ? AND state = 'unknown'`,
  );
  let asking: { readonly at: number; readonly done: Promise<void> } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const open = () => listUnknown.all(hub.scope).filter((purchase) => wentByHub(hub, purchase));

  const end = (purchase: Purchase, state: 'paid' | 'refused', cost: number, reason: string) => {
    if (close.run(state, cost, reason, clock.now(), purchase.id).changes === 0) return;
    log.info('a purchase was settled by the hub', { purchase: purchase.id, credits: cost });
  };

  const settleOne = async (purchase: Purchase): Promise<void> => {
    const outcome = await askOutcome(hub, remote, purchase, TIMEOUT_MS);
    if (outcome === undefined) return;
    const ageMs = clock.now() - (purchase.sentAt ?? purchase.createdAt);
    if (outcome.state === 'refused' || (outcome.state === 'none' && ageMs >= ON_ITS_WAY_MS)) {
      return end(purchase, 'refused', 0, 'not_charged');
    }
    if (outcome.state !== 'paid') return;
    // First, because the hub's answer to who asks for its bytes again says that this cost nothing.
    end(purchase, 'paid', outcome.cost ?? purchase.price, OF_HUB);
    await fetch(purchase);
  };

  const settleNow = async (): Promise<void> => {
    if (remote.reach().offline) return;
    for (const purchase of open()) {
      if (closed) return;
      // One that cannot be written down keeps no other in doubt.
      await settleOne(purchase).catch((error: unknown) => {
        log.warn('a purchase could not be settled', { purchase: purchase.id, why: String(error) });
      });
    }
  };

  const settle = (): Promise<void> => {
    if (asking !== undefined && clock.monotonic() - asking.at < ASK_AGAIN_MS) return asking.done;
    const done = settleNow().catch((error: unknown) => {
      log.warn('purchases could not be settled', { why: String(error) });
    });
    asking = { at: clock.monotonic(), done };
    return done;
  };

  const lookLater = (waitMs: number): void => {
    if (closed || timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      if (closed) return;
      // A hub that is away is looked for soon, one that does not know yet seldom.
      const nextMs = remote.reach().offline ? LOOK_FIRST_MS : Math.min(LOOK_LAST_MS, waitMs * 2);
      void settle().then(() => lookAgain(nextMs));
    }, waitMs).unref();
  };
  const lookAgain = (waitMs: number): void => {
    try {
      if (!closed && open().length > 0) lookLater(waitMs);
    } catch {
      // A file that cannot be read now.
      lookLater(LOOK_LAST_MS);
    }
  };
  if (open().length > 0) lookLater(LOOK_FIRST_MS);

  return {
    prepare: () => Promise.resolve(),
    reconcile: () => 0,
    settle,
    settleLater: () => lookLater(LOOK_FIRST_MS),
    close: () => {
      closed = true;
      clearTimeout(timer);
    },
  };
}
