// How a sandbox begins: one account with one Key, topped up, and a few templates; and how it begins anew.

import type { Database } from '../platform/open-database.js';
import { topUpFenOf } from './money.js';
import { PERMISSIONS } from './control-requests.js';
import { MAIN_ACCOUNT, type Accounts } from './accounts.js';
import type { Cashier } from './cashier.js';
import type { Keyring } from './keyring.js';
import type { TemplateRelease, TemplateShelf } from './template-shelf.js';

export interface OpeningRooms {
  accounts: Accounts;
  keyring: Keyring;
  cashier: Cashier;
  templates: TemplateShelf;
}

/** Enough to see every kind of notice and tip. */
const TEMPLATES: readonly TemplateRelease[] = [
  {
    template: 'birthday-card@1.0.0',
    known_issues: ['Captions of more than two lines cover the cake.'],
    tips: ['Keep the headline under 12 characters.'],
  },
  {
    template: 'birthday-card@1.1.0',
    known_issues: [],
    tips: ['Keep the headline under 12 characters.', 'Two stickers to a scene are enough.'],
  },
  { template: 'product-promo@2.0.0', known_issues: [], tips: ['Show the price in the last scene.'] },
  { template: 'story-cover@1.0.0', known_issues: [], tips: ['Say in the prompt where the title goes.'] },
  { template: 'plain-captions@1.0.0', known_issues: [], tips: [] },
];

/** The catalogue, and the seed and the clock. */
const STAYING = ['seeded', 'sticker', 'word', 'placed', 'setting'];

/** Fills an empty sandbox; does nothing to one that has an account. */
export function begin(rooms: OpeningRooms, credits: number): void {
  const { accounts, keyring, cashier, templates } = rooms;
  if (accounts.find(MAIN_ACCOUNT) !== undefined) return;
  const main = accounts.create(MAIN_ACCOUNT, true);
  keyring.issue({ account: main.id, permissions: PERMISSIONS });
  // Not a gift, of which the service has none: the account begins as one that was topped up.
  if (credits > 0) cashier.topUp(main.id, topUpFenOf(credits));
  for (const release of TEMPLATES) templates.release(release);
}

/**
 * Empties everything but the catalogue, the seed and the clock, also what a part has written that is switched off
 * now: the seed begins anew, and its ids would meet the old ones. To be run in a transaction.
 */
export function empty(db: Database): void {
  db.pragma('defer_foreign_keys = ON');
  const tables = db
    .prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .filter(({ name }) => !name.startsWith('sqlite_') && !STAYING.includes(name));
  for (const { name } of tables) db.exec(`DELETE FROM "${name}"`);
}
