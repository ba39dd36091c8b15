// Sending an answer as it must not be sent: cut, silent, of a wrong length, one piece at a time. These faults lie
// below what a Response can say, so they are written to Node's own side of the connection.

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { invalid } from '../wire/check.js';

/** How the bytes of an answer are mishandled. `work`: whether the call is carried out, and charged, before. */
export type Transfer =
  /** A reset (RST) before the headers, or after so many bytes of the body, at the latest before its last. */
  | { readonly kind: 'reset'; readonly atByte?: number | undefined; readonly work: boolean }
  /** Nothing at all, for as long as the client waits. */
  | { readonly kind: 'black-hole'; readonly work: boolean }
  /** A Content-Length that is so many bytes more (or less, below 0) than there are. */
  | { readonly kind: 'wrong-length'; readonly byBytes: number; readonly work: true }
  | { readonly kind: 'slow-body'; readonly bytesPerS: number; readonly work: true };

/** What is left to do for the server, and the status that went out; null when none did. */
export interface SentBadly {
  readonly response: Response;
  readonly status: number | null;
}

/** What was written has to reach the client before the reset that would take it along. */
const TRAVEL_MS = 20;
const PIECES_PER_S = 20;

/** Sends an answer as the fault wants. Throws `invalid_request` where there is no connection to mishandle. */
export async function sendBadly(
  answer: Response,
  transfer: Transfer,
  outgoing: ServerResponse | undefined,
  closing: AbortSignal,
): Promise<SentBadly> {
  if (outgoing === undefined) {
    throw invalid(`${transfer.kind} needs a connection, and this request came without`);
  }
  // A connection that is held on purpose must not hold up the end of the sandbox.
  const letGo = () => void outgoing.destroy();
  closing.addEventListener('abort', letGo, { once: true });
  if (closing.aborted) letGo();
  try {
    const status = await SENDERS[transfer.kind](outgoing, answer, transfer as never);
    return { response: alreadySent(), status };
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
