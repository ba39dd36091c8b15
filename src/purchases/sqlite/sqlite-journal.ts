// The journal in owned.db. One purchase of an item counts, by a unique index: what another has, had or may have paid for is not
// bought again without consent. Commits that are asked for in one turn of the loop go to the disk together: three hundred
// purchases that begin at once would otherwise wait for it three hundred times, and everybody with them.

import { randomUUID } from 'node:crypto';
import { payersOf } from '../budget.js';
import { requireSameWish } from '../item.js';
import { startAge } from '../../platform/age.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/open-database.js';
import { readInSteps } from '../../platform/read-in-steps.js';
import type { LocalBudget } from './sqlite-budget.js';
import {
  type PurchaseState,
  type Order,
  type Claim,
  type Purchase,
  type RequestSum,
  type Journal,
  type UnknownPurchases,
  someOf,
  overMaximum,
  isOpen,
  noPurchase,
  notUnknown,
  leavesLate,
  releasedBefore,
} from '../journal.js';
import { OF_HUB } from '../owned-store.js';
import type { SpendingGuard } from '../spending-guard.js';

/** The columns of a purchase as it is told. */
export const LOOKED_UP = `id, item, kind, state, price, cost, reason, key_id AS keyId,
  created_at AS createdAt, sent_at AS sentAt, settled_at AS settledAt,
  EXISTS (SELECT 1 FROM owned WHERE owned.scope = purchase.scope AND owned.item = purchase.item) AS owned,
  (SELECT name FROM token WHERE token.id = purchase.token_id) AS token`;

/** Longer than anything holds up a process that runs. */
const LEAVES_WITHIN_MS = 30_000;
/** More are read in steps. */
const LISTED_AT_ONCE = 500;

/** Purchases of one scope that were paid and of which nothing is owned, the newest first; not those that a hub gives again. */
export function findPaidInVain(db: Database, scope: string): readonly Pick<Purchase, 'id' | 'item'>[] {
  const paid = db.prepare<[string], Purchase>(
    `SELECT ${LOOKED_UP} FROM purchase
     WHERE scope = ? AND state = 'paid' AND reason IS NOT '${OF_HUB}' ORDER BY id DESC`,
  );
  return paid.all(scope).filter(({ owned }) => owned === 0);
}

/**
 * Opens the journal of one scope and closes what a dead process left open: an intent sent nothing, so it is
 * refused; what was sent is unknown.
 */
