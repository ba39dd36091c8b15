// The one look-and-claim: of an item one purchase counts, by a unique index, and whose intent is in it may go on. What an
// order would cost is held against the budgets in the same transaction.

import { SvcdError } from '../../model/errors.js';
import type { Answer } from '../../platform/postgres/pool.js';
import type { Statement, Transaction } from '../../platform/postgres/transaction.js';
import { payersOf, type Limit } from '../budget.js';
import { requireSameWish } from '../item.js';
import { factsOf, machinesOf, requireFacts, type Ledger } from './ledger.js';
import type { PostgresBudget } from './postgres-budget.js';
import { isOpen, overMaximum, type Claim, type Order, type Purchase, type RequestSum } from '../journal.js';

export const COLUMNS = `p.id, p.item, p.kind, p.state, p.price, p.cost, p.reason, p.key_id AS "keyId",
  p.created_at AS "createdAt", p.sent_at AS "sentAt", p.settled_at AS "settledAt",
  (SELECT count(*)::int FROM owned WHERE owned.scope = p.scope AND owned.item = p.item) AS owned, p.token`;

/** An order with the number that its purchase will have. */
interface Numbered {
  readonly id: number;
  readonly order: Order;
  readonly payers: readonly string[];
}

/** Claims in a transaction that began with `first`. */
export interface Claiming {
  readonly first: readonly Statement[];
  run(this: void, tx: Transaction, answers: readonly Answer[]): Promise<Claim[]>;
}

/** `onNumbers` is told the numbers before anything of them can be committed. */
export type ClaimAll = (
  orders: readonly [Order, ...Order[]],
  sum: RequestSum,
  onNumbers: (ids: readonly number[]) => void,
) => Claiming;

export interface ClaimParts {
  readonly ledger: Ledger;
  readonly budget: PostgresBudget;
}

/** How often a purchase that counts may end between two looks at it. */
const LOOKS = 5;
/** It may end earlier than was said when it began. */
const ASK_AGAIN_MAX_S = 30;

