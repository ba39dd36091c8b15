// The journal: one row a paid call, `intent → sent → paid | refused | unknown`.
// A row is committed before the step it speaks of, so that a kill at any moment leaves the truth or `unknown`. One purchase
// of an item counts, by a unique index: what another has, had or may have paid for is not bought again without consent.

import { randomUUID } from 'node:crypto';
import { OF_HUB } from './owned-rows.js';
import { payersOf } from './payers.js';
import { requireSameWish } from './same-wish.js';
import type { Clock } from '../platform/clock.js';
import { SvcdError } from '../model/errors.js';
import type { Machine } from '../model/spender.js';
import type { Database } from '../platform/open-database.js';
import type { FindLate } from '../upstream/exchange.js';
import type { LocalBudget } from './budget.js';
import { createGroupCommit } from './group-commit.js';
import type { SpendingGuard } from './spending-guard.js';

export type PurchaseKind = 'sticker' | 'image';
export type PurchaseState = 'intent' | 'sent' | 'paid' | 'refused' | 'unknown';

export interface Order {
  /** What is bought, such as `sticker:heart`. */
  readonly item: string;
  readonly kind: PurchaseKind;
  /** Credits expected. */
  readonly price: number;
  /** Short digest of the Key that pays; tells accounts apart without naming one. */
  readonly keyId: string;
  /** The token whose own budget pays too, if it has one. */
  readonly tokenId?: number | undefined;
  /** The machine of a hub that asks, with the projects and people whose budgets pay too. */
  readonly machine?: Machine | undefined;
  /** The project whose budget pays too, where the hub itself asks. */
  readonly project?: string | undefined;
  /** Buy although an earlier purchase of the same item was charged or may have been. */
  readonly allowRepay?: boolean;
}

/** Who may go on: whoever wrote the intent, and nobody where another purchase of the item counts. */
export type Claim = { readonly mine: true; readonly id: number } | { readonly mine: false; readonly counts: Purchase };

export interface Purchase {
  readonly id: number;
  readonly item: string;
  readonly kind: PurchaseKind;
  readonly state: PurchaseState;
  /** Credits expected. */
  readonly price: number;
  /** Credits charged, once known. */
  readonly cost: number | null;
  /** Code of the refusal, or why the end is unknown, or how it was settled. */
  readonly reason: string | null;
  readonly keyId: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly sentAt: number | null;
  readonly settledAt: number | null;
  /** Whether its bytes are owned. */
  readonly owned: 0 | 1;
  /** Name of the token that asked for it, as it is kept; null for none. */
  readonly token: string | null;
}

/** Credits that one request may take, and those that it has taken before. */
export interface RequestSum {
  readonly maxCredits: number;
  readonly taken: number;
}

export interface PurchaseFilter {
  readonly limit: number;
  /** Milliseconds since the epoch. */
  readonly since?: number | undefined;
  readonly item?: string | undefined;
  readonly state?: PurchaseState | undefined;
  /** Leaves out refused ones from before; milliseconds since the epoch. */
  readonly freeSince?: number | undefined;
}

export interface Journal {
  /**
   * Reserves the price and writes the intent, in one transaction, unless another purchase of the item counts: one that is
   * open, was paid or may have been, and that the order does not consent to pay again. Throws `budget`, `spending_stopped`,
   * `machine_revoked`.
   */
  intend(order: Order): Promise<Claim>;
  /**
   * The same for many orders of one payer, whose whole price is reserved, or nothing: throws `budget` too when it is over
   * the maximum of the request.
   */
  intendAll(orders: readonly Order[], request: RequestSum): Promise<Claim[]>;
  /**
   * Says that bytes may now leave. What allowed the intent is looked at once more: throws `budget` when a limit was
   * lowered meanwhile, `invalid_token` when the token ended, `spending_stopped`, `interrupted` when it was released;
   * `rate_limited` (upstream/no-turn.ts) when others who share the Key have its turns. What it gives is asked right before
   * the first byte leaves: where other processes end what the dead left open, a permission grows old.
   */
  send(id: number): Promise<FindLate>;
  /** Gives back what was reserved, if it has not been sent; false if it has. */
  release(id: number): Promise<boolean>;
  /**
   * Says that what was sent was refused for free and waits to be sent again; nothing else of its Key is to leave for so
   * long, from any process that shares the journal.
   */
  takeBack(id: number, blockedForMs?: number): Promise<void>;
  /** Says that nothing was charged. */
  refuse(id: number, reason: string): Promise<void>;
  /** Says that it cannot be known whether it was charged. */
  lose(id: number, reason: string): Promise<void>;
  /** The purchase of this item that was charged or may have been, and that nobody consented to pay again. */
  findUnsettled(item: string): Promise<Purchase | undefined>;
  /** The purchase of this number. Throws `not_found`. */
  getPurchase(id: number): Promise<Purchase>;
  /** What the user says became of an unknown purchase. Throws `not_found`, `invalid_request`. */
  decide(id: number, outcome: 'paid' | 'refused'): Promise<Purchase>;
  /** Items that are being bought, or that may have been charged, with the state of the latest purchase; as last known. */
  listOpen(): { item: string; state: PurchaseState }[];
  /** How many purchases of items that begin like this were paid. */
  countPaid(prefix: string): Promise<number>;
  /** Newest first. */
  list(filter: PurchaseFilter): Promise<Purchase[]>;
  /** Purchases and credits by state. */
  sums(): Promise<{ state: PurchaseState; purchases: number; credits: number }[]>;
}

