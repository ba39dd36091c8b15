// Connects the opened rooms: the remote with its policies, the coordinator that buys, the harvest, and the app that answers
// requests with them.

import { type Config, followSetting, loadConfig } from '../config/config.js';
import { wantedLocales } from '../config/environment.js';
import { isSandboxKey } from '../auth/key-file.js';
import { createHarvester, type Harvester } from '../harvest/harvester.js';
import { connectMachines, createHubListening, findKeyProblem } from '../hub/app/connect-hub.js';
import type { Listener } from '../http/listen.js';
import { createHubHandlers } from '../hub/app/hub-handlers.js';
import { watchKey, type KeyWatch } from '../hub/app/watch-key.js';
import { belongingOf, connectMember } from '../hub/member/connect-member.js';
import { createHubLibrary } from '../hub/member/copy-library.js';
import { createHubTrouble } from '../hub/member/hub-trouble.js';
import { openLibraryCopy } from '../library/storage/library-copy.js';
import { createDraw } from '../picture/draw.js';
import { createStickerReader } from '../lottie/read-sticker.js';
import { keyIdOf } from '../model/spender.js';
import { type App, createApp } from '../operations/handlers.js';
import { createKeepLibraryCopy, type KeepLibraryCopy } from '../operations/library/keep-library-copy.js';
import { createTransferLibrary } from '../operations/library/transfer-library.js';
import { openVerbs } from '../operations/open-verbs.js';
import type { Rooms } from '../operations/rooms.js';
import type { Cleanup } from '../platform/cleanup.js';
import { systemClock } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import { openOutside } from '../platform/open-outside.js';
import { sleep } from '../platform/sleep.js';
import { createPurchaseCoordinator, type PurchaseCoordinator } from '../purchases/purchase-coordinator.js';
import { createExchanger, loadClient, type Exchange, type RemoteRequest } from '../upstream/exchange.js';
import { createConnector } from '../upstream/open-connection.js';
import { wayOf } from '../upstream/trusted-certificates.js';
import { createKeyTrouble } from '../upstream/key-trouble.js';
import { askBalance, PACE_WINDOW_MS, type Remote } from '../upstream/remote.js';
import { openReports } from '../video/report/report-store.js';
import { connectRemote, harvestShare } from './connect-remote.js';
import type { DaemonOptions } from './daemon-options.js';
import type { OpenHome } from './open-home.js';
import { createWarmUp, type WarmUp } from './warm-up.js';
import { FIRST_BUDGET_WORDS } from '../purchases/budget.js';

export interface ConnectedRooms {
  readonly app: App;
  /** What machines are answered, of a hub. */
  readonly machineApp: App | undefined;
  readonly remote: Remote | undefined;
  readonly coordinator: PurchaseCoordinator;
  readonly harvester: Harvester;
  readonly keepCopy: KeepLibraryCopy;
  readonly warmUp: WarmUp;
  /** Listens for who watches svcd, and tells who wants to be told, where a setting says so. Throws `port_in_use`, `invalid_config`. */
  readonly listenForWatchers: () => Promise<Listener | undefined>;
}

const REFRESH_AFTER_MS = 7 * 24 * 60 * 60_000;
const MAX_LISTED_BY_NAME = 10_000;
/** When, and how often, the Key is looked for after a start. */
const KEY_LOOK_MS = 500;
const KEY_LOOKS = 60;

