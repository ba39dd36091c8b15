// The journal in PostgreSQL, which many hubs write. A purchase is never taken over: it ends, and the next try is a new row with
// a higher number. The service checks no number, so the fence stands before it: one transaction moves a row to `sent`, and
// who was told so in time sends once.

import { SvcdError } from '../../model/errors.js';
import { REQUESTS_PER_MINUTE } from '../../contract/limits.js';
import { isCommitUnknown } from '../../platform/postgres/errors.js';
import { within } from '../../platform/sleep.js';
import type { Statement, Work } from '../../platform/postgres/transaction.js';
import type { FindLate } from '../../upstream/exchange.js';
import { noTurn } from '../../upstream/no-turn.js';
import { PACE_BURST, PACE_WINDOW_MS } from '../../upstream/remote.js';
import type { SharedTurns } from '../../upstream/with-shared-turns.js';
import { COLUMNS, createClaims } from './claims.js';
import { bookLate, factsOf, move, refusePurchase, requireFacts, type Ledger } from './ledger.js';
import type { HubNotes } from './hub-notes.js';
import type { PostgresBudget } from './postgres-budget.js';
import type { Limit } from '../budget.js';
import {
  leavesLate,
  noPurchase,
  notUnknown,
  releasedBefore,
  type Journal,
  type Purchase,
  type PurchaseState,
} from '../journal.js';

export interface PostgresJournal extends Journal {
  /** Ends what was perhaps written down although its commit was not confirmed, and looks what is open. */
  refresh(): Promise<void>;
  /** Turns of calls that cost nothing: they count in the rate of their Key, of which all hubs take turns. */
  readonly turns: SharedTurns;
}

/** The departures of a Key, of all hubs together. */
export interface SharedPace {
  readonly limit: number;
  readonly windowMs: number;
  /** From so many in a window on they are spread; the limit if not given. */
  readonly burst?: number;
}

export interface JournalParts {
  readonly ledger: Ledger;
  readonly budget: PostgresBudget;
  readonly notes: HubNotes;
  /** Departures of a Key in any window; those of the service if not given. */
  readonly pace?: SharedPace | undefined;
  /** Resolves when a first budget that is due stands. */
  readonly untilBudgeted: () => Promise<void>;
}

/** For so long a call that costs nothing waits for the database to give it a turn. */
const TURN_WAIT_MS = 1000;
const STRANGE_MAX = 1000;

const PACE: SharedPace = { limit: REQUESTS_PER_MINUTE, windowMs: PACE_WINDOW_MS, burst: PACE_BURST };
/** Of turns that are spread so many come at once: as many as a hub's own pace lets leave after a pause. */
const HANDFUL = 5;
/** Faster than even, or what each handful loses on its way (connecting, the commit) would be handed on to all after it. */
const SPREAD = 0.85;
/**
 * When the Key of a row `k` has a turn, in milliseconds since the epoch. Two hubs, each at the whole rate, use up a window in
 * half its time: unspread, nobody had a turn in the other half, of each window to come.
 */
const TURN_AT = `greatest(k.blocked_until, k.paused_until,
  coalesce(k.left_at[cardinality(k.left_at) - $2 + 1] + $3::bigint, 0),
  CASE WHEN k.left_at[cardinality(k.left_at) - $4 + 1] > svcd_ms() - $3::bigint
    THEN coalesce(k.left_at[cardinality(k.left_at) - ${HANDFUL} + 1] + $5::bigint, 0) ELSE 0 END)`;

/** Why a row did not become `sent`. */
interface Hindrance {
  readonly state: PurchaseState;
  readonly waitMs: number;
}

interface Sendable {
  readonly price: number;
  readonly payers: string[];
  readonly day: string;
  readonly item: string;
  readonly keyId: string;
}