export function openJournal(
  db: Database,
  scope: string,
  clock: Clock,
  budget: LocalBudget,
  guard: Pick<SpendingGuard, 'check' | 'note'>,
): Journal {
  const insert = db.prepare(
    `INSERT INTO purchase (id, scope, item, kind, state, price, key_id, token_id, payers, holder, day, created_at)
     VALUES (@id, @scope, @item, @kind, 'intent', @price, @keyId, @tokenId, @payers, @holder, @day, @now)`,
  );
  // A row left open by a commit that failed: the purchase it speaks of is over, its end was not written. One that
  // was not even written down as sent was not sent.
  const closeLeftOpen = db.prepare(
    `UPDATE purchase SET state = CASE state WHEN 'sent' THEN 'unknown' ELSE 'refused' END,
       cost = CASE state WHEN 'sent' THEN NULL ELSE 0 END, reason = 'not_written', settled_at = ?
     WHERE scope = ? AND item = ? AND state IN ('intent', 'sent')`,
  );
  // One that could not be taken back is `sent` still.
  const markSent = db.prepare(
    `UPDATE purchase SET state = 'sent', sent_at = ? WHERE id = ? AND state IN ('intent', 'sent')`,
  );
  const drop = db.prepare(
    `UPDATE purchase SET state = 'refused', reason = 'interrupted', cost = 0, settled_at = ?
     WHERE id = ? AND state = 'intent'`,
  );
  const markWaiting = db.prepare(
    `UPDATE purchase SET state = 'intent', sent_at = NULL WHERE id = ? AND state = 'sent'`,
  );
  const end = db.prepare(
    `UPDATE purchase SET state = ?, reason = ?, cost = ?, settled_at = ?
     WHERE id = ? AND state IN ('intent', 'sent')`,
  );
  // Served by the index `purchase_counts`; there is one at most.
  const counting = db.prepare<[string, string], Purchase>(
    `SELECT ${LOOKED_UP} FROM purchase WHERE scope = ? AND item = ? AND state <> 'refused' AND superseded_by IS NULL`,
  );
  const nextId = db.prepare<[], { id: number }>(`SELECT coalesce(max(id), 0) + 1 AS id FROM purchase`);
  const supersede = db.prepare(`UPDATE purchase SET superseded_by = ? WHERE id = ?`);
  const findAsk = db.prepare<[number, string], { id: number }>(
    `SELECT purchase_id AS id FROM ask WHERE machine_id = ? AND request_id = ?`,
  );
  const putAsk = db.prepare(
    `INSERT INTO ask (machine_id, request_id, purchase_id, asked_at) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET purchase_id = excluded.purchase_id, asked_at = excluded.asked_at
       WHERE purchase_id <> excluded.purchase_id`,
  );
  const byId = db.prepare<[string, number], Purchase>(`SELECT ${LOOKED_UP} FROM purchase WHERE scope = ? AND id = ?`);
  // By number, so that the newest of very many are found first: by an index of the scope all would be sorted.
  const filtered = db.prepare<[object], Purchase>(
    `SELECT ${LOOKED_UP} FROM purchase
     WHERE +scope = @scope AND created_at >= @since
       AND (@item IS NULL OR item = @item) AND (@state IS NULL OR state = @state)
       AND (state <> 'refused' OR created_at >= @freeSince)
     ORDER BY id DESC LIMIT @limit`,
  );
  // The states as in the index `purchase_unsettled`, which serves it: neither by the scope nor by number.
  const open = db.prepare<[string], { item: string; state: PurchaseState }>(
    `SELECT item, state FROM purchase WHERE +scope = ? AND state IN ('intent', 'sent', 'unknown') ORDER BY +id`,
  );
  const settle = db.prepare(
    `UPDATE purchase SET state = ?, cost = ?, reason = 'decided', settled_at = ? WHERE id = ? AND state = 'unknown'`,
  );
  // A range of the index of items.
  const counted = db.prepare<[string, string, string], { purchases: number }>(
    `SELECT count(*) AS purchases FROM purchase WHERE scope = ? AND item >= ? AND item < ? || '\u{10FFFF}' AND state = 'paid'`,
  );
  const changed = db.prepare<[], { changes: number }>(`SELECT changes FROM purchase_changes`);
  const summed = db.prepare<[string], { state: PurchaseState; purchases: number; credits: number }>(
    `SELECT state, count(*) AS purchases, coalesce(sum(coalesce(cost, price)), 0) AS credits
     FROM purchase WHERE +scope = ? GROUP BY state`,
  );
  let sums: { readonly changes: number; readonly all: ReturnType<typeof summed.all> } | undefined;
  const holder = randomUUID();
  const write = (order: Order, now: number, replaces: Purchase | undefined): number => {
    const { item, kind, price, keyId, tokenId = null } = order;
    const id = nextId.get()?.id ?? 1;
    // First: of two that count the index would refuse the second.
    if (replaces !== undefined) supersede.run(id, replaces.id);
    const payers = JSON.stringify(payersOf(order));
    insert.run({ id, scope, item, kind, price, keyId, tokenId, payers, holder, day: budget.day(), now });
    noteAsk(order, id, now);
    return id;
  };
  const noteAsk = ({ machine }: Order, id: number, now: number): void => {
    if (machine?.requestId !== undefined) putAsk.run(machine.id, machine.requestId, id, now);
  };
  const findAsked = ({ machine, item }: Order): Purchase | undefined => {
    if (machine?.requestId === undefined) return undefined;
    const id = findAsk.get(machine.id, machine.requestId)?.id;
    const asked = id === undefined ? undefined : byId.get(scope, id);
    return asked === undefined || asked.state === 'refused' ? undefined : requireSameWish(asked, item);
  };
  /** The purchase that keeps this order from being made; or the one that it replaces, by consent. */
  const look = (order: Order, now: number): { counts?: Purchase; replaces?: Purchase } => {
    closeLeftOpen.run(now, scope, order.item);
    const asked = findAsked(order);
    if (asked !== undefined) return { counts: asked };
    const counts = counting.get(scope, order.item);
    if (counts === undefined) return {};
    return order.allowRepay === true && !isOpen(counts) ? { replaces: counts } : { counts };
  };
  const claim = (order: Order, now: number, { counts, replaces }: ReturnType<typeof look>): Claim => {
    if (counts === undefined) return { mine: true, id: write(order, now, replaces) };
    // Later than the ask that caused it, which is how that is known.
    noteAsk(order, counts.id, Math.max(now, counts.createdAt + 1));
    return { mine: false, counts };
  };
  const intend = db.transaction((order: Order): Claim => {
    guard.check();
    const now = clock.now();
    const found = look(order, now);
    if (found.counts === undefined) budget.reserve({ price: order.price, payers: payersOf(order) });
    return claim(order, now, found);
  });
  const intendAll = db.transaction((orders: readonly Order[], { maxCredits, taken }: RequestSum): Claim[] => {
    guard.check();
    const now = clock.now();
    const looked = orders.map((order) => ({ order, found: look(order, now) }));
    const free = looked.filter(({ found }) => found.counts === undefined);
    const price = free.reduce((sum, { order }) => sum + order.price, 0);
    if (taken + price > maxCredits) throw overMaximum(taken + price, maxCredits);
    const [first] = free;
    if (first !== undefined && price > 0) budget.reserve({ price, payers: payersOf(first.order), taken });
    return looked.map(({ order, found }) => claim(order, now, found));
  });
  const reserved = db.prepare<[number], { price: number; payers: string }>(
    `SELECT price, payers FROM purchase WHERE id = ?`,
  );
  const send = db.transaction((id: number): void => {
    guard.check();
    const { price, payers } = reserved.get(id) ?? { price: 0, payers: '[]' };
    budget.confirm({ price, payers: JSON.parse(payers) as string[] });
    if (markSent.run(clock.now(), id).changes === 0) throw releasedBefore(id);
  });
  const get = (id: number): Purchase => {
    const purchase = byId.get(scope, id);
    if (purchase === undefined) throw noPurchase(id);
    return purchase;
  };
  recover(db, clock.now(), holder);
  const commit = createGroupCommit(db, () => guard.note());
  return {
    intend: (order) => commit(() => intend(order)),
    intendAll: (orders, request) => commit(() => intendAll(orders, request)),
    release: async (id) => (await commit(() => drop.run(clock.now(), id))).changes === 1,
    send: async (id) => {
      await commit(() => send(id));
      // Nobody ends what a living holder has sent, but nobody waits for it either after a machine slept.
      const age = startAge(clock, LEAVES_WITHIN_MS);
      return () => (age.isYoung() ? undefined : leavesLate(id, age));
    },
    takeBack: (id) => commit(() => void markWaiting.run(id)),
    refuse: (id, reason) => commit(() => void end.run('refused', reason, 0, clock.now(), id)),
    lose: (id, reason) => commit(() => void end.run('unknown', reason, null, clock.now(), id)),
    findUnsettled: async (item) => {
      const counts = counting.get(scope, item);
      return counts !== undefined && isOpen(counts) ? undefined : counts;
    },
    getPurchase: async (id) => get(id),
    decide: async (id, outcome) => {
      const purchase = get(id);
      const cost = outcome === 'paid' ? purchase.price : 0;
      if ((await commit(() => settle.run(outcome, cost, clock.now(), id))).changes === 1) return get(id);
      throw notUnknown(purchase);
    },
    countPaid: async (prefix) => counted.get(scope, prefix, prefix)?.purchases ?? 0,
    listOpen: () => open.all(scope),
    list: async ({ limit, since = 0, item = null, state = null, freeSince = 0 }) => {
      const asked = { scope, limit, since, item, state, freeSince };
      if (limit <= LISTED_AT_ONCE) return filtered.all(asked);
      const found: Purchase[] = [];
      await readInSteps(filtered, asked, clock, (purchase) => void found.push(purchase));
      return found;
    },
    // The page asks again and again, and a home may have a hundred thousand.
    sums: async () => {
      const changes = changed.get()?.changes ?? 0;
      if (sums?.changes !== changes) sums = { changes, all: summed.all(scope) };
      return sums.all;
    },
  };
}

