// Opens what lies in a home: its lock, the embedded sandbox, the library, what money bought, the Key. Everything that is
// opened is pushed to the cleanup at once.

import { join } from 'node:path';
import { createAllowedOrigins, type AllowedOrigins } from '../operations/home/allow-origins.js';
import { createFixedKey, type UserKey } from '../auth/user-key.js';
import { DATA_FOLDER, type Config } from '../config/config.js';
import { markFilesOf } from '../config/find-home.js';
import { findBelonging, type Belonging } from '../config/membership.js';
import { readOrigins, writeOrigins } from '../config/origins-file.js';
import { openDefaultPack, type DefaultPack } from '../defaults/default-pack.js';
import { openRegisteredDefaults, type RegisteredDefaults } from '../defaults/registered-defaults.js';
import { Harvest } from '../harvest/harvest.js';
import { requireFreePort } from '../http/listen.js';
import { type Library, openLibrary } from '../library/library.js';
import { followUserSynonyms, readUserSynonyms } from '../library/user-synonyms.js';
import type { Cleanup } from '../platform/cleanup.js';
import { systemClock, type Clock } from '../platform/clock.js';
import { forgetHomeCopy } from '../platform/files/home-copy.js';
import { lockHome, prepareHome } from '../platform/files/home-folder.js';
import { findRuntime, newToken, writeRuntime } from '../platform/files/runtime-file.js';
import { elsewhereError } from '../purchases/sqlite/cache-of-database.js';
import { OWNED_MIGRATIONS } from '../purchases/sqlite/owned-database.js';
import { openPurchases } from '../purchases/sqlite/open-purchases.js';
import type { DaemonOptions, WatchStart } from './daemon-options.js';
import { openHub, type OpenHub } from '../hub/app/open-hub.js';
import { hubStoresIn, type LateHubStores } from '../hub/books/hub-stores.js';
import { SANDBOX_SCOPE, fillFromSandbox, type SandboxStickers } from './fill-from-sandbox.js';
import { hostSandbox, type HostedSandbox } from './host-sandbox.js';
import { type PreparedFiles, unpackPrepared } from './prepared-files.js';
import type { OpenPurchasesOptions, PurchaseStores } from '../purchases/purchase-stores.js';
import type { Log } from '../platform/log.js';
import { loadShippedSynonyms } from '../library/language/shipped-synonyms.js';
import { LIBRARY_MIGRATIONS } from '../library/storage/sticker-schema.js';
import { copyOfOlder, forgetOldCopy, isOlderFile } from '../platform/open-database.js';
import { VERSION } from '../platform/installation.js';

export interface OpenHome {
  /** The remote whose stickers and purchases are meant: its address, `sandbox` or `none`. */
  readonly scope: string;
  readonly sandbox: HostedSandbox | undefined;
  /** Whether the home belongs to a hub, which is its remote then. */
  readonly belonging: Belonging;
  /** Whether it is play money that is spent: the sandbox's inside, or that of a hub. */
  readonly isSandbox: boolean;
  readonly library: Library;
  readonly harvest: Harvest;
  readonly stores: PurchaseStores;
  /** What a hub keeps besides. */
  readonly hubStores: LateHubStores;
  readonly defaults: DefaultPack;
  readonly registered: RegisteredDefaults;
  readonly keys: UserKey;
  readonly origins: AllowedOrigins;
  readonly endpoint: Endpoint;
  /** Undefined in a daemon that is no hub. */
  readonly hub: OpenHub | undefined;
  /** Copies of the files of an earlier svcd, which this start has brought up to date. */
  readonly updated: readonly string[];
}

/** Where the daemon is reached and with which token, as runtime.json tells clients. */
export interface Endpoint {
  port: number;
  readonly token: string;
  origin(): string;
  /** Of the daemon before this one: commands that run still know it by that. */
  lastPort(): number | undefined;
  /** Where machines come in, of a hub that listens. */
  hubUrl: string | undefined;
  /** Writes runtime.json; `running` is false after a clean stop. */
  write(running: boolean): void;
  /** Makes a new token. The file is written first: a token that it does not hold would lock every client out. */
  rotateToken(): string;
}

/** An image may be drawn for so much longer than a sticker is on its way. */
const IMAGE_GRACES = 3;