/** The columns of a purchase as it is told. */
export const LOOKED_UP = `id, item, kind, state, price, cost, reason, key_id AS keyId,
  created_at AS createdAt, sent_at AS sentAt, settled_at AS settledAt,
  EXISTS (SELECT 1 FROM owned WHERE owned.scope = purchase.scope AND owned.item = purchase.item) AS owned,
  (SELECT name FROM token WHERE token.id = purchase.token_id) AS token`;

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
  const filtered = db.prepare<object, Purchase>(
    `SELECT ${LOOKED_UP} FROM purchase
     WHERE scope = @scope AND created_at >= @since
       AND (@item IS NULL OR item = @item) AND (@state IS NULL OR state = @state)
       AND (state <> 'refused' OR created_at >= @freeSince)
     ORDER BY id DESC LIMIT @limit`,
  );
  // The states as in the index `purchase_unsettled`, which serves it.
  const open = db.prepare<[string], { item: string; state: PurchaseState }>(
    `SELECT item, state FROM purchase WHERE scope = ? AND state IN ('intent', 'sent', 'unknown') ORDER BY id`,
  );
  const settle = db.prepare(
    `UPDATE purchase SET state = ?, cost = ?, reason = 'decided', settled_at = ? WHERE id = ? AND state = 'unknown'`,
  );
  const counted = db.prepare<[string, number, string], { purchases: number }>(
    `SELECT count(*) AS purchases FROM purchase WHERE scope = ? AND state = 'paid' AND substr(item, 1, ?) = ?`,
  );
  const summed = db.prepare<[string], { state: PurchaseState; purchases: number; credits: number }>(
    `SELECT state, count(*) AS purchases, coalesce(sum(coalesce(cost, price)), 0) AS credits
     FROM purchase WHERE scope = ? GROUP BY state`,
  );
  const holder = randomUUID();
  const write = (order: Order, now: number, replaces: Purchase | undefined): number => {
    const { item, kind, price, keyId, tokenId } = order;
    const id = nextId.get()?.id ?? 1;
    // First: of two that count the index would refuse the second.
    if (replaces !== undefined) supersede.run(id, replaces.id);
    const payers = JSON.stringify(payersOf(order));
    insert.run({
      id,
      scope,
      item,
      kind,
      price,
      keyId,
      tokenId: tokenId ?? null,
      payers,
      holder,
      day: budget.day(),
      now,
    });
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
    if (first !== undefined && price > 0) budget.reserve({ price, payers: payersOf(first.order) }, taken);
    return looked.map(({ order, found }) => claim(order, now, found));
  });
  const reserved = db.prepare<[number], { price: number; payers: string }>(
    `SELECT price, payers FROM purchase WHERE id = ?`,
  );
  const send = db.transaction((id: number): void => {
    guard.check();
    const { price, payers } = reserved.get(id) ?? { price: 0, payers: '[]' };
    budget.confirm({ price, payers: JSON.parse(payers) as string[] });
    if (markSent.run(clock.now(), id).changes === 0) throw new SvcdError('interrupted', `purchase ${id} was released`);
  });
  const get = (id: number): Purchase => {
    const purchase = byId.get(scope, id);
    if (purchase === undefined) throw new SvcdError('not_found', `there is no purchase ${id}`);
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
      // Nobody ends what a living holder has sent.
      return () => undefined;
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
      throw new SvcdError(
        'invalid_request',
        `purchase ${id} is ${purchase.state}, only one of unknown outcome can be settled`,
      );
    },
    countPaid: async (prefix) => counted.get(scope, prefix.length, prefix)?.purchases ?? 0,
    listOpen: () => open.all(scope),
    list: async ({ limit, since = 0, item = null, state = null, freeSince = 0 }) =>
      filtered.all({ scope, limit, since, item, state, freeSince }),
    sums: async () => summed.all(scope),
  };
}

/** Refuses a request whose whole price is over its own maximum. */
export function overMaximum(price: number, maxCredits: number): SvcdError {
  return new SvcdError('budget', `this costs ${price} credits, and max_credits is ${maxCredits}`, {
    hint: `Nothing was bought. Ask for less, or give max_credits ${price}.`,
  });
}

/** Whether it is under way: its end is still to come. */
export function isOpen({ state }: Pick<Purchase, 'state'>): boolean {
  return state === 'intent' || state === 'sent';
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
