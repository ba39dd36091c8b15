// How a template asks its service: the base address and the Key come from the environment, and a GET is asked again.

import { setTimeout as sleep } from 'node:timers/promises';

const BASE = process.env['SERVICE_BASE_URL'] ?? 'http://127.0.0.1:1';
const KEY = process.env['SERVICE_API_KEY'];

const ATTEMPTS = 7;
const TIMEOUT_MS = 60_000;
const PAUSE_MAX_MS = 8_000;

export interface Answer {
  /** 0 when nobody answered. */
  readonly status: number;
  readonly bytes: Uint8Array;
}

/** A GET, below the base address or at a whole one; asked again while the service is away or busy. */
export async function get(address: string): Promise<Answer> {
  const url = new URL(address, BASE);
  for (let attempt = 1; ; attempt += 1) {
    const { answer, retryAfterMs } = await ask(url, { headers: authorization(url) });
    const isPassing = answer.status === 0 || answer.status === 429 || answer.status >= 500;
    if (!isPassing || attempt === ATTEMPTS) return answer;
    await sleep(Math.min(PAUSE_MAX_MS, retryAfterMs ?? 500 * 2 ** (attempt - 1)));
  }
}

/** A POST, which is asked once: it may have been heard although nobody answered. */
export async function post(path: string, body: unknown): Promise<Answer> {
  const url = new URL(path, BASE);
  const headers = { ...authorization(url), 'Content-Type': 'application/json' };
  return (await ask(url, { method: 'POST', headers, body: JSON.stringify(body) })).answer;
}

export function jsonOf({ bytes }: Answer): unknown {
  return JSON.parse(new TextDecoder().decode(bytes));
}

/** The Key goes to the service alone. */
function authorization(url: URL): Record<string, string> {
  return KEY !== undefined && url.origin === new URL(BASE).origin ? { Authorization: `Bearer ${KEY}` } : {};
}

async function ask(url: URL, init: RequestInit): Promise<{ answer: Answer; retryAfterMs: number | undefined }> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const retryAfter = Number(response.headers.get('retry-after') ?? NaN);
    return {
      answer: { status: response.status, bytes },
      retryAfterMs: Number.isNaN(retryAfter) ? undefined : retryAfter * 1000,
    };
  } catch {
    return { answer: { status: 0, bytes: new Uint8Array() }, retryAfterMs: undefined };
  }
}
