// Everything about money over one owned.db: opened together, closed together.

import type { Clock } from '../clock.js';
import type { Log } from '../log.js';
import { openAccountBook, type AccountBook } from './account-book.js';
import { createAccountTraffic, type AccountTraffic } from './account-traffic.js';
import { openBudget, type Budget } from './budget.js';
import { createCalendar } from './calendar.js';
import { openJournal, type Journal } from './journal.js';
import { openOwnedCarrier, type OwnedCarrier } from './owned-carrier.js';
import { openOwnedDatabase } from './owned-database.js';
import { openOwnedStore, type OwnedStore } from './owned-store.js';
import { createPurchaseDesk, type PurchaseDesk } from './purchase-desk.js';
import { openRegisteredDefaults, type RegisteredDefaults } from './registered-defaults.js';
import { openSavings, type Savings } from './savings.js';
import { openSettlement, type Settlement } from './settlement.js';

export interface Till {
  readonly owned: OwnedStore;
  readonly journal: Journal;
  readonly budget: Budget;
  readonly savings: Savings;
  readonly traffic: AccountTraffic;
  readonly settlement: Settlement;
  readonly desk: PurchaseDesk;
  readonly book: AccountBook;
  readonly registered: RegisteredDefaults;
  readonly carrier: OwnedCarrier;
  /**
   * Begins watching a call of an account; the returned function takes the balance its answer told. Every balance
   * is shown; one that a free call read while no purchase was moving also settles what is unknown.
   */
  watchBalance(keyId: string, cost: 'free' | 'paid'): (credits: number) => void;
  close(): void;
}

export interface TillOptions {
  /** Where `owned.db` is or shall be. */
  readonly file: string;
  /** Which remote sells: what is bought from one is not what another sells under the same name. */
  readonly scope: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly timeZone: string | undefined;
  /** How long a lost paid call may still be at work at the remote. */
  readonly graceMs: number;
  /** The same for an image. */
  readonly imageGraceMs: number;
}

/** Opens the till. Throws `owned_damaged`, `invalid_config` for a time zone nobody knows. */
export function openTill({ file, scope, clock, log, timeZone, graceMs, imageGraceMs }: TillOptions): Till {
  const db = openOwnedDatabase(file);
  const owned = openOwnedStore(db, scope, clock, log);
  const budget = openBudget(db, scope, createCalendar(clock, timeZone));
  const journal = openJournal(db, scope, clock, budget);
  const traffic = createAccountTraffic();
  const settlement = openSettlement({ db, clock, log, traffic, graceMs, imageGraceMs });
  const savings = openSavings(db, scope, () => budget.day());
  const desk = createPurchaseDesk({ journal, owned, settlement, traffic, log });
  const book = openAccountBook(db, scope, clock, log);
  const registered = openRegisteredDefaults(db, clock, log);
  return {
    owned,
    journal,
    budget,
    savings,
    traffic,
    settlement,
    desk,
    book,
    registered,
    carrier: openOwnedCarrier(db, clock),
    watchBalance: (keyId, cost) => {
      const stillQuiet = cost === 'free' ? traffic.watch(keyId) : () => false;
      return (credits) => {
        book.noteBalance(keyId, credits);
        if (stillQuiet()) settlement.reconcile(keyId, credits);
      };
    },
    close: () => {
      savings.close();
      settlement.close();
      db.close();
    },
  };
}
