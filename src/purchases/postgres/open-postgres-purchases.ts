// Everything about money of a hub whose money lies in PostgreSQL. This home's owned.db is its disk cache then: what all hubs own is
// mirrored into it, and is served from there while the database is away; nothing is bought then.

import { findUnsafe, type Unsafe } from '../../platform/postgres/find-unsafe.js';
import { readDatabaseAddress } from '../../platform/postgres/address.js';
import { migrate } from '../../platform/postgres/migrate.js';
import { sqlStateOf, databaseAway } from '../../platform/postgres/errors.js';
import { openPostgres, type Postgres } from '../../platform/postgres/transaction.js';
import { isSvcdError, SvcdError } from '../../model/errors.js';
import { sleep as systemSleep, type Sleep } from '../../platform/sleep.js';
import { numberIn, receiptOfImported, type SignReceipt } from '../signed-receipts.js';
import { createHolder, listHolders, type Holder } from './holder.js';
import { createHubGuard } from './hub-guard.js';
import { openHubNotes, type HubNotes, type MachineMemory } from './hub-notes.js';
import type { Ledger } from './ledger.js';
import { openPostgresBudget, type TokenSpendingHere, watchTokenSpending } from './postgres-budget.js';
import { openPostgresJournal, type JournalParts } from './postgres-journal.js';
import { openPostgresOwned, type PostgresOwned } from './postgres-owned.js';
import { openPostgresSettlement } from './postgres-settlement.js';
import { createStudio, type Studio } from './studio.js';
import { PURCHASES } from './schema.js';
import { createTimelineGuard, type TimelineGuard } from './timeline.js';
import { readItem, type OwnedCarrier } from '../transfer-owned.js';
import type { OpenPurchasesOptions, PurchaseStores, LocalPurchases } from '../purchase-stores.js';

export interface OpenPostgresOptions extends OpenPurchasesOptions {
  /** Opens this hub's own file, as a disk cache. */
  readonly openLocal: (options: OpenPurchasesOptions) => LocalPurchases;
  /** `postgres://…`, of a role that may use the tables. */
  readonly url: string;
  /** In place of the one in `url`. */
  readonly password?: string | undefined;
  /** The same of a role that may make tables, where that is another one. */
  readonly ownerUrl?: string | undefined;
  /** Where `notes.db` is or shall be. */
  readonly notesFile: string;
  /** What people call this hub. */
  readonly hubName: string;
  readonly version: string;
  /** Where machines reach this hub, with commas; other hubs tell them. Undefined until it is known. */
  readonly publicAddress?: (() => string | undefined) | undefined;
  /** Starts although a standby that may be promoted lags behind: purchases may be forgotten then. */
  readonly acceptAsynchronous?: boolean | undefined;
  /** Departures of a Key in any window; those of the service if not given. */
  readonly pace?: JournalParts['pace'];
  /** Milliseconds between two looks at the database in the background. */
  readonly lookEveryMs?: number | undefined;
  readonly sleep?: Sleep | undefined;
}

/** What only a hub on PostgreSQL has. */
export interface PostgresHub {
  readonly db: Postgres;
  readonly scope: string;
  /** Resolves when a first budget that is due stands. */
  readonly untilBudgeted: Studio['untilBudgeted'];
  /** Machines that this hub has served. */
  readonly memory: MachineMemory;
  /** What is wrong with the database. Throws `database_away`. */
  findUnsafe(): Promise<Unsafe[]>;
  /** When the server last archived a piece of its log; undefined where it archives none. Throws `database_away`. */
  findArchived(): Promise<number | undefined>;
  /** Where machines reach the hubs that live, as last known. */
  addresses(): readonly string[];
  /** Hubs that live. */
  listHubs(): ReturnType<typeof listHolders>;
  /** Puts back what the database forgot and this hub noted; returns how many. */
  recover(): Promise<number>;
  /** Keeps bytes that nobody bought now. */
  adopt: PostgresOwned['adopt'];
  /** Does at once what is done every few seconds: says that it lives, ends what the dead left, copies, replays. */
  lookNow(): Promise<void>;
}

export interface PostgresPurchases extends Omit<PurchaseStores, 'close'> {
  readonly hub: PostgresHub;
  close(): Promise<void>;
}

const LOOK_EVERY_MS = 5000;
const LOGIN_REFUSED = /^(28|3D)/;

/** What is told to the database when the hub first reaches it. */
interface Presence {
  readonly gate: DatabaseGate;
  readonly studio: Studio;
  readonly holder: Holder;
  readonly timeline: TimelineGuard;
}

/**
 * Opens the money of a hub. While its database is away it opens too, if this home has used it before: then what is on its
 * disk is served until the database comes. Throws `database_away`, `database_newer`, `database_unsafe`, and what
 * `openPurchases` throws.
 */
