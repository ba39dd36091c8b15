// Trouble on demand, around the work of a request. Which requests it happens to is decided elsewhere (a test's own
// hook, the rules, a header). Some lie below what a Response can say, an answer that is cut, silent, of a wrong length, one
// piece at a time: those are written to Node's own side of the connection.

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context, MiddlewareHandler } from 'hono';
import type { SandboxEnv } from '../service-route.js';
import { invalid } from '../wire/check.js';
import type { ChooseFault, Transfer } from './fault-kinds.js';

/** The header by which one request asks for its own fault. Only the sandbox knows it. */
const FAULT_HEADER = 'X-Sandbox-Fault';

/** Sends the finished answer as badly as the fault wants; outside of all middleware that adds headers. */
export function sendAsFaulted(closing: AbortSignal): MiddlewareHandler<SandboxEnv> {
  return async (c, next) => {
    await next();
    const transfer = c.get('fault')?.transfer;
    if (transfer === undefined) return;
    c.set('sent', { status: await sendBadly(c.res, transfer, c.env?.outgoing, closing) });
    setAnswer(c, alreadySent());
  };
}

/** Decides about each request, once, and goes wrong around the work itself. */
export function withFaults(choose: ChooseFault): MiddlewareHandler<SandboxEnv> {
  return async (c, next) => {
    const { method, path } = c.req;
    const fault = choose({ method, path, header: c.req.header(FAULT_HEADER) });
    if (fault === undefined) return next();
    c.set('fault', fault);
    if (fault.latencyMs !== undefined) await delay(fault.latencyMs);
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

function delay(latencyMs: number): Promise<void> {
  return new Promise((resolve) => {
    // A timer with a delay over 2^31 fires at once, so "never" gets none.
    if (Number.isFinite(latencyMs)) setTimeout(resolve, latencyMs).unref();
  });
}

/** What was written has to reach the client before the reset that would take it along. */
const TRAVEL_MS = 20;
const PIECES_PER_S = 20;

/**
 * Sends an answer as the fault wants; answers with the status that went out, null when none did. Throws `invalid_request`
 * where there is no connection to mishandle.
 */
async function sendBadly(
  answer: Response,
  transfer: Transfer,
  outgoing: ServerResponse | undefined,
  closing: AbortSignal,
): Promise<number | null> {
  if (outgoing === undefined) {
    throw invalid(`${transfer.kind} needs a connection, and this request came without`);
  }
  // A connection that is held on purpose must not hold up the end of the sandbox.
  const letGo = () => void outgoing.destroy();
  closing.addEventListener('abort', letGo, { once: true });
  if (closing.aborted) letGo();
  try {
    return await SENDERS[transfer.kind](outgoing, answer, transfer as never);
  } finally {
    closing.removeEventListener('abort', letGo);
  }
}

type Sender<T extends Transfer> = (outgoing: ServerResponse, answer: Response, transfer: T) => Promise<number | null>;

const SENDERS: { [K in Transfer['kind']]: Sender<Extract<Transfer, { kind: K }>> } = {
  reset: async (outgoing, answer, { atByte }) => {
    if (atByte !== undefined) {
      const bytes = await bytesOf(answer);
      begin(outgoing, answer, bytes.length);
      await write(outgoing, bytes.subarray(0, Math.max(0, Math.min(atByte, bytes.length - 1))));
      await sleep(TRAVEL_MS);
    }
    outgoing.socket?.resetAndDestroy();
    return atByte === undefined ? null : answer.status;
  },
  'black-hole': async (outgoing) => {
    if (!outgoing.destroyed) await once(outgoing, 'close');
    return null;
  },
  'wrong-length': async (outgoing, answer, { byBytes }) => {
    const bytes = await bytesOf(answer);
    outgoing.setHeader('Connection', 'close');
    begin(outgoing, answer, Math.max(0, bytes.length + byBytes));
    await write(outgoing, bytes);
    // Too short a length would leave the rest to be read as the next answer; too long a one would never end.
    outgoing.socket?.end();
    return answer.status;
  },
  'slow-body': async (outgoing, answer, { bytesPerS }) => {
    const bytes = await bytesOf(answer);
    begin(outgoing, answer, bytes.length);
    const piece = Math.max(1, Math.round(bytesPerS / PIECES_PER_S));
    for (let at = 0; at < bytes.length && !outgoing.destroyed; at += piece) {
      await sleep((1000 * piece) / bytesPerS);
      await write(outgoing, bytes.subarray(at, at + piece));
    }
    outgoing.end();
    return answer.status;
  },
};

function begin(outgoing: ServerResponse, answer: Response, lengthBytes: number): void {
  outgoing.writeHead(answer.status, {
    ...Object.fromEntries(answer.headers),
    'content-length': String(lengthBytes),
  });
  outgoing.flushHeaders();
}

async function bytesOf(answer: Response): Promise<Uint8Array> {
  return new Uint8Array(await answer.arrayBuffer());
}

/** Writes and waits until it was handed to the system; a client that has left takes nothing. */
function write(outgoing: ServerResponse, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    if (outgoing.destroyed || bytes.length === 0) return resolve();
    outgoing.write(bytes, () => resolve());
  });
}

/** Tells the server that there is nothing left for it to send. */
function alreadySent(): Response {
  // A copy, because the server's own faster kind of Response is written without a look at this header.
  return new Response(null, { headers: { 'x-hono-already-sent': 'true' } }).clone();
}
