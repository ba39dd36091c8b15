// Builds svcd from its config, starts it and closes it in reverse order. The only file that knows every room.

import { join } from 'node:path';
import type { DaemonStatus } from '../api/answers.js';
import { createAllowedOrigins } from '../actions/allow-origins.js';
import { createTransferLibrary } from '../actions/transfer-library.js';
import { createTransferOwned } from '../actions/transfer-owned.js';
import { createKeepOwnStickers } from '../actions/keep-own-stickers.js';
import { createKeepLibraryCopy, type KeepLibraryCopy } from '../actions/keep-library-copy.js';
import { createKeepDefaults } from '../actions/keep-defaults.js';
import { Harvest } from '../harvest/harvest.js';
import { createHarvester, type Harvester } from '../harvest/harvester.js';
import { createLibraryHeader } from '../harvest/harvest-status.js';
import { createReviewPurchases } from '../actions/review-purchases.js';
import { createShowSpending } from '../actions/show-spending.js';
import { createSwitchOffline } from '../actions/switch-offline.js';
import { systemClock, type Clock } from '../platform/clock.js';
import { createCleanup, type Cleanup } from '../platform/cleanup.js';
import { DATA_FOLDER, writeSetting, type Config } from '../config/config.js';
import { createFixedKey, type UserKey } from '../auth/user-key.js';
import { createApp } from '../http/app.js';
import { createGate } from '../http/gate.js';
import {
  listen,
  requireFreePort,
  type ConnectionLimits,
  type Fetch,
  type Listener,
  type ListenOptions,
} from '../http/listen.js';
import type { Library } from '../library/library.js';
import { openLibraryCopy } from '../library/storage/library-copy.js';
import type { Log } from '../platform/log.js';
import { openDefaultPack } from '../defaults/default-pack.js';
import { openRegisteredDefaults } from '../defaults/registered-defaults.js';
import { itemOf } from '../purchases/item.js';
import { openPurchases, type PurchaseStores } from '../purchases/open-purchases.js';
import { createPurchaseCoordinator } from '../purchases/purchase-coordinator.js';
import { hostSandbox, type HostedSandbox, type SandboxStartOptions } from './host-sandbox.js';
import {
  asHomeTrouble,
  findRuntime,
  lockHome,
  newToken,
  prepareHome,
  writeRuntime,
} from '../platform/home-folder.js';
import { readOrigins, writeOrigins } from '../config/origins-file.js';
import { followUserSynonyms } from '../library/user-synonyms.js';
import type { Reach } from '../upstream/breaker.js';
import { createExchanger, loadClient } from '../upstream/exchange.js';
import { createRemote, PACE_WINDOW_MS, type Remote } from '../upstream/remote.js';
import { sleep, type Sleep } from '../platform/sleep.js';
import { REQUESTS_PER_MINUTE } from '../contract/limits.js';
import { VERSION } from '../platform/version.js';
import { createActions } from './create-actions.js';
import { openFilledLibrary } from './open-filled-library.js';
import { createWarmUp } from './warm-up.js';

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
}

export interface Daemon {
  readonly info: DaemonInfo;
  /** Base address of the remote; undefined when there is none. */
  readonly remote: string | undefined;
  /** Answers a request as the daemon's port would. */
  fetch(request: Request): Promise<Response>;
  /** Finishes what is in flight, then closes everything. Safe to call twice. */
  close(): Promise<void>;
  /** Resolves when something asks the daemon to stop. */
  readonly stopAsked: Promise<void>;
}

export interface DaemonOptions {
  readonly log: Log;
  readonly clock?: Clock;
  /** Where the user's Key comes from. The sandbox has one of its own. */
  readonly keys?: UserKey;
  /** A Key that is known already, in place of `keys`. */
  readonly userKey?: string | undefined;
  /** False for the same app in process, without a port. */
  readonly listens: boolean;
  /** How long to wait for a home that another process is just leaving. */
  readonly lockWaitMs?: number;
  /** What the embedded sandbox is begun with. */
  readonly sandbox?: SandboxStartOptions | undefined;
  /** How long a lost paid call may still be at work at the remote. */
  readonly settleGraceMs?: number;
  /** How long a search may wait for the remote while the library is not complete. */
  readonly askWaitMs?: number;
  /** How often the copy of the library is written, if something changed. */
  readonly copyEveryMs?: number;
  /** The synonym table, in place of the shipped one. */
  readonly synonyms?: () => string;
  /** How what waits for the remote sleeps. */
  readonly sleep?: Sleep;
  /** How long a daemon that has just started leaves the remote alone. */
  readonly syncAfterMs?: number;
  /** What one client may take of the port's time and memory. */
  readonly connectionLimits?: Partial<ConnectionLimits>;
}

