// What makes a daemon a hub: who it is, where machines come in, and who waits. Undefined in a daemon that is none.

import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../config/config.js';
import { splitListen } from '../../config/parse-setting.js';
import type { ConnectionLimits, Fetch, Listener } from '../../http/listen.js';
import { createAdmission, type Admission, LIMITS } from './admission.js';
import { type HubIdentity, openIdentity } from '../register/identity.js';
import { SvcdError, isSvcdError } from '../../model/errors.js';
import type { Clock } from '../../platform/clock.js';
import { findRuntime } from '../../platform/files/runtime-file.js';
import type { HeaderPairs } from '../../http/security-headers.js';
import type { Exchange } from '../../upstream/exchange.js';
import type { RateLimiterRules } from '../../upstream/rate-limiter.js';
import { VERSION } from '../../platform/installation.js';
import type { PostgresHub, PostgresPurchases } from '../../purchases/postgres/open-postgres-purchases.js';
import { openPurchases } from '../../purchases/sqlite/open-purchases.js';
import type { LateHubStores } from '../books/hub-stores.js';
import type { OpenPurchasesOptions } from '../../purchases/purchase-stores.js';

export interface OpenHub {
  /** Its certificate may be another one after each `reload`. */
  readonly identity: HubIdentity;
  /** Reads the certificate again. Throws `invalid_config` for one that will not do, or of another key. */
  reload(): Promise<void>;
  readonly admission: Admission;
  /** How far the service's clock was ahead of ours at its last answer; undefined before one. */
  readonly serviceAheadMs: () => number | undefined;
  /** Told every answer of the service: it has a Date. */
  noteAnswer(result: Exchange): void;
  /** How the requests of all machines share the Key's rate. */
  readonly pace: Pick<RateLimiterRules, 'maxWaiting' | 'order' | 'steady'>;
  /** Where machines come in, as `https://HOST:PORT`; the first of `addresses`. Known once it listens. */
  readonly url: () => string;
  /** What machines may call it. */
  readonly addresses: () => string[];
  listen(fetch: Fetch, headers: HeaderPairs): Promise<Listener>;
  /** The PostgreSQL that holds its money; undefined where that is owned.db. */
  readonly database: HubDatabase | undefined;
}

const LOOPBACK = ['127.0.0.1', '::1', 'localhost'];
const EVERYWHERE = ['0.0.0.0', '::'];

export interface OpenHubOptions {
  readonly clock: Clock;
  /** False for a command that answers in its own process, and lets nobody in. */
  readonly listens: boolean;
  readonly connectionLimits?: Partial<ConnectionLimits> | undefined;
}

/** Opens the hub of a home, if its settings say that it is one. Throws `invalid_config` naming a file that will not do. */
export async function openHub(config: Config, options: OpenHubOptions): Promise<OpenHub | undefined> {
  const { clock } = options;
  const { home, hubListen, hubPublicUrl, hubTlsCert, hubTlsKey } = config;
  if (hubListen === undefined || !options.listens) return undefined;
  if ((hubTlsCert === undefined) !== (hubTlsKey === undefined)) throw halfCertificate();
  const { host, port: wanted } = splitListen(hubListen);
  const published = hubPublicUrl?.split(',') ?? [];
  const hosts = EVERYWHERE.includes(host) ? hostsOfMachine() : [host];
  const open = () =>
    openIdentity({
      folder: config.hubIdentity ?? join(home, 'hub'),
      names: [...new Set([...LOOPBACK, ...hosts, ...published.map((url) => bare(new URL(url).hostname))])],
      given:
        hubTlsCert === undefined || hubTlsKey === undefined
          ? undefined
          : { certificate: hubTlsCert, privateKey: hubTlsKey },
      receiptKey: config.hubReceiptKey,
      now: clock.now(),
    });
  let identity = await open();
  let renew: (() => void) | undefined;
  const admission = createAdmission(clock);
  let port = wanted;
  let isListening = false;
  let aheadMs: number | undefined;
  const urlsOf = (some: readonly string[]) =>
    some.map((one) => `https://${one.includes(':') ? `[${one}]` : one}:${port}`);
  const own = () => (published.length > 0 ? published : urlsOf(hosts));
  // Loopback leads others here only where this hub can be reached in no other way.
  const away = hosts.length > 1 ? hosts.filter((one) => !LOOPBACK.includes(one)) : hosts;
  const told = () => (published.length > 0 ? published : isListening ? urlsOf(away) : []);
  const database = createHubDatabase(config, () => told().join(',') || undefined);
  const addresses = () => [...new Set([...own(), ...(database?.hub?.addresses() ?? [])])];
  return {
    get identity() {
      return identity;
    },
    reload: async () => {
      const read = await open();
      if (read.pin !== identity.pin) throw otherKey();
      identity = { ...read, receipts: identity.receipts };
      renew?.();
    },
    admission,
    serviceAheadMs: () => aheadMs,
    noteAnswer: (result) => {
      const at = result.kind === 'answer' ? Date.parse(result.headers['date'] ?? '') : NaN;
      if (!Number.isNaN(at)) aheadMs = at - clock.now();
    },
    // All that are let in find room; beyond them wait purchases whose clients have gone, which make room.
    pace: { maxWaiting: 2 * LIMITS.inAll, order: admission, steady: true },
    addresses,
    database,
    url: () => addresses()[0] ?? '',
    listen: async (fetch, headers) => {
      // Loaded late: no other daemon needs TLS.
      const { listenForMachines } = await import('./machine-listener.js');
      const limits = options.connectionLimits;
      const at = (asked: number) => listenForMachines(fetch, { ...identity, host, port: asked, limits, headers });
      // Machines know it by the port that it had.
      const last = wanted === 0 ? Number(findRuntime(home)?.hub?.url.split(':').at(-1)) || undefined : undefined;
      const listener = await (last === undefined ? at(wanted) : at(last).catch(() => at(wanted)));
      renew = () => listener.renew(identity);
      ({ port } = listener);
      isListening = true;
      return listener;
    },
  };
}

