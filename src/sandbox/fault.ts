// Trouble on demand: what is to go wrong with a request, and when in its course. Which requests it happens to is
// decided elsewhere (a test's own hook, the rules, a header); how bytes are mishandled is in send-badly.ts.

import type { MiddlewareHandler } from 'hono';
import type { SvcdError } from '../model/errors.js';
import type { ImageSize } from '../contract/limits.js';
import type { SandboxEnv } from './gate.js';
import { sendBadly, type Transfer } from './send-badly.js';

/** What is to go wrong with one request; the parts combine. */
export interface Fault {
  /** What it is called in the request journal. */
  name?: string;
  /** Wait before anything else is done; Infinity never answers. */
  latencyMs?: number;
  /** Answer this error instead of doing the work: nothing is charged. */
  refuse?: SvcdError;
  /** Answer this instead of doing the work: nothing is charged. */
  instead?: () => Response;
  /**
   * Do the work, charge for it, and send this instead of the true answer. A body that errors cuts the
   * connection (if it errors at once, the server can still answer 500 instead); one that dawdles is a slow answer.
   */
  replace?: (answer: Response) => Response | Promise<Response>;
  /** Mishandle the bytes of the answer, below HTTP. */
  transfer?: Transfer;
  /** Draw an image of this size, whatever was asked for; `other` is any but that. */
  imageSize?: ImageSize | 'other';
}

export interface FaultRequest {
  method: string;
  /** As sent: percent-encoded, without the query. */
  path: string;
  /** The header that asks for a fault of this one request. */
  header: string | undefined;
}

export type Faults = (request: Pick<FaultRequest, 'method' | 'path'>) => Fault | undefined;

/** The header by which one request asks for its own fault. Only the sandbox knows it. */
const FAULT_HEADER = 'X-Sandbox-Fault';

/** Decides about each request, once. `choose` may throw: then the request is refused for it. */
export function chooseFault(
  choose: (request: FaultRequest) => Fault | undefined,
): MiddlewareHandler<SandboxEnv> {
  return async (c, next) => {
    const { method, path } = c.req;
    const fault = choose({ method, path, header: c.req.header(FAULT_HEADER) });
    if (fault !== undefined) c.set('fault', fault);
    await next();
  };
}

/** Sends the finished answer as badly as the fault wants; outside of whatever still adds headers. */
export function sendAsFaulted(closing: AbortSignal): MiddlewareHandler<SandboxEnv> {
  return async (c, next) => {
    await next();
    const transfer = c.get('fault')?.transfer;
    if (transfer === undefined) return;
    const { response, status } = await sendBadly(c.res, transfer, c.env?.outgoing, closing);
    c.set('sent', { status });
    setAnswer(c, response);
  };
}

/** Goes wrong around the work itself. */
export const withFaults: MiddlewareHandler<SandboxEnv> = async (c, next) => {
  const fault = c.get('fault');
  if (fault?.latencyMs !== undefined) await sleep(fault.latencyMs);
  if (fault?.refuse !== undefined) throw fault.refuse;
  if (fault?.instead !== undefined) return setAnswer(c, fault.instead());
  if (fault?.transfer?.work === false) return setAnswer(c, new Response(null));
  await next();
  if (fault?.replace !== undefined) setAnswer(c, await fault.replace(c.res));
};

function setAnswer(c: Parameters<MiddlewareHandler<SandboxEnv>>[0], answer: Response): void {
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