/** Throws `already_running`, `port_in_use`, `home_not_writable`, `owned_damaged`. */
export async function openHome(config: Config, options: DaemonOptions, cleanup: Cleanup): Promise<OpenHome> {
  const { log, clock = systemClock, settleGraceMs } = options;
  const { home, timeZone } = config;
  prepareHome(home);
  const { lockWaitMs = 0 } = options;
  const lock = lockHome(home, lockWaitMs);
  cleanup.push(() => lock.release());
  const letGo = options.watcher?.hold(home);
  if (letGo !== undefined) cleanup.push(letGo);
  forgetHomeCopy(home, (copy) => lockHome(copy, lockWaitMs).release());
  if (options.listens) await requireFreePort(config.port);
  const origins = createAllowedOrigins(readOrigins(home), (list) => writeOrigins(home, list), log, clock);

  const belonging = findBelonging(home);
  if (belonging.kind === 'broken') {
    const { message, hint } = belonging.error;
    log.error('this home belongs to a hub that svcd cannot tell: nothing is bought', { why: message, hint });
  }
  // Beside the start of the sandbox.
  const prepared =
    config.sandbox && belonging.kind === 'alone' ? (options.prepared ?? unpackPrepared(home, log)) : undefined;
  const placed = prepared?.place(home, 'library.db');
  const settled = placed?.catch(() => undefined);
  cleanup.push(() => settled);
  const sandbox = prepared && (await startSandbox(home, prepared, options, cleanup));
  await placed;
  const scope = scopeOf(config, belonging, sandbox);
  const endpoint = createEndpoint(config, options, sandbox);
  const hub = await openHub(config, { ...options, clock });
  const defaults = openDefaultPack(join(DATA_FOLDER, 'defaults'));
  // The copies that opening the files of an earlier svcd will leave.
  const older = options.readOnly === undefined ? MIGRATED : [];
  const updated = older.flatMap(([name, migrations]) => copyOfOlder(join(home, name), migrations) ?? []);
  const library = openFilledLibrary(home, scope, sandbox?.service, defaults, options);
  const harvest = new Harvest(library);
  cleanup.push(() => library.close());
  if (options.listens) cleanup.push(followUserSynonyms(home, () => library.reloadSynonyms()));
  const purchases: OpenPurchasesOptions = {
    file: join(home, 'owned.db'),
    marks: await markFilesOf(home),
    scope,
    clock,
    log,
    timeZone,
    readOnly: options.readOnly,
    graceMs: settleGraceMs ?? config.settleAfterS * 1000,
    imageGraceMs: settleGraceMs ?? IMAGE_GRACES * config.settleAfterS * 1000,
    signReceipt: hub && ((item, sha256, purchase) => hub.identity.receipts.sign({ scope, item, sha256, purchase })),
  };
  const { stores, hubStores } = hub?.database === undefined ? openLocal(purchases) : await hub.database.open(purchases);
  cleanup.push(() => stores.close());
  cleanup.push(() => hubStores.close());
  if (hub !== undefined && stores.elsewhere !== undefined) throw elsewhereError(stores.elsewhere);
  // Not from a home that lost purchases: the copy may be the last that has them.
  if (options.readOnly === undefined && stores.guard.findStop() === undefined) forgetOldCopies(home, log, clock);
  const registered = openRegisteredDefaults(stores.database, clock, log);
  const keys = keysOf(options, belonging, sandbox);
  const isSandbox = sandbox !== undefined || (belonging.kind === 'hub' && belonging.membership.hub_sandbox);
  const opened = { library, harvest, stores, hubStores, defaults, registered, keys, origins, endpoint, hub };
  // A start tells it with its address; a command has only the log.
  if (updated.length > 0) {
    const told = { copies_of_before: updated.join(', ') };
    log[options.listens ? 'info' : 'warn'](`the files of this home have the form of svcd ${VERSION} now`, told);
  }
  return { scope, sandbox, belonging, isSandbox, updated, ...opened };
}

const MIGRATED = [
  ['library.db', LIBRARY_MIGRATIONS],
  ['owned.db', OWNED_MIGRATIONS],
] as const;

/** Those of an update of long ago go. */
function forgetOldCopies(home: string, log: Log, clock: Clock): void {
  for (const [name] of MIGRATED) {
    const old = forgetOldCopy(join(home, name), clock.now());
    if (old !== undefined) log.info('a copy from before an update was kept for 30 days and is removed', { file: old });
  }
}

