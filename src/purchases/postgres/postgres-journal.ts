// The journal in PostgreSQL, which many hubs write. A purchase is never taken over: it ends, and the next try is a new row with
// a higher number. The service checks no number, so the fence stands before it: one transaction moves a row to `sent`, and
// who was told so in time sends once.

import { SvcdError } from '../../model/errors.js';
import { REQUESTS_PER_MINUTE } from '../../contract/limits.js';
import { isCommitUnknown } from '../../platform/postgres/errors.js';
import type { FindLate } from '../../upstream/exchange.js';
import { noTurn } from '../../upstream/no-turn.js';
import { PACE_WINDOW_MS } from '../../upstream/remote.js';
import type { Journal, Purchase, PurchaseState } from '../journal.js';
import { COLUMNS, createClaims } from './claims.js';
import { bookLate, factsOf, machinesOf, move, refusePurchase, type Ledger } from './ledger.js';
import type { HubNotes } from './hub-notes.js';
import type { PostgresBudget } from './postgres-budget.js';

export interface PostgresJournal extends Journal {
  /** Ends what was perhaps written down although its commit was not confirmed, and looks what is open. */
  refresh(): Promise<void>;
  /** Notes that a call that costs nothing leaves: it counts in the rate of its Key, of which all hubs take turns. Never rejects. */
  noteFree(keyId: string): Promise<void>;
}

export interface JournalParts {
  readonly ledger: Ledger;
  readonly budget: PostgresBudget;
  readonly notes: HubNotes;
  /** Departures of a Key in any window; those of the service if not given. */
  readonly pace?: { readonly limit: number; readonly windowMs: number } | undefined;
}

/** Why a row did not become `sent`. */
interface Hindrance {
  readonly state: PurchaseState;
  readonly waitMs: number;
}

/** Opens the journal of one scope for one holder. */
export function openPostgresJournal({ ledger, budget, notes, pace }: JournalParts): PostgresJournal {
  const { db, scope, holder, log } = ledger;
  const { limit, windowMs } = pace ?? { limit: REQUESTS_PER_MINUTE, windowMs: PACE_WINDOW_MS };
  /** Numbers of intents of which nobody knows here, should they be there. */
  const orphans = new Set<number>();
  let open: { item: string; state: PurchaseState }[] = [];

  const claimAll = createClaims({ ledger, budget });
  const claim: Journal['intendAll'] = async (orders, sum) => {
    let mine: readonly number[] = [];
    try {
      const { value } = await move(ledger, (tx) => claimAll(tx, orders, sum, (ids) => (mine = ids)));
      return value;
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
      `SELECT p.state, greatest(k.blocked_until, k.paused_until,
           coalesce(k.left_at[cardinality(k.left_at) - $2 + 1] + $3, 0)) - svcd_ms() AS "waitMs"
       FROM purchase AS p JOIN service_key AS k USING (key_id) WHERE p.id = $1`,
      [id, limit, windowMs],
    );
    if (found?.state === 'intent' || found?.state === 'sent') return noTurn(Math.max(1, found.waitMs));
    return new SvcdError('interrupted', `purchase ${id} was released`);
  }

  async function send(id: number): Promise<FindLate> {
    const { age } = await move(ledger, async (tx) => {
      const row = await tx.one<{ price: number; payers: string[]; day: string; item: string; keyId: string }>(
        `SELECT price, payers, day, item, key_id AS "keyId" FROM purchase
         WHERE id = $1 AND holder = $2 AND state IN ('intent', 'sent')`,
        [id, holder],
      );
      if (row === undefined) throw new SvcdError('interrupted', `purchase ${id} was released`);
      await factsOf(ledger, tx, machinesOf(row.payers));
      // On the hub's own disk first: what PostgreSQL may forget.
      notes.note({ id, scope, item: row.item, keyId: row.keyId, price: row.price, payers: row.payers });
      await budget.check(tx, row);
      // The Key's row before the purchase's, as in settling.
      const sent = await tx.run(
        `WITH turn AS (
           UPDATE service_key AS k SET departures = departures + 1,
             left_at = (k.left_at || svcd_ms())[greatest(1, cardinality(k.left_at) + 2 - $3) :]
           WHERE key_id = $2 AND paused_until <= svcd_ms() AND blocked_until <= svcd_ms()
             AND (cardinality(left_at) < $3 OR left_at[cardinality(left_at) - $3 + 1] <= svcd_ms() - $4::bigint)
           RETURNING departures)
         UPDATE purchase SET state = 'sent', sent_at = svcd_ms(), departure = turn.departures FROM turn
         WHERE id = $1 AND holder = $5 AND state IN ('intent', 'sent')`,
        [id, row.keyId, limit, windowMs, holder],
      );
      if (sent === 0) throw await hindranceOf(id, tx);
    }).catch((error: unknown) => {
      if (!isCommitUnknown(error)) notes.tell(id, false);
      throw error;
    });
    notes.tell(id, true);
    return () => {
      if (age.isYoung()) return undefined;
      notes.tell(id, false);
      return new SvcdError('timeout', `purchase ${id} began to leave ${age.ms()} ms ago, so nothing was sent`);
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
    if (purchase === undefined) throw new SvcdError('not_found', `there is no purchase ${id}`);
    return purchase;
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
      throw new SvcdError(
        'invalid_request',
        `purchase ${id} is ${purchase.state}, only one of unknown outcome can be settled`,
      );
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
    // It waits for nothing: a balance is asked for where paid calls have used up every turn, and they wait for it then.
    noteFree: async (keyId) => {
      const noted = db.run(
        `UPDATE service_key SET left_at = (left_at || svcd_ms())[greatest(1, cardinality(left_at) + 2 - $2) :] WHERE key_id = $1`,
        [keyId, limit],
      );
      // Free calls go on while the database is away, and paid ones do not.
      await noted.catch(() => undefined);
    },
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
