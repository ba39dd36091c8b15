// Starts svcd and closes it: opens the home, connects the rooms, serves them on a port. Closing is the reverse.

import { rmSync } from 'node:fs';
import type { Config } from '../config/config.js';
import { isSvcdError, type SvcdError } from '../model/errors.js';
import { createGate } from '../http/gate.js';
import { listen } from '../http/listen.js';
import { createCleanup, type Cleanup } from '../platform/cleanup.js';
import { copyHome, isWorthServing } from '../platform/files/home-copy.js';
import { alreadyRunning, asHomeTrouble, hasRoom, lockHome } from '../platform/files/home-folder.js';
import type { Log } from '../platform/log.js';
import type { HubStores } from '../hub/books/hub-stores.js';
import { connectRooms, type ConnectedRooms } from './connect-rooms.js';
import type { DaemonOptions } from './daemon-options.js';
import { openHome, type OpenHome } from './open-home.js';

/** What a client needs to know of a daemon; the first line of `svcd start --json`. */
export interface DaemonInfo {
  readonly url: string;
  readonly pid: number;
  readonly token: string;
  readonly home: string;
  readonly library: { readonly stickers: number };
  readonly sandbox?: {
    readonly url: string;
    readonly key: string;
    /** Token of its control surface, under /sandbox. */
    readonly control_token: string;
  };
  /** Where machines come in, of a hub. */
  readonly hub?: { readonly url: string };
  /** Copies of the files of an earlier svcd, which this start has brought up to date. */
  readonly updated?: readonly string[];
}

export interface Daemon {
  readonly info: DaemonInfo;
  /** Base address of the remote; undefined when there is none. */
  readonly remote: string | undefined;
  /** Answers a request as the daemon's port would. */
  fetch(request: Request): Promise<Response>;
  /** Finishes what is in flight, then closes everything. Safe to call twice. */
  close(): Promise<void>;
  /** Whether a command holds a token that ends with it. */
  servesCommands(): boolean;
  /** Resolves when something asks the daemon to stop. */
  readonly stopAsked: Promise<void>;
  /** Reads the certificate of a hub again. Throws `invalid_config` for one that will not do; then the last one goes on. */
  reload(): Promise<void>;
  /**
   * Resolves with `room` when the disk of a home that was full takes something again: then the home itself can be served.
   * Undefined where it is.
   */
  readonly roomReturned: Promise<'room'> | undefined;
}

const CLOSE_GRACE_MS = 10_000;
const TELL_EVERY_MS = 100;
const COPY_EVERY_MS = 10 * 60_000;
export const ROOM_EVERY_MS = 5000;
const FORGET_EVERY_MS = 24 * 60 * 60_000;
// A daemon that is started for one request should not begin a harvest.
const SYNC_AFTER_MS = 20_000;

/**
 * Starts svcd. Throws `already_running`, `port_in_use`, `home_not_writable`, `owned_damaged`, after closing what it had
 * opened.
 */
export async function startDaemon(config: Config, options: DaemonOptions): Promise<Daemon> {
  // Asked before a start puts something there.
  const mayServe = isWorthServing(config.home);
  try {
    return await startWith(config, options, createCleanup());
  } catch (error) {
    if (!mayServe || !(isSvcdError(error, 'disk_full') || isSvcdError(error, 'home_not_writable'))) throw error;
    return startOnCopy(config, options, error);
  }
}

/** What is owned and known is served from a copy of a home that cannot be written; nothing is bought. */
async function startOnCopy(config: Config, options: DaemonOptions, trouble: SvcdError): Promise<Daemon> {
  const { home } = config;
  const { log, lockWaitMs = 0 } = options;
  const cleanup = createCleanup();
  let copy: string;
  try {
    copy = copyHome(home, (earlier) => lockHome(earlier, lockWaitMs).release());
  } catch (cause) {
    if (isSvcdError(cause, 'already_running')) throw alreadyRunning(home, cause);
    log.warn('the home could not be copied, so nothing of it can be served', { why: String(cause) });
    throw trouble;
  }
  cleanup.push(() => rmSync(copy, { recursive: true, force: true }));
  log.warn('the home cannot be written: svcd serves what is there and buys nothing', { why: trouble.message });
  const isFull = trouble.code === 'disk_full';
  const readOnly = { home, by: isFull ? 'disk_full' : 'read_only', why: trouble.message } as const;
  const daemon = await startWith({ ...config, home: copy }, { ...options, readOnly }, cleanup);
  if (!isFull) return daemon;
  let timer: NodeJS.Timeout | undefined;
  cleanup.push(() => clearInterval(timer));
  const roomReturned = new Promise<'room'>((resolve) => {
    timer = setInterval(() => hasRoom(home) && resolve('room'), options.roomEveryMs ?? ROOM_EVERY_MS).unref();
  });
  return { ...daemon, roomReturned };
}

async function startWith(config: Config, options: DaemonOptions, cleanup: Cleanup): Promise<Daemon> {
  try {
    return await start(config, options, cleanup);
  } catch (error) {
    const trouble = asHomeTrouble(config.home, error);
    options.watcher?.failed(trouble);
    // The user needs the first error, not what closing adds to it.
    await cleanup.closeAll().catch(() => undefined);
    throw trouble;
  }
}

