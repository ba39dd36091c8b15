// Connects a hub: what its machines are answered, and what it says of itself to who looks after it.

import type { HubStatus } from '../../api/hub.js';
import { createShareLibrary } from './share-library.js';
import { createWarmHub } from './warm-hub.js';
import { type App, createBalanceOf } from '../../operations/handlers.js';
import type { HubListening } from './hub-handlers.js';
import { createMachineApp } from './machine-handlers.js';
import { type ErrorCode, isSvcdError } from '../../model/errors.js';
import type { Verbs } from '../../operations/open-verbs.js';
import type { Rooms } from '../../operations/rooms.js';
import type { OpenHub } from './open-hub.js';

/** A machine that asked within this time counts as there. */
const SEEN_MS = 5 * 60_000;

/** What a hub shows of itself on loopback. */
export function createHubListening(hub: OpenHub, rooms: Rooms): HubListening {
  const { scope, config, journal, keys, defaults, clock } = rooms;
  const { identity, addresses } = hub;
  const { pin, isOwn, expiresAt, receipts } = identity;
  const { books, machines } = rooms.openHub();
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
  const showStatus = async (): Promise<HubStatus> => {
    // What is wrong with the database is told by its check.
    const counts = await count().catch((error: unknown) => {
      if (isSvcdError(error, 'database_away')) return { machines: null, invites: null, purchases: null, spent: null };
      throw error;
    });
    const hasKey = keys.current() !== undefined;
    const unknown = (counts.purchases?.unknown ?? 0) === 0 ? undefined : await books.findUnknown();
    return {
      url: hub.url(),
      addresses: addresses(),
      pin,
      scope,
      sandbox: config.sandbox,
      database: hub.database?.place() ?? 'sqlite',
      certificate: { own: isOwn, expires_at: expiresAt.toISOString() },
      ...counts,
      waiting: hub.admission.waiting(),
      checks: [
        ...hub.checks.list({ hasKey, keyProblem: await findKeyProblem(rooms), unknown }),
        ...((await hub.database?.examine()) ?? []),
      ],
    };
  };
  return {
    scope,
    pin,
    receiptKey: receipts.publicKey,
    addresses,
    showStatus,
    recover: async () => ({ recovered: (await hub.database?.hub?.recover()) ?? 0 }),
    warmHub: createWarmHub({ ...rooms, isShipped: (preset) => defaults.findSticker(preset) !== undefined }),
  };
}

/** Asks the service, for nothing, whether the Key is valid; what is known of it where that cannot be asked. */
async function findKeyProblem({ keys, keyTrouble, remote }: Rooms): Promise<ErrorCode | undefined> {
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

/** What machines are answered. */
export function connectMachines({ identity, admission, addresses }: OpenHub, rooms: Rooms, verbs: Verbs): App {
  const { scope, config, library, clock } = rooms;
  const stores = rooms.openHub();
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
      pin: identity.pin,
    }),
    now: () => clock.now(),
  });
}
