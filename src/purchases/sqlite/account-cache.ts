// What the remote last said of each account, its balance and its free answers, for when it cannot be asked.

import { systemCode } from '../../model/errors.js';
import type { Clock } from '../../platform/clock.js';
import type { Log } from '../../platform/log.js';
import type { Database } from '../../platform/open-database.js';

export interface LastKnown {
  readonly body: string;
  /** Seconds since it was read. */
  readonly ageS: number;
}

export interface AccountCache {
  /** Credits of an account as last told; undefined when never told. */
  findBalance(keyId: string): number | undefined;
  /** When that was told, in milliseconds since the epoch; after a restart to the minute. */
  findBalanceTime(keyId: string): number | undefined;
  noteBalance(keyId: string, credits: number): void;
  /** The last answer of a free call. */
  findAnswer(keyId: string, path: string): LastKnown | undefined;
  noteAnswer(keyId: string, path: string, body: string): void;
}

interface Balance {
  readonly credits: number;
  readonly at: number;
  readonly writtenAt: number;
}

/** Every answer tells the balance; one that did not change is written again after so long. */
const WRITE_EVERY_MS = 60_000;

/**
 * Opens the cache of one scope: accounts of two remotes have nothing to do with each other. Balances are held in memory
 * too, because every answer carries one.
 */
export function openAccountCache(db: Database, scope: string, clock: Clock, log: Log): AccountCache {
  // A write that fails here must not fail the request that brought the answer.
  const written = (write: () => void): void => {
    try {
      write();
    } catch (error) {
      // A home that cannot be written was spoken of when it was opened.
      if (systemCode(error) === 'SQLITE_READONLY') return;
      log.warn('an answer could not be remembered', { why: String(error) });
    }
  };
  const balances = new Map<string, Balance>();
  const rows = db.prepare<[], { keyId: string; credits: number; at: number }>(
    `SELECT key_id AS keyId, balance AS credits, read_at AS at FROM account`,
  );
  for (const { keyId, credits, at } of rows.all()) balances.set(keyId, { credits, at, writtenAt: at });
  const setBalance = db.prepare(
    `INSERT INTO account (key_id, balance, read_at) VALUES (?, ?, ?)
     ON CONFLICT (key_id) DO UPDATE SET balance = excluded.balance, read_at = excluded.read_at`,
  );
  const getAnswer = db.prepare<[string, string], { body: string; readAt: number }>(
    `SELECT body, read_at AS readAt FROM last_known WHERE key_id = ? AND path = ?`,
  );
  const setAnswer = db.prepare(
    `INSERT INTO last_known (key_id, path, body, read_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (key_id, path) DO UPDATE SET body = excluded.body, read_at = excluded.read_at`,
  );
  const account = (keyId: string) => `${scope} ${keyId}`;
  return {
    findBalance: (keyId) => balances.get(account(keyId))?.credits,
    findBalanceTime: (keyId) => balances.get(account(keyId))?.at,
    noteBalance: (keyId, credits) => {
      const at = clock.now();
      const last = balances.get(account(keyId));
      const isWritten = last?.credits === credits && Math.abs(at - last.writtenAt) < WRITE_EVERY_MS;
      balances.set(account(keyId), { credits, at, writtenAt: isWritten ? last.writtenAt : at });
      if (!isWritten) written(() => setBalance.run(account(keyId), credits, at));
    },
    findAnswer: (keyId, path) => {
      const row = getAnswer.get(account(keyId), path);
      if (row === undefined) return undefined;
      return { body: row.body, ageS: Math.max(0, Math.round((clock.now() - row.readAt) / 1000)) };
    },
    noteAnswer: (keyId, path, body) => written(() => setAnswer.run(account(keyId), path, body, clock.now())),
  };
}
