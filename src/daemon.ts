// Builds svcd from its config, starts it and closes it in reverse order. The only file that knows every room.

import { readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createAllowedOrigins } from './actions/allow-origins.js';
import { createCarryLibrary } from './actions/carry-library.js';
import { createCarryOwned } from './actions/carry-owned.js';
import { createFinders } from './actions/ask-when-it-helps.js';
import { createFetchSticker, itemOf } from './actions/fetch-sticker.js';
import { createGenerateImage } from './actions/generate-image.js';
import { createKeepDefaults } from './actions/keep-defaults.js';
import { createHarvester, type Harvester } from './actions/harvest-library.js';
import { createLibraryHeader } from './actions/harvest-status.js';
import { createListCapabilities } from './actions/list-capabilities.js';
import { createCandidateLister } from './actions/list-candidates.js';
import { createMatchStickers } from './actions/match-stickers.js';
import { createPassThrough } from './actions/pass-through.js';
import { createRegisterProduction } from './actions/register-production.js';
import { createReviewPurchases } from './actions/review-purchases.js';
import { createSearchStickers } from './actions/search-stickers.js';
import { createShowAccount } from './actions/show-account.js';
import { createShowSpending } from './actions/show-spending.js';
import { createStandIn } from './actions/stand-in.js';
import { createSwitchOffline } from './actions/switch-offline.js';
import { systemClock, type Clock } from './clock.js';
import { DATA_FOLDER, writeSetting, type Config } from './config.js';
import { createApp } from './http/app.js';
import { createBearers } from './http/bearer.js';
import { createGate } from './http/gate.js';
import {
  listen,
  requireFreePort,
  type ConnectionLimits,
  type Fetch,
  type Listener,
  type ListenOptions,
} from './http/listen.js';
import type { LearnedAnswer } from './library/knowledge.js';
import { openLibrary, type Library } from './library/open-library.js';
import type { Log } from './log.js';
import { PERIODS } from './purchases/budget.js';
import { openDefaultPack, type DefaultPack } from './purchases/default-pack.js';
import { openTill, type Till } from './purchases/open-till.js';
import { hostSandbox, type HostedSandbox } from './sandbox-host.js';
import type { Sandbox } from './sandbox/open-sandbox.js';
import { asHomeTrouble, findRuntime, lockHome, prepareHome, writeRuntime } from './store/home-folder.js';
import { readOrigins, writeOrigins } from './store/origins-file.js';
import type { Reach } from './upstream/breaker.js';
import { createExchanger, warmUp } from './upstream/exchange.js';
import { createRemote, PACE_WINDOW_MS, type Remote } from './upstream/remote.js';
import { sleep, type Sleep } from './upstream/sleep.js';
import { TOKEN_PREFIX } from './spender.js';
import { REQUESTS_PER_MINUTE } from './wire/limits.js';
import { VERSION } from './version.js';

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
  /** Tells the Key to spend with, once it is known. */
  setUserKey(key: string): void;
  hasUserKey(): boolean;
  /** Finishes what is in flight, then closes everything. Safe to call twice. */
  close(): Promise<void>;
  /** Resolves when something asks the daemon to stop. */
  readonly stopAsked: Promise<void>;
}

