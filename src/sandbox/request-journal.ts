// What was asked of the sandbox, for whoever tests against it: the last requests. No query and no body is
// kept, because they hold what people write, and of a Key its last four characters only.

import type { MiddlewareHandler } from 'hono';
import type { Clock } from '../platform/clock.js';
import type { Database, Statement } from '../platform/open-database.js';
import type { Accounts } from './accounts.js';
import type { SandboxEnv } from './gate.js';
import { maskKey } from './mask-key.js';

/** How many are kept, if not told otherwise. */
const REQUESTS_KEPT = 10_000;
/** Sweeping for each request would cost as much as writing it. */
const SWEEPS = 20;
const PATH_MAX = 300;

export interface RequestRecord {
  id: number;
  /** Milliseconds since the Unix epoch, in the sandbox's time. */
  at: number;
  method: string;
  path: string;
  /** Null when no status was sent: the connection was cut or left hanging. */
  status: number | null;
  /** Code of a refusal. */
  code: string | null;
  key: string | null;
  account: string | null;
  /** Credits charged. */
  cost: number;
  /** What the Key could spend afterwards. */
  left: number;
  /** What was made to go wrong. */
  fault: string | null;
  took_ms: number;
}

export interface RequestQuery {
  limit: number;
  account?: string | undefined;
  /** Only requests whose path begins so. */
  path?: string | undefined;
}

/** Keeps and lists requests. */
export class RequestJournal {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #accounts: Accounts;
  readonly #add: Statement;
  readonly #prune: Statement<[number]>;
  readonly #kept: number;

  constructor(db: Database, clock: Clock, accounts: Accounts, kept = REQUESTS_KEPT) {
    this.#kept = kept;
    this.#db = db;
    this.#clock = clock;
    this.#accounts = accounts;
    this.#add = db.prepare(
      `INSERT INTO request (at, method, path, status, code, key, account, cost, left, fault, took_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#prune = db.prepare('DELETE FROM request WHERE id <= ?');
  }

  /** Writes a row for each request, when it was answered or given up. */
  record(): MiddlewareHandler<SandboxEnv> {
    return async (c, next) => {
      const at = this.#clock.now();
      const from = this.#clock.monotonic();
      await next();
      // A sandbox that was closed meanwhile has nowhere to write.
      if (!this.#db.open) return;
      const status = c.get('sent') === undefined ? c.res.status : c.get('sent')?.status;
      const { key } = c.get('bearer');
      this.#keep([
        at,
        c.req.method.slice(0, 20),
        c.req.path.slice(0, PATH_MAX),
        status,
        c.get('code') ?? null,
        key === undefined ? null : maskKey(key.lastFour),
        this.#nameOf(key?.account),
        c.get('cost') ?? 0,
        c.get('left') ?? 0,
        c.get('fault')?.name ?? null,
        this.#clock.monotonic() - from,
      ]);
    };
  }

  /** Requests, newest first. */
  list({ limit, account, path }: RequestQuery): RequestRecord[] {
    return this.#db
      .prepare<[string | null, string | null, string | null, string | null, number], RequestRecord>(
        `SELECT * FROM request WHERE (? IS NULL OR account = ?) AND (? IS NULL OR instr(path, ?) = 1)
         ORDER BY id DESC LIMIT ?`,
      )
      .all(account ?? null, account ?? null, path ?? null, path ?? null, limit);
  }

  #keep(values: readonly unknown[]): void {
    const id = Number(this.#add.run(...values).lastInsertRowid);
    if (id % Math.ceil(this.#kept / SWEEPS) === 0) this.#prune.run(id - this.#kept);
  }

  #nameOf(account: number | undefined): string | null {
    return account === undefined ? null : this.#accounts.getById(account).name;
  }
}
