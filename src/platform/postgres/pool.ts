// Connections to PostgreSQL: at most ten, to the one of its hosts that is not in recovery. Each statement has a limit of
// its own, after which the connection is thrown away: `query_timeout` of pg leaves the statement running on it.

import { Pool as PgPool, types, type PoolClient, type QueryResult } from 'pg';
import type { Clock } from '../clock.js';
import { within } from '../sleep.js';
import type { DatabaseAddress, DatabaseHost } from './address.js';
import { databaseAway, sqlStateOf, translateError } from './errors.js';

export type Row = Record<string, unknown>;

export interface Answer {
  readonly rows: Row[];
  /** Rows that were changed or found. */
  readonly count: number;
  /** What the server says it did: `COMMIT`, `ROLLBACK`, `INSERT`, … */
  readonly tag: string;
}

export interface Connection {
  /** Runs a statement; without values it may be several. Throws what `translateError` makes of it. */
  ask(text: string, values?: readonly unknown[]): Promise<Answer>;
  /** SQLSTATEs of the notices since the last call. */
  takeNotices(): string[];
  /** Puts it back for others. */
  release(): void;
  /** Ends it, and all that lie idle: the server behind them may be another one by now. */
  discard(): void;
}

export type Pool = ReturnType<typeof createPool>;

const MAX_CONNECTIONS = 10;
const CONNECT_MS = 2000;
const IDLE_MS = 30_000;

/** A pool that connects when it is first asked. */
export function createPool(address: DatabaseAddress, clock: Clock) {
  const pools = address.hosts.map((host) => openPool(address, host));
  let current = 0;
  let closed = false;
  let free = MAX_CONNECTIONS;
  let asked = 0;
  const waiting: (() => void)[] = [];
  const leave = () => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };

  /** Leaves a pool to die, with what is in use, and begins anew. */
  const renew = (nth: number, old: PgPool | undefined) => {
    const host = address.hosts[nth];
    if (closed || old === undefined || host === undefined || pools[nth] !== old) return;
    pools[nth] = openPool(address, host);
    void old.end().catch(() => undefined);
  };

  const checkOut = async (): Promise<{ client: PoolClient; giveUp: () => void }> => {
    const reasons: string[] = [];
    const failures: unknown[] = [];
    for (let tried = 0; tried < pools.length; tried += 1) {
      const nth = (current + tried) % pools.length;
      const pool = pools[nth];
      try {
        const client = await pool?.connect();
        if (client === undefined) continue;
        current = nth;
        return { client, giveUp: () => renew(nth, pool) };
      } catch (error) {
        failures.push(error);
        reasons.push(error instanceof Error ? error.message : String(error));
      }
    }
    // One host refuses the login, and the others are standbys: what can be mended is told.
    const refusal = failures.find(isRefusal);
    if (refusal !== undefined) throw translateError(refusal, address.label);
    throw databaseAway(address.label, [...new Set(reasons)].join('; '), failures[0]);
  };

  return {
    /** A connection to the primary; `limitMs` holds for all that is asked on it together. Throws `database_away`. */
    connect: async (limitMs: number): Promise<Connection> => {
      if (closed) throw databaseAway(address.label, 'svcd is closing');
      // A queue of our own: what waits for others who use a connection is not what waits for a server that is away.
      if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
      else free -= 1;
      try {
        const { client, giveUp } = await checkOut();
        const onAsk = () => void (asked += 1);
        return connectionOf(client, { label: address.label, clock, limitMs, giveUp, onLeft: leave, onAsk });
      } catch (error) {
        leave();
        throw error;
      }
    },
    /** How often somebody waited for the server so far: statements that left together count once. */
    roundTrips: () => asked,
    close: async (): Promise<void> => {
      closed = true;
      await within(CONNECT_MS, Promise.allSettled(pools.map((pool) => pool.end())));
    },
  };
}

