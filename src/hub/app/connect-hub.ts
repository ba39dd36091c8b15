// Connects a hub: what its machines are answered, and what it says of itself to who looks after it.

import type { HubStatus } from '../../api/hub.js';
import { createShareLibrary } from './share-library.js';
import { createTakeGiven } from './take-given.js';
import type { TransferLibrary } from '../../operations/library/transfer-library.js';
import { createWarmHub } from './warm-hub.js';
import type { Config } from '../../config/config.js';
import { type App, createBalanceOf } from '../../operations/handlers.js';
import type { HubListening } from './hub-handlers.js';
import { createMachineApp, type MachineAppParts } from './machine-handlers.js';
import { type ErrorCode, isSvcdError } from '../../model/errors.js';
import type { Clock } from '../../platform/clock.js';
import type { PurchaseCoordinator } from '../../purchases/purchase-coordinator.js';
import type { OpenHome } from '../../daemon/open-home.js';
import type { OpenHub } from './open-hub.js';

export interface HubRooms extends Pick<MachineAppParts, 'service' | 'transferOwned' | 'userKey' | 'origin' | 'log'> {
  readonly coordinator: PurchaseCoordinator;
  readonly transferLibrary: TransferLibrary;
  readonly findBalance: (keyId: string) => number | undefined;
  /** Asks the service, for nothing, whether the Key is valid; what is known of it where that cannot be asked. */
  readonly findKeyProblem: () => Promise<ErrorCode | undefined>;
  readonly clock: Clock;
}

/** A machine that asked within this time counts as there. */
const SEEN_MS = 5 * 60_000;

/** What a hub shows of itself on loopback. */
export function createHubListening(
  config: Config,
  hub: OpenHub,
  { scope, stores, keys, defaults }: OpenHome,
  {
    coordinator,
    clock,
    userKey,
    findKeyProblem,
  }: Pick<HubRooms, 'coordinator' | 'clock' | 'userKey' | 'findKeyProblem'>,
): HubListening {
  const { identity, addresses } = hub;
  const { pin, isOwn, expiresAt, receipts } = identity;
  const { books, machines } = stores.openHub();
  const count = async (): Promise<Pick<HubStatus, 'machines' | 'invites' | 'purchases' | 'spent'>> => {
    const joined = await machines.list(false);
    const { day, month } = await books.linesOfAll();
    const sums = new Map((await stores.journal.sums()).map(({ state, purchases }) => [state, purchases]));
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
        ...hub.checks.list({ hasKey, keyProblem: await findKeyProblem(), unknown }),
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
    warmHub: createWarmHub({
      owned: stores.owned,
      coordinator,
      isShipped: (preset) => defaults.findSticker(preset) !== undefined,
      userKey,
    }),
  };
}

/** What machines are answered. */
export function connectMachines(
  config: Config,
  hub: OpenHub,
  { scope, stores, library }: OpenHome,
  { transferLibrary, ...rooms }: HubRooms,
): App {
  const { identity, admission, addresses } = hub;
  const { books, machines, given } = stores.openHub();
  return createMachineApp({
    ...rooms,
    balanceOf: createBalanceOf(rooms.findBalance),
    machines,
    books,
    owned: stores.owned,
    receipts: identity.receipts,
    shareLibrary: createShareLibrary(library, transferLibrary, rooms.clock),
    admission,
    takeGiven: createTakeGiven(given, config.maxFileBytes),
    facts: () => ({
      scope,
      sandbox: config.sandbox,
      remote_label: config.sandbox ? 'the sandbox of the hub' : (config.remote ?? 'no remote'),
      addresses: addresses(),
      pin: identity.pin,
    }),
    now: () => rooms.clock.now(),
  });
}
