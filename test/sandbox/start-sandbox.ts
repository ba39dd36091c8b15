// A sandbox behind a real socket on a free port, with a home of its own that is removed at the end.

import { mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/platform/clock.js';
import { silentLog } from '../../src/platform/log.js';
import { openSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/open-sandbox.js';
import { writeTinyCatalogue } from './tiny-catalogue.js';

export type Call = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> };

export interface StartedSandbox {
  /** The origin, without a slash at its end. */
  url: string;
  sandbox: Sandbox;
  /** A request with the account's Key, unless `headers` says otherwise. */
  call: (path: string, init?: Call) => Promise<Response>;
  /** A JSON body; a string goes out as it is. */
  post: (path: string, body: unknown, init?: Call) => Promise<Response>;
  stop: () => Promise<void>;
}

/** A new folder that is gone after the test. */
export function temporaryHome(atEnd: (end: () => void) => void = onTestFinished): string {
  const home = mkdtempSync(join(tmpdir(), 'svcd-sandbox-'));
  atEnd(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

/** Starts a sandbox over the tiny catalogue (or `catalogueFolder`) that ends with the test. */
export async function startSandbox(
  options: Partial<SandboxOptions> = {},
  givenHome?: string,
  atEnd: (end: () => Promise<void> | void) => void = onTestFinished,
): Promise<StartedSandbox> {
  const home = givenHome ?? temporaryHome(atEnd);
  const sandbox = openSandbox({
    file: join(home, 'sandbox.db'),
    catalogueFolder: options.catalogueFolder ?? writeTinyCatalogue(home),
    clock: systemClock,
    log: silentLog,
    ...options,
  });
  const server = serve({ fetch: sandbox.app.fetch, port: 0, hostname: '127.0.0.1' });
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const call = (path: string, init: Call = {}) =>
    fetch(url + path, {
      ...init,
      headers: { Authorization: `Bearer ${sandbox.key}`, Connection: 'close', ...init.headers },
    });
  const stop = async (): Promise<void> => {
    if (!server.listening) return;
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
    await once(server, 'close');
    sandbox.close();
  };
  atEnd(stop);
  return { url, sandbox, call, stop, post: postWith(call) };
}

function postWith(call: StartedSandbox['call']): StartedSandbox['post'] {
  return (path, body, init = {}) =>
    call(path, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...init,
      headers: { 'Content-Type': 'application/json', ...init.headers },
    });
}
