// One request and its answer. No redirect is followed: it would carry the token elsewhere.

import type { Patience } from './patience.js';
import { LostConnection, SvcdError } from './svcd-error.js';

/** Who is asked. */
export interface Target {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly bearer: string | undefined;
  /** Whether it said that it is svcd; anything else may charge twice for a request that is sent twice. */
  readonly isSvcd: boolean;
}

export interface Question {
  readonly method: 'GET' | 'POST';
  /** Below the target's address, or a whole address. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export type Fetch = typeof globalThis.fetch;

/** The answer, if it is a success. Throws the refusal it holds, or LostConnection. */
export async function exchange(fetch: Fetch, target: Target, question: Question, patience: Patience): Promise<Answer> {
  const response = await send(fetch, target, question, patience);
  const bytes = await told(target, patience, async () => new Uint8Array(await response.arrayBuffer()));
  const answer = { status: response.status, headers: response.headers, bytes };
  if (!response.ok) throw refusalOf(answer, target);
  return answer;
}

/** The lines of an answer as they come. Throws as `exchange` does. */
export async function* exchangeLines(
  fetch: Fetch,
  target: Target,
  question: Question,
  patience: Patience,
): AsyncGenerator<unknown> {
  const response = await send(fetch, target, question, patience);
  const { status, headers, body } = response;
  if (!response.ok || body === null) {
    const bytes = await told(target, patience, async () => new Uint8Array(await response.arrayBuffer()));
    throw refusalOf({ status, headers, bytes }, target);
  }
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await told(target, patience, () => reader.read());
    text += decoder.decode(value as Uint8Array | undefined, { stream: !done });
    const lines = text.split('\n');
    // The last one goes on in the next piece.
    text = done ? '' : (lines.pop() ?? '');
    for (const line of lines) if (line.trim() !== '') yield parse(line, status, target);
    if (done) return;
  }
}

/** The JSON of an answer. Throws `upstream_failure` with its status for what is none. */
export function jsonOf<T>({ status, bytes }: Answer, target: Target): T {
  const value = parse(new TextDecoder().decode(bytes), status, target);
  if (typeof value !== 'object' || value === null) throw noJson(status, target);
  return value as T;
}

/** Whether an address is on this machine. */
export function isLoopback(address: string): boolean {
  const { hostname } = new URL(address);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

async function send(fetch: Fetch, target: Target, question: Question, patience: Patience): Promise<Response> {
  const { baseUrl, bearer } = target;
  const { method, path, body } = question;
  const url = path.startsWith('/') ? baseUrl + path : path;
  const headers: Record<string, string> = { ...question.headers };
  // An answer may name a file that lies elsewhere.
  if (bearer !== undefined && isSameOrigin(url, baseUrl)) headers['Authorization'] = `Bearer ${bearer}`;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const response = await told(target, patience, () =>
    fetch(url, {
      method,
      headers,
      redirect: 'manual',
      credentials: 'omit',
      signal: patience.signal,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
  // A browser shows no more of a redirect than its type.
  if (response.type !== 'opaqueredirect' && (response.status < 300 || response.status > 399)) return response;
  throw new SvcdError('upstream_failure', `${baseUrl} answered with a redirect, which is not followed`, {
    status: response.status || undefined,
  });
}

/** Translates what fetch throws. */
async function told<T>({ baseUrl }: Target, { signal }: Patience, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    const isUnsent = neverLeft(cause);
    const what = isUnsent ? 'nothing answers at' : 'the connection broke before the answer had come from';
    throw new LostConnection(isUnsent, `${what} ${baseUrl}`, { cause });
  }
}

/** Whether Node.js says that there was no connection at all; a browser never tells. */
function neverLeft(cause: unknown): boolean {
  if (typeof cause !== 'object' || cause === null) return false;
  const { code, syscall, errors } = cause as { code?: unknown; syscall?: unknown; errors?: unknown };
  // One for each address of a name.
  if (Array.isArray(errors) && errors.length > 0) return errors.every(neverLeft);
  return syscall === 'connect' || syscall === 'getaddrinfo' || code === 'UND_ERR_CONNECT_TIMEOUT';
}

function refusalOf({ status, headers, bytes }: Answer, target: Target): SvcdError {
  const after = Number(headers.get('retry-after') ?? NaN);
  const detail = { status, retryAfterS: Number.isFinite(after) ? after : undefined };
  try {
    const { code, message, hint } = jsonOf<Record<string, unknown>>({ status, headers, bytes }, target);
    if (typeof code === 'string') {
      const words = typeof message === 'string' ? message : `the answer was ${status} ${code}`;
      return new SvcdError(code, words, { ...detail, hint: typeof hint === 'string' ? hint : undefined });
    }
  } catch {
    // Not JSON: the status is all there is.
  }
  return new SvcdError('upstream_failure', `${target.baseUrl} answered ${status} without a code`, detail);
}

function parse(text: string, status: number, target: Target): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw noJson(status, target, cause);
  }
}

function noJson(status: number, { baseUrl }: Target, cause?: unknown): SvcdError {
  return new SvcdError('upstream_failure', `the answer of ${baseUrl} is not what was asked for`, { status, cause });
}

function isSameOrigin(one: string, other: string): boolean {
  return new URL(one).origin === new URL(other).origin;
}
