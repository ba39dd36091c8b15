// Trouble on demand, around the work of a request. Which requests it happens to is decided elsewhere (a test's own
// hook, the rules, a header); how bytes are mishandled is in send-badly.ts.

import type { Context, MiddlewareHandler } from 'hono';
import type { SandboxEnv } from '../sandbox-env.js';
import type { ChooseFault } from './fault.js';
import { sendBadly } from './send-badly.js';

/** The header by which one request asks for its own fault. Only the sandbox knows it. */
const FAULT_HEADER = 'X-Sandbox-Fault';

/** Sends the finished answer as badly as the fault wants; outside of all middleware that adds headers. */
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

/** Decides about each request, once, and goes wrong around the work itself. */
export function withFaults(choose: ChooseFault): MiddlewareHandler<SandboxEnv> {
  return async (c, next) => {
    const { method, path } = c.req;
    const fault = choose({ method, path, header: c.req.header(FAULT_HEADER) });
    if (fault === undefined) return next();
    c.set('fault', fault);
    if (fault.latencyMs !== undefined) await sleep(fault.latencyMs);
    if (fault.refuse !== undefined) throw fault.refuse;
    if (fault.instead !== undefined) return setAnswer(c, fault.instead());
    if (fault.transfer?.work === false) return setAnswer(c, new Response(null));
    await next();
    if (fault.replace !== undefined) setAnswer(c, await fault.replace(c.res));
  };
}

function setAnswer(c: Context<SandboxEnv>, answer: Response): void {
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
