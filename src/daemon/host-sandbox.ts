// A sandbox on a port, with its home, its lock and the token of its control surface: inside the daemon, or alone.

import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../platform/clock.js';
import { DATA_FOLDER } from '../config/config.js';
import { isSvcdError, SvcdError } from '../model/errors.js';
import { createGate } from '../http/gate.js';
import { listen } from '../http/listen.js';
import type { Log } from '../platform/log.js';
import { openSandbox, type Sandbox } from '../sandbox/open-sandbox.js';
import { getSandboxModules } from '../sandbox/open-sandbox.js';
import { TOKEN_PREFIX } from '../model/spender.js';
import { lockHome, prepareHome } from '../platform/files/home-folder.js';
import { type PreparedFiles, unpackPrepared } from './prepared-files.js';

/** What a sandbox may be begun with. */
export interface SandboxStartOptions {
  /** Forget everything a sandbox on this home knew. */
  readonly fresh?: boolean | undefined;
  readonly seed?: number | undefined;
  readonly credits?: number | undefined;
  /** Names of what the document only describes, to be switched on. */
  readonly modules?: readonly string[] | undefined;
}

export interface HostOptions extends SandboxStartOptions {
  /** Folder that holds `sandbox.db`. */
  readonly home: string;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly clock: Clock;
  readonly log: Log;
  /** How long to wait for a sandbox that another process is just leaving. */
  readonly lockWaitMs: number;
  /** What is being unpacked for this home already. */
  readonly prepared?: PreparedFiles | undefined;
  /** Token of the control surface; a new one is made when there is none. */
  readonly token?: string | undefined;
}

export interface HostedSandbox {
  readonly url: string;
  readonly service: Sandbox;
  readonly control: { readonly url: string; readonly token: string };
  /** Lets requests in flight finish, then closes everything. */
  close(): Promise<void>;
}

const CLOSE_GRACE_MS = 10_000;

/**
 * Opens a sandbox and serves it on loopback. Throws `already_running` when one runs on this home, `port_in_use`,
 * `home_not_writable`, `invalid_argument` for another seed than it began with or an unknown module.
 */
export async function hostSandbox(options: HostOptions): Promise<HostedSandbox> {
  const modules = getSandboxModules(options.modules ?? []);
  prepareHome(options.home);
  const lock = lockSandbox(options);
  const token = options.token ?? `${TOKEN_PREFIX}sandbox_${randomBytes(24).toString('base64url')}`;
  let service: Sandbox | undefined;
  try {
    service = await openOn(options, token, modules);
    let { port } = options;
    // It has an account and knobs of its own, and no page has any business there.
    const gate = createGate({ port: () => port, isListed: () => false });
    const listener = await listen(service.app.fetch, port, { gate });
    port = listener.port;
    const url = `http://127.0.0.1:${port}`;
    return { url, service, control: { url, token }, close: closer(service, listener, lock) };
  } catch (error) {
    service?.close();
    lock.release();
    throw error;
  }
}

function lockSandbox({ home, lockWaitMs }: HostOptions): { release(): void } {
  try {
    return lockHome(home, lockWaitMs, 'sandbox.lock');
  } catch (cause) {
    if (!isSvcdError(cause, 'already_running')) throw cause;
    throw new SvcdError('already_running', `a sandbox already runs on ${home}`, {
      cause,
      hint: 'Use it as it is, stop it first, or give another folder with --home DIR.',
    });
  }
}

async function openOn(
  options: HostOptions,
  controlToken: string,
  modules: ReturnType<typeof getSandboxModules>,
): Promise<Sandbox> {
  const { home, clock, log, seed, credits, fresh = false } = options;
  const file = join(home, 'sandbox.db');
  if (fresh) for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
  // What is being unpacked was asked for before that.
  const prepared = (fresh ? undefined : options.prepared) ?? unpackPrepared(home, log);
  await prepared.place(home, 'sandbox.db');
  const catalogueFolder = join(DATA_FOLDER, 'catalogue');
  return openSandbox({ file, catalogueFolder, clock, log, seed, credits, controlToken, modules });
}

function closer(
  service: Sandbox,
  listener: { close(graceMs: number): Promise<void> },
  lock: { release(): void },
): () => Promise<void> {
  return async () => {
    service.letGo();
    try {
      await listener.close(CLOSE_GRACE_MS);
    } finally {
      service.close();
      lock.release();
    }
  };
}
