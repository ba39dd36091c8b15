// Settling with many writers: that an account was quiet while its balance was read is a fact of the database. Each send raises
// `departures`; read with nothing in flight before and after, and unchanged, it says that nothing moved in between.

import type { Clock } from '../../platform/clock.js';
import type { Log } from '../../platform/log.js';
import type { Postgres, Transaction } from '../../platform/postgres/transaction.js';
import { newSharedAbort } from '../../platform/shared-abort.js';
import { sleep as systemSleep, type Sleep } from '../../platform/sleep.js';
import { type ReadBalance, type Settlement, CERTAIN_FOR_MS, createSettlementAsks } from '../settlement.js';
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
  type Evidence,
  type Freed,
  type Unknown,
} from '../settlement-rules.js';

export interface PostgresSettlementOptions {
  readonly db: Postgres;
  readonly scope: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly graceMs: number;
  readonly imageGraceMs: number;
  readonly timeZone: () => string;
  readonly sleep?: Sleep;
}

interface KeyRow {
  readonly departures: number;
  readonly balance: number | null;
  readonly low: number | null;
  readonly anchorDeparture: number;
  readonly readAt: number | null;
  readonly now: number;
  /** Calls in flight, of any hub. */
  readonly sent: number;
}

/** Numbers of purchases. */
interface Applied {
  readonly settled: readonly number[];
  /** In doubt again. */
  readonly late: readonly number[];
}

/** For so long all sends of a busy account wait, once in five minutes. */
const PAUSE_MS = 10_000;
const PAUSE_AGAIN_MS = 5 * 60_000;
/** What is left of a pause for the question. */
const ASKING_MS = 3000;
const LOOK_MS = 200;
/** Images that keep an account busy for so long have new ones wait, for as long as one takes and the question after it. */
const BUSY_MS = 30 * 60_000;
const IMAGES_HELD_MS = 10 * 60_000;
const HELD_LOOK_MS = 2000;
const HELD_PAUSE_AGAIN_MS = 60_000;

/** Whether an image of a Key is in flight. */
const DRAWING = `SELECT 1 FROM purchase AS p WHERE p.key_id = k.key_id AND p.state = 'sent' AND p.kind = 'image'`;

