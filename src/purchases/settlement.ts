// Settling purchases whose end was not seen, from what the remote says the balance is. A quiet balance before,
// a quiet balance after, and what we know to have spent between them: the rest is what the unknown ones cost.

import type { Clock } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import type { Database } from '../platform/open-database.js';
import type { InflightTracker } from './inflight-tracker.js';
import { CERTAIN_FOR_MS, createSettlementAsks } from './settlement-asks.js';
import { BALANCE_ROSE, createGrace, isOfToday, judgeBalance, type Anchor, type Unknown } from './settlement-rules.js';

/** Asks the remote for the balance of an account; undefined when it does not say. */
export type ReadBalance = () => Promise<number | undefined>;

export interface Settlement {
  /**
   * Asks for the balance before the first purchase of an account in this run, and after an hour without a certain one:
   * a purchase whose end is not seen is settled by comparing with it. Many ask once together. Never rejects.
   */
  prepare(keyId: string, readBalance: ReadBalance): Promise<void>;
  /** Takes a balance read while no paid call of this account was under way; returns how many it settled. Never throws. */
  reconcile(keyId: string, balance: number): number;
  /** Asks for the balance and reconciles, if something of this account is unknown. Never rejects. */
  settle(keyId: string, readBalance: ReadBalance): Promise<void>;
  /** Tries to settle later, a few times with growing pauses. */
  settleLater(keyId: string, readBalance: ReadBalance): void;
  close(): void;
}

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
  /** Charged. */
  readonly credits: number;
}

/** Opens the settlement over owned.db. */
export function openSettlement(options: SettlementOptions): Settlement {
  const { db, clock, log, inflight, graceMs, imageGraceMs, timeZone } = options;
  const findAnchor = db.prepare<[string], Anchor & { purchaseId: number }>(
    `SELECT balance, purchase_id AS purchaseId, read_at AS readAt FROM anchor WHERE key_id = ?`,
  );
  const putAnchor = db.prepare(
    `INSERT INTO anchor (key_id, balance, purchase_id, read_at)
     VALUES (@keyId, @balance, (SELECT coalesce(max(id), 0) FROM purchase), @now)
     ON CONFLICT (key_id) DO UPDATE
     SET balance = excluded.balance, purchase_id = excluded.purchase_id, read_at = excluded.read_at`,
  );
  const sumPaid = db.prepare<[string, number], { credits: number }>(
    `SELECT coalesce(sum(cost), 0) AS credits FROM purchase WHERE key_id = ? AND id > ? AND state = 'paid'`,
  );
  const listUnknown = db.prepare<[string, number], Unknown>(
    `SELECT id, kind, price, sent_at AS sentAt, reason FROM purchase
     WHERE key_id = ? AND id > ? AND state = 'unknown'`,
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
  };

  const grace = createGrace(clock, graceMs, imageGraceMs);
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
    const certain = anchor === undefined || (countDoubtful.get(anchor.purchaseId, keyId)?.rows ?? 0) === 0;
    const paid = anchor === undefined ? 0 : (sumPaid.get(keyId, anchor.purchaseId)?.credits ?? 0);
    const isOver = grace.isOver(unknown);
    const said = judgeBalance({ anchor, unknown, paid, balance, now, certain, isOver, timeZone });
    if (said.rose) for (const { id } of unknown) markRose.run(id);
    if (said.end === 'free') for (const { id } of unknown) close.run('refused', 0, 'not_charged', now, id);
    if (said.end === 'paid') for (const { id, price } of unknown) close.run('paid', price, 'bytes_lost', now, id);
    if (said.end === 'wait') return [];
    // Anything else is for the user to say: the balance does not tell which of them were charged.
    setAnchor(keyId, balance, now);
    if (said.end === 'unclear') return [];
    return unknown.map(({ id, price }) => ({ id, credits: said.end === 'paid' ? price : 0 }));
  });

  /** How many it settled. */
  const reconcile = (keyId: string, balance: number): number => {
    const settled = settleBy.immediate(keyId, balance);
    for (const { id, credits } of settled) log.info('a purchase was settled by the balance', { purchase: id, credits });
    return settled.length;
  };

  const settleNow = async (keyId: string, readBalance: ReadBalance): Promise<void> => {
    const anchor = findAnchor.get(keyId);
    if (anchor === undefined || listUnknown.all(keyId, anchor.purchaseId).length === 0) return;
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

  const asks = createSettlementAsks({ settleNow, prepareNow, isPrepared, clock, log, graceMs });

  return {
    reconcile: (keyId, balance) => {
      try {
        return reconcile(keyId, balance);
      } catch (error) {
        // A full disk: what is unknown stays unknown, which is true.
        log.warn('a balance could not be reconciled', { why: String(error) });
        return 0;
      }
    },
    prepare: asks.prepare,
    settle: asks.settle,
    settleLater: (keyId, readBalance) => {
      for (const one of listUnknown.all(keyId, 0)) grace.watch(one);
      asks.settleLater(keyId, readBalance);
    },
    close: asks.close,
  };
}
