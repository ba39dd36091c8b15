// What a hub finds wrong with itself: its certificate near the end, no Key, a clock that differs from the service's, a backup
// that is old or missing, and what its database says.

import type { HubFinding } from '../../api/hub.js';
import type { ErrorCode } from '../../model/errors.js';
import { NEAR_END_MS } from '../register/identity.js';
import type { Clock } from '../../platform/clock.js';
import { readLastBackup } from '../../purchases/owned-backup.js';
import { minutesOpen, type UnknownPurchases } from '../../purchases/unknown-purchases.js';
import type { Exchange } from '../../upstream/exchange.js';

export interface HubChecks {
  /** Told every answer of the service: it has a Date. */
  noteAnswer(result: Exchange): void;
  list(facts: HubFacts): HubFinding[];
}

/** What other rooms know. */
export interface HubFacts {
  readonly hasKey: boolean;
  /** What the service says is wrong with the Key. */
  readonly keyProblem: ErrorCode | undefined;
  /** Purchases of unknown end; undefined where there are none. */
  readonly unknown: UnknownPurchases | undefined;
}

const DAY_MS = 24 * 60 * 60_000;
const BACKUP_OLD_MS = 7 * DAY_MS;
/** A Date has seconds, and an answer takes some. */
const CLOCK_OFF_MS = 10_000;

/** The checks of the hub of a home, whose certificate is `isOwn` if svcd made it. */
export function createHubChecks(home: string, isOwn: boolean, expiresAt: Date, clock: Clock): HubChecks {
  /** How far the service's clock was ahead of ours. */
  let aheadMs: number | undefined;
  return {
    noteAnswer: (result) => {
      const at = result.kind === 'answer' ? Date.parse(result.headers['date'] ?? '') : NaN;
      if (!Number.isNaN(at)) aheadMs = at - clock.now();
    },
    list: ({ hasKey, keyProblem, unknown }) => [
      certificateCheck(isOwn, expiresAt, clock.now()),
      keyCheck(hasKey, keyProblem),
      unknownCheck(unknown, clock.now()),
      ...(aheadMs === undefined ? [] : [clockCheck(aheadMs)]),
      backupCheck(readLastBackup(home), clock.now()),
    ],
  };
}

function certificateCheck(isOwn: boolean, expiresAt: Date, now: number): HubFinding {
  const leftMs = expiresAt.getTime() - now;
  const left = `the certificate is good for ${Math.floor(leftMs / DAY_MS)} days`;
  if (leftMs > NEAR_END_MS) return good('certificate', left);
  const hint = isOwn
    ? 'Restart the hub: it makes a new one of the same key, and machines know it again.'
    : 'Renew it with the same private key, or machines have to join again; then "svcd restart".';
  return bad('certificate', leftMs < 0 ? 'the certificate is over' : left, hint);
}

function keyCheck(hasKey: boolean, problem: ErrorCode | undefined): HubFinding {
  if (!hasKey) return bad('key', 'the hub has no Key, so it buys nothing', 'Store one: "svcd key set".');
  if (problem === undefined) return good('key', 'the hub has a Key');
  const message = `the service refuses the Key of the hub (${problem}), so it buys nothing`;
  const hint =
    problem === 'key_limit_exceeded'
      ? 'Raise its limit at the service, or store another: "svcd key set".'
      : 'Enable it at the service, or store another: "svcd key set".';
  return bad('key', message, hint);
}

function unknownCheck(unknown: HubFacts['unknown'], now: number): HubFinding {
  if (unknown === undefined) return good('unsettled', 'the end of every purchase is known');
  const message = `purchases of unknown end: ${unknown.purchases}, the oldest for ${minutesOpen(unknown, now)} minutes`;
  const hint =
    'They may have been charged. See "svcd purchases --state unknown"; "svcd purchases settle ID" settles one.';
  return { name: 'unsettled', level: 'note', message, hint };
}

function clockCheck(aheadMs: number): HubFinding {
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  if (Math.abs(aheadMs) <= CLOCK_OFF_MS) return good('clock', 'the clock agrees with that of the service');
  const message = `the clock is ${seconds} seconds ${aheadMs > 0 ? 'behind' : 'ahead of'} that of the service`;
  return { name: 'clock', level: 'note', message, hint: 'Budgets count days by it: set it, and keep it set by NTP.' };
}

function backupCheck(at: number | undefined, now: number): HubFinding {
  const hint = 'Make one: "svcd owned backup FILE". It holds what was paid for, and cannot be made again.';
  if (at === undefined) return { name: 'backup', level: 'note', message: 'no backup was made of this home', hint };
  const days = Math.floor((now - at) / DAY_MS);
  const message = `the last backup is ${days} days old`;
  return now - at > BACKUP_OLD_MS ? { name: 'backup', level: 'note', message, hint } : good('backup', message);
}

function good(name: string, message: string): HubFinding {
  return { name, level: 'good', message, hint: null };
}

function bad(name: string, message: string, hint: string): HubFinding {
  return { name, level: 'bad', message, hint };
}