export async function openPostgresPurchases(options: OpenPostgresOptions): Promise<PostgresPurchases> {
  const { url, password, clock, log } = options;
  const db = openPostgres(readDatabaseAddress(url, password), clock);
  let notes: HubNotes | undefined;
  let local: LocalPurchases | undefined;
  try {
    notes = openHubNotes(options.notesFile, clock);
    const presence = createPresence(db, notes, options);
    const isThere = await enter(presence, notes.timeline() !== undefined);
    const tokens = watchTokenSpending(presence.gate.db, options.scope, notes.home);
    local = options.openLocal({ ...options, spentByToken: tokens.spent, cacheOf: db.label });
    const stores = assemble({ ...presence, tokens }, notes, local, options);
    if (isThere) log.info('the money of this hub is in PostgreSQL', { database: db.label });
    return stores;
  } catch (error) {
    local?.close();
    notes?.close();
    await db.close();
    throw error;
  }
}

function createPresence(db: Postgres, notes: HubNotes, options: OpenPostgresOptions): Presence {
  const { scope, clock, log, hubName: name, version, acceptAsynchronous = false } = options;
  const studio = createStudio(db, scope, options.timeZone, log);
  const holder = createHolder(
    db,
    { home: notes.home, name, version, address: () => options.publicAddress?.() ?? null },
    log,
  );
  const timeline = createTimelineGuard({ db, notes, holder: holder.id, log });
  const gate = createDatabaseGate(db, async () => {
    refuseUnsafe(await findUnsafe(db, clock), acceptAsynchronous, options);
    await bringUpToDate(db, options);
    await studio.enter();
    await holder.register();
    await timeline.look();
  });
  return { gate, studio, holder, timeline };
}

/** Whether the database is there. One that this home never used, or that refuses the login, is for a person to mend. */
async function enter({ gate }: Presence, isKnown: boolean): Promise<boolean> {
  try {
    await gate.open();
    return true;
  } catch (error) {
    if (!isSvcdError(error, 'database_away') || LOGIN_REFUSED.test(sqlStateOf(error) ?? '')) throw error;
    if (isKnown) return false;
    throw new SvcdError('database_away', error.message, {
      cause: error,
      hint: 'This hub has never used it, and has nothing to serve without it: start PostgreSQL, then the hub again.',
    });
  }
}

function refuseUnsafe(found: readonly Unsafe[], accepts: boolean, { log }: OpenPostgresOptions): void {
  for (const { what, why, isFatal } of found) {
    if (isFatal && !(accepts && what === 'asynchronous_standby')) {
      throw new SvcdError('database_unsafe', `the database is not safe for money: ${why}`);
    }
    log.warn('the database is not as safe as it could be', { what, why });
  }
}

async function bringUpToDate(db: Postgres, { ownerUrl, clock }: OpenPostgresOptions): Promise<void> {
  if (ownerUrl === undefined) return migrate(db, PURCHASES);
  const owner = openPostgres(readDatabaseAddress(ownerUrl), clock);
  try {
    await migrate(db, PURCHASES, owner);
  } finally {
    await owner.close();
  }
}

function assemble(
  { gate, studio, holder, timeline, tokens }: Presence & { readonly tokens: TokenSpendingHere },
  notes: HubNotes,
  local: LocalPurchases,
  options: OpenPostgresOptions,
): PostgresPurchases {
  const { db } = gate;
  const { scope, clock, log, graceMs, imageGraceMs, sleep = systemSleep } = options;
  const guard = createHubGuard({ db, local: local.guard, timeline, log });
  const ledger: Ledger = {
    db,
    scope,
    holder: holder.id,
    clock,
    log,
    check: () => guard.check(),
    timeline: () => timeline.known(),
    lookAtTimeline: () => timeline.look(),
  };
  const budget = openPostgresBudget(db, scope, local.budget.ofTokens.find, notes.home);
  const journal = openPostgresJournal({
    ledger,
    budget,
    notes,
    pace: options.pace,
    untilBudgeted: studio.untilBudgeted,
  });
  const owned = openPostgresOwned({
    ledger,
    mirror: local.owned,
    copies: local.copies,
    notes,
    sign: options.signReceipt,
  });
  const settlement = openPostgresSettlement({
    db,
    scope,
    clock,
    log,
    graceMs,
    imageGraceMs,
    timeZone: () => studio.timeZone(),
    sleep,
  });

  let addresses: readonly string[] = [];
  const lookNow = async () => {
    await gate.open();
    await holder.renew();
    await timeline.look();
    await guard.refresh();
    await owned.replay();
    await holder.reap();
    await journal.refresh();
    await tokens.refresh();
    addresses = (await listHolders(db)).flatMap((one) => one.address?.split(',') ?? []);
    await owned.pull();
  };
  const looking = lookAlways(lookNow, options);
  return {
    ...local,
    guard,
    // A first budget that is just being given is not to come after what somebody sets.
    budget: { ...budget, set: async (...asked) => studio.untilBudgeted().then(() => budget.set(...asked)) },
    journal,
    owned,
    settlement,
    carrier: carrierOf(local.carrier, owned, scope, options.signReceipt),
    firstBudget: studio.firstBudget,
    turns: journal.turns,
    watchBalance: (keyId) => (credits) => local.accounts.noteBalance(keyId, credits),
    hub: {
      db,
      scope,
      untilBudgeted: studio.untilBudgeted,
      memory: notes.machines,
      findUnsafe: () => findUnsafe(db, clock),
      findArchived: async () =>
        (
          await db.one<{ at: number | null }>(
            `SELECT (extract(epoch FROM last_archived_time) * 1000)::bigint AS at FROM pg_stat_archiver`,
          )
        )?.at ?? undefined,
      addresses: () => addresses,
      listHubs: () => listHolders(db),
      recover: async () => {
        await gate.open();
        const count = await timeline.recover();
        await owned.replay();
        await owned.giveBack();
        return count;
      },
      adopt: (...taken) => owned.adopt(...taken),
      lookNow,
    },
    close: async () => {
      settlement.close();
      await looking.stop();
      await leave(holder, log);
      await db.close();
      notes.close();
      local.close();
    },
  };
}

