// Settling purchases whose end was not seen, where a hub made them: it is asked what became of each, by its name. No balance
// is compared, so that nothing has to be quiet for it.

import type { Clock } from '../../platform/clock.js';
import type { Log } from '../../platform/log.js';
import type { Database } from '../../platform/open-database.js';
import type { Remote } from '../../upstream/remote.js';
import { askOutcome, wentByHub, type HubTrade } from './trade.js';
import { LOOKED_UP } from '../../purchases/sqlite/sqlite-journal.js';
import type { Purchase } from '../../purchases/journal.js';
import type { Settlement } from '../../purchases/settlement.js';
import { OF_HUB } from '../../purchases/owned-store.js';

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
/** A day less than hubs remember what they were asked, for two clocks differ: after it one that knows of nothing may have forgotten. */
const REMEMBERED_MS = 6 * 24 * 60 * 60_000;
const LOOK_FIRST_MS = 1000;
const LOOK_LAST_MS = 60_000;

export function openHubSettlement({ hub, db, remote, clock, log, fetch }: HubSettlementParts): Settlement {
  const listUnknown = db.prepare<[string], Purchase>(
    `SELECT ${LOOKED_UP} FROM purchase WHERE scope = ? AND state = 'unknown' ORDER BY id`,
  );
  // One whose end could not be written at once is written later.
  const isUnderWay = db.prepare<[string], { id: number }>(
    `SELECT id FROM purchase WHERE scope = ? AND state = 'sent' LIMIT 1`,
  );
  const close = db.prepare(
    `UPDATE purchase SET state = ?, cost = ?, reason = ?, settled_at = ? WHERE id = ? AND state = 'unknown'`,
  );
  let asking: { readonly at: number; readonly done: Promise<void> } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let dueAt = 0;
  let closed = false;

  const ageMs = ({ sentAt, createdAt }: Purchase) => clock.now() - (sentAt ?? createdAt);
  /** What the hub can tell of; the rest a person has to say. */
  const open = () =>
    listUnknown.all(hub.scope).filter((purchase) => wentByHub(hub, purchase) && ageMs(purchase) < REMEMBERED_MS);

  const end = (purchase: Purchase, state: 'paid' | 'refused', cost: number, reason: string) => {
    if (close.run(state, cost, reason, clock.now(), purchase.id).changes === 0) return;
    log.info('a purchase was settled by the hub', { purchase: purchase.id, credits: cost });
  };

  const settleOne = async (purchase: Purchase): Promise<void> => {
    const outcome = await askOutcome(hub, remote, purchase, TIMEOUT_MS);
    if (outcome === undefined) return;
    const isFree = outcome.state === 'refused' || (outcome.state === 'none' && ageMs(purchase) >= ON_ITS_WAY_MS);
    if (isFree && purchase.owned === 0) return end(purchase, 'refused', 0, 'not_charged');
    // Of bytes that came before what they cost.
    if (isFree) return end(purchase, 'paid', 0, OF_HUB);
    if (outcome.state !== 'paid' || outcome.cost === null) return;
    // First, because the hub's answer to who asks for its bytes again says that this cost nothing.
    end(purchase, 'paid', outcome.cost, OF_HUB);
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
    dueAt = clock.monotonic() + waitMs;
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
      if (!closed && (open().length > 0 || isUnderWay.get(hub.scope) !== undefined)) lookLater(waitMs);
    } catch {
      // A file that cannot be read now.
      lookLater(LOOK_LAST_MS);
    }
  };
  if (open().length > 0) lookLater(LOOK_FIRST_MS);

  return {
    prepare: () => Promise.resolve(),
    reconcile: () => 0,
    // The hub looks at the balance, which is its own.
    doubtRefusals: () => undefined,
    settle,
    settleLater: () => lookLater(LOOK_FIRST_MS),
    expectLook: () => ({ graceLeftMs: 0, nextLookMs: timer && Math.max(0, dueAt - clock.monotonic()) }),
    close: () => {
      closed = true;
      clearTimeout(timer);
    },
  };
}