export interface DaemonOptions {
  readonly log: Log;
  readonly clock?: Clock;
  /** The Key from the environment, if any. */
  readonly userKey?: string | undefined;
  /** False for the same app in process, without a port. */
  readonly listens: boolean;
  /** How long to wait for a home that another process is just leaving. */
  readonly lockWaitMs?: number;
  /** How long a lost paid call may still be at work at the remote. */
  readonly settleGraceMs?: number;
  /** How long a search may wait for the remote while the library is not complete. */
  readonly askWaitMs?: number;
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
// Later than the first answer, which should not wait for it.
const WARM_UP_AFTER_MS = 2000;
// Whoever starts svcd for one thing is not followed by a harvest.
const SYNC_AFTER_MS = 20_000;
const REFRESH_AFTER_MS = 7 * 24 * 60 * 60_000;

/**
 * Starts svcd. Throws `already_running`, `port_in_use`, `home_not_writable`, `owned_damaged`; whatever was
 * opened by then is closed again.
 */
export async function startDaemon(config: Config, options: DaemonOptions): Promise<Daemon> {
  const open = createStack();
  try {
    return await build(config, options, open);
  } catch (error) {
    // What went wrong first is what the user must hear of.
    await open.closeAll().catch(() => undefined);
    throw asHomeTrouble(config.home, error);
  }
}

/** What was opened so far, to be closed in reverse order. */
interface Stack {
  push(close: () => void | Promise<void>): void;
  closeAll(): Promise<void>;
}

function createStack(): Stack {
  const closers: (() => void | Promise<void>)[] = [];
  return {
    push: (close) => void closers.push(close),
    closeAll: async () => {
      const failures: unknown[] = [];
      for (let close = closers.pop(); close !== undefined; close = closers.pop()) {
        // One that fails must not keep the others open.
        await Promise.resolve()
          .then(close)
          .catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}

async function build(config: Config, options: DaemonOptions, open: Stack): Promise<Daemon> {
  const { log, clock = systemClock } = options;
  const { home } = config;
  prepareHome(home);
  const lock = lockHome(home, options.lockWaitMs ?? 0);
  open.push(() => lock.release());
  if (options.listens) await requireFreePort(config.port);
  const origins = createAllowedOrigins(readOrigins(home), (list) => writeOrigins(home, list), log);
  const token = findRuntime(home)?.token ?? TOKEN_PREFIX + randomBytes(24).toString('base64url');

  const sandbox = config.sandbox ? await startSandbox(home, options, open) : undefined;
  const scope = sandbox === undefined ? (config.remote ?? 'none') : 'sandbox';
  const defaults = openDefaultPack(join(DATA_FOLDER, 'defaults'));
  const library = openFilledLibrary(home, scope, sandbox?.service, defaults, options);
  open.push(() => library.close());
  const till = openTill({
    file: join(home, 'owned.db'),
    scope,
    clock,
    log,
    timeZone: config.timeZone,
    graceMs: options.settleGraceMs ?? SETTLE_GRACE_MS,
    imageGraceMs: options.settleGraceMs ?? IMAGE_SETTLE_GRACE_MS,
  });
  open.push(() => till.close());

  let userKey = sandbox?.service.key ?? options.userKey;
  let port = config.port;
  const origin = () => `http://127.0.0.1:${port}`;
  const remote = connectRemote(config, sandbox?.url, till, options);
  const harvester = createHarvester({
    library,
    remote,
    userKey: () => userKey,
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

  const actions = createActions({
    library,
    defaults,
    remote,
    clock,
    origin,
    userKey: () => userKey,
    askWaitMs: options.askWaitMs,
    log,
    maxFileBytes: config.maxFileBytes,
    ...till,
  });
  const app = createApp({
    mirrored: actions,
    purchases: {
      reviewPurchases: createReviewPurchases(till.journal, till.settlement, remote, actions.fetchSticker),
      showSpending: createShowSpending(till.journal, till.budget, till.savings),
      setBudget: (change) => {
        for (const period of PERIODS) {
          const limit = change[period];
          if (limit !== undefined) till.budget.set(period, limit);
        }
      },
    },
    own: {
      showStatus: () => ({
        name: 'svcd',
        version: VERSION,
        url: origin(),
        pid: process.pid,
        started_at: new Date(startedAt).toISOString(),
        library: { stickers: library.size },
        owned: { items: till.owned.count() },
        remote: { address: remote?.baseUrl ?? null, sandbox: config.sandbox, ...statusOf(remote?.reach()) },
        key: userKey !== undefined,
      }),
      listFree: (presets) => ({
        owned: presets.filter((preset) => till.owned.has(itemOf(preset))),
        shipped: presets.filter((preset) => defaults.findSticker(preset) !== undefined),
      }),
      switchOffline: createSwitchOffline(
        remote,
        (offline) => writeSetting(home, 'offline', `${offline}`),
        log,
      ),
      stop: () => setImmediate(askStop),
    },
    harvester,
    libraryHeader: createLibraryHeader(library),
    library: {
      carryLibrary: createCarryLibrary(library),
      carryOwned: createCarryOwned(till.carrier),
    },
    defaults: {
      readDefaultImage: (size) => defaults.readImage(size),
      keepDefaults: createKeepDefaults(till.registered),
    },
    origins,
    bearers: createBearers({ token, userKey: () => userKey, trustLoopback: config.trustLoopback }),
    userKey: () => userKey,
    findBalance: (keyId) => till.book.findBalance(keyId),
    deadlineMs: config.deadlineMs,
    fallback: config.fallback,
    log,
  });
  const fetch = async (request: Request) => app.fetch(request);
  library.prepare();

  if (options.listens) {
    const gate = createGate({ port: () => port, isListed: (one) => origins.has(one) });
    const limits = options.connectionLimits ?? {};
    const listener = await listenUntilClosed(app.fetch, config.port, open, { gate, limits });
    port = listener.port;
    const note = { url: origin(), token, ...(sandbox === undefined ? {} : { sandbox: sandbox.control }) };
    writeRuntime(home, { pid: process.pid, ...note });
    open.push(() => writeRuntime(home, { pid: null, ...note }));
    warmUpLater(remote, open);
    beginLater(harvester, options.syncAfterMs ?? SYNC_AFTER_MS, open);
  }
  // Last in, first out: nothing is closed while a purchase is under way.
  open.push(() => till.desk.idle());
  // Before that, so that it waits only for what has left, and not for what still waits for its turn.
  open.push(() => remote?.close());

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
    setUserKey: (key) => {
      userKey = key;
      harvester.noteKey();
    },
    hasUserKey: () => userKey !== undefined,
    close: () => open.closeAll(),
    stopAsked,
  };
}

async function startSandbox(home: string, options: DaemonOptions, open: Stack): Promise<HostedSandbox> {
  const { log, clock = systemClock, lockWaitMs = 0 } = options;
  const token = findRuntime(home)?.sandbox?.token;
  const sandbox = await hostSandbox({ home, port: 0, clock, log, lockWaitMs, token });
  open.push(() => sandbox.close());
  return sandbox;
}

async function listenUntilClosed(
  fetch: Fetch,
  port: number,
  open: Stack,
  options: ListenOptions = {},
): Promise<Listener> {
  const listener = await listen(fetch, port, options);
  open.push(() => listener.close(CLOSE_GRACE_MS));
  return listener;
}

/** The library of one remote, filled with what is at hand without asking anybody. */
function openFilledLibrary(
  home: string,
  scope: string,
  sandbox: Sandbox | undefined,
  defaults: DefaultPack,
  { log, clock = systemClock, synonyms = readSynonyms }: DaemonOptions,
): Library {
  const library = openLibrary({ file: join(home, 'library.db'), scope, synonyms, log, clock });
  if (sandbox !== undefined) {
    const source = `sandbox catalogue ${sandbox.stamp}`;
    if (!library.hasImported(source)) library.importStickers(sandbox.stickers(), source);
    // All that this remote has is here.
    library.setComplete(true);
  } else if (library.size === 0 || scope === 'none') {
    const source = `defaults of ${VERSION}`;
    if (!library.hasImported(source)) library.importStickers(defaults.stickers(), source);
  }
  return library;
}

function readSynonyms(): string {
  return readFileSync(join(DATA_FOLDER, 'synonyms', 'synonyms.txt'), 'utf8');
}

function connectRemote(
  config: Config,
  sandboxUrl: string | undefined,
  till: Till,
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

function beginLater(harvester: Harvester, afterMs: number, open: Stack): void {
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

interface ActionParts extends Till {
  readonly library: Library;
  readonly defaults: DefaultPack;
  readonly remote: Remote | undefined;
  readonly clock: Clock;
  readonly origin: () => string;
  readonly userKey: () => string | undefined;
  readonly askWaitMs: number | undefined;
  readonly maxFileBytes: number;
  readonly log: Log;
}

function createActions(parts: ActionParts) {
  const { library, remote, book, clock, owned, origin } = parts;
  const lister = createCandidateLister({ originals: library, origin, from: remote?.baseUrl });
  const { log } = parts;
  // Whoever asked has an answer already: that a full disk keeps svcd from learning is no reason to refuse it.
  const quietly = (work: () => unknown) => {
    try {
      work();
    } catch (error) {
      log.warn('the library could not learn', { why: String(error) });
    }
  };
  const noteGone = (preset: string) => quietly(() => library.markGone(preset, clock.now()));
  const noteThere = (preset: string) => quietly(() => library.markThere(preset, clock.now()));
  const learn = (answer: LearnedAnswer) => quietly(() => library.learn(answer, clock.now()));
  return {
    finders: createFinders({
      remote,
      clock,
      learn,
      userKey: parts.userKey,
      waitMs: parts.askWaitMs,
      isComplete: () => library.isComplete(),
      searchStickers: createSearchStickers(library, lister),
      matchStickers: createMatchStickers(library, lister),
    }),
    fetchSticker: createFetchSticker({ ...parts, standIn: createStandIn(parts), noteGone, noteThere }),
    generateImage: createGenerateImage(parts),
    showAccount: createShowAccount(remote, book, origin),
    listCapabilities: createListCapabilities(remote, book, clock, origin),
    registerProduction: createRegisterProduction(remote),
    passThrough: createPassThrough(remote, owned, origin, parts.maxFileBytes, learn),
  };
}

function warmUpLater(remote: Remote | undefined, open: Stack): void {
  if (remote === undefined) return;
  const timer = setTimeout(() => void warmUp(), WARM_UP_AFTER_MS);
  timer.unref();
  open.push(() => clearTimeout(timer));
}
