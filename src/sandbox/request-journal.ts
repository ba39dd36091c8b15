// The last requests to the sandbox, for its owner to test against. No query and no body is kept, because they hold
// what people write, and of a Key its last four characters only.

import type { MiddlewareHandler } from 'hono';
import * as accounts from './accounts.js';
import type { SandboxEnv } from './service-route.js';
import { iso, type SandboxState } from './state/sandbox-state.js';

/** How many are kept, if not told otherwise. */
const REQUESTS_KEPT = 10_000;
/** Sweeping for each request would cost as much as writing it. */
const SWEEPS = 20;
const PATH_MAX = 300;

interface RequestRecord {
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

interface RequestQuery {
  limit: number;
  account?: string | undefined;
  path?: string | undefined;
}

/** Writes a row for each request, when it was answered or given up; the last `kept` stay. */
export function recordRequests(state: SandboxState, kept = REQUESTS_KEPT): MiddlewareHandler<SandboxEnv> {
  const { db, clock } = state;
  return async (c, next) => {
    const [at, from] = [clock.now(), clock.monotonic()];
    await next();
    // A sandbox that was closed meanwhile has nowhere to write.
    if (!db.isOpen) return;
    const { key } = c.get('bearer');
    const sent = c.get('sent') ?? { status: c.res.status };
    const request: Omit<RequestRecord, 'id'> = {
      at,
      method: c.req.method.slice(0, 20),
      path: c.req.path.slice(0, PATH_MAX),
      status: sent.status,
      code: c.get('code') ?? null,
      key: key?.masked ?? null,
      account: key === undefined ? null : accounts.getById(state, key.account).name,
      cost: c.get('cost') ?? 0,
      left: c.get('left') ?? 0,
      fault: c.get('fault')?.name ?? null,
      took_ms: clock.monotonic() - from,
    };
    const id = db.insert('request', { ...request });
    if (id % Math.ceil(kept / SWEEPS) === 0) db.run('DELETE FROM request WHERE id <= ?', id - kept);
  };
}

/** Requests, newest first; of an account, and with paths that begin so, where these are named. */
export function listRequests({ db }: SandboxState, query: RequestQuery) {
  const { limit, account = null, path = null } = query;
  const requests = db.all<RequestRecord>(
    `SELECT * FROM request WHERE (@account IS NULL OR account = @account)
     AND (@path IS NULL OR instr(path, @path) = 1) ORDER BY id DESC LIMIT @limit`,
    { limit, account, path },
  );
  return requests.map(({ at, ...request }) => ({ ...request, at: iso(at) }));
}