// A remote that was cut off in mid answer may charge a little later.
const SETTLE_GRACE_MS = 15_000;
const IMAGE_SETTLE_GRACE_MS = 15 * 60_000;
const CLOSE_GRACE_MS = 10_000;
const COPY_EVERY_MS = 10 * 60_000;
const MAX_LISTED_BY_NAME = 10_000;
// Whoever starts svcd for one thing is not followed by a harvest.
const SYNC_AFTER_MS = 20_000;
const REFRESH_AFTER_MS = 7 * 24 * 60 * 60_000;

/**
 * Starts svcd. Throws `already_running`, `port_in_use`, `home_not_writable`, `owned_damaged`; whatever was
 * opened by then is closed again.
 */
export async function startDaemon(config: Config, options: DaemonOptions): Promise<Daemon> {
  const open = createCleanup();
  try {
    return await build(config, options, open);
  } catch (error) {
    // What went wrong first is what the user must hear of.
    await open.closeAll().catch(() => undefined);
    throw asHomeTrouble(config.home, error);
  }
}

async function build(config: Config, options: DaemonOptions, open: Cleanup): Promise<Daemon> {
  const { log, clock = systemClock } = options;
  const { home } = config;
  prepareHome(home);
  const lock = lockHome(home, options.lockWaitMs ?? 0);
  open.push(() => lock.release());
  if (options.listens) await requireFreePort(config.port);
  const origins = createAllowedOrigins(readOrigins(home), (list) => writeOrigins(home, list), log);
  let token = findRuntime(home)?.token ?? newToken();

  const sandbox = config.sandbox ? await startSandbox(home, options, open) : undefined;
  const scope = sandbox === undefined ? (config.remote ?? 'none') : 'sandbox';
  const defaults = openDefaultPack(join(DATA_FOLDER, 'defaults'));
  let refill = async (): Promise<void> => undefined;
  const library = openFilledLibrary(home, scope, sandbox?.service, defaults, options);
  library.observe({ reopened: () => setImmediate(() => void refill()) });
  const harvest = new Harvest(library);
  open.push(() => library.close());
  if (options.listens) open.push(followUserSynonyms(home, () => library.reloadSynonyms()));
  const till = openPurchases({
    file: join(home, 'owned.db'),
    scope,
    clock,
    log,
    timeZone: config.timeZone,
    graceMs: options.settleGraceMs ?? SETTLE_GRACE_MS,
    imageGraceMs: options.settleGraceMs ?? IMAGE_SETTLE_GRACE_MS,
  });
  open.push(() => till.close());
  const registered = openRegisteredDefaults(till.database, clock, log);

  // The real Key never meets the sandbox.
  const keys =
    sandbox === undefined
      ? (options.keys ?? createFixedKey(options.userKey, 'environment'))
      : createFixedKey(sandbox.service.key, 'sandbox');
  let port = config.port;
  const origin = () => `http://127.0.0.1:${port}`;
  const note = (current: string, pid: number | null) => {
    const known = findRuntime(home);
    writeRuntime(home, {
      pid,
      url: options.listens ? origin() : (known?.url ?? origin()),
      token: current,
      ...(sandbox === undefined ? {} : { sandbox: sandbox.control }),
    });
  };
  const remote = connectRemote(config, sandbox?.url, till, options);
  const { maxFileBytes } = config;
  const coordinator = createPurchaseCoordinator({ ...till, remote, maxFileBytes, log });
  const harvester = createHarvester({
    library,
    harvest,
    remote,
    userKey: () => keys.current(),
    clock,
    log,
    sleep: options.sleep ?? sleep,
    background: config.backgroundSync,
    pace: { allowed: requestsToFillWith(config), windowMs: PACE_WINDOW_MS },
    // All that the sandbox has was imported; nothing of it grows old.
    refreshAfterMs: sandbox === undefined ? REFRESH_AFTER_MS : Infinity,
  });
  open.push(() => harvester.close());
  let askStop = (): void => undefined;
  const stopAsked = new Promise<void>((resolve) => (askStop = resolve));
  const startedAt = clock.now();

  const warmUp = createWarmUp(
    () => library.warmUpCopies(),
    () => warmUpRest(library, remote),
    log,
  );
  const actions = createActions({
    library,
    // A command that ends has nobody else to answer.
    untilWarm: () => (options.listens ? warmUp.untilCopies() : undefined),
    defaults,
    remote,
    clock,
    origin,
    userKey: () => keys.current(),
    askWaitMs: options.askWaitMs,
    log,
    maxFileBytes,
    registered,
    coordinator,
    ...till,
  });
  const transferLibrary = createTransferLibrary(library);
  const showOwn = () => library.setOwnStickers(till.own.list().map(({ sticker }) => sticker));
  const { deadlineMs, fallback } = config;
  const app = createApp({
    service: { ...actions, libraryHeader: createLibraryHeader(library, harvest), deadlineMs, fallback },
    library: {
      ...actions,
      harvester,
      transferLibrary,
      transferOwned: createTransferOwned(till.carrier, showOwn),
      ownStickers: createKeepOwnStickers(till.own, library),
    },
    purchases: {
      reviewPurchases: createReviewPurchases(till.journal, till.settlement, remote, actions.fetchSticker),
      showSpending: createShowSpending(till.journal, till.budget, till.savings),
      budget: till.budget,
      listFree: (presets) => ({
        owned: presets.filter((preset) => till.owned.has(itemOf(preset)) || till.own.has(preset)),
        shipped: presets.filter((preset) => defaults.findSticker(preset) !== undefined),
      }),
      defaults,
      keepDefaults: createKeepDefaults(registered),
      deadlineMs,
    },
    admin: {
      showStatus: (): DaemonStatus => ({
        name: 'svcd',
        version: VERSION,
        url: origin(),
        pid: process.pid,
        started_at: new Date(startedAt).toISOString(),
        library: { stickers: library.size },
        owned: { items: till.owned.count() },
        remote: { address: remote?.baseUrl ?? null, sandbox: config.sandbox, ...statusOf(remote?.reach()) },
        key: keys.current() !== undefined,
        key_source: keys.report().source,
        keychain: keys.report().keychain.state,
      }),
      switchOffline: createSwitchOffline(
        remote,
        (offline) => writeSetting(home, 'offline', `${offline}`),
        log,
      ),
      stop: () => setImmediate(askStop),
      origins,
      showKey: () => keys.report(),
      refreshKey: async () => {
        const report = await keys.refresh(true);
        harvester.noteKey();
        return report;
      },
      rotateToken: () => {
        const next = newToken();
        // Written first: one that works and stands nowhere would lock everybody out.
        note(next, options.listens ? process.pid : null);
        return (token = next);
      },
      tokens: till.tokens,
    },
    authorization: {
      token: () => token,
      userKey: () => keys.current(),
      findGrant: (bearer) => till.tokens.find(bearer),
      trustLoopback: config.trustLoopback,
    },
    monotonic: () => clock.monotonic(),
    origin,
    findBalance: (keyId) => till.accounts.findBalance(keyId),
    log,
  });
  const fetch = async (request: Request) => app.fetch(request);
  const keepCopy = createKeepLibraryCopy({
    library,
    carry: transferLibrary,
    copy: openLibraryCopy(home, scope),
    listOwned: () => till.owned.listStickers(0, MAX_LISTED_BY_NAME).map(({ preset }) => preset),
    log,
  });
  refill = async () => {
    showOwn();
    await keepCopy.refill();
  };
  showOwn();
  await library.prepareBeside();

  const filled = library.setAside === undefined ? keepCopy.restore() : keepCopy.refill();
  open.push(() => filled);
  // A daemon answers meanwhile; a command that ends has no meanwhile.
  if (!options.listens) await filled;
  else if (sandbox === undefined) keepCopyAtHand(keepCopy, options.copyEveryMs ?? COPY_EVERY_MS, open);

  if (options.listens) {
    const gate = createGate({ port: () => port, isListed: (one) => origins.has(one) });
    const limits = options.connectionLimits ?? {};
    const listener = await listenUntilClosed(app.fetch, config.port, open, { gate, limits });
    port = listener.port;
    note(token, process.pid);
    open.push(() => note(token, null));
    warmUp.beginLater();
    open.push(() => warmUp.stop());
    beginLater(harvester, options.syncAfterMs ?? SYNC_AFTER_MS, open);
  }
  // Last in, first out: nothing is closed while a purchase is under way.
  open.push(() => coordinator.idle());
  // Before that, so that it waits only for what has left, and not for what still waits for its turn.
  open.push(() => remote?.close());
  open.push(() => app.close());

  const info: DaemonInfo = {
    url: origin(),
    pid: process.pid,
    token,
    home,
    library: { stickers: library.size },
    ...(sandbox === undefined
      ? {}
      : {
          sandbox: { url: sandbox.url, key: sandbox.service.key, control_token: sandbox.control.token },
        }),
  };
  return {
    info,
    remote: remote?.baseUrl,
    fetch,
    close: () => open.closeAll(),
    stopAsked,
  };
}

