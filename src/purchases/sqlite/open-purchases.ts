// Everything about money that lies in owned.db: opened together, closed together.

import type { Database } from '../../platform/open-database.js';
import { openAccountCache } from './account-cache.js';
import { createInflightTracker } from '../settlement.js';
import { openLiveMachines } from '../../auth/live-machines.js';
import { openBudget, openFirstBudget } from './sqlite-budget.js';
import { findElsewhere, noteElsewhere } from './cache-of-database.js';
import { createCalendar, createTrustedClock } from '../calendar.js';
import { openCollections } from './collections.js';
import { openJournal } from './sqlite-journal.js';
import { openOwnedCarrier } from './sqlite-transfer.js';
import { openOwnedDatabase } from './owned-database.js';
import { openOwnStickers } from './own-stickers.js';
import { openOwnedStore } from './sqlite-owned.js';
import { openOwnedCopies } from './owned-rows.js';
import { openProjects } from './projects.js';
import { openPictureAddresses } from './picture-addresses.js';
import { openSavings } from './savings.js';
import { openHighWaterMark } from './high-water-mark.js';
import { openSpendingGuard } from './sqlite-guard.js';
import { openSettlement } from './sqlite-settlement.js';
import { payerOfToken } from '../budget.js';
import { openTokenStore } from '../../auth/token-store.js';
import type { LocalPurchases, OpenPurchasesOptions } from '../purchase-stores.js';

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
  const firstBudget = openFirstBudget(db, scope);
  const budget = openBudget(db, scope, {
    calendar: createCalendar(clock, timeZone),
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
  const spent = options.spentByToken ?? ((id: number) => budget.spentBy(payerOfToken(id)));
  const tokens = openTokenStore(db, clock, { ...budget.ofTokens, spent });
  const own = openOwnStickers(db, clock, log);
  const collections = openCollections(db, scope, clock);
  const projects = openProjects(db, scope, clock);
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
    projects,
    carrier: openOwnedCarrier({ db, scope, own, collections, projects, clock, sign: options.signReceipt }),
    pictures: openPictureAddresses(db, scope, log),
    database: db,
    copies: openOwnedCopies(db, scope, clock, log),
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