interface Terms {
  readonly label: string;
  readonly clock: Clock;
  readonly limitMs: number;
  /** Says that the server behind the pool may be gone. */
  readonly giveUp: () => void;
  /** Lets the next one have a connection. */
  readonly onLeft: () => void;
  readonly onAsk: () => void;
}

function connectionOf(client: PoolClient, { label, clock, limitMs, giveUp, onLeft, onAsk }: Terms): Connection {
  const end = clock.monotonic() + limitMs;
  let notices: string[] = [];
  const note = ({ code }: { code?: string | undefined }) => notices.push(code ?? '');
  client.on('notice', note);
  let isOut = true;
  let outstanding = 0;
  const leave = (broken: boolean) => {
    if (!isOut) return;
    isOut = false;
    client.off('notice', note);
    if (broken) cut(client);
    client.release(broken);
    onLeft();
  };
  return {
    ask: async (text, values) => {
      // What leaves with another one is no round trip of its own.
      if (outstanding === 0) onAsk();
      outstanding += 1;
      const asking = client.query({ text, ...(values !== undefined && { values: [...values] }) });
      const result = await within(Math.max(1, end - clock.monotonic()), asking)
        .catch((error: unknown) => {
          throw translateError(error, label);
        })
        .finally(() => (outstanding -= 1));
      if (result === undefined) {
        // It is thrown away, and so is what it says then.
        asking.catch(() => undefined);
        throw databaseAway(label, `it did not answer within ${limitMs} ms`);
      }
      // Of several statements the last one counts.
      const last = Array.isArray(result) ? (result.at(-1) as QueryResult) : result;
      return { rows: last.rows as Row[], count: last.rowCount ?? 0, tag: last.command };
    },
    takeNotices: () => {
      const taken = notices;
      notices = [];
      return taken;
    },
    release: () => leave(false),
    discard: () => {
      leave(true);
      giveUp();
    },
  };
}

function openPool(address: DatabaseAddress, { host, port }: DatabaseHost): PgPool {
  const { user, database, password, tls } = address;
  const pool = new PgPool({
    host,
    port,
    user,
    database,
    // A function, or pg would look for one in the environment and in ~/.pgpass.
    password: () => password ?? '',
    ssl: tls,
    application_name: 'svcd',
    keepAlive: true,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_MS,
    allowExitOnIdle: true,
    types: { getTypeParser: parserOf },
    // Statements that do not wait for each other leave together.
    pipeline: true,
    // oxlint-disable-next-line promise/no-callback-in-promise -- as pg-pool asks for it
    verify: (client, done) => void refuseStandby(client).then(() => done(), done),
  });
  // Whoever uses a connection is told by what it asks; one that lies idle is taken out of the pool.
  const ignore = () => undefined;
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return pool;
}

async function refuseStandby(client: PoolClient): Promise<void> {
  const answer = await within(CONNECT_MS, client.query('SELECT pg_is_in_recovery() AS standby'));
  if (answer === undefined) {
    cut(client);
    throw new Error(`no answer within ${CONNECT_MS} ms`);
  }
  const [row] = answer.rows as { standby: boolean }[];
  if (row?.standby !== false) throw new Error('it is a standby');
}

/** Ends a connection at once: a farewell would wait for a server that does not answer. */
function cut(client: PoolClient): void {
  (client as unknown as { connection?: { stream?: { destroy(): void } } }).connection?.stream?.destroy();
}

/** Whether a server answered, and would have nothing to do with this user. */
function isRefusal(error: unknown): boolean {
  return !/^(08|53|57)/.test(sqlStateOf(error) ?? '08');
}

const [INT8, DATE] = [20, 1082];

/** Whole numbers as numbers (no count comes near 2^53), days as `YYYY-MM-DD`; everything else as pg has it. */
const parserOf: typeof types.getTypeParser = (oid: number, format?: string) => {
  if (oid === INT8) return Number;
  if (oid === DATE) return String;
  return types.getTypeParser(oid, format as 'text') as (value: string) => unknown;
};
