// A sandbox without a socket, its control surface open: asked through its app, at a time that only moves when told.

import { onTestFinished } from 'vitest';
import { silentLog } from '../../src/platform/log.js';
import { openSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/open-sandbox.js';
import { stickerPath } from '../../src/model/sticker.js';
import { createMovingClock } from '../support/moving-clock.js';
import { temporaryHome, type Call } from './start-sandbox.js';
import { CAKE, writeTinyCatalogue } from './tiny-catalogue.js';

const TOKEN = 'svcd_sandbox_test';
export const START = '2026-01-31T12:00:00Z';
export const DAY_MS = 24 * 3600 * 1000;

export interface OpenedSandbox {
  readonly sandbox: Sandbox;
  /** Asks the control surface; throws for a refusal, with its code and message. */
  readonly control: <T = Record<string, unknown>>(method: string, path: string, body?: object) => Promise<T>;
  /** Asks the service with a Key, the main one unless told another. */
  readonly call: (path: string, init?: Call & { key?: string }) => Promise<Response>;
  readonly post: (path: string, body: unknown, key?: string) => Promise<Response>;
  /** Downloads the cake and returns the status. */
  readonly download: (key?: string) => Promise<number>;
  readonly advance: (ms: number) => Promise<unknown>;
}

/** Opens a sandbox in memory over the tiny catalogue that ends with the test, or with `close` when it is told. */
export function openControlled(options: Partial<SandboxOptions> = {}): OpenedSandbox {
  const sandbox = openSandbox({
    file: ':memory:',
    catalogueFolder: options.catalogueFolder ?? writeTinyCatalogue(temporaryHome()),
    clock: createMovingClock(START),
    log: silentLog,
    controlToken: TOKEN,
    requestsPerMinute: 1_000_000,
    ...options,
  });
  onTestFinished(() => sandbox.close());
  const ask = async (path: string, init: RequestInit) =>
    sandbox.app.fetch(new Request(`http://sandbox.test${path}`, init));
  const control = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const headers = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await ask(`/sandbox/${path}`, { method, headers, ...sent });
    const told = (await answer.json()) as { code?: string; message?: string };
    if (!answer.ok) throw new Error(`${answer.status} ${told.code}: ${told.message}`);
    return told as T;
  };
  const call: OpenedSandbox['call'] = (path, { key = sandbox.key, ...init } = {}) =>
    ask(path, { ...init, headers: { Authorization: `Bearer ${key}`, ...init.headers } });
  return {
    sandbox,
    control,
    call,
    post: (path, body, key = sandbox.key) =>
      call(path, {
        method: 'POST',
        key,
        headers: { 'Content-Type': 'application/json' },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    download: async (key = sandbox.key) => (await call(stickerPath(CAKE), { key })).status,
    advance: (ms) => control('POST', 'clock', { advance_ms: ms }),
  };
}

/** What the header says is left to spend. */
export function creditsIn(answer: Response): number {
  return Number(answer.headers.get('X-Service-Credits-Remaining'));
}