export function openPostgresSettlement(options: PostgresSettlementOptions): Settlement {
  const { db, scope, clock, log, graceMs, imageGraceMs, timeZone, sleep = systemSleep } = options;
  const grace = createGrace(clock, graceMs, imageGraceMs);
  /** When this process last read a balance to compare with, and when that was by the database's clock. */
  const certain = new Map<string, { at: number; readAt: number }>();
  /** Accounts that were busy when they were asked about, and are asked about again. */
  const busy = new Set<string>();
  /** Accounts whose balance fell with refusals since the last one that was read here. */
  const doubted = new Set<string>();
  const over = newSharedAbort();

  const readKey = (tx: Pick<Transaction, 'one'>, keyId: string, lock = '') =>
    tx.one<KeyRow>(
      `SELECT departures, anchor_balance AS balance, anchor_low AS low, coalesce(anchor_departure, 0) AS "anchorDeparture", anchor_at AS "readAt",
         svcd_ms() AS now, (SELECT count(*) FROM purchase AS p WHERE p.key_id = k.key_id AND p.state = 'sent') AS sent
       FROM service_key AS k WHERE key_id = $1 ${lock}`,
      [keyId],
    );
  const listUnknown = (tx: Pick<Transaction, 'all'>, keyId: string, after: number) =>
    tx.all<Unknown>(
      `SELECT id, kind, price, sent_at AS "sentAt", reason FROM purchase
       WHERE key_id = $1 AND state = 'unknown' AND departure > $2 ORDER BY id`,
      [keyId, after],
    );

  const listFreed = (tx: Pick<Transaction, 'all'>, keyId: string, after: number) =>
    tx.all<Freed>(
      `SELECT id, price FROM purchase WHERE key_id = $1 AND state = 'refused' AND
         ((reason = '${NOT_CHARGED}' AND settled_at >= svcd_ms() - ${WATCHED_MS})
           OR (departure > $2 AND sent_at IS NOT NULL AND reason NOT IN ${SURELY_FREE} AND ($3 OR EXISTS (SELECT 1 FROM purchase
             WHERE key_id = $1 AND departure > $2 AND state = 'unknown' AND reason = '${CHARGED_REFUSAL}'))))
       ORDER BY id DESC`,
      [keyId, after, doubted.has(keyId)],
    );

  /** What happened since the last balance that only a person can judge: another Key may draw on the same account. */
  const isDoubtful = async (tx: Transaction, keyId: string, { anchorDeparture, readAt }: KeyRow): Promise<boolean> => {
    const found = await tx.one<{ rows: number }>(
      `SELECT count(*) AS rows FROM purchase WHERE state IN ('sent', 'paid', 'unknown') AND
         ((key_id <> $1 AND scope = $4 AND sent_at >= $3) OR (key_id = $1 AND departure > $2 AND reason = 'unusable' AND state = 'paid'))`,
      [keyId, anchorDeparture, readAt ?? 0, scope],
    );
    return (found?.rows ?? 0) > 0;
  };

  async function apply(tx: Transaction, keyId: string, balance: number, row: KeyRow): Promise<Applied> {
    const { now, readAt, anchorDeparture } = row;
    const anchor =
      row.balance === null || readAt === null
        ? undefined
        : { balance: row.balance, low: row.low ?? row.balance, readAt };
    const unknown = await listUnknown(tx, keyId, anchorDeparture);
    const { paid = 0, paidLater = 0 } =
      (await tx.one<Pick<Evidence, 'paid' | 'paidLater'>>(
        `SELECT coalesce(sum(cost), 0)::bigint AS paid, coalesce(sum(cost) FILTER (WHERE ${PAID_LATER}), 0)::bigint AS "paidLater"
         FROM purchase WHERE key_id = $1 AND departure > $2 AND state = 'paid'`,
        [keyId, anchorDeparture],
      )) ?? {};
    const said = judgeBalance({
      anchor,
      unknown,
      freed: await listFreed(tx, keyId, anchorDeparture),
      paid,
      paidLater,
      balance,
      now,
      certain: anchor === undefined || !(await isDoubtful(tx, keyId, row)),
      isOver: grace.isOver(unknown),
      timeZone: timeZone(),
    });
    const ids = unknown.map(({ id }) => id);
    const isFree = said.end === 'free';
    if (said.rose)
      await tx.run(
        `UPDATE purchase SET reason = '${BALANCE_ROSE}' WHERE id = ANY($1::bigint[]) AND state = 'unknown'`,
        [ids],
      );
    if (isFree || said.end === 'paid') {
      await tx.run(
        `UPDATE purchase SET state = $2, cost = CASE $2 WHEN 'paid' THEN price ELSE 0 END, reason = $3, settled_at = svcd_ms()
         WHERE id = ANY($1::bigint[]) AND state = 'unknown'`,
        [ids, isFree ? 'refused' : 'paid', isFree ? NOT_CHARGED : 'bytes_lost'],
      );
    }
    const late = said.late.map(({ id }) => id);
    // One after another: of two of one item the younger counts.
    for (const id of late) {
      // Only what was settled as free is reopened, as the database itself sees to.
      await tx.run(`UPDATE purchase SET reason = '${NOT_CHARGED}' WHERE id = $1 AND state = 'refused'`, [id]);
      await tx.run(
        `UPDATE purchase SET state = 'unknown', cost = NULL, reason = $2, settled_at = svcd_ms(), superseded_by =
           coalesce(superseded_by, (SELECT id FROM purchase AS p WHERE p.scope = purchase.scope AND p.item = purchase.item
              AND p.state <> 'refused' AND p.superseded_by IS NULL))
         WHERE id = $1 AND state = 'refused'`,
        [id, said.rose ? BALANCE_ROSE : LATE],
      );
    }
    if (said.end === 'wait') {
      // What the late ones took is known now, and explains no other.
      await tx.run(
        `UPDATE service_key SET anchor_balance = anchor_balance - $2::bigint, anchor_low = $3 WHERE key_id = $1 AND anchor_balance IS NOT NULL`,
        [keyId, said.taken, said.level],
      );
      return { settled: [], late };
    }
    await tx.run(
      `UPDATE service_key SET anchor_low = NULL, anchor_balance = $2, anchor_departure = departures, anchor_at = svcd_ms() WHERE key_id = $1`,
      [keyId, balance],
    );
    certain.set(keyId, { at: clock.monotonic(), readAt: now });
    doubted.delete(keyId);
    return { settled: said.end === 'unclear' ? [] : ids, late };
  }

  /** Reads the balance and applies it, if the account is quiet meanwhile; whether it was. */
  async function tryQuietly(keyId: string, readBalance: ReadBalance): Promise<boolean> {
    const before = await readKey(db, keyId);
    if (before === undefined || before.sent > 0) return false;
    const balance = await readBalance().catch(() => undefined);
    if (balance === undefined) return true;
    const { value } = await db.transaction(async (tx) => {
      const row = await readKey(tx, keyId, 'FOR UPDATE');
      // Of a row that was locked, what is counted beside it may be older than the lock.
      const after = row && (await readKey(tx, keyId));
      if (after === undefined || after.sent > 0 || after.departures !== before.departures) return undefined;
      return apply(tx, keyId, balance, after);
    });
    for (const id of value?.settled ?? []) log.info('a purchase was settled by the balance', { purchase: id });
    if ((value?.settled.length ?? 0) > 0) asks.lookLate(keyId);
    for (const id of value?.late ?? [])
      log.warn('a purchase that was settled as free may have been charged late', { purchase: id });
    return value !== undefined;
  }

  /** Lets nothing of this account leave while what is in flight ends, and then asks; whether that ended in time. */
  async function tryPaused(keyId: string, readBalance: ReadBalance, againMs = PAUSE_AGAIN_MS): Promise<boolean> {
    const { value: isMine } = await db.transaction((tx) =>
      tx.run(
        `UPDATE service_key SET paused_at = svcd_ms(), paused_until = svcd_ms() + $2::bigint
         WHERE key_id = $1 AND paused_at <= svcd_ms() - $3::bigint`,
        [keyId, PAUSE_MS, againMs],
      ),
    );
    if (isMine === 0) return false;
    try {
      for (let waited = 0; waited < PAUSE_MS - ASKING_MS; waited += LOOK_MS) {
        if (((await readKey(db, keyId))?.sent ?? 0) === 0) return await tryQuietly(keyId, readBalance);
        await sleep(LOOK_MS);
      }
      return false;
    } finally {
      await db.transaction((tx) => tx.run('UPDATE service_key SET paused_until = 0 WHERE key_id = $1', [keyId]));
    }
  }

  /**
   * An image takes minutes, so that where many are drawn one is always in flight. Where they have kept what is unknown from being
   * settled for half an hour, new ones wait until none is; the hub that finds it so asks then.
   */
  async function tryWithoutImages(keyId: string, readBalance: ReadBalance): Promise<void> {
    const { value: isMine } = await db.transaction((tx) =>
      tx.run(
        `UPDATE service_key AS k SET images_held_at = svcd_ms(), images_held_until = svcd_ms() + $2::bigint
         WHERE key_id = $1 AND images_held_at <= svcd_ms() - $2::bigint - $3::bigint AND EXISTS (${DRAWING})
           AND EXISTS (SELECT 1 FROM purchase AS p WHERE p.key_id = k.key_id AND p.state = 'unknown'
             AND p.departure > coalesce(k.anchor_departure, 0) AND p.settled_at <= svcd_ms() - $3::bigint)`,
        [keyId, IMAGES_HELD_MS, BUSY_MS],
      ),
    );
    if (isMine === 0) return;
    log.info('new images wait, so that the balance tells what became of a purchase');
    try {
      for (let waited = 0; waited < IMAGES_HELD_MS && !over.signal.aborted; waited += HELD_LOOK_MS) {
        const drawing = await db.one(`SELECT 1 FROM service_key AS k WHERE key_id = $1 AND EXISTS (${DRAWING})`, [
          keyId,
        ]);
        if (drawing === undefined && (await tryPaused(keyId, readBalance, HELD_PAUSE_AGAIN_MS))) return;
        await sleep(HELD_LOOK_MS, { signal: over.signal, ref: false });
      }
    } finally {
      await db.transaction((tx) => tx.run('UPDATE service_key SET images_held_until = 0 WHERE key_id = $1', [keyId]));
    }
  }

  /** Asks again as soon as the account may be let rest again, for as long as it is busy. */
  async function askAgain(keyId: string, readBalance: ReadBalance): Promise<void> {
    if (busy.has(keyId)) return;
    busy.add(keyId);
    await sleep(PAUSE_AGAIN_MS, { signal: over.signal, ref: false });
    busy.delete(keyId);
    if (!over.signal.aborted) await asks.settle(keyId, readBalance);
  }

  async function settleNow(keyId: string, readBalance: ReadBalance): Promise<void> {
    const row = await readKey(db, keyId);
    if (row === undefined || row.balance === null) return;
    const unknown = await listUnknown(db, keyId, row.anchorDeparture);
    const isOver = grace.isOver(unknown);
    if (unknown.length === 0 && (await listFreed(db, keyId, row.anchorDeparture)).length === 0) return;
    if (await tryQuietly(keyId, readBalance)) return;
    if (isOver && (await tryPaused(keyId, readBalance))) return;
    void askAgain(keyId, readBalance);
    if (!isOver) return;
    // Nobody waits for it: it takes minutes.
    void tryWithoutImages(keyId, readBalance).catch((error: unknown) => {
      if (!over.signal.aborted) log.warn('purchases could not be settled', { why: String(error) });
    });
  }

  async function prepareNow(keyId: string, readBalance: ReadBalance): Promise<void> {
    await db.transaction((tx) =>
      tx.run('INSERT INTO service_key (key_id, scope) VALUES ($1, $2) ON CONFLICT DO NOTHING', [keyId, scope]),
    );
    await tryQuietly(keyId, readBalance);
  }

  const isPrepared = (keyId: string): boolean => {
    const known = certain.get(keyId);
    if (known === undefined || clock.monotonic() - known.at >= CERTAIN_FOR_MS) return false;
    return isOfToday(known, clock.now(), timeZone());
  };

  const isWatched = async (keyId: string): Promise<boolean> => {
    const row = await readKey(db, keyId);
    if (row === undefined) return false;
    const unknown = await listUnknown(db, keyId, row.anchorDeparture);
    return unknown.length > 0 || (await listFreed(db, keyId, row.anchorDeparture)).length > 0;
  };
  const asks = createSettlementAsks({
    settleNow,
    prepareNow,
    isPrepared,
    isWatched,
    findFreedAge: async (keyId, withinMs) =>
      (
        await db.one<{ age: number | null }>(
          `SELECT max(svcd_ms() - settled_at) AS age FROM purchase
           WHERE key_id = $1 AND state = 'refused' AND reason = '${NOT_CHARGED}' AND settled_at > svcd_ms() - $2::bigint`,
          [keyId, withinMs],
        )
      )?.age ?? null,
    listUnknown: (keyId) => listUnknown(db, keyId, 0),
    doubted,
    grace,
    clock,
    log,
  });
  return {
    ...asks,
    // What one hub saw while it was alone says nothing of the others.
    reconcile: () => 0,
    close: () => {
      over.abort();
      asks.close();
    },
  };
}