/** Claims orders of one payer, all or none. */
export function createClaims({ ledger, budget }: ClaimParts): ClaimAll {
  const { scope, holder } = ledger;

  /** What was asked for by these names. */
  const askedBy = (orders: readonly Order[]): Statement => [
    `SELECT ${COLUMNS}, request_id AS "requestId" FROM ask JOIN purchase AS p ON p.id = purchase_id
     WHERE ask.machine_id = $1 AND request_id = ANY($2::text[]) AND p.scope = $3 AND p.state <> 'refused'`,
    [orders[0]?.machine?.id ?? null, orders.flatMap(({ machine }) => machine?.requestId ?? []), scope],
  ];

  const findCounting = (tx: Transaction, item: string, lock = '') =>
    tx.one<Purchase>(
      `SELECT ${COLUMNS} FROM purchase AS p WHERE p.scope = $1 AND p.item = $2 AND p.state <> 'refused' AND p.superseded_by IS NULL ${lock}`,
      [scope, item],
    );

  /** Lets a purchase count no more, because another is made of the same item by consent. */
  async function supersede(tx: Transaction, { id, order, payers }: Numbered): Promise<void> {
    const older = await findCounting(tx, order.item, 'FOR UPDATE OF p');
    if (older === undefined || isOpen(older)) return;
    await tx.run('UPDATE purchase SET superseded_by = $2 WHERE id = $1 AND superseded_by IS NULL', [older.id, id]);
    await tx.run(`INSERT INTO hub_event (actor, verb, subject, detail) VALUES ($1, 'repay', $2, $3)`, [
      payers.at(-1),
      order.item,
      JSON.stringify({ purchase: id, replaces: older.id, was: older.state }),
    ]);
  }

  /** Writes the intents of those whose item nothing counts of; returns their numbers. */
  async function insert(tx: Transaction, numbered: readonly Numbered[], today: string): Promise<Set<number>> {
    const rows = numbered.map(({ id, order, payers }) => {
      const { item, kind, price, keyId, machine, tokenId } = order;
      const token = tokenId === undefined ? null : budget.nameOfToken(tokenId);
      return { id, item, kind, price, key_id: keyId, payers, machine_id: machine?.id ?? null, token };
    });
    // In the order of their items, so that two hubs that want the same ones do not wait for each other. The Key's row
    // is there when the foreign key is checked, at the end of the statement.
    const written = await tx.all<{ id: number }>(
      `WITH asked AS (SELECT * FROM jsonb_to_recordset($1::jsonb) AS a (id bigint, item text, kind text, price int, key_id text,
           payers text[], machine_id bigint, token text)),
         known AS (INSERT INTO service_key (key_id, scope) SELECT DISTINCT key_id, $2 FROM asked ON CONFLICT DO NOTHING)
       INSERT INTO purchase (id, scope, item, kind, state, price, key_id, holder, machine_id, token, payers, day)
         SELECT id, $2, item, kind, 'intent', price, key_id, $3::uuid, machine_id, token, payers, $4::date FROM asked ORDER BY item
         ON CONFLICT (scope, item) WHERE state <> 'refused' AND superseded_by IS NULL DO NOTHING RETURNING id`,
      [JSON.stringify(rows), scope, holder, today],
    );
    return new Set(written.map(({ id }) => id));
  }

  /** Which ask caused a purchase is known by its time: those that join come later than that was made. */
  async function noteAsk(tx: Transaction, { machine }: Order, purchaseId: number, isMine: boolean): Promise<void> {
    if (machine?.requestId === undefined) return;
    await tx.run(
      `INSERT INTO ask (machine_id, request_id, purchase_id, asked_at)
         SELECT $1, $2, id, CASE WHEN $4 THEN created_at ELSE greatest(svcd_ms(), created_at + 1) END FROM purchase WHERE id = $3
       ON CONFLICT (machine_id, request_id) DO UPDATE SET purchase_id = excluded.purchase_id, asked_at = excluded.asked_at
         WHERE ask.purchase_id <> excluded.purchase_id`,
      [machine.id, machine.requestId, purchaseId, isMine],
    );
  }

  /** Throws `rate_limited` while new images wait, so that an account that they keep busy is quiet once (postgres-settlement.ts). */
  async function requireNoHold(tx: Transaction, { keyId }: Order): Promise<void> {
    const held = await tx.one<{ ms: number }>(
      'SELECT images_held_until - svcd_ms() AS ms FROM service_key WHERE key_id = $1',
      [keyId],
    );
    if (held !== undefined && held.ms > 0) throw imagesWait(held.ms);
  }

  return (orders, { maxCredits, taken }, onNumbers) => {
    const [first] = orders;
    const payers = payersOf(first).map((payer) => budget.payerHere(payer));
    const numbers = `SELECT nextval('purchase_id') AS id FROM generate_series(1, $1)`;
    const run: Claiming['run'] = async (tx, [facts, ids, askedBefore]) => {
      const { today } = requireFacts(ledger, facts);
      const numbered = orders.map((order, nth): Numbered => ({ id: Number(ids?.rows[nth]?.['id']), order, payers }));
      onNumbers(numbered.map(({ id }) => id));
      const asked = new Map(askedBefore?.rows.map((row) => [row['requestId'], row as unknown as Purchase]));
      const claims = new Map<number, Claim>();
      let left: readonly Numbered[] = numbered;
      let limits: readonly Limit[] = [];
      for (let looked = 0; left.length > 0; looked += 1) {
        if (looked === LOOKS)
          throw new SvcdError('busy', 'others buy and give up the same things all the time; ask again');
        for (const one of left) {
          const before = asked.get(one.order.machine?.requestId);
          if (before !== undefined)
            claims.set(one.id, { mine: false, counts: requireSameWish(before, one.order.item) });
          else if (one.order.allowRepay === true) await supersede(tx, one);
        }
        const unclaimed = left.filter(({ id }) => !claims.has(id));
        // One after the other at the server, and one round trip: whose intent is not written has no ask noted.
        const [written, counted] = await Promise.all([
          insert(tx, unclaimed, today),
          budget.limitsOf(tx, payers, today),
          ...unclaimed.map(({ id, order }) => noteAsk(tx, order, id, true)),
        ]);
        limits = counted;
        for (const { id, order } of left) {
          if (written.has(id)) claims.set(id, { mine: true, id });
          if (claims.has(id)) continue;
          const counts = await findCounting(tx, order.item);
          // None any more: it was refused in between, so there is place.
          if (counts !== undefined) claims.set(id, { mine: false, counts });
        }
        left = left.filter(({ id }) => !claims.has(id));
      }
      const mine = numbered.filter(({ id }) => claims.get(id)?.mine === true);
      if (mine.some(({ order }) => order.kind === 'image')) await requireNoHold(tx, first);
      const price = mine.reduce((credits, { order }) => credits + order.price, 0);
      if (taken + price > maxCredits) throw overMaximum(taken + price, maxCredits);
      if (mine.length > 0) budget.check(limits, { payers, price, taken });
      for (const { id, order } of numbered) {
        const claim = claims.get(id);
        if (claim?.mine === false) await noteAsk(tx, order, claim.counts.id, false);
      }
      return numbered.flatMap(({ id }) => claims.get(id) ?? []);
    };
    return { first: [factsOf(ledger, machinesOf(payers)), [numbers, [orders.length]], askedBy(orders)], run };
  };
}

function imagesWait(ms: number): SvcdError {
  return new SvcdError('rate_limited', 'new images wait until it is known what an earlier purchase cost', {
    retryAfterS: Math.max(1, Math.min(ASK_AGAIN_MAX_S, Math.ceil(ms / 1000))),
    hint: 'Nothing was bought. It takes a few minutes; ask again then. Stickers do not wait.',
  });
}