async function startSandbox(home: string, options: DaemonOptions, open: Cleanup): Promise<HostedSandbox> {
  const { log, clock = systemClock, lockWaitMs = 0 } = options;
  const token = findRuntime(home)?.sandbox?.token;
  const sandbox = await hostSandbox({ ...options.sandbox, home, port: 0, clock, log, lockWaitMs, token });
  open.push(() => sandbox.close());
  return sandbox;
}

async function listenUntilClosed(
  fetch: Fetch,
  port: number,
  open: Cleanup,
  options: ListenOptions = {},
): Promise<Listener> {
  const listener = await listen(fetch, port, options);
  open.push(() => listener.close(CLOSE_GRACE_MS));
  return listener;
}

function connectRemote(
  config: Config,
  sandboxUrl: string | undefined,
  till: PurchaseStores,
  { clock = systemClock, log, sleep: ownSleep }: DaemonOptions,
): Remote | undefined {
  const baseUrl = sandboxUrl ?? config.remote;
  if (baseUrl === undefined) return undefined;
  return createRemote({
    baseUrl,
    exchanger: createExchanger(baseUrl),
    forcedOffline: config.offline,
    clock,
    log,
    watchBalance: (keyId, cost) => till.watchBalance(keyId, cost),
    pace: { windowMs: PACE_WINDOW_MS, backgroundShare: requestsToFillWith(config) / REQUESTS_PER_MINUTE },
    ...(ownSleep !== undefined && { sleep: ownSleep }),
  });
}

