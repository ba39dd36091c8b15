// Connects a hub: what its machines are answered, and what it says of itself to who looks after it.

import type { Language } from '../../api/health.js';
import type { HubStatus } from '../../api/hub.js';
import type { HubFacts } from '../../operations/health/place.js';
import { followSetting } from '../../config/config.js';
import { readLastBackup } from '../../purchases/sqlite/owned-backup.js';
import { NEAR_END_MS } from '../register/identity.js';
import { createShareLibrary } from './share-library.js';
import { createWarmHub } from './warm-hub.js';
import { type App, createBalanceOf } from '../../operations/handlers.js';
import type { HubListening } from './hub-handlers.js';
import { createMachineApp } from './machine-handlers.js';
import { type ErrorCode, isSvcdError } from '../../model/errors.js';
import type { Verbs } from '../../operations/open-verbs.js';
import type { Rooms } from '../../operations/rooms.js';
import type { HubStores } from '../books/hub-stores.js';
import type { OpenHub } from './open-hub.js';

/** A machine that asked within this time counts as there. */
const SEEN_MS = 5 * 60_000;
const CLONES_TOLD_MS = 60 * 60_000;

/** What a hub shows of itself on loopback. */
export function createHubListening(
  hub: OpenHub,
  rooms: Rooms,
  { books, machines }: HubStores,
  home: string,
): HubListening {
  const { scope, config, journal, keys, defaults, clock } = rooms;
  const { addresses } = hub;
  const { pin, isOwn, receipts } = hub.identity;
  const expiresAt = () => hub.identity.expiresAt;
  const count = async (): Promise<Pick<HubStatus, 'machines' | 'invites' | 'purchases' | 'spent'>> => {
    const joined = await machines.list(false);
    const { day, month } = await books.linesOfAll();
    const sums = new Map((await journal.sums()).map(({ state, purchases }) => [state, purchases]));
    const seen = joined.filter(({ lastSeenAt }) => (lastSeenAt ?? 0) > clock.now() - SEEN_MS).length;
    return {
      machines: { joined: joined.length, seen },
      invites: (await machines.listInvites()).length,
      purchases: { open: (sums.get('intent') ?? 0) + (sums.get('sent') ?? 0), unknown: sums.get('unknown') ?? 0 },
      spent: { day, month },
    };
  };
  const findClones = async () => {
    const since = clock.now() - CLONES_TOLD_MS;
    return (await machines.list(false)).filter(({ clonedAt }) => (clonedAt ?? 0) > since).map(({ name }) => name);
  };
  const findArchived = async () => hub.database?.hub?.findArchived();
  const findState = async (): Promise<HubFacts> => ({
    home,
    certificate: {
      isOwn,
      expiresAt: expiresAt().getTime(),
      isNearEnd: expiresAt().getTime() - clock.now() <= NEAR_END_MS,
    },
    // Before the Key is looked at: the balance that this tells may settle one.
    unknown: await unlessAway(books.findUnknown()),
    hasKey: keys.current() !== undefined,
    keyProblem: await findKeyProblem(rooms),
    aheadMs: hub.serviceAheadMs(),
    lastBackup: Math.max(readLastBackup(home) ?? 0, (await unlessAway(findArchived())) ?? 0) || undefined,
    database: await hub.database?.examine(),
    isAuditRight: undefined,
    clones: (await unlessAway(findClones())) ?? [],
    now: clock.now(),
  });
  // It looks at the whole journal, which who only asks for the status need not wait for.
  const findFacts = async (): Promise<HubFacts> => ({
    ...(await findState()),
    isAuditRight: (await unlessAway(books.audit()))?.right ?? null,
  });
  const showStatus = async (language: Language): Promise<HubStatus> => {
    const nothing = { machines: null, invites: null, purchases: null, spent: null };
    const { checkHubRows } = await import('../../operations/health/show-health.js');
    return {
      url: hub.url(),
      addresses: addresses(),
      pin,
      scope,
      sandbox: config.sandbox,
      database: hub.database?.place() ?? 'sqlite',
      certificate: { own: isOwn, expires_at: expiresAt().toISOString() },
      ...((await unlessAway(count())) ?? nothing),
      waiting: hub.admission.waiting(),
      checks: await checkHubRows(await findState(), language),
    };
  };
  return {
    scope,
    pin,
    receiptKey: receipts.publicKey,
    addresses,
    showStatus,
    findFacts,
    recover: async () => ({ recovered: (await hub.database?.hub?.recover()) ?? 0 }),
    warmHub: createWarmHub({ ...rooms, isShipped: (preset) => defaults.findSticker(preset) !== undefined }),
  };
}

/** Asks the service, for nothing, whether the Key is valid; what is known of it where that cannot be asked. */
export async function findKeyProblem({
  keys,
  keyTrouble,
  remote,
}: Pick<Rooms, 'keys' | 'keyTrouble' | 'remote'>): Promise<ErrorCode | undefined> {
  const key = keys.current();
  // Its answer is noted where every answer is.
  if (key !== undefined && !keyTrouble.isGood(key) && remote?.reach().offline === false) {
    await remote.exchange({ ...LOOK_AT_KEY, key });
  }
  return keyTrouble.find(key);
}

const LOOK_AT_KEY = {
  method: 'GET',
  path: '/api/v1/me',
  cost: 'free',
  timeoutMs: 2000,
  queueTimeoutMs: 2000,
  maxBytes: 64 * 1024,
} as const;

/** Undefined while the database is away: its check says why. */
async function unlessAway<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isSvcdError(error, 'database_away')) return undefined;
    throw error;
  }
}

/** What machines are answered. */
export function connectMachines(hub: OpenHub, rooms: Rooms, verbs: Verbs, stores: HubStores): App {
  const { identity, admission, addresses } = hub;
  const { scope, config, library, clock } = rooms;
  const next = followSetting(config, 'hubNextUrl');
  return createMachineApp({
    ...rooms,
    ...stores,
    verbs,
    terms: config,
    balanceOf: createBalanceOf(rooms),
    receipts: identity.receipts,
    shareLibrary: createShareLibrary(library, rooms.transferLibrary, clock),
    admission,
    facts: () => ({
      scope,
      sandbox: config.sandbox,
      remote_label: config.sandbox ? 'the sandbox of the hub' : (config.remote ?? 'no remote'),
      addresses: addresses(),
      next: next()?.split(',') ?? [],
      pin: identity.pin,
    }),
    now: () => clock.now(),
    isStrict: config.hubStrictMachines,
  });
}
