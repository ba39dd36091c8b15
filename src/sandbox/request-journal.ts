// The last requests to the sandbox, for its owner to test against. No query and no body is kept, because they hold
// what people write, and of a Key its last four characters only.

import type { MiddlewareHandler } from 'hono';
import type { Accounts } from './accounts.js';
import type { SandboxEnv } from './sandbox-env.js';
import type { SandboxState } from './state/sandbox-state.js';

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
  readonly #state: SandboxState;
  readonly #accounts: Accounts;
  readonly #kept: number;

  constructor(state: SandboxState, accounts: Accounts, kept = REQUESTS_KEPT) {
    this.#state = state;
    this.#accounts = accounts;
    this.#kept = kept;
  }

  /** Writes a row for each request, when it was answered or given up. */
  record(): MiddlewareHandler<SandboxEnv> {
    return async (c, next) => {
      const { db, clock } = this.#state;
      const [at, from] = [clock.now(), clock.monotonic()];
      await next();
      // A sandbox that was closed meanwhile has nowhere to write.
      if (!db.isOpen) return;
      const { key } = c.get('bearer');
      const sent = c.get('sent') ?? { status: c.res.status };
      this.#keep({
        at,
        method: c.req.method.slice(0, 20),
        path: c.req.path.slice(0, PATH_MAX),
        status: sent.status,
        code: c.get('code') ?? null,
        key: key?.masked ?? null,
        account: key === undefined ? null : this.#accounts.getById(key.account).name,
        cost: c.get('cost') ?? 0,
        left: c.get('left') ?? 0,
        fault: c.get('fault')?.name ?? null,
        took_ms: clock.monotonic() - from,
      });
    };
  }

  /** Requests, newest first. */
  list({ limit, account, path }: RequestQuery): RequestRecord[] {
    return this.#state.db.all(
      `SELECT * FROM request WHERE (@account IS NULL OR account = @account)
       AND (@path IS NULL OR instr(path, @path) = 1) ORDER BY id DESC LIMIT @limit`,
      { limit, account: account ?? null, path: path ?? null },
    );
  }

  #keep(request: Omit<RequestRecord, 'id'>): void {
    const id = this.#state.db.insert('request', { ...request });
    if (id % Math.ceil(this.#kept / SWEEPS) !== 0) return;
    this.#state.db.run('DELETE FROM request WHERE id <= ?', id - this.#kept);
  }
}