/** Opens the journal of one scope for one holder. */
export function openPostgresJournal({ ledger, budget, notes, pace, untilBudgeted }: JournalParts): PostgresJournal {
  const { db, scope, holder, log } = ledger;
  const { limit, windowMs, burst = limit } = pace ?? PACE;
  /** The values of TURN_AT, from the second on. */
  const turnValues = [limit, windowMs, burst, Math.floor((HANDFUL * SPREAD * windowMs) / limit)];
  /** Numbers of intents of which nobody knows here, should they be there. */
  const orphans = new Set<number>();
  let open: { item: string; state: PurchaseState }[] = [];

  const claimAll = createClaims({ ledger, budget });
  const claim: Journal['intendAll'] = async (orders, sum) => {
    const [first, ...others] = orders;
    if (first === undefined) return [];
    let mine: readonly number[] = [];
    await untilBudgeted();
    try {
      const claiming = claimAll([first, ...others], sum, (ids) => (mine = ids));
      return (await move(ledger, claiming.run, claiming.first)).value;
    } catch (error) {
      if (isCommitUnknown(error)) for (const id of mine) orphans.add(id);
      throw error;
    }
  };

  async function endOrphans(): Promise<void> {
    if (orphans.size === 0) return;
    const ids = [...orphans];
    await db.transaction((tx) =>
      tx.run(
        `UPDATE purchase SET state = 'refused', cost = 0, reason = 'not_written', settled_at = svcd_ms()
         WHERE id = ANY($1::bigint[]) AND holder = $2 AND state = 'intent'`,
        [ids, holder],
      ),
    );
    for (const id of ids) orphans.delete(id);
  }

  /** What keeps a row from leaving: its state, or that its Key has no turn. */
  async function hindranceOf(id: number, tx: Pick<typeof db, 'one'>): Promise<SvcdError> {
    const found = await tx.one<Hindrance>(
      `SELECT p.state, ${TURN_AT} - svcd_ms() AS "waitMs"
       FROM purchase AS p JOIN service_key AS k USING (key_id) WHERE p.id = $1`,
      [id, ...turnValues],
    );
    if (found?.state === 'intent' || found?.state === 'sent') return noTurn(Math.max(1, found.waitMs));
    return releasedBefore(id);
  }

  async function send(id: number): Promise<FindLate> {
    const select: Statement = [
      `SELECT price, payers, day, item, key_id AS "keyId" FROM purchase
       WHERE id = $1 AND holder = $2 AND state IN ('intent', 'sent')`,
      [id, holder],
    ];
    const work: Work<void> = async (tx, [found, facts, limits]) => {
      const row = found?.rows[0] as Sendable | undefined;
      if (row === undefined) throw releasedBefore(id);
      requireFacts(ledger, facts);
      // On the hub's own disk first: what PostgreSQL may forget.
      notes.note({ id, scope, item: row.item, keyId: row.keyId, price: row.price, payers: row.payers });
      const ofTokens = await budget.ofTokens(tx, row.payers, row.day);
      budget.check([...((limits?.rows ?? []) as unknown as Limit[]), ...ofTokens], row);
      // The Key's row before the purchase's, as in settling.
      const sent = await tx.run(
        `WITH turn AS (
           UPDATE service_key AS k SET departures = departures + 1,
             left_at = (k.left_at || svcd_ms())[greatest(1, cardinality(k.left_at) + 2 - $2) :]
           WHERE key_id = $6 AND ${TURN_AT} <= svcd_ms()
           RETURNING departures)
         UPDATE purchase SET state = 'sent', sent_at = svcd_ms(), departure = turn.departures FROM turn
         WHERE id = $1 AND holder = $7 AND state IN ('intent', 'sent')`,
        [id, ...turnValues, row.keyId, holder],
      );
      if (sent === 0) throw await hindranceOf(id, tx);
    };
    const first = [select, factsOf(ledger, { purchase: id }), budget.ofPurchase(id)];
    const { age } = await move(ledger, work, first).catch((error: unknown) => {
      if (!isCommitUnknown(error)) notes.tell(id, false);
      throw error;
    });
    notes.tell(id, true);
    return () => {
      if (age.isYoung()) return undefined;
      notes.tell(id, false);
      return leavesLate(id, age);
    };
  }

  const endFrom = async (states: string, id: number, end: string, values: readonly unknown[]): Promise<number> => {
    const sql = `UPDATE purchase SET ${end}, settled_at = svcd_ms() WHERE id = $1 AND ${states}`;
    return (await db.transaction((tx) => tx.run(sql, [id, ...values]))).value;
  };

  const get = async (id: number): Promise<Purchase> => {
    const purchase = await db.one<Purchase>(`SELECT ${COLUMNS} FROM purchase AS p WHERE p.scope = $1 AND p.id = $2`, [
      scope,
      id,
    ]);
    if (purchase === undefined) throw noPurchase(id);
    return purchase;
  };

  /** Keys without a row: whoever makes up Keys is to fill no table. */
  const strange = new Set<string>();

  /** A pause for settling holds up no free call: the balance that is asked for in it is one. */
  async function takeTurn(keyId: string): Promise<number> {
    const taken = await db.run(
      `UPDATE service_key SET left_at = (left_at || svcd_ms())[greatest(1, cardinality(left_at) + 2 - $2) :]
       WHERE key_id = $1 AND blocked_until <= svcd_ms()
         AND (cardinality(left_at) < $2 OR left_at[cardinality(left_at) - $2 + 1] <= svcd_ms() - $3::bigint)`,
      [keyId, limit, windowMs],
    );
    if (taken === 1) return 0;
    const found = await db.one<{ waitMs: number }>(
      `SELECT greatest(blocked_until, coalesce(left_at[cardinality(left_at) - $2 + 1] + $3, 0)) - svcd_ms() AS "waitMs"
       FROM service_key WHERE key_id = $1`,
      [keyId, limit, windowMs],
    );
    if (found !== undefined) return Math.max(1, found.waitMs);
    if (strange.size >= STRANGE_MAX) strange.clear();
    strange.add(keyId);
    return 0;
  }

  // Free calls go on while the database is away or slow, and paid ones do not.
  const soon = (asked: Promise<number>) =>
    within(
      TURN_WAIT_MS,
      asked.catch(() => 0),
    );
  const turns: SharedTurns = {
    take: async (keyId) => (await soon(takeTurn(keyId))) ?? 0,
    noteGood: async (keyId) => {
      if (!strange.delete(keyId)) return;
      const note = `INSERT INTO service_key (key_id, scope, left_at) VALUES ($1, $2, ARRAY[svcd_ms()]) ON CONFLICT DO NOTHING`;
      await soon(db.run(note, [keyId, scope]));
    },
    block: async (keyId, ms) => {
      const block = `UPDATE service_key SET blocked_until = greatest(blocked_until, svcd_ms() + $2::bigint) WHERE key_id = $1`;
      await soon(db.run(block, [keyId, Math.ceil(ms)]));
    },
  };

  return {
    intend: async (order) => {
      const [claimed] = await claim([order], { maxCredits: Infinity, taken: 0 });
      if (claimed === undefined) throw new SvcdError('internal', 'an order was not answered by a claim');
      return claimed;
    },
    intendAll: claim,
    send,
    release: async (id) =>
      (await endFrom(`state = 'intent' AND holder = $2`, id, `state = 'refused', cost = 0, reason = 'interrupted'`, [
        holder,
      ])) === 1,
    takeBack: async (id, blockedForMs = 0) => {
      await db.transaction(async (tx) => {
        await tx.run(
          `UPDATE service_key SET blocked_until = greatest(blocked_until, svcd_ms() + $2::bigint)
           WHERE $2::bigint > 0 AND key_id = (SELECT key_id FROM purchase WHERE id = $1)`,
          [id, Math.ceil(blockedForMs)],
        );
        await tx.run(
          `UPDATE purchase SET state = 'intent', sent_at = NULL WHERE id = $1 AND holder = $2 AND state = 'sent'`,
          [id, holder],
        );
      });
    },
    refuse: async (id, reason) => {
      notes.end(id, reason);
      await refusePurchase(ledger, id, reason);
      notes.settled(id);
    },
    lose: async (id, reason) => {
      const lost = await endFrom(`state = 'sent'`, id, `state = 'unknown', reason = $2`, [reason]);
      if (lost === 0) await db.transaction((tx) => bookLate(ledger, tx, id, { state: 'unknown' }));
    },
    findUnsettled: (item) =>
      db.one<Purchase>(
        `SELECT ${COLUMNS} FROM purchase AS p WHERE p.scope = $1 AND p.item = $2 AND p.state IN ('paid', 'unknown')
           AND p.superseded_by IS NULL`,
        [scope, item],
      ),
    getPurchase: get,
    decide: async (id, outcome) => {
      const purchase = await get(id);
      const cost = outcome === 'paid' ? purchase.price : 0;
      const ended = await endFrom(`state = 'unknown'`, id, `state = $2, cost = $3, reason = 'decided'`, [
        outcome,
        cost,
      ]);
      if (ended === 1) return get(id);
      throw notUnknown(purchase);
    },
    listOpen: () => open,
    countPaid: async (prefix) => {
      const found = await db.one<{ n: number }>(
        `SELECT count(*) AS n FROM purchase WHERE scope = $1 AND state = 'paid' AND starts_with(item, $2)`,
        [scope, prefix],
      );
      return found?.n ?? 0;
    },
    list: ({ limit: most, since = 0, item = null, state = null, freeSince = 0 }) =>
      db.all<Purchase>(
        `SELECT ${COLUMNS} FROM purchase AS p WHERE p.scope = $1 AND p.created_at >= $2
           AND ($3::text IS NULL OR p.item = $3) AND ($4::text IS NULL OR p.state = $4)
           AND (p.state <> 'refused' OR p.created_at >= $5) ORDER BY p.id DESC LIMIT $6`,
        [scope, Math.floor(since), item, state, Math.floor(freeSince), most],
      ),
    sums: () =>
      db.all(
        `SELECT state, count(*) AS purchases, coalesce(sum(coalesce(cost, price)), 0)::bigint AS credits
         FROM purchase WHERE scope = $1 GROUP BY state`,
        [scope],
      ),
    turns,
    refresh: async () => {
      await endOrphans().catch((error: unknown) => {
        log.warn('what was perhaps reserved could not be given back yet', { why: String(error) });
      });
      open = await db.all(
        `SELECT item, state FROM purchase WHERE scope = $1 AND state IN ('intent', 'sent', 'unknown') ORDER BY id`,
        [scope],
      );
    },
  };
}
