// The row that says that this process lives, renewed every few seconds, and the end of what the dead left open. A lease
// runs by the database's clock; one whose home was opened again, or that said farewell, is dead at once.

import { randomUUID } from 'node:crypto';
import type { Log } from '../../platform/log.js';
import type { Postgres, Transaction } from '../../platform/postgres/transaction.js';

const LEASE_MS = 30_000;

export interface HolderFacts {
  /** A number of the hub's home. */
  readonly home: string;
  readonly name: string;
  readonly version: string;
  /** Where machines reach this hub, with commas; null when nobody else is to know, or before it listens. */
  readonly address: () => string | null;
}

export interface Holder {
  readonly id: string;
  /** Says that it is here; an earlier one of the same home is gone, or it could not be. Throws `database_away`. */
  register(): Promise<void>;
  /** Says that it lives. Throws `database_away`. */
  renew(): Promise<void>;
  /** Ends what dead holders left open: what was not sent is free, what was sent is unknown. Returns how many. */
  reap(): Promise<number>;
  /** Says farewell, so that nobody waits for the end of the lease. */
  stop(): Promise<void>;
}

/** This start of this process. It is not registered yet. */
export function createHolder(db: Postgres, facts: HolderFacts, log: Log): Holder {
  const id = randomUUID();
  const { home, name, version, address } = facts;

  /** Also where the commit of the first time was not confirmed, or the row is missing after a restore. */
  const sayHere = (tx: Transaction) =>
    tx.run(
      `INSERT INTO holder (id, home, name, version, address) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (id) DO UPDATE SET seen_at = svcd_ms(), address = EXCLUDED.address`,
      [id, home, name, version, address()],
    );

  /** The end of one row, in a transaction of its own: what another hub is at is left to it. */
  async function reapOne(): Promise<boolean> {
    const { value } = await db.transaction((tx) =>
      tx.one<{ id: number; state: string }>(
        `UPDATE purchase AS p SET state = CASE p.state WHEN 'sent' THEN 'unknown' ELSE 'refused' END,
           cost = CASE p.state WHEN 'sent' THEN NULL ELSE 0 END, reason = 'interrupted', settled_at = svcd_ms()
         WHERE p.id = (SELECT dead.id FROM purchase AS dead JOIN holder AS h ON h.id = dead.holder
           WHERE dead.state IN ('intent', 'sent') AND (h.stopped_at IS NOT NULL OR h.seen_at < svcd_ms() - $1::bigint)
           ORDER BY dead.id LIMIT 1 FOR UPDATE OF dead SKIP LOCKED)
         RETURNING p.id, p.state`,
        [LEASE_MS],
      ),
    );
    if (value === undefined) return false;
    log.warn('a purchase of a process that is gone was ended', { purchase: value.id, state: value.state });
    return true;
  }

  return {
    id,
    register: async () => {
      await db.transaction(async (tx) => {
        await tx.run('UPDATE holder SET stopped_at = svcd_ms() WHERE home = $1 AND id <> $2 AND stopped_at IS NULL', [
          home,
          id,
        ]);
        await sayHere(tx);
      });
    },
    renew: async () => void (await db.transaction(sayHere)),
    reap: async () => {
      let ended = 0;
      while (await reapOne()) ended += 1;
      return ended;
    },
    stop: async () => {
      await db.transaction((tx) => tx.run('UPDATE holder SET stopped_at = svcd_ms() WHERE id = $1', [id]));
    },
  };
}

/** Hubs that live, the newest last, with the address where machines reach each. */
export async function listHolders(
  db: Postgres,
): Promise<{ name: string; version: string; address: string | null; seenAt: number }[]> {
  return db.all(
    `SELECT name, version, address, seen_at AS "seenAt" FROM holder
     WHERE stopped_at IS NULL AND seen_at >= svcd_ms() - $1::bigint ORDER BY started_at`,
    [LEASE_MS],
  );
}
