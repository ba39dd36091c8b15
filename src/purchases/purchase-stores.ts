// Everything about money that lies in one database, as it is opened together. The coordinator that buys is made of this and of a
// remote, which in turn needs `watchBalance`; so the daemon makes it.

import type { Spending } from '../api/answers.js';
import type { Clock } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import type { OwnedDatabase } from './sqlite/owned-database.js';
import type { AccountCache } from './sqlite/account-cache.js';
import type { InflightTracker, Settlement } from './settlement.js';
import type { LocalBudget } from './sqlite/sqlite-budget.js';
import type { CollectionStore } from './sqlite/collections.js';
import type { OwnStickers } from './sqlite/own-stickers.js';
import type { ProjectStore } from './sqlite/projects.js';
import type { PictureAddresses } from './sqlite/picture-addresses.js';
import type { SignReceipt } from './signed-receipts.js';
import type { Savings } from './sqlite/savings.js';
import type { HighWaterMark, MarkFiles } from './sqlite/high-water-mark.js';
import type { TokenLedger, TokenStore } from '../auth/token-store.js';
import type { SharedTurns } from '../upstream/with-shared-turns.js';
import type { Journal } from './journal.js';
import type { Budget, FirstBudget } from './budget.js';
import type { OwnedStore, OwnedCopies } from './owned-store.js';
import type { SpendingGuard, SpendingStop } from './spending-guard.js';
import type { OwnedCarrier } from './transfer-owned.js';

export interface PurchaseStores {
  readonly owned: OwnedStore;
  readonly journal: Journal;
  /** Whether anything may be bought at all. */
  readonly guard: SpendingGuard;
  /** The database that holds the purchases of this home, where it is not used now: nothing is bought then. */
  readonly elsewhere: string | undefined;
  /** How far owned.db once came. */
  readonly mark: HighWaterMark;
  readonly budget: Budget;
  readonly firstBudget: FirstBudget;
  readonly savings: Savings;
  readonly inflight: InflightTracker;
  readonly settlement: Settlement;
  readonly accounts: AccountCache;
  readonly tokens: TokenStore;
  readonly own: OwnStickers;
  readonly collections: CollectionStore;
  readonly projects: ProjectStore;
  readonly carrier: OwnedCarrier;
  readonly pictures: PictureAddresses;
  /** The open file, for other rooms that keep something in it. */
  readonly database: OwnedDatabase;
  /**
   * Begins watching a call of an account; the returned function takes the balance its answer told. Every balance
   * is shown; one that a free call read while no purchase was moving also settles what is unknown.
   */
  watchBalance(keyId: string, cost: 'free' | 'paid'): (credits: number) => void;
  /** Turns of Keys, of which others take too; undefined where no other process sends with them. */
  readonly turns?: SharedTurns | undefined;
  close(): void;
}

/** Those of a file, and not of a database that it is the disk cache of. */
export interface LocalPurchases extends PurchaseStores {
  readonly budget: LocalBudget;
  readonly copies: OwnedCopies;
}

export interface OpenPurchasesOptions {
  /** Where `owned.db` is or shall be. */
  readonly file: string;
  /** Where it is written down how far the file once came. */
  readonly marks: MarkFiles;
  /** Which remote sells: what is bought from one is not what another sells under the same name. */
  readonly scope: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly timeZone: string | undefined;
  /** Why nothing can be written down, and so nothing is bought, when the file is a copy. */
  readonly readOnly?: Pick<SpendingStop, 'by' | 'why'> | undefined;
  /** How long a lost paid call may still be at work at the remote. */
  readonly graceMs: number;
  /** The same for an image. */
  readonly imageGraceMs: number;
  /** What a token spent, where that is not in this file. */
  readonly spentByToken?: TokenLedger['spent'] | undefined;
  /** Signs what is bought, where this is a hub. */
  readonly signReceipt?: SignReceipt | undefined;
  /** The database that holds the purchases, without a password, where owned.db is only its disk cache. */
  readonly cacheOf?: string | undefined;
}

/** Why nothing is bought, as answers tell it; null when buying is allowed. */
export function stopOf({ guard }: PurchaseStores): Spending['stopped'] {
  const stop = guard.findStop();
  if (stop === undefined) return null;
  return { ...stop, since: stop.since === null ? null : new Date(stop.since).toISOString() };
}

/** What was spent, what may have been, what was saved, and what the budgets allow. */
export async function spendingOf(stores: PurchaseStores): Promise<Spending> {
  const { journal, budget, savings } = stores;
  const purchases = { intent: 0, sent: 0, paid: 0, refused: 0, unknown: 0 };
  const credits = { ...purchases };
  for (const row of await journal.sums()) {
    purchases[row.state] = row.purchases;
    credits[row.state] = row.credits;
  }
  return {
    stopped: stopOf(stores),
    spent: credits.paid,
    unsettled: credits.intent + credits.sent + credits.unknown,
    saved: savings.total(),
    purchases,
    budgets: await budget.show(),
  };
}
