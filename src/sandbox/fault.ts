// Trouble on demand, for tests: one hook that is asked about every request. What happens below HTTP (a port
// that refuses, a reset before the headers) belongs to whoever owns the socket.

import type { MiddlewareHandler } from 'hono';
import type { SvcdError } from '../errors.js';

/** What is to go wrong with one request; the parts combine. */
export interface Fault {
  /** Wait before anything else is done; Infinity never answers. */
  latencyMs?: number;
  /** Answer this error instead of doing the work: nothing is charged. */
  refuse?: SvcdError;
  /**
   * Do the work, charge for it, and send this instead of the true answer. A body that errors cuts the
   * connection (if it errors at once, the server can still answer 500 instead); one that dawdles is a slow answer.
   */
  replace?: (answer: Response) => Response | Promise<Response>;
}

interface FaultRequest {
  method: string;
  /** As sent: percent-encoded, without the query. */
  path: string;
}

export type Faults = (request: FaultRequest) => Fault | undefined;

/** Applies what `faults` says about each request. */
export function withFaults(faults: Faults): MiddlewareHandler {
  return async (c, next) => {
    const fault = faults({ method: c.req.method, path: c.req.path });
    if (fault?.latencyMs !== undefined) await sleep(fault.latencyMs);
    if (fault?.refuse !== undefined) throw fault.refuse;
    await next();
    if (fault?.replace !== undefined) await replaceAnswer(c, fault.replace);
  };
}

async function replaceAnswer(
  c: Parameters<MiddlewareHandler>[0],
  replace: NonNullable<Fault['replace']>,
): Promise<void> {
  const answer = await replace(c.res);
  // Setting a response over another merges the old headers in; without this a changed type would not stick.
  c.res = undefined;
  c.res = answer;
}

function sleep(latencyMs: number): Promise<void> {
  return new Promise((resolve) => {
    // A timer with a delay over 2^31 fires at once, so "never" gets none.
    if (Number.isFinite(latencyMs)) setTimeout(resolve, latencyMs).unref();
  });
}
