// A daemon on free ports with a home of its own, in front of a sandbox that the test can turn the knobs of.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { loadConfig, type Flags } from '../../src/config/config.js';
import { startDaemon, type Daemon } from '../../src/daemon/daemon.js';
import type { DaemonOptions } from '../../src/daemon/daemon-options.js';
import { silentLog } from '../../src/platform/log.js';
import { checkAnswersOf } from './check-answers.js';

export interface StartedDaemon {
  readonly daemon: Daemon;
  readonly url: string;
  readonly home: string;
  readonly token: string;
  /** A request without a bearer, unless `headers` says otherwise. */
  readonly call: (path: string, init?: RequestInit) => Promise<Response>;
  /** A GET with the local token. */
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Response>;
  /** A JSON body with the local token. */
  readonly post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<Response>;
}

export interface StartOptions extends Partial<DaemonOptions> {
  readonly flags?: Flags;
  readonly home?: string;
}

const QUIET: Flags = {
  port: 0,
  // What fills the library by itself would be seen by tests that count requests.
  'background-sync': false,
  // A machine that is busy must not get a default in place of an answer.
  'deadline-ms': 600_000,
  'image-deadline-ms': 600_000,
};

/** A new folder that is gone after the test. */
export function temporaryHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'svcd-home-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

/** Starts a daemon that ends with the test. */
export async function startTestDaemon(options: StartOptions = {}): Promise<StartedDaemon> {
  const { flags = {}, home = temporaryHome(), ...rest } = options;
  const config = await loadConfig({ ...QUIET, home, ...flags }, {});
  const daemon = await startDaemon(config, { log: silentLog, listens: true, ...rest });
  onTestFinished(() => daemon.close());
  // A daemon before it may have had this port: fetch must notice that its connections have ended.
  for (let turn = 0; turn < 3; turn++) await nextTurn();
  const { url, token } = daemon.info;
  onTestFinished(checkAnswersOf(url));
  const call = (path: string, init: RequestInit = {}) => fetch(url + path, init);
  const bearer = { Authorization: `Bearer ${token}` };
  return {
    daemon,
    url,
    home,
    token,
    call,
    get: (path, headers = {}) => call(path, { headers: { ...bearer, ...headers } }),
    post: (path, body, headers = {}) =>
      call(path, {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { ...bearer, 'Content-Type': 'application/json', ...headers },
      }),
  };
}
