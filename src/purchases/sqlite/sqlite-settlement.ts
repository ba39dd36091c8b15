// Settling over owned.db, which one process writes: that an account was quiet while its balance was read is known in memory.

import type { Clock } from '../../platform/clock.js';
import type { Log } from '../../platform/log.js';
import type { Database } from '../../platform/open-database.js';
import type { InflightTracker } from '../settlement.js';
import {
  BALANCE_ROSE,
  CHARGED_REFUSAL,
  createGrace,
  isOfToday,
  judgeBalance,
  LATE,
  NOT_CHARGED,
  PAID_LATER,
  SURELY_FREE,
  WATCHED_MS,
  type Anchor,
  type Evidence,
  type Freed,
  type KeptWaits,
  type Unknown,
} from '../settlement-rules.js';
import { type ReadBalance, type Settlement, CERTAIN_FOR_MS, createSettlementAsks } from '../settlement.js';

export interface SettlementOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly inflight: InflightTracker;
  /** How long a lost call may still be at work at the remote: before that, an untouched balance proves nothing. */
  readonly graceMs: number;
  /** The same for an image, which a remote may still be drawing, and charging for, minutes later. */
  readonly imageGraceMs: number;
  /** Where the user's days end (IANA name); undefined for the system's time zone. */
  readonly timeZone: string | undefined;
}

interface Settled {
  readonly id: number;
  /** Charged; undefined where that is in doubt again. */
  readonly credits: number | undefined;
}

