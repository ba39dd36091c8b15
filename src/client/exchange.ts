// One request and its answer. No redirect is followed: it would carry the token elsewhere.

import type { Patience } from './patience.js';
import { LostConnection, SvcdError, unexpected } from './svcd-error.js';

/** Who is asked. */
export interface Target {
  /** Without a slash at its end. */
  readonly address: string;
  readonly bearer: string | undefined;
  /** Whether it is svcd, undefined where it did not say; anything else may charge twice for what is sent twice. */
  readonly isSvcd: boolean | undefined;
}

export interface Question {
  /** Below the target's address, or a whole address. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** GET without one, POST with it. */
  readonly body?: object;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;
type ReadPiece = () => Promise<{ done: boolean; value?: Uint8Array | undefined }>;

/** The answer, if it is a success. Throws the refusal it holds, or LostConnection. */
export async function exchange(fetch: Fetch, target: Target, question: Question, patience: Patience): Promise<Answer> {
  const { signal } = patience;
  const response = await send(fetch, target, question, signal);
  const bytes = await whole(response, target, signal);
  return { status: response.status, headers: response.headers, bytes };
}

/** The lines of an answer as they come. Throws as `exchange` does. */
export async function* exchangeLines(
  fetch: Fetch,
  target: Target,
  question: Question,
  { signal }: Patience,
): AsyncGenerator {
  const { body, status } = await send(fetch, target, question, signal);
  const reader = body?.getReader();
  if (!reader) return;
  const read: ReadPiece = () => reader.read();
  const decoder = new TextDecoder();
  let text = '';
  for (let isDone = false; !isDone;) {
    const { done, value } = await told(target, signal, read);
    isDone = done;
    text += decoder.decode(value, { stream: !done });
    const lines = text.split('\n');
    // The last one goes on in the next piece.
    text = done ? '' : (lines.pop() ?? '');
    for (const line of lines) if (line.trim() !== '') yield parse(line, status, target);
  }
}

/** The JSON of an answer. Throws `upstream_failure` with its status for what is none. */
export function jsonOf({ status, bytes }: Pick<Answer, 'status' | 'bytes'>, target: Target): object {
  return parse(new TextDecoder().decode(bytes), status, target);
}

/** The same, with a list of this name in it, if one is named. */
export function jsonWith(list: string | undefined, answer: Pick<Answer, 'status' | 'bytes'>, target: Target): object {
  const value = jsonOf(answer, target) as Record<string, unknown>;
  if (!list || Array.isArray(value[list])) return value;
  throw unexpected(`the answer of ${target.address} has no ${list}`, answer.status);
}

/** Whether an address is on this machine. */
export function isLoopback(address: string): boolean {
  return /^(?:localhost|\[::1\]|127\.\d+\.\d+\.\d+)$/.test(new URL(address).hostname);
}

/** An answer that is a success. */
async function send(fetch: Fetch, target: Target, question: Question, signal: AbortSignal): Promise<Response> {
  const { address, bearer } = target;
  const { path, body } = question;
  const url = path.startsWith('/') ? address + path : path;
  const headers: Record<string, string> = { ...question.headers };
  // An answer may name a file that lies elsewhere.
  if (bearer && new URL(url).origin === new URL(address).origin) headers['Authorization'] = `Bearer ${bearer}`;
  if (body) headers['Content-Type'] = 'application/json';
  // A browser's cache would tell again what the first time cost.
  const init = { method: body ? 'POST' : 'GET', headers, redirect: 'manual', cache: 'no-store', signal } as const;
  const response = await told(target, signal, () => fetch(url, body ? { ...init, body: JSON.stringify(body) } : init));
  const { ok, status } = response;
  if (ok) return response;
  // A browser shows of a redirect that it was one, and 0.
  if (status < 400) throw unexpected(`${address} redirects`, status || undefined);
  throw refusalOf(await whole(response, target, signal), response, target);
}

function whole(response: Response, target: Target, signal: AbortSignal): Promise<Answer['bytes']> {
  return told(target, signal, async () => new Uint8Array(await response.arrayBuffer()));
}

/** Translates what fetch throws. */
async function told<T>({ address }: Target, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof LostConnection) throw error;
    const { name, message, cause = error } = Object(error) as Error;
    // What a network does is a TypeError too; nothing of it is told in these words.
    if (/^(Ref|Sy|Ra)|^T.* (is (not|undefined|null)|of (undefined|null))\b/.test(`${name} ${message}`)) {
      throw new SvcdError('invalid_argument', `fetch failed: ${message}`, { cause: error });
    }
    throw new LostConnection(false, `no whole answer came from ${address}`, cause);
  }
}

function refusalOf(bytes: Answer['bytes'], { status, headers }: Response, target: Target): SvcdError {
  const { code, message, hint } = jsonOf({ status, bytes }, target) as Record<string, unknown>;
  const after = Number(headers.get('retry-after') ?? -1);
  const said = textIn(message) ?? `${target.address} answered ${status}`;
  const retryAfterS = after >= 0 ? after : undefined;
  return new SvcdError(textIn(code) ?? 'upstream_failure', said, { status, hint: textIn(hint), retryAfterS });
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A record: everything that svcd answers is one. */
function parse(text: string, status: number, { address }: Target): object {
  let cause: unknown;
  try {
    const value: unknown = JSON.parse(text);
    if (Object(value) === value) return value as object;
  } catch (error) {
    cause = error;
  }
  throw unexpected(`the answer of ${address} (${status}) is no JSON`, status, cause);
}