/** Ends what those left open who are gone: whoever holds the home is the only one there is. */
function recover(db: Database, now: number, holder: string): void {
  const close = db.prepare(
    `UPDATE purchase SET state = ?, cost = ?, reason = 'interrupted', settled_at = ? WHERE state = ? AND holder IS NOT ?`,
  );
  db.transaction(() => {
    close.run('refused', 0, now, 'intent', holder);
    close.run('unknown', null, now, 'sent', holder);
  }).immediate();
}

/** Purchases of unknown end of one scope; undefined where there are none. */
export function findUnknown(db: Database, scope: string): UnknownPurchases | undefined {
  // Written so that the index of what is not settled serves it, and none of the scope.
  const found = db.prepare<[string], Partial<UnknownPurchases>>(
    `SELECT min(id) AS id, count(*) AS purchases, min(created_at) AS since FROM purchase
     WHERE +scope = ? AND state IN ('intent', 'sent', 'unknown') AND state = 'unknown'`,
  );
  return someOf(found.get(scope));
}

/**
 * How many items of one scope may have been paid for, as a file says that may be of an older version: those whose last purchase
 * was sent, and is not known to have been charged or free.
 */
export function countUndecided(db: Database, scope: string): number {
  const found = db.prepare<[string], { items: number }>(
    `SELECT count(*) AS items FROM purchase AS last WHERE scope = ? AND state IN ('sent', 'unknown') AND NOT EXISTS
       (SELECT 1 FROM purchase AS later
        WHERE later.scope = last.scope AND later.item = last.item AND later.id > last.id AND later.state IN ('sent', 'paid', 'unknown'))`,
  );
  return found.get(scope)?.items ?? 0;
}