/** What is imported here is owned by all hubs. */
function carrierOf(
  carrier: OwnedCarrier,
  owned: PostgresOwned,
  scope: string,
  sign: SignReceipt | undefined,
): OwnedCarrier {
  return {
    ...carrier,
    take: async (text, maxFileBytes, isProven) => {
      const outcome = await carrier.take(text, maxFileBytes, isProven);
      if (outcome.kind === 'bad' || outcome.kind === 'header' || outcome.kind === 'end') return outcome;
      const read = await readItem(text, maxFileBytes);
      if ('item' in read && read.scope === scope)
        await (isProven === undefined
          ? owned.adopt({ ...read, receipt: receiptOfImported(sign, read) }, 'given')
          : owned.adopt(read, 'returned', numberIn(read.receipt)));
      return outcome;
    },
  };
}

/** Ends what this process left open, so that no other hub waits for its lease to end. */
async function leave(holder: Holder, log: OpenPostgresOptions['log']): Promise<void> {
  try {
    await holder.stop();
    await holder.reap();
  } catch (error) {
    log.warn('this hub could not say farewell to the database', { why: String(error) });
  }
}

/** Looks every few seconds, until stopped; says once that the database is away, and once that it is back. */
function lookAlways(look: () => Promise<void>, { lookEveryMs = LOOK_EVERY_MS, log }: OpenPostgresOptions) {
  const over = new AbortController();
  const run = async () => {
    let isAway = false;
    for (;;) {
      try {
        await look();
        if (isAway) log.info('the database is back');
        isAway = false;
      } catch (error) {
        if (!isAway) log.warn('the database cannot be used; what is owned is served', { why: String(error) });
        isAway = true;
      }
      await systemSleep(lookEveryMs, { signal: over.signal, ref: false });
      if (over.signal.aborted) return;
    }
  };
  const running = run();
  return {
    stop: async () => {
      over.abort();
      await running;
    },
  };
}

export interface DatabaseGate {
  /** Throws `database_away` for everything until it is open. */
  readonly db: Postgres;
  /** Makes the checks unless they were made; throws what they throw. */
  open(): Promise<void>;
}

/** The gate before `db`; `checks` are made over that one itself. */
function createDatabaseGate(db: Postgres, checks: () => Promise<void>): DatabaseGate {
  let isOpen = false;
  let why: unknown;
  let opening: Promise<void> | undefined;

  const check = async () => {
    try {
      await checks();
      isOpen = true;
    } catch (error) {
      why = error;
      throw error;
    } finally {
      opening = undefined;
    }
  };
  const asOne = (): SvcdError => {
    if (isSvcdError(why, 'database_away')) return why;
    return databaseAway(db.label, isSvcdError(why) ? why.message : 'its checks were not made yet', why);
  };
  const whenOpen = <T>(ask: () => Promise<T>): Promise<T> => (isOpen ? ask() : Promise.reject(asOne()));

  return {
    open: () => (isOpen ? Promise.resolve() : (opening ??= check())),
    db: {
      label: db.label,
      all: (...asked) => whenOpen(() => db.all(...asked)),
      one: (...asked) => whenOpen(() => db.one(...asked)),
      run: (...asked) => whenOpen(() => db.run(...asked)),
      transaction: (...asked) => whenOpen(() => db.transaction(...asked)),
      roundTrips: () => db.roundTrips(),
      close: () => db.close(),
    },
  };
}