/** The money of a home in its own file, and what it keeps besides where it is a hub. */
function openLocal(options: OpenPurchasesOptions) {
  const stores = openPurchases(options);
  return { stores, hubStores: hubStoresIn(stores, options.scope, options.clock) };
}

function scopeOf({ remote = 'none' }: Config, belonging: Belonging, sandbox: HostedSandbox | undefined): string {
  if (belonging.kind === 'hub') return belonging.membership.scope;
  return sandbox === undefined ? remote : SANDBOX_SCOPE;
}

/** The real Key never meets the sandbox, and a machine of a hub has none: it shows its token in place of it. */
function keysOf(options: DaemonOptions, belonging: Belonging, sandbox: HostedSandbox | undefined): UserKey {
  if (belonging.kind === 'hub') return createFixedKey(belonging.membership.token, 'hub');
  if (belonging.kind === 'broken') return createFixedKey(undefined, 'none');
  if (sandbox !== undefined) return createFixedKey(sandbox.service.key, 'sandbox');
  return options.keys ?? createFixedKey(options.userKey, 'environment');
}

async function startSandbox(
  home: string,
  prepared: PreparedFiles,
  options: DaemonOptions,
  cleanup: Cleanup,
): Promise<HostedSandbox> {
  const { log, clock = systemClock, lockWaitMs = 0 } = options;
  const token = findRuntime(home)?.sandbox?.token;
  const sandbox = await hostSandbox({ ...options.sandbox, home, prepared, port: 0, clock, log, lockWaitMs, token });
  cleanup.push(() => sandbox.close());
  return sandbox;
}

function createEndpoint(
  config: Config,
  { listens, launch }: DaemonOptions,
  sandbox: HostedSandbox | undefined,
): Endpoint {
  const { home } = config;
  const last = findRuntime(home);
  const lastPort = Number(last?.url.split(':').at(-1)) || undefined;
  let token = last?.token ?? newToken();
  const origin = () => `http://127.0.0.1:${endpoint.port}`;
  const write = (current: string, running: boolean) =>
    writeRuntime(home, {
      pid: running ? process.pid : null,
      // A command without a port leaves the daemon's address as it is.
      url: listens ? origin() : (findRuntime(home)?.url ?? origin()),
      token: current,
      ...(sandbox !== undefined && { sandbox: sandbox.control }),
      ...(endpoint.hubUrl !== undefined && { hub: { url: endpoint.hubUrl } }),
      ...(running && launch !== undefined && { launch: launch() }),
    });
  const endpoint: Endpoint = {
    port: config.port,
    // What a command without a port, or a start that is no hub, leaves as it is.
    hubUrl: last?.hub?.url,
    get token() {
      return token;
    },
    origin,
    lastPort: () => lastPort,
    write: (running) => write(token, running),
    rotateToken: () => {
      const next = newToken();
      write(next, listens);
      return (token = next);
    },
  };
  return endpoint;
}

interface FillOptions {
  readonly log: Log;
  readonly clock?: Clock | undefined;
  readonly watch?: WatchStart | undefined;
  /** The synonym table, in place of the shipped ones. */
  readonly synonyms?: (() => string) | undefined;
}

/** The library of one remote, filled with what is at hand without asking anybody. */
function openFilledLibrary(
  home: string,
  scope: string,
  sandbox: SandboxStickers | undefined,
  defaults: DefaultPack,
  { log, clock = systemClock, watch, synonyms }: FillOptions,
): Library {
  const file = join(home, 'library.db');
  if (isOlderFile(file, LIBRARY_MIGRATIONS)) watch?.('migrating');
  // The user's own come first, for of many synonyms only the first count.
  const fill = (library: Library): void => {
    if (sandbox !== undefined) {
      fillFromSandbox(library, sandbox, () => watch?.('filling'));
    } else if (library.size === 0 || scope === 'none') {
      const source = `defaults of ${VERSION}`;
      if (!library.hasImported(source)) {
        library.importStickers(
          defaults.stickers().filter(({ standIn }) => standIn !== true),
          source,
        );
      }
    }
  };
  return openLibrary({
    file,
    scope,
    synonyms: () => `${readUserSynonyms(home, log)}\n${synonyms?.() ?? ''}`,
    ...(synonyms === undefined && { shippedSynonyms: loadShippedSynonyms }),
    fill,
    log,
    clock,
  });
}
