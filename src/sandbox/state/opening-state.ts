// How a sandbox begins: one account with one Key, topped up, and a few templates; and how it begins anew.

import * as accounts from '../accounts.js';
import * as keys from '../key-store.js';
import * as payments from '../money/payments.js';
import { topUpFenOf } from '../money/rates.js';
import { FIRST_TEMPLATES } from '../templates/template-designs.js';
import * as templates from '../templates/template-store.js';
import type { SandboxState } from './sandbox-state.js';

/** The catalogue, and the seed and the clock. */
const STAYING = ['seeded', 'sticker', 'word', 'placed', 'setting'];

/** Fills an empty sandbox; does nothing to one that has an account. */
export function begin(state: SandboxState, credits: number): void {
  if (accounts.find(state, accounts.MAIN_ACCOUNT) !== undefined) return;
  const main = accounts.create(state, accounts.MAIN_ACCOUNT, true);
  keys.issue(state, { account: main.id, permissions: keys.PERMISSIONS });
  // Not a gift, of which the service has none: the account begins as one that was topped up.
  if (credits > 0) payments.topUp(state, main.id, topUpFenOf(credits));
  for (const release of FIRST_TEMPLATES) templates.release(state, release);
}

/**
 * Empties everything but the catalogue, the seed and the clock, also what a module has written that is switched off
 * now: the seed begins anew, and its ids would meet the old ones. To be run in a transaction.
 */
export function empty({ db }: SandboxState): void {
  db.exec('PRAGMA defer_foreign_keys = ON');
  const tables = db
    .all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .filter(({ name }) => !STAYING.includes(name));
  for (const { name } of tables) db.exec(`DELETE FROM "${name}"`);
}