/** Does work on the database and resolves once it is committed; rejects with what the work or the commit throws. */
export type GroupCommit = <T>(work: () => T) => Promise<T>;

interface Job {
  readonly work: () => void;
  readonly done: () => void;
  readonly fail: (error: unknown) => void;
}

/** Commits in groups; `afterCommit` is called after each. A job that throws changes nothing and harms no other. */
export function createGroupCommit(db: Database, afterCommit: () => void): GroupCommit {
  let waiting: Job[] = [];
  const alone = db.transaction((work: () => void) => work());
  const together = db.transaction((jobs: readonly Job[]) =>
    jobs.map((job): (() => void) => {
      try {
        alone(job.work);
        return job.done;
      } catch (error) {
        // A full disk may have ended the whole transaction, with all that was in it.
        if (!db.inTransaction) throw error;
        return () => job.fail(error);
      }
    }),
  );
  const commit = (): void => {
    const jobs = waiting;
    waiting = [];
    let ends: (() => void)[];
    try {
      ends = together.immediate(jobs);
    } catch (error) {
      for (const { fail } of jobs) fail(error);
      return;
    }
    afterCommit();
    for (const end of ends) end();
  };
  return <T>(work: () => T) =>
    new Promise<T>((resolve, reject) => {
      let result: T;
      const job = { work: () => void (result = work()), done: () => resolve(result), fail: reject };
      if (waiting.push(job) === 1) setImmediate(commit);
    });
}
