// Connects a hub: what its machines are answered, and what it says of itself to who looks after it.

import type { HubFinding, HubStatus } from '../api/hub.js';
import { createTakeGiven } from '../actions/take-given.js';
import { createWarmHub } from '../actions/warm-hub.js';
import type { Config } from '../config/config.js';
import { createBalanceOf } from '../http/app.js';
import type { HubListening } from '../http/hub-handlers.js';
import type { Fetch } from '../http/listen.js';
import { createMachineApp, type MachineAppParts } from '../http/machine-handlers.js';
import { NEAR_END_MS } from '../hub/identity.js';
import type { Clock } from '../platform/clock.js';
import type { PurchaseCoordinator } from '../purchases/purchase-coordinator.js';
import type { OpenHome } from './open-home.js';
import type { OpenHub } from './open-hub.js';

export interface HubRooms extends Pick<
  MachineAppParts,
  'service' | 'transferLibrary' | 'transferOwned' | 'userKey' | 'origin' | 'log'
> {
  readonly coordinator: PurchaseCoordinator;
  readonly findBalance: (keyId: string) => number | undefined;
  readonly clock: Clock;
}

/** A machine that asked within this time counts as there. */
const SEEN_MS = 5 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

/** What a hub shows of itself on loopback. */
export function createHubListening(
  config: Config,
  hub: OpenHub,
  { scope, stores, keys, defaults }: OpenHome,
  { coordinator, clock, userKey }: Pick<HubRooms, 'coordinator' | 'clock' | 'userKey'>,
): HubListening {
  const { identity, addresses } = hub;
  const { pin, isOwn, expiresAt, receipts } = identity;
  const { books, machines } = stores.openHub();
  const checks = (): HubFinding[] => [
    certificateCheck(isOwn, expiresAt, clock.now()),
    keys.current() === undefined
      ? bad('key', 'the hub has no Key, so it buys nothing', 'Store one: "svcd key set".')
      : good('key', 'the hub has a Key'),
  ];
  const showStatus = async (): Promise<HubStatus> => {
    const joined = await machines.list(false);
    const [day, audit] = [await books.linesOfAll(), await books.audit()];
    const { purchases } = audit;
    return {
      url: hub.url(),
      addresses: addresses(),
      pin,
      scope,
      sandbox: config.sandbox,
      database: 'sqlite',
      certificate: { own: isOwn, expires_at: expiresAt.toISOString() },
      machines: {
        joined: joined.length,
        seen: joined.filter(({ lastSeenAt }) => (lastSeenAt ?? 0) > clock.now() - SEEN_MS).length,
      },
      invites: (await machines.listInvites()).length,
      waiting: hub.admission.waiting(),
      purchases: { open: purchases.intent + purchases.sent, unknown: purchases.unknown },
      spent: { day: day.day, month: day.month },
      checks: [
        ...checks(),
        audit.right
          ? good('audit', 'every budget line is what the journal comes to')
          : bad('audit', 'a budget line is not what the journal comes to', 'See which: "svcd hub audit".'),
      ],
    };
  };
  return {
    scope,
    pin,
    receiptKey: receipts.publicKey,
    addresses,
    showStatus,
    warmHub: createWarmHub({
      owned: stores.owned,
      coordinator,
      isShipped: (preset) => defaults.findSticker(preset) !== undefined,
      userKey,
    }),
  };
}

/** What machines are answered. */
export function connectMachines(config: Config, hub: OpenHub, { scope, stores }: OpenHome, rooms: HubRooms): Fetch {
  const { identity, admission, addresses } = hub;
  const { books, machines, given } = stores.openHub();
  return createMachineApp({
    ...rooms,
    balanceOf: createBalanceOf(rooms.findBalance),
    machines,
    books,
    owned: stores.owned,
    receipts: identity.receipts,
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

function certificateCheck(isOwn: boolean, expiresAt: Date, now: number): HubFinding {
  const days = Math.floor((expiresAt.getTime() - now) / DAY_MS);
  const left = `the certificate is good for ${days} days`;
  if (expiresAt.getTime() - now > NEAR_END_MS) return good('certificate', left);
  const hint = isOwn
    ? 'Restart the hub: it makes a new one of the same key, and machines know it again.'
    : 'Renew it with the same private key, or machines have to join again; then "svcd restart".';
  return bad('certificate', days < 0 ? 'the certificate is over' : left, hint);
}

function good(name: string, message: string): HubFinding {
  return { name, level: 'good', message, hint: null };
}

function bad(name: string, message: string, hint: string): HubFinding {
  return { name, level: 'bad', message, hint };
}
