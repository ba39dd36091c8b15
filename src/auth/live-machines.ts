// Whether a machine that joined a hub may still spend: asked in the transaction that reserves, and again before the call
// leaves, so that a machine that was revoked buys nothing more.

import type { Clock } from '../platform/clock.js';
import { SvcdError } from '../model/errors.js';
import type { Database } from '../platform/open-database.js';

/** Throws `machine_revoked` for one that was revoked, whose time is over, or that is not known. */
export type RequireLiveMachine = (machineId: number) => void;

/** The payer that a machine is. */
export function payerOfMachine(machineId: number): string {
  return `machine:${machineId}`;
}

/** The number of the machine that a payer is; undefined for any other payer. */
export function machineOfPayer(payer: string): number | undefined {
  const number = /^machine:(\d+)$/.exec(payer)?.[1];
  return number === undefined ? undefined : Number(number);
}

export function openLiveMachines(db: Database, clock: Clock): RequireLiveMachine {
  const find = db.prepare<[number], { revokedAt: number | null; expiresAt: number | null }>(
    `SELECT revoked_at AS revokedAt, expires_at AS expiresAt FROM machine WHERE id = ?`,
  );
  return (machineId) => {
    const machine = find.get(machineId);
    if (machine !== undefined && machine.revokedAt === null && (machine.expiresAt ?? Infinity) > clock.now()) return;
    throw machineRevoked();
  };
}

export function machineRevoked(): SvcdError {
  return new SvcdError('machine_revoked', 'this machine may buy nothing more through the hub: it was revoked', {
    hint: 'Ask for an invitation: on the hub, "svcd hub invite"; here, "svcd hub join CODE".',
  });
}
