// Lines of JSON: as a response, as a body that is read however slowly it comes, and the events of long work, while they
// happen, until the last of them or until their reader goes.

import type { IncomingMessage } from 'node:http';
import type { Context } from 'hono';
import { refusalOf } from '../api/refusal.js';
import { SvcdError } from '../model/errors.js';
import { allowSlowBody } from './client-error-handler.js';

const NDJSON = 'application/x-ndjson';
/** How long the rest of a refused body is read. */
const DRAIN_MS = 10_000;

type Reader = ReadableStreamDefaultReader<Uint8Array>;

export interface EventLines<E extends object> {
  /** The work. What it throws is told as the last line. */
  readonly run: (tell: (event: E) => void) => Promise<unknown>;
  readonly foresee: (error: unknown) => SvcdError;
  /** Called once: the work is over, or nobody reads of it any more. */
  readonly onOver: () => void;
}

export function eventLines<E extends object>({ run, foresee, onOver }: EventLines<E>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let isOver = false;
  const leave = () => {
    isOver = true;
    onOver();
  };
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      const tell = (event: object) => {
        if (!isOver) controller.enqueue(encoder.encode(`${JSON.stringify(event)}\n`));
      };
      const end = () => {
        // A stream whose reader has gone takes no second end.
        if (isOver) return;
        leave();
        controller.close();
      };
      run(tell).then(end, (error: unknown) => {
        tell({ event: 'error', ...refusalOf(foresee(error)) });
        end();
      });
    },
    cancel: leave,
  });
}

/** Lines of JSON as a response. */
export function linesOf(stream: ReadableStream<Uint8Array>): Response {
  return new Response(stream, { headers: { 'Content-Type': NDJSON, 'Cache-Control': 'no-store' } });
}

/** The body, however large and slow: it is read line by line. Throws `unsupported_media_type`. */
export function bodyLines(c: Context): ReadableStream<Uint8Array> {
  const type = (c.req.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type !== NDJSON) {
    throw new SvcdError('unsupported_media_type', `Content-Type must be ${NDJSON}`);
  }
  // Absent where the app is asked in its own process.
  const { incoming } = (c.env ?? {}) as { incoming?: IncomingMessage };
  if (incoming !== undefined) allowSlowBody(incoming);
  return c.req.raw.body ?? new ReadableStream<Uint8Array>({ start: (controller) => controller.close() });
}

/**
 * Works on a body. A refusal before its end is sent when the rest has come, or after a while: a connection that is
 * closed on a client that still sends loses the answer.
 */
export async function readToEnd<T>(
  body: ReadableStream<Uint8Array>,
  work: (pieces: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const reader = body.getReader();
  try {
    return await work(piecesOf(reader));
  } catch (error) {
    await drain(reader);
    throw error;
  }
}

/** Unlike the stream's own, leaves the rest to be read when it is left early. */
async function* piecesOf(reader: Reader): AsyncGenerator<Uint8Array> {
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

async function drain(reader: Reader): Promise<void> {
  const patience = setTimeout(() => void reader.cancel().catch(() => undefined), DRAIN_MS);
  try {
    while (!(await reader.read()).done) continue;
  } catch {
    // The client hung up, and needs no answer.
  } finally {
    clearTimeout(patience);
  }
}