/** By which others on the network may find this machine: its addresses, its name, and loopback for those on it. */
function hostsOfMachine(): string[] {
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  const addresses = own.filter(({ internal, family }) => !internal && family === 'IPv4').map(({ address }) => address);
  return [...addresses, hostname(), '127.0.0.1'];
}

function bare(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

function otherKey(): SvcdError {
  return new SvcdError(
    'invalid_config',
    'the certificate has another key than before, by which no machine knows the hub',
    {
      hint: 'Renew it with the same private key; or restart the hub, and let each machine join anew.',
    },
  );
}

function halfCertificate(): SvcdError {
  return new SvcdError(
    'invalid_config',
    'a certificate of the hub needs its private key, and a private key its certificate',
    {
      hint: 'Give both --tls-cert FILE and --tls-key FILE, or neither: then svcd makes its own.',
    },
  );
}

export interface HubDatabase {
  /** The money of this hub, and what it keeps besides. Throws `database_away`, `database_newer`, `database_unsafe`. */
  open(
    options: OpenPurchasesOptions,
  ): Promise<{ readonly stores: PostgresPurchases; readonly hubStores: LateHubStores }>;
  /** Where it is, without user and password. */
  place(): string;
  /** What is wrong with it, each with what to do. */
  examine(): Promise<{ readonly why: string; readonly hint?: string | undefined }[]>;
  /** What is open; undefined before. */
  readonly hub: PostgresHub | undefined;
}

// Loaded when it is opened, so that no other daemon's start pays for the driver. `address`: where machines reach it, once it listens.
function createHubDatabase(config: Config, address: () => string | undefined): HubDatabase | undefined {
  const { home, hubDatabase: url, hubDatabaseOwner, hubAcceptAsynchronous } = config;
  if (url === undefined) return undefined;
  let hub: PostgresHub | undefined;
  return {
    open: async (options) => {
      const { openPostgresPurchases } = await import('../../purchases/postgres/open-postgres-purchases.js');
      const { hubStoresInPostgres } = await import('../books/postgres-books.js');
      const stores = await openPostgresPurchases({
        ...options,
        openLocal: openPurchases,
        url,
        ownerUrl: hubDatabaseOwner,
        acceptAsynchronous: hubAcceptAsynchronous,
        notesFile: join(home, 'notes.db'),
        hubName: hostname(),
        version: VERSION,
        publicAddress: address,
      });
      ({ hub } = stores);
      return { stores, hubStores: hubStoresInPostgres(hub, options.clock) };
    },
    place: () => (hub?.db.label ?? 'postgres://').replace(/\/\/[^@]*@/, '//'),
    examine: async () => {
      try {
        return (await hub?.findUnsafe()) ?? [];
      } catch (error) {
        if (!isSvcdError(error)) throw error;
        return [{ why: error.message, hint: error.hint }];
      }
    },
    get hub() {
      return hub;
    },
  };
}
