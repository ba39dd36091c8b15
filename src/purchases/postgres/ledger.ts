// What all of this room's files share: the database, whose rows these are, and what has to hold before money may move.

import { machineOfPayer, machineRevoked } from '../../auth/live-machines.js';
import type { Clock } from '../../platform/clock.js';
import { SvcdError } from '../../model/errors.js';
import type { Log } from '../../platform/log.js';
import type { Answer } from '../../platform/postgres/pool.js';
import type { Postgres, Statement, Transaction, Work } from '../../platform/postgres/transaction.js';
import { stoppedError } from '../spending-guard.js';
import { PURCHASES } from './schema.js';

export interface Ledger {
  readonly db: Postgres;
  /** Which remote sells. */
  readonly scope: string;
  /** This start of this process. */
  readonly holder: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Throws `spending_stopped`. */
  check(): void;
  /** The history of the database that was last found to lack nothing. */
  timeline(): string | undefined;
  /** Looks whether another history lacks something; buying stops if it does. */
  lookAtTimeline(): Promise<void>;
}

/** What is asked in each transaction that moves money forward. */
export interface Facts {
  /** The studio's day, `YYYY-MM-DD`. */
  readonly today: string;
  /** Milliseconds, by the database's clock. */
  readonly now: number;
}

/**
 * The first eight digits of a WAL file's name, another after each promotion and each restore of files; and the numbers of
 * database and table, others after a dump was read in.
 */
export const TIMELINE = `concat_ws('.', substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8),
  (SELECT oid FROM pg_database WHERE datname = current_database()), to_regclass('purchase')::oid)`;

/** Why nothing is bought where somebody said so. */
export const STOPPED_BY_USER = {
  by: 'user',
  why: 'spending is stopped',
  hint: 'Allow spending again with "svcd budget resume" on a hub.',
} as const;

/** Whether a newer svcd has changed the tables: what it counts on is not known here, so nothing more is bought. */
export const IS_NEWER = `coalesce((SELECT version FROM svcd_schema) > ${PURCHASES.steps.length}, FALSE)`;
export const STOPPED_BY_NEWER = {
  by: 'newer',
  why: 'a newer svcd has changed the database of this hub',
  hint: 'Update svcd on this machine, and restart the hub.',
  since: null,
} as const;

/** Cause of an error that ends when the history was looked at. */
class OtherTimeline extends Error {}

/** Asks what has to hold in a transaction in which money moves forward, of these machines or of those that pay for a purchase. */
export function factsOf({ scope }: Ledger, of: readonly number[] | { readonly purchase: number }): Statement {
  const machines =
    'purchase' in of
      ? `SELECT substr(payer, 9)::bigint FROM purchase AS p, unnest(p.payers) AS payer WHERE p.id = $2 AND payer LIKE 'machine:%'`
      : 'SELECT unnest($2::bigint[])';
  return [
    `SELECT svcd_today($1) AS today, svcd_ms() AS now, ${TIMELINE} AS timeline, ${IS_NEWER} AS newer,
       EXISTS (SELECT 1 FROM studio WHERE stopped_at IS NOT NULL) AS stopped,
       (SELECT count(*) FROM (${machines}) AS one (id) WHERE NOT EXISTS (SELECT 1 FROM machine WHERE machine.id = one.id
          AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > svcd_ms()))) AS ended`,
    [scope, 'purchase' in of ? of.purchase : of],
  ];
}

/** Day and time, as asked. Throws `spending_stopped`, `machine_revoked` unless all of its machines may still spend. */
export function requireFacts(ledger: Ledger, answer: Answer | undefined): Facts {
  const facts = answer?.rows[0] as
    (Facts & { stopped: boolean; newer: boolean; timeline: string; ended: number }) | undefined;
  if (facts === undefined) throw new SvcdError('internal', 'PostgreSQL answered no row where there is always one');
  if (facts.newer) throw stoppedError(STOPPED_BY_NEWER);
  if (facts.stopped) throw stoppedError(STOPPED_BY_USER);
  if (facts.timeline !== ledger.timeline()) {
    throw new SvcdError('internal', 'the database has another history', { cause: new OtherTimeline() });
  }
  if (facts.ended > 0) throw machineRevoked();
  return facts;
}

