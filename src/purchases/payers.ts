// Whose budgets a purchase takes from. They are written down with it, so that its end is booked where its price was reserved.

import { payerOfMachine } from '../auth/live-machines.js';
import { ALL_PAYERS, payerOfToken } from '../auth/payer-lines.js';
import type { Machine } from '../model/spender.js';

interface Asking {
  readonly tokenId?: number | undefined;
  readonly machine?: Machine | undefined;
  readonly project?: string | undefined;
}

/**
 * The payers of an order: all together, then the token, or the project, the user and the machine of a hub. With a Key of its
 * own a machine is bound by nothing but whether it may still buy.
 */
export function payersOf({ tokenId, machine, project }: Asking): string[] {
  if (machine?.hasOwnKey === true) return [payerOfMachine(machine.id)];
  return [
    ALL_PAYERS,
    ...(tokenId === undefined ? [] : [payerOfToken(tokenId)]),
    ...(machine === undefined ? [] : payersOfMachine(machine)),
    ...(project === undefined ? [] : [`project:${project}`]),
  ];
}

/** The payers of what a machine of a hub asks for, besides all together. */
export function payersOfMachine({ id, project, user }: Machine): string[] {
  return [`project:${project}`, ...(user === undefined ? [] : [`user:${user}`]), payerOfMachine(id)];
}