/** `stop` is called when a client asks the daemon to stop. */
export function connectRooms(
  config: Config,
  options: DaemonOptions,
  open: OpenHome,
  cleanup: Cleanup,
  stop: () => void,
): ConnectedRooms {
  const { log, clock = systemClock, listens } = options;
  const { library, harvest, endpoint, sandbox, belonging, hub } = open;
  const { home, maxFileBytes } = config;
  const transferLibrary = createTransferLibrary(library, clock);
  let hasAnswered = false;
  const keyTrouble = createKeyTrouble(clock);
  const hubTrouble = createHubTrouble(clock);
  const note = (request: RemoteRequest, result: Exchange) => {
    hasAnswered ||= result.kind === 'answer';
    keyTrouble.note(request, result);
    hubTrouble.note(request, result);
    hub?.noteAnswer(result);
    keyWatch?.note(request, result);
  };
  const findRefusal = (request: RemoteRequest) => keyWatch?.findRefusal(request);
  const remote = connectRemote(config, open, options, { note, findRefusal }, cleanup);
  const { keys } = open;
  const look = () => findKeyProblem({ keys, keyTrouble, remote });
  const keyWatch: KeyWatch | undefined =
    hub && watchKey({ currentKey: () => keys.current(), keyTrouble, look, log, everyMs: options.keyLookMs });
  cleanup.push(() => keyWatch?.stop());
  const userKey = createGuardedKey(open, log);
  const memberHome = { belonging, stores: open.stores, clock, log, listens };
  const { stores, member } = connectMember(config, memberHome, remote, cleanup, () => coordinator);
  const coordinator: PurchaseCoordinator = createPurchaseCoordinator({
    ...stores,
    remote,
    seller: member?.seller,
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
  const pictures = createDraw();
  cleanup.push(() => pictures.close());
  const rooms: Rooms = {
    ...open,
    ...stores,
    config,
    harvester,
    transferLibrary,
    coordinator,
    remote,
    hasAnswered: () => hasAnswered,
    deliveries: config.metrics === undefined ? undefined : new Map(),
    userKey,
    keyTrouble,
    belonging: () => belongingOf(belonging, config, hubTrouble.find()),
    freshMark: member === undefined || belonging.kind !== 'hub' ? '' : `m${belonging.membership.machine.id}-`,
    reader,
    draw: pictures.draw,
    reports,
    origin: () => endpoint.origin(),
    token: () => endpoint.token,
    rotateToken: () => endpoint.rotateToken(),
    findFolder: followSetting(config, 'folder'),
    openOutside: options.openOutside ?? openOutside,
    askWaitMs: options.askWaitMs,
    // A command in its own process answers only itself.
    untilWarm: () => (listens ? warmUp.untilCopies() : undefined),
    stop,
    clock,
    log,
  };
  if (listens && remote !== undefined) watchOn(rooms, remote, cleanup);
  const verbs = openVerbs(rooms);
  const listening = hub && createHubListening(hub, rooms, open.hubStores.get(), options.readOnly?.home ?? home);
  const app = createApp(
    rooms,
    verbs,
    (closing) => createHubHandlers({ stores: open.hubStores.get, listening }, closing, log),
    {
      findHub: async () =>
        (await import('../hub/member/check-member.js')).checkMember(config, remote?.reach().forced ?? false),
      hubFacts: listening?.findFacts,
    },
    // Late: few have a host that asks by HTTP.
    async (request, from) => {
      const { serveMcp } = await import('../mcp/serve-http.js');
      // As it is now: it may have changed since svcd started.
      const registers = async () => (await loadConfig({ home })).registerProductions;
      return serveMcp(request, { ...from, registers, locales: wantedLocales() });
    },
  );
  const machineApp = hub && connectMachines(hub, rooms, verbs, open.hubStores.get());
  const listenForWatchers = async () => {
    const { metrics, webhook } = config;
    const own = options.readOnly?.home ?? home;
    if (webhook !== undefined) {
      const { sendAlerts } = await import('./send-alerts.js');
      const exchange = createExchanger(new URL(webhook).origin, createConnector(wayOf(config)));
      cleanup.push(sendAlerts(webhook, own, exchange, rooms, open.hubStores, options.alertPace));
    }
    if (metrics === undefined) return undefined;
    const { serveMetrics } = await import('./serve-metrics.js');
    return serveMetrics(metrics, own, rooms, hub, open.hubStores);
  };
  const keepCopy = keepCopyOf(rooms);
  return { app, machineApp, remote, coordinator, harvester, keepCopy, warmUp, listenForWatchers };
}

/** Keeps the copy of the library, and fills the library from it when that was lost. */
function keepCopyOf({ library, transferLibrary, scope, config: { home }, owned, own, log }: Rooms): KeepLibraryCopy {
  const keepCopy = createKeepLibraryCopy({
    library,
    transfer: transferLibrary,
    copy: openLibraryCopy(home, scope),
    listOwned: () => owned.listStickers(0, MAX_LISTED_BY_NAME).map(({ preset }) => preset),
    log,
  });
  const showOwn = () => library.setOwnStickers(own.list().map(({ sticker }) => sticker));
  const refill = async () => {
    showOwn();
    await keepCopy.refill();
  };
  library.observe({ reopened: () => setImmediate(() => void refill()) });
  showOwn();
  return keepCopy;
}

/** Goes on looking what became of purchases whose end an earlier run did not see, as soon as the keychain has told the Key. */
function watchOn({ settlement, userKey }: Rooms, remote: Remote, cleanup: Cleanup): void {
  let tries = 0;
  const timer = setInterval(() => {
    const key = userKey();
    tries += 1;
    if (key !== undefined) settlement.settleLater(keyIdOf(key), () => askBalance(remote, key));
    if (key !== undefined || tries === KEY_LOOKS) clearInterval(timer);
  }, KEY_LOOK_MS).unref();
  cleanup.push(() => clearInterval(timer));
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
    if (['read_only', 'disk_full'].includes(stores.guard.findStop()?.by ?? '')) return key;
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

function* warmUpRest({ library }: OpenHome, remote: Remote | undefined): Iterable<void> {
  // First: an update of svcd takes away the files of a daemon that runs, and without this one nothing can be bought.
  if (remote !== undefined) {
    // The client needs it, and it takes as long to load as the rest of the client.
    yield void import('node:http2');
    yield void loadClient();
  }
  yield* library.warmUpQueries();
}
