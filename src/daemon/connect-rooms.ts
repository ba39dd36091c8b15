// Connects the opened rooms: the remote with its policies, the coordinator that buys, the harvest, the actions, and the
// app that answers requests with them.

import type { DaemonStatus } from '../api/answers.js';
import { createKeepDefaults } from '../operations/library/keep-defaults.js';
import { createKeepLibraryCopy, type KeepLibraryCopy } from '../operations/library/keep-library-copy.js';
import { createKeepOwnStickers } from '../operations/library/keep-own-stickers.js';
import { createHubLibrary } from '../hub/member/copy-library.js';
import { createReviewPurchases } from '../operations/money/review-purchases.js';
import { createSwitchOffline } from '../operations/home/switch-offline.js';
import { createShowSummary } from '../operations/page/show-summary.js';
import { createWatchPage } from '../operations/page/watch-page.js';
import { createTransferLibrary } from '../operations/library/transfer-library.js';
import { createTransferOwned } from '../operations/owned/transfer-owned.js';
import { spendingOf, stopOf } from '../purchases/open-purchases.js';
import { writeSetting, type Config } from '../config/config.js';
import { isUsualHome } from '../config/find-home.js';
import { followFolder } from '../config/folder-setting.js';
import { hidePassword } from '../config/parse-setting.js';
import { createLibraryHeader } from '../harvest/harvest-status.js';
import { createHarvester, type Harvester } from '../harvest/harvester.js';
import { type App, createApp } from '../operations/handlers.js';
import { openLibraryCopy } from '../library/storage/library-copy.js';
import { createStickerReader } from '../lottie/read-sticker.js';
import type { Cleanup } from '../platform/cleanup.js';
import { isSandboxKey } from '../auth/key-file.js';
import { systemClock } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import { openOutside } from '../platform/open-outside.js';
import { keyIdOf } from '../model/spender.js';
import { sleep } from '../platform/sleep.js';
import { buildOf, isReplaced, VERSION } from '../platform/installation.js';
import { FIRST_BUDGET_WORDS } from '../purchases/first-budget.js';
import { itemOf } from '../purchases/item.js';
import { createPurchaseCoordinator, type PurchaseCoordinator } from '../purchases/purchase-coordinator.js';
import type { Reach } from '../upstream/breaker.js';
import { openReports } from '../video/report/report-store.js';
import { loadClient, type Exchange, type RemoteRequest } from '../upstream/exchange.js';
import { createHubTrouble } from '../hub/member/hub-trouble.js';
import { createKeyTrouble } from '../upstream/key-trouble.js';
import { PACE_WINDOW_MS, type Remote } from '../upstream/remote.js';
import { connectMachines, createHubListening } from '../hub/app/connect-hub.js';
import { belongingOf, connectMember } from '../hub/member/connect-member.js';
import { connectRemote, harvestShare } from './connect-remote.js';
import { createActions } from './create-actions.js';
import type { DaemonOptions } from './daemon-options.js';
import type { OpenHome } from './open-home.js';
import { createWarmUp, type WarmUp } from './warm-up.js';

export interface ConnectedRooms {
  readonly app: App;
  /** What machines are answered, of a hub. */
  readonly machineApp: App | undefined;
  readonly remote: Remote | undefined;
  readonly coordinator: PurchaseCoordinator;
  readonly harvester: Harvester;
  readonly keepCopy: KeepLibraryCopy;
  readonly warmUp: WarmUp;
}

const REFRESH_AFTER_MS = 7 * 24 * 60 * 60_000;
const LOOK_AT_KEY = {
  method: 'GET',
  path: '/api/v1/me',
  cost: 'free',
  timeoutMs: 2000,
  queueTimeoutMs: 2000,
  maxBytes: 64 * 1024,
} as const;
const MAX_LISTED_BY_NAME = 10_000;