function requestsToFillWith({ syncShare }: Config): number {
  return Math.max(1, Math.floor((REQUESTS_PER_MINUTE * syncShare) / 100));
}

function beginLater(harvester: Harvester, afterMs: number, open: Cleanup): void {
  const timer = setTimeout(() => harvester.begin(), afterMs);
  timer.unref();
  open.push(() => clearTimeout(timer));
}

/** Whether the remote can be reached, as GET /svcd/status tells it. */
function statusOf(reach: Reach = { offline: true, forced: false, why: 'no remote is configured' }) {
  const { offline, forced, since, why } = reach;
  const sinceText = since === undefined ? null : new Date(since).toISOString();
  return { offline, forced, since: sinceText, why: why ?? null };
}

function keepCopyAtHand(keepCopy: KeepLibraryCopy, everyMs: number, open: Cleanup): void {
  let underWay = Promise.resolve();
  const timer = setInterval(() => {
    underWay = keepCopy.keepIfChanged();
  }, everyMs);
  timer.unref();
  open.push(async () => {
    clearInterval(timer);
    await underWay;
  });
}

function* warmUpRest(library: Library, remote: Remote | undefined): Iterable<void> {
  yield* library.warmUpQueries();
  if (remote === undefined) return;
  // A client needs it, and it takes as long to load as the rest of the client.
  yield void import('node:http2');
  yield void loadClient();
}