/** Runs `work` in a transaction, again when the database's history is another one and lacks nothing. */
export async function move<T>(ledger: Ledger, work: Work<T>, first: readonly Statement[]) {
  for (let tried = 1; ; tried += 1) {
    ledger.check();
    try {
      return await ledger.db.transaction(work, undefined, first);
    } catch (error) {
      if (tried > 1 || !(error instanceof SvcdError && error.cause instanceof OtherTimeline)) throw error;
      await ledger.lookAtTimeline();
    }
  }
}

/** The numbers of the machines among payers. */
export function machinesOf(payers: readonly string[]): number[] {
  return payers.flatMap((payer) => machineOfPayer(payer) ?? []);
}

/** Ends a purchase as free; also where its holder was taken for dead meanwhile, which knows better. */
export async function refusePurchase({ db }: Ledger, id: number, reason: string): Promise<void> {
  await db.transaction((tx) =>
    tx.run(
      `UPDATE purchase SET state = 'refused', cost = 0, reason = $2, settled_at = svcd_ms()
       WHERE id = $1 AND (state IN ('intent', 'sent') OR (state = 'unknown' AND reason = 'interrupted'))`,
      [id, reason],
    ),
  );
}

/**
 * Books what left although it had been settled as free, because its hub stood still between its last look and the first
 * byte: as one more purchase, paid or of unknown end, of a departure of its own, so that the next balance is compared with
 * it. Once for each purchase; nothing where it was not settled as free.
 */
export async function bookLate(
  { log }: Ledger,
  tx: Transaction,
  id: number,
  { state, cost }: { readonly state: 'paid' | 'unknown'; readonly cost?: number },
): Promise<void> {
  // The Key's row before the purchase's, as in settling.
  const key = await tx.one<{ departures: number }>(
    `SELECT departures + 1 AS departures FROM service_key WHERE key_id = (SELECT key_id FROM purchase WHERE id = $1) FOR UPDATE`,
    [id],
  );
  const row = await tx.one<{ state: string; item: string }>('SELECT state, item FROM purchase WHERE id = $1', [id]);
  if (row?.state !== 'refused') return;
  const booked = `SELECT 1 FROM hub_event WHERE verb = 'late' AND (detail::jsonb ->> 'purchase')::bigint = $1`;
  if ((await tx.one(booked, [id])) !== undefined) return;
  log.error('a purchase that was settled as free was sent late; it is booked once more', { purchase: id, state });
  await tx.run('UPDATE service_key SET departures = $2 WHERE key_id = (SELECT key_id FROM purchase WHERE id = $1)', [
    id,
    key?.departures,
  ]);
  await tx.run(
    `INSERT INTO purchase (scope, item, kind, state, price, cost, reason, key_id, holder, machine_id, token, payers, day,
         departure, superseded_by, created_at, sent_at, settled_at)
       SELECT scope, item, kind, $2, price, $3, 'late ' || id, key_id, holder, machine_id, token, payers, day, $4::bigint,
         (SELECT c.id FROM purchase AS c WHERE c.scope = p.scope AND c.item = p.item AND c.state <> 'refused' AND c.superseded_by IS NULL),
         created_at, svcd_ms(), svcd_ms()
       FROM purchase AS p WHERE id = $1`,
    [id, state, cost ?? null, key?.departures],
  );
  await tx.run(`INSERT INTO hub_event (actor, verb, subject, detail) VALUES ('hub', 'late', $1, $2)`, [
    row.item,
    JSON.stringify({ purchase: id, ...(cost !== undefined && { credits: cost }) }),
  ]);
}