/** Opens the settlement over owned.db. */
export function openSettlement(options: SettlementOptions): Settlement {
  const { db, clock, log, inflight, graceMs, imageGraceMs, timeZone } = options;
  const findAnchor = db.prepare<[string], Anchor & { purchaseId: number }>(
    `SELECT balance, coalesce(low, balance) AS low, purchase_id AS purchaseId, read_at AS readAt FROM anchor WHERE key_id = ?`,
  );
  const putAnchor = db.prepare(
    `INSERT INTO anchor (key_id, balance, purchase_id, read_at)
     VALUES (@keyId, @balance, (SELECT coalesce(max(id), 0) FROM purchase), @now)
     ON CONFLICT (key_id) DO UPDATE
     SET balance = excluded.balance, low = NULL, purchase_id = excluded.purchase_id, read_at = excluded.read_at`,
  );
  const moveAnchor = db.prepare(`UPDATE anchor SET balance = ?, low = ? WHERE key_id = ?`);
  const sumPaid = db.prepare<[string, number], Pick<Evidence, 'paid' | 'paidLater'>>(
    `SELECT coalesce(sum(cost), 0) AS paid, coalesce(sum(iif(${PAID_LATER}, cost, 0)), 0) AS paidLater
     FROM purchase WHERE key_id = ? AND id > ? AND state = 'paid'`,
  );
  const listUnknown = db.prepare<[string, number], Unknown>(
    `SELECT id, kind, price, sent_at AS sentAt, reason FROM purchase
     WHERE key_id = ? AND id > ? AND state = 'unknown'`,
  );
  const listFreed = db.prepare<{ keyId: string; since: number; anchorId: number; doubted: 0 | 1 }, Freed>(
    `SELECT id, price FROM purchase
     WHERE key_id = @keyId AND state = 'refused' AND ((reason = '${NOT_CHARGED}' AND settled_at >= @since)
       OR (id > @anchorId AND sent_at IS NOT NULL AND reason NOT IN ${SURELY_FREE} AND (@doubted = 1 OR EXISTS (
         SELECT 1 FROM purchase WHERE key_id = @keyId AND id > @anchorId AND state = 'unknown' AND reason = '${CHARGED_REFUSAL}'))))
     ORDER BY id DESC`,
  );
  /** Accounts whose balance fell with refusals since the anchor. */
  const doubted = new Set<string>();
  const findFreedSince = (keyId: string, now: number, anchorId = 0) =>
    listFreed.all({ keyId, since: now - WATCHED_MS, anchorId, doubted: doubted.has(keyId) ? 1 : 0 });
  const findFreed = db.prepare<[string, number], { at: number | null }>(
    `SELECT min(settled_at) AS at FROM purchase
     WHERE key_id = ? AND state = 'refused' AND reason = '${NOT_CHARGED}' AND settled_at > ?`,
  );
  // Only what was settled as free is reopened, as the file itself sees to.
  const settleAsFree = db.prepare(`UPDATE purchase SET reason = '${NOT_CHARGED}' WHERE id = ? AND state = 'refused'`);
  const reopen = db.prepare(
    `UPDATE purchase SET state = 'unknown', cost = NULL, reason = ?, settled_at = ?, superseded_by =
       coalesce(superseded_by, (SELECT id FROM purchase AS p WHERE p.scope = purchase.scope AND p.item = purchase.item
          AND p.state <> 'refused' AND p.superseded_by IS NULL))
     WHERE id = ? AND state = 'refused'`,
  );
  const listAllUnknown = db.prepare<[], Pick<Unknown, 'id'>>(`SELECT id FROM purchase WHERE state = 'unknown'`);
  // Two Keys may draw on one account, and what was charged for bytes that cannot be used is only our guess.
  const countDoubtful = db.prepare<[number, string], { rows: number }>(
    `SELECT count(*) AS rows FROM purchase
     WHERE id > ? AND state IN ('sent', 'paid', 'unknown') AND (key_id <> ? OR (reason = 'unusable' AND state = 'paid'))`,
  );
  // Written so that the index of what is not settled serves it.
  const countOpen = db.prepare<[string], { open: number }>(
    `SELECT count(*) AS open FROM purchase
     WHERE key_id = ? AND state IN ('intent', 'sent', 'unknown') AND state <> 'unknown'`,
  );
  const close = db.prepare(
    `UPDATE purchase SET state = ?, cost = ?, reason = ?, settled_at = ? WHERE id = ? AND state = 'unknown'`,
  );
  const markRose = db.prepare(`UPDATE purchase SET reason = '${BALANCE_ROSE}' WHERE id = ? AND state = 'unknown'`);
  /** When a balance of this run became one to compare with. */
  const certainAt = new Map<string, number>();

  const setAnchor = (keyId: string, balance: number, now: number) => {
    putAnchor.run({ keyId, balance, now });
    certainAt.set(keyId, clock.monotonic());
    doubted.delete(keyId);
  };

  const grace = createGrace(clock, graceMs, imageGraceMs, keepWaits(db));
  const left = listAllUnknown.all();
  for (const one of left) grace.watch(one);
  if (left.length > 0) log.info('purchases of unknown outcome; "svcd purchases" lists them', { count: left.length });

  const openOf = (keyId: string) => countOpen.get(keyId)?.open ?? 0;

  const settleBy = db.transaction((keyId: string, balance: number): readonly Settled[] => {
    // One that waits for its turn is charged after this balance, one that is not on disk yet was charged before it.
    if (openOf(keyId) > 0) return [];
    const now = clock.now();
    const anchor = findAnchor.get(keyId);
    const unknown = listUnknown.all(keyId, anchor?.purchaseId ?? 0);
    const freed = findFreedSince(keyId, now, anchor?.purchaseId);
    const certain = anchor === undefined || (countDoubtful.get(anchor.purchaseId, keyId)?.rows ?? 0) === 0;
    const { paid = 0, paidLater = 0 } = (anchor && sumPaid.get(keyId, anchor.purchaseId)) ?? {};
    const isOver = grace.isOver(unknown);
    const said = judgeBalance({ anchor, unknown, freed, paid, paidLater, balance, now, certain, isOver, timeZone });
    if (said.rose) for (const { id } of unknown) markRose.run(id);
    for (const { id } of said.late) {
      settleAsFree.run(id);
      reopen.run(said.rose ? BALANCE_ROSE : LATE, now, id);
    }
    if (said.end === 'free') for (const { id } of unknown) close.run('refused', 0, NOT_CHARGED, now, id);
    if (said.end === 'paid') for (const { id, price } of unknown) close.run('paid', price, 'bytes_lost', now, id);
    const late = said.late.map(({ id }) => ({ id, credits: undefined }));
    if (said.end === 'wait') {
      // What the late ones took is known now, and explains no other.
      if (anchor !== undefined && (said.taken > 0 || said.level < anchor.low))
        moveAnchor.run(anchor.balance - said.taken, said.level, keyId);
      return late;
    }
    // Anything else is for the user to say: the balance does not tell which of them were charged.
    setAnchor(keyId, balance, now);
    if (said.end === 'unclear') return late;
    return [...late, ...unknown.map(({ id, price }) => ({ id, credits: said.end === 'paid' ? price : 0 }))];
  });

  /** How many it settled. */
  const reconcile = (keyId: string, balance: number): number => {
    const settled = settleBy.immediate(keyId, balance);
    if (settled.some(({ credits }) => credits === 0)) asks.lookLate(keyId);
    for (const { id, credits } of settled) {
      if (credits !== undefined) log.info('a purchase was settled by the balance', { purchase: id, credits });
      else log.warn('a purchase that was settled as free may have been charged late', { purchase: id });
    }
    return settled.length;
  };

  /** Whether a balance can still say something: of what is unknown, or of what was settled as free. */
  const isWatched = (keyId: string): boolean => {
    const anchor = findAnchor.get(keyId);
    if (anchor === undefined) return false;
    return (
      listUnknown.all(keyId, anchor.purchaseId).length > 0 ||
      findFreedSince(keyId, clock.now(), anchor.purchaseId).length > 0
    );
  };

  const settleNow = async (keyId: string, readBalance: ReadBalance): Promise<void> => {
    if (!isWatched(keyId)) return;
    const stillQuiet = inflight.watch(keyId);
    const balance = await readBalance().catch(() => undefined);
    if (balance === undefined || !stillQuiet()) return;
    reconcile(keyId, balance);
  };

  const prepareNow = async (keyId: string, readBalance: ReadBalance): Promise<void> => {
    const stillQuiet = inflight.watch(keyId);
    const balance = await readBalance();
    if (balance !== undefined && stillQuiet()) reconcile(keyId, balance);
  };

  const isPrepared = (keyId: string): boolean => {
    const isRecent = clock.monotonic() - (certainAt.get(keyId) ?? -Infinity) < CERTAIN_FOR_MS;
    const anchor = isRecent ? findAnchor.get(keyId) : undefined;
    return anchor !== undefined && isOfToday(anchor, clock.now(), timeZone);
  };

  const asks = createSettlementAsks({
    settleNow,
    prepareNow,
    isPrepared,
    isWatched,
    findFreedAge: (keyId, withinMs) => {
      const now = clock.now();
      const at = findFreed.get(keyId, now - withinMs)?.at ?? null;
      return at && now - at;
    },
    listUnknown: (keyId) => listUnknown.all(keyId, 0),
    doubted,
    grace,
    clock,
    log,
  });
  return {
    ...asks,
    reconcile: (keyId, balance) => {
      try {
        return reconcile(keyId, balance);
      } catch (error) {
        // A full disk: what is unknown stays unknown, which is true.
        log.warn('a balance could not be reconciled', { why: String(error) });
        return 0;
      }
    },
  };
}

/** For how long each was waited for, beside the journal: a restart goes on with it. */
function keepWaits(db: Database): KeptWaits {
  const find = db.prepare<[number], { waitedMs: number }>(
    `SELECT waited_ms AS waitedMs FROM settlement_wait WHERE purchase_id = ?`,
  );
  const put = db.prepare(
    `INSERT INTO settlement_wait (purchase_id, waited_ms) VALUES (?, ?)
     ON CONFLICT (purchase_id) DO UPDATE SET waited_ms = excluded.waited_ms`,
  );
  return { read: (id) => find.get(id)?.waitedMs, write: (id, waitedMs) => void put.run(id, Math.floor(waitedMs)) };
}