async function start(config: Config, options: DaemonOptions, cleanup: Cleanup): Promise<Daemon> {
  let askStop = (): void => undefined;
  const stopAsked = new Promise<void>((resolve) => (askStop = resolve));
  const open = await openHome(config, options, cleanup);
  const rooms = connectRooms(config, options, open, cleanup, () => askStop());
  await fillLibrary(open, rooms, options, cleanup);
  if (options.listens) await serve(config, options, open, rooms, cleanup);
  // Last in, first out: nothing is closed while a purchase is under way.
  cleanup.push(() => rooms.coordinator.idle());
  // Before that, so that it waits only for requests that have left, not for those that wait for their turn.
  cleanup.push(() => rooms.remote?.close());
  cleanup.push(() => rooms.app.close());
  cleanup.push(() => rooms.machineApp?.close());
  return {
    info: infoOf(options.readOnly?.home ?? config.home, open),
    remote: rooms.remote?.baseUrl,
    servesCommands: () => open.stores.tokens.list().some(({ temporary }) => temporary),
    fetch: async (request) => rooms.app.fetch(request),
    close: () => cleanup.closeAll(),
    stopAsked,
    reload: async () => open.hub?.reload(),
    roomReturned: undefined,
  };
}

/** Prepares the index, and fills the library from its copy. A daemon answers meanwhile; a command waits. */
async function fillLibrary(
  { library, sandbox }: OpenHome,
  { keepCopy }: ConnectedRooms,
  { listens, watch, copyEveryMs = COPY_EVERY_MS }: DaemonOptions,
  cleanup: Cleanup,
): Promise<void> {
  const telling = watch && setInterval(() => watch('indexing', library.building()), TELL_EVERY_MS);
  await library.prepareBeside().finally(() => clearInterval(telling));
  if (!listens) watch?.('restoring');
  const filled = library.setAside === undefined ? keepCopy.restore() : keepCopy.refill();
  cleanup.push(() => filled);
  if (!listens) return filled;
  if (sandbox !== undefined) return;
  let writing = Promise.resolve();
  const timer = setInterval(() => {
    writing = keepCopy.keepIfChanged();
  }, copyEveryMs);
  timer.unref();
  cleanup.push(async () => {
    clearInterval(timer);
    await writing;
  });
}

async function serve(
  config: Config,
  options: DaemonOptions,
  { endpoint, origins, isSandbox, belonging, stores, hubStores, hub }: OpenHome,
  { app, machineApp, harvester, warmUp, listenForWatchers }: ConnectedRooms,
  cleanup: Cleanup,
): Promise<void> {
  const gate = createGate({
    port: () => endpoint.port,
    isListed: (one) => origins.has(one),
    runs: origins.runs,
    noteRefused: (origin) => origins.refused.note(origin),
  });
  // So that no client can take play money, or a sticker that it bought, for real ones.
  const headers = !isSandbox ? [] : ([['X-Svcd-Remote', 'sandbox']] as const);
  const open = (port: number) => listen(app.fetch, port, { gate, limits: options.connectionLimits ?? {}, headers });
  const known = config.port === 0 && stores.tokens.awaitsCommands() ? endpoint.lastPort() : undefined;
  const listener = await (known === undefined ? open(config.port) : open(known).catch(() => open(config.port)));
  cleanup.push(() => listener.close(CLOSE_GRACE_MS));
  endpoint.port = listener.port;
  if (hub !== undefined && machineApp !== undefined) {
    const forMachines = await hub.listen(machineApp.fetch, headers);
    cleanup.push(() => forMachines.close(CLOSE_GRACE_MS));
    endpoint.hubUrl = hub.url();
    cleanup.push(forgetAsksDaily(hubStores.get, options.log));
  }
  const forWatchers = await listenForWatchers();
  cleanup.push(() => forWatchers?.close(0));
  endpoint.write(true);
  cleanup.push(() => endpoint.write(false));
  warmUp.beginLater();
  cleanup.push(() => warmUp.stop());
  const timer = setTimeout(
    () => harvester.begin(),
    options.syncAfterMs ?? (belonging.kind === 'hub' ? 0 : SYNC_AFTER_MS),
  );
  timer.unref();
  cleanup.push(() => clearTimeout(timer));
}

/** A hub runs for months, and is asked by hundreds. Returns how to end it. */
function forgetAsksDaily(hubStores: () => HubStores, log: Log): () => void {
  const forget = () => {
    const { books } = hubStores();
    // While a disk or a database takes nothing they are in nobody's way.
    books
      .forgetAsks()
      .catch((error: unknown) => log.warn('old requests could not be forgotten', { why: String(error) }));
  };
  forget();
  const timer = setInterval(forget, FORGET_EVERY_MS).unref();
  return () => clearInterval(timer);
}

function infoOf(home: string, { endpoint, library, sandbox, hub, updated }: OpenHome): DaemonInfo {
  return {
    url: endpoint.origin(),
    pid: process.pid,
    token: endpoint.token,
    home,
    library: { stickers: library.size },
    ...(hub !== undefined && { hub: { url: hub.url() } }),
    ...(updated.length > 0 && { updated }),
    ...(sandbox !== undefined && {
      sandbox: { url: sandbox.url, key: sandbox.service.key, control_token: sandbox.control.token },
    }),
  };
}