/** `askStop` is called when a client asks the daemon to stop. */
export function connectRooms(
  config: Config,
  options: DaemonOptions,
  open: OpenHome,
  cleanup: Cleanup,
  askStop: () => void,
): ConnectedRooms {
  const { log, clock = systemClock } = options;
  const { library, harvest, defaults, registered, keys, origins, endpoint, sandbox, scope, isSandbox, belonging } =
    open;
  const transferLibrary = createTransferLibrary(open.library, options.clock ?? systemClock);
  const { home, maxFileBytes, deadlineMs, imageDeadlineMs, fallback, form, whenNothingFits } = config;
  const origin = () => endpoint.origin();
  const startedAt = clock.now();
  const answers = { seen: false };
  let budgetChanges = 0;
  const keyTrouble = createKeyTrouble(clock);
  const hubTrouble = createHubTrouble(clock);
  const tellBelonging = () => belongingOf(open, config, hubTrouble.find());
  const note = (request: RemoteRequest, result: Exchange) => {
    answers.seen ||= result.kind === 'answer';
    keyTrouble.note(request, result);
    hubTrouble.note(request, result);
    open.hub?.checks.noteAnswer(result);
  };
  const remote = connectRemote(config, open, options, note, cleanup);
  const findFolder = followFolder(config);
  const userKey = createGuardedKey(open, log);
  const { stores, member } = connectMember(config, open, options, remote, cleanup, () => coordinator);
  const coordinator: PurchaseCoordinator = createPurchaseCoordinator({
    ...stores,
    remote,
    hub: member?.trade,
    maxFileBytes,
    log,
    clock,
    sleep: options.sleep,
  });
  const filling = { library, harvest, clock, log, sleep: options.sleep ?? sleep, background: config.backgroundSync };
  const harvester = member
    ? createHubLibrary({ ...filling, remote: member.remote, transfer: transferLibrary })
    : createHarvester({
        ...filling,
        remote,
        userKey,
        pace: { allowed: harvestShare(config), windowMs: PACE_WINDOW_MS },
        // The library holds all of the sandbox's stickers; none of them grows old.
        refreshAfterMs: sandbox === undefined ? REFRESH_AFTER_MS : Infinity,
      });
  cleanup.push(() => harvester.close());
  const titleOf = (preset: string) => library.findSticker(preset)?.title;
  const reports = openReports({ home, clock, log, titleOf });
  cleanup.push(() => reports.close());
  const warmUp = createWarmUp(
    () => library.warmUpCopies(),
    () => warmUpRest(open, remote),
    log,
  );
  const reader = createStickerReader(log);
  cleanup.push(() => reader.close());
  const actions = createActions({
    ...stores,
    freshMark: member === undefined || belonging.kind !== 'hub' ? '' : `m${belonging.membership.machine.id}-`,
    reader,
    library,
    harvest,
    // A command in its own process answers only itself.
    untilWarm: () => (options.listens ? warmUp.untilCopies() : undefined),
    scope,
    defaults,
    registered,
    coordinator,
    remote,
    clock,
    origin,
    userKey,
    askWaitMs: options.askWaitMs,
    log,
    maxFileBytes,
    whenNothingFits,
    home,
    findFolder,
    openOutside: options.openOutside ?? openOutside,
  });
  const showOwn = () => library.setOwnStickers(stores.own.list().map(({ sticker }) => sticker));
  const untilOwnFound = () => {
    showOwn();
    return library.untilFound();
  };
  const keepCopy = createKeepLibraryCopy({
    library,
    transfer: transferLibrary,
    copy: openLibraryCopy(home, scope),
    listOwned: () => stores.owned.listStickers(0, MAX_LISTED_BY_NAME).map(({ preset }) => preset),
    log,
  });
  const refill = async () => {
    showOwn();
    await keepCopy.refill();
  };
  library.observe({ reopened: () => setImmediate(() => void refill()) });
  showOwn();
  const showSummary = createShowSummary({
    stores,
    remote,
    isSandbox,
    hub: tellBelonging,
    keys,
    harvester,
    library,
    clock,
    keyTrouble,
    home,
    isUsualHome,
    hasFolder: () => findFolder() !== undefined,
  });
  const service = {
    ...actions,
    libraryHeader: createLibraryHeader(library, harvest),
    deadlineMs,
    imageDeadlineMs,
    fallback,
    form,
  };
  const transferOwned = createTransferOwned(stores.carrier, untilOwnFound, maxFileBytes);
  const findBalance = (keyId: string) => stores.accounts.findBalance(keyId);
  const findKeyProblem = async () => {
    const key = keys.current();
    // Its answer is noted where every answer is.
    if (key !== undefined && !keyTrouble.isGood(key) && remote?.reach().offline === false) {
      await remote.exchange({ ...LOOK_AT_KEY, key });
    }
    return keyTrouble.find(key);
  };
  const facts = { findBalance, findKeyProblem, clock, origin, log };
  const hubRooms = { service, transferLibrary, transferOwned, coordinator, userKey, ...facts };
  const app = createApp({
    service,
    facts: { ...actions.facts, form },
    library: {
      ...actions,
      library,
      harvester,
      transferLibrary,
      transferOwned,
      ownStickers: createKeepOwnStickers(stores.own, library),
    },
    page: {
      ...actions,
      collections: stores.collections,
      showSummary,
      watchPage: createWatchPage(() => {
        const purchase = String(stores.mark.changes());
        const { source, last_four } = keys.report();
        const key = [source, last_four, findBalance(keyIdOf(keys.current() ?? '')), keyTrouble.find(keys.current())];
        const money = [purchase, stopOf(stores), budgetChanges];
        const around = [remote?.reach(), hubTrouble.find()?.code, findFolder()];
        const copying = [harvest.isPaused, library.isComplete()];
        return {
          summary: JSON.stringify([key, money, around, copying]),
          owned: `${stores.owned.count()} ${stores.own.list().length}`,
          purchase,
          library: String(library.revision),
          collections: String(stores.collections.revision()),
        };
      }),
    },
    plans: actions,
    purchases: {
      reviewPurchases: createReviewPurchases(
        stores.journal,
        stores.settlement,
        remote,
        actions.fetchSticker,
        log,
        clock,
      ),
      showSpending: () => {
        // A Key that came a moment ago has its budget now, not at its first purchase.
        userKey();
        return spendingOf(stores);
      },
      stopSpending: (stopped) => {
        stores.guard.setStopped(stopped);
        log.info(stopped ? 'spending was stopped' : 'spending was allowed again');
      },
      budget: {
        ...stores.budget,
        set: async (period, limit) => {
          await stores.budget.set(period, limit);
          budgetChanges += 1;
          log.info('a budget was changed', { period, limit: limit ?? 'none' });
        },
      },
      listFree: (presets) => ({
        owned: presets.filter((preset) => stores.owned.has(itemOf(preset)) || stores.own.has(preset)),
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
        build: buildOf(),
        updated: isReplaced(),
        url: origin(),
        pid: process.pid,
        started_at: new Date(startedAt).toISOString(),
        library: { stickers: library.size, building: library.building() ?? null },
        owned: { items: stores.owned.count() },
        remote: {
          address: remote?.baseUrl ?? null,
          sandbox: isSandbox,
          proxy:
            config.proxy === undefined || sandbox !== undefined || member !== undefined
              ? null
              : hidePassword(config.proxy),
          answered: answers.seen,
          ...statusOf(remote?.reach()),
          held_until: heldUntil(remote, clock.now()),
        },
        hub: tellBelonging(),
        spending_stopped: stopOf(stores),
        key: keys.current() !== undefined,
        key_source: keys.report().source,
        keychain: keys.report().keychain.state,
      }),
      switchOffline: createSwitchOffline(remote, (offline) => writeSetting(home, 'offline', `${offline}`), log),
      stop: () => setImmediate(askStop),
      origins,
      showKey: () => keys.report(),
      refreshKey: async () => {
        const report = await keys.refresh(true);
        log.info('the Key was looked for again', { source: report.source });
        userKey();
        harvester.noteKey();
        return report;
      },
      rotateToken: () => {
        const token = endpoint.rotateToken();
        log.info('the local token was changed');
        return token;
      },
      tokens: {
        ...stores.tokens,
        add: (token) => {
          const made = stores.tokens.add(token);
          log.info('a token was added', { name: token.name });
          return made;
        },
        revoke: (name) => {
          stores.tokens.revoke(name);
          log.info('a token was revoked', { name });
        },
      },
      reports,
    },
    authorization: {
      token: () => endpoint.token,
      userKey,
      findGrant: (bearer) => stores.tokens.find(bearer),
      trustLoopback: config.trustLoopback,
    },
    monotonic: () => clock.monotonic(),
    origin,
    findBalance,
    hub: {
      stores: () => stores.openHub(),
      listening: open.hub && createHubListening(config, open.hub, open, hubRooms),
    },
    log,
  });
  const machineApp = open.hub && connectMachines(config, open.hub, open, hubRooms);
  return { app, machineApp, remote, coordinator, harvester, keepCopy, warmUp };
}

