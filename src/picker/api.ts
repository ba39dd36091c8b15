// The only way to the daemon: typed questions, and errors as the daemon tells them. Nothing here can buy but `prefetch`.

import type { CompleteAnswer } from '../api/find.js';
import type { Refusal } from '../api/refusal.js';
import type { TileDetails, Tiles } from '../api/tile.js';

/** What the daemon said, or that it could not be reached (`code` is `away`). */
export class ApiError extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  constructor(code: string, message: string, hint?: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

/** What went wrong, in a sentence. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const isAborted = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

/** Where the secret of this tab lies: other tabs, and pages of other ports, cannot read it. */
const SECRET = 'svcd.session';

const [, given] = /^#session=([\w-]+)$/.exec(location.hash) ?? [];
if (given !== undefined) history.replaceState(null, '', location.pathname + location.search);
const had = findKept();

/** The secret that `svcd open` hands over behind the `#`, or had: what is not for everybody is told and done for it alone. */
export let secret = given ?? had;
const decided = decide();

/** Any link may name a secret: the one that this tab has gives way to one that svcd takes, and to no other. */
async function decide(): Promise<void> {
  if (given === undefined) return;
  if (had !== null) {
    const asked = fetch('/svcd/summary', { headers: { 'X-Svcd-Session': given }, redirect: 'error' });
    if (!(await asked.then(({ ok }) => ok).catch(() => false))) {
      secret = had;
      return;
    }
  }
  try {
    window.name = `svcd-${crypto.randomUUID()}`;
    sessionStorage.setItem(SECRET, `${window.name} ${given}`);
  } catch {
    // A browser that keeps nothing: until the next reload.
  }
}

// A window that another site opens from a tab in which svcd was before is given a copy of the tab's storage, but neither the
// tab's name nor its history: a secret goes with the name of its tab, or is come back to.
function findKept(): string | null {
  try {
    const [name = '', kept = null] = sessionStorage.getItem(SECRET)?.split(' ') ?? [];
    const [how] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    if (name !== window.name && how?.type !== 'back_forward') {
      sessionStorage.removeItem(SECRET);
      return null;
    }
    window.name = name;
    return kept;
  } catch {
    return null;
  }
}

/** Told whenever the daemon answers, or does not. */
let noteReach: (isThere: boolean) => void = () => undefined;
export function onReach(note: (isThere: boolean) => void): void {
  noteReach = note;
}

/** An answer of the daemon, of whatever status. Throws `ApiError` with the code `away`, and what an abort throws. */
export async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  await decided;
  try {
    const headers = {
      ...(init.headers as Record<string, string>),
      ...(secret !== null && { 'X-Svcd-Session': secret }),
    };
    const answer = await fetch(path, { ...init, headers, redirect: 'error' });
    noteReach(true);
    return answer;
  } catch (error) {
    if (isAborted(error)) throw error;
    noteReach(false);
    throw new ApiError('away', 'svcd does not answer');
  }
}

/** A JSON answer. Throws `ApiError`. */
export async function askJson<T>(path: string, init: RequestInit = {}): Promise<T> {
  const answer = await ask(path, init);
  if (answer.ok) return (await answer.json()) as T;
  throw await refusalIn(answer);
}

/** Sends JSON. Throws `ApiError`. */
export function sendJson<T>(
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<T> {
  return askJson<T>(path, {
    method,
    ...(signal !== undefined && { signal }),
    headers: { 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

/** The error in an answer that is no success. */
export async function refusalIn(answer: Response): Promise<ApiError> {
  const { code, message, hint } = (await answer.json().catch(() => ({}))) as Partial<Refusal>;
  return new ApiError(code ?? 'internal', message ?? `HTTP ${answer.status}`, hint);
}

export function listTiles(
  filters: Readonly<Record<string, string>>,
  offset: number,
  limit: number,
  signal: AbortSignal,
): Promise<Tiles> {
  const query = new URLSearchParams({ ...filters, offset: `${offset}`, limit: `${limit}` });
  return askJson<Tiles>(`/svcd/tiles?${query}`, { signal });
}

export function complete(q: string, signal: AbortSignal): Promise<CompleteAnswer> {
  return askJson<CompleteAnswer>(`/svcd/complete?${new URLSearchParams({ q, limit: '8' })}`, { signal });
}

const pathOf = (preset: string): string => preset.split('/').map(encodeURIComponent).join('/');

/** The address of the picture of a sticker, which is never one that can be bought by. */
export const pictureOf = (preset: string): string => `/svcd/pictures/${pathOf(preset)}`;

/** All that svcd tells of a sticker. Throws `ApiError`. */
export const readTile = (preset: string): Promise<TileDetails> => askJson(`/svcd/tiles/${pathOf(preset)}`);
