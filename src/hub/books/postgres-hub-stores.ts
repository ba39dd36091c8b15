// The same in PostgreSQL, shared by all hubs of a database.

import type { Clock } from '../../platform/clock.js';
import type { PostgresHub } from '../../purchases/postgres/open-postgres-purchases.js';
import { openPostgresRegister } from '../register/postgres-register.js';
import { openLate, type LateHubStores } from './hub-stores.js';
import { openPostgresBooks } from './postgres-books.js';

export function hubStoresInPostgres({ db, scope, memory }: PostgresHub, clock: Clock): LateHubStores {
  return openLate(() => ({ books: openPostgresBooks(db, scope), machines: openPostgresRegister(db, clock, memory) }));
}