/**
 * The user's Key. As soon as there is one, wherever it comes from and before it can spend, the home has its first budget.
 * Not for a Key of a sandbox at an address: its money is as little real as that of the sandbox inside. A hub has budgets.
 */
function createGuardedKey({ keys, stores, belonging }: OpenHome, log: Log): () => string | undefined {
  let noted: string | undefined;
  return () => {
    const key = keys.current();
    if (key === undefined || key === noted || isSandboxKey(key) || belonging.kind === 'hub') return key;
    // Nor where nothing can be bought or written down.
    if (stores.guard.findStop()?.by === 'read_only') return key;
    try {
      const given = stores.firstBudget.give(keyIdOf(key));
      noted = key;
      if (given) log.info(FIRST_BUDGET_WORDS);
    } catch (error) {
      // Nothing can be bought either: the intent could not be written.
      log.warn('the first budget could not be written', { why: String(error) });
    }
    return key;
  };
}

/** Whether the remote can be reached, as GET /svcd/status tells it. */
function statusOf(reach: Reach = { offline: true, forced: false, why: 'no remote is configured' }) {
  const { offline, forced, since, why } = reach;
  const sinceText = since === undefined ? null : new Date(since).toISOString();
  return { offline, forced, since: sinceText, why: why ?? null };
}

/** Until when the remote wants to be left alone; null when it does not. */
function heldUntil(remote: Remote | undefined, now: number): string | null {
  const ms = remote?.heldForMs() ?? 0;
  return ms === 0 ? null : new Date(now + ms).toISOString();
}

function* warmUpRest({ library }: OpenHome, remote: Remote | undefined): Iterable<void> {
  // First: an update of svcd takes away the files of a daemon that runs, and without this one nothing can be bought.
  if (remote !== undefined) {
    // The client needs it, and it takes as long to load as the rest of the client.
    yield void import('node:http2');
    yield void loadClient();
  }
  yield* library.warmUpQueries();
}
