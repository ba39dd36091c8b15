// A daemon on free ports with a home of its own, in front of a sandbox that the test can turn the knobs of.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { loadConfig, type Flags } from '../../src/config/config.js';
import { startDaemon, type Daemon } from '../../src/daemon/daemon.js';
import type { DaemonOptions } from '../../src/daemon/daemon-options.js';
import { silentLog } from '../../src/platform/log.js';
import { endOf } from './at-file-end.js';
import { checkAnswersOf } from './check-answers.js';

export interface StartedDaemon {
  readonly daemon: Daemon;
  readonly url: string;
  readonly home: string;
  readonly token: string;
  /** A request without a bearer, unless `headers` says otherwise. */
  readonly call: (path: string, init?: RequestInit) => Promise<Response>;
  /** A GET with the local token. */
  readonly get: (path: string, ...more: More) => Promise<Response>;
  /** Any method with the local token; a body that is no text goes out as JSON. */
  readonly send: (method: string, path: string, body?: unknown, ...more: More) => Promise<Response>;
  /** A JSON body with the local token. */
  readonly post: (path: string, body: unknown, ...more: More) => Promise<Response>;
}

type More = [headers?: Record<string, string>, signal?: AbortSignal];

export interface StartOptions extends Partial<DaemonOptions> {
  readonly flags?: Flags;
  readonly home?: string;
  /** For several tests, which leave it as it was. */
  readonly untilFileEnds?: boolean;
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
export function temporaryHome(atEnd: (end: () => void) => void = onTestFinished): string {
  const home = mkdtempSync(join(tmpdir(), 'svcd-home-'));
  atEnd(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

/** Starts a daemon that ends with the test. */
export async function startTestDaemon(options: StartOptions = {}): Promise<StartedDaemon> {
  const { untilFileEnds = false, ...given } = options;
  const atEnd = endOf(untilFileEnds);
  const { flags = {}, home = temporaryHome(atEnd), ...rest } = given;
  const config = await loadConfig({ ...QUIET, home, ...flags }, {});
  const daemon = await startDaemon(config, { log: silentLog, listens: true, ...rest });
  atEnd(() => daemon.close());
  const { url, token } = daemon.info;
  atEnd(checkAnswersOf(url));
  const call = (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    // A connection that is kept may be closed by the daemon in the moment in which a busy machine uses it again.
    headers.set('Connection', 'close');
    return fetch(url + path, { ...init, headers });
  };
  const bearer = { Authorization: `Bearer ${token}` };
  const send: StartedDaemon['send'] = (method, path, body, headers = {}, signal) => {
    const typed = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    return call(path, {
      method,
      body: text ?? null,
      headers: { ...bearer, ...typed, ...headers },
      signal: signal ?? null,
    });
  };
  return {
    daemon,
    url,
    home,
    token,
    call,
    get: (path, ...more) => send('GET', path, undefined, ...more),
    send,
    post: (path, body, ...more) => send('POST', path, body, ...more),
  };
}
