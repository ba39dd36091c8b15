// Everything about money that lies in owned.db: opened together, closed together. The coordinator that buys is made of
// this and of a remote, which in turn needs `watchBalance`; so the daemon makes it.

import type { Spending } from '../api/answers.js';
import type { Clock } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import type { Database } from '../platform/open-database.js';
import { openAccountCache, type AccountCache } from './account-cache.js';
import { createInflightTracker, type InflightTracker } from './inflight-tracker.js';
import { openLiveMachines } from '../auth/live-machines.js';
import { openTokenLimits, type TokenLimitLedger } from '../auth/token-limits.js';
import { openBudget, type Budget, type LocalBudget } from './budget.js';
import { findElsewhere, noteElsewhere } from './elsewhere.js';
import { openFirstBudget, type FirstBudget } from './first-budget.js';
import { createCalendar, createTrustedClock } from './calendar.js';
import { openCollections, type CollectionStore } from './collections.js';
import { openJournal, type Journal } from './journal.js';
import { openOwnedCarrier, type OwnedCarrier } from './owned-carrier.js';
import { openOwnedDatabase } from './owned-database.js';
import { openOwnStickers, type OwnStickers } from './own-stickers.js';
import { openOwnedStore, type OwnedStore } from './owned-store.js';
import { openPictureAddresses, type PictureAddresses } from './picture-addresses.js';
import type { SignReceipt } from './signed-receipts.js';
import { openSavings, type Savings } from './savings.js';
import { openHighWaterMark, type HighWaterMark, type MarkFiles } from './high-water-mark.js';
import { openSpendingGuard, type SpendingGuard } from './spending-guard.js';
import { openSettlement, type Settlement } from './settlement.js';
import { openTokenStore, type TokenStore } from '../auth/token-store.js';
import type { SharedTurns } from '../upstream/with-shared-turns.js';

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
  readonly carrier: OwnedCarrier;
  readonly pictures: PictureAddresses;
  /** The open file, for other rooms that keep something in it. */
  readonly database: Database;
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
  readonly readOnly?: string | undefined;
  /** How long a lost paid call may still be at work at the remote. */
  readonly graceMs: number;
  /** The same for an image. */
  readonly imageGraceMs: number;
  /** What a token spent, where that is not in this file. */
  readonly spentByToken?: TokenLimitLedger['spent'] | undefined;
  /** Signs what is bought, where this is a hub. */
  readonly signReceipt?: SignReceipt | undefined;
  /** The database that holds the purchases, without a password, where owned.db is only its disk cache. */
  readonly cacheOf?: string | undefined;
}

/** Opens owned.db. Throws `owned_damaged`, `unsettled` (`noteElsewhere`), and `invalid_config` for an unknown time zone. */
export function openPurchases(options: OpenPurchasesOptions): LocalPurchases {
  const db = openOwnedDatabase(options.file);
  try {
    return openStores(db, options);
  } catch (error) {
    db.close();
    throw error;
  }
}

function openStores(db: Database, options: OpenPurchasesOptions): LocalPurchases {
  const { file, marks, scope, log, timeZone, readOnly, graceMs, imageGraceMs } = options;
  const clock = createTrustedClock(options.clock);
  if (options.cacheOf !== undefined) noteElsewhere(db, options.cacheOf, clock.now());
  const elsewhere = options.cacheOf === undefined ? findElsewhere(db) : undefined;
  const tokenLimits = openTokenLimits(db, scope);
  const firstBudget = openFirstBudget(db, scope);
  const budget = openBudget(db, scope, {
    calendar: createCalendar(clock, timeZone),
    tokenLimits,
    firstBudget,
    requireLiveMachine: openLiveMachines(db, clock),
  });
  const mark = openHighWaterMark({ db, ...marks, log });
  const guard = openSpendingGuard({ db, file, mark, clock, readOnly, elsewhere });
  const journal = openJournal(db, scope, clock, budget, guard);
  const owned = openOwnedStore(db, scope, clock, log, () => guard.note(), options.signReceipt);
  const inflight = createInflightTracker();
  const settlement = openSettlement({ db, clock, log, inflight, graceMs, imageGraceMs, timeZone });
  const savings = openSavings(db, scope, () => budget.day());
  const accounts = openAccountCache(db, scope, clock, log);
  const tokens = openTokenStore(
    db,
    clock,
    { spent: options.spentByToken ?? ((id, today) => tokenLimits.spent(id, today)) },
    () => budget.day(),
  );
  const own = openOwnStickers(db, clock, log);
  const collections = openCollections(db, scope, clock);
  // What would be gone with the copy is refused: a token that was revoked must not come back.
  if (readOnly !== undefined) db.pragma('query_only = ON');
  return {
    owned,
    journal,
    guard,
    elsewhere,
    mark,
    budget,
    firstBudget,
    savings,
    inflight,
    settlement,
    accounts,
    tokens,
    own,
    collections,
    carrier: openOwnedCarrier({ db, scope, own, collections, clock, sign: options.signReceipt }),
    pictures: openPictureAddresses(db, scope, log),
    database: db,
    watchBalance: (keyId, cost) => {
      const stillQuiet = cost === 'free' ? inflight.watch(keyId) : () => false;
      return (credits) => {
        accounts.noteBalance(keyId, credits);
        if (stillQuiet()) settlement.reconcile(keyId, credits);
      };
    },
    close: () => {
      savings.close();
      tokens.close();
      settlement.close();
      db.close();
    },
  };
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
