// Whether the database still is the one that confirmed what this hub sent. After each promotion and restore its history has
// another name; then what stands in notes.db must be there, or buying stops until somebody has looked.

import type { Log } from '../../platform/log.js';
import { SvcdError } from '../../model/errors.js';
import type { Postgres, Transaction } from '../../platform/postgres/transaction.js';
import { kindOf, type HubNotes, type Note, type Noted } from './hub-notes.js';
import { TIMELINE } from './ledger.js';
import type { SpendingStop } from '../spending-guard.js';

export interface TimelineGuard {
  /** The history that was last found to lack nothing. */
  known(): string | undefined;
  /** Looks at the present one. Throws `database_away`. */
  look(): Promise<void>;
  /** Why nothing is bought; undefined when nothing is missing. */
  findStop(): SpendingStop | undefined;
  /** Puts what is missing back as `unknown`, so that nothing of it is bought again unasked; returns how many. */
  recover(): Promise<number>;
}

export interface TimelineParts {
  readonly db: Postgres;
  readonly notes: HubNotes;
  readonly holder: string;
  readonly log: Log;
}

export function createTimelineGuard({ db, notes, holder, log }: TimelineParts): TimelineGuard {
  let known = notes.timeline();
  let missing: readonly Note[] = [];

  const accept = (timeline: string) => {
    missing = [];
    known = timeline;
    notes.setTimeline(timeline);
  };

  const look = async (): Promise<void> => {
    // A disk that was put back to an earlier day has the same names, and gives numbers again that this hub knows.
    const found = await db.one<{ timeline: string; reaches: boolean }>(
      `SELECT ${TIMELINE} AS timeline, $1 = 0 OR EXISTS (SELECT 1 FROM purchase WHERE id >= $1::bigint) AS reaches`,
      [notes.newestSettled()],
    );
    const timeline = found?.timeline ?? '';
    if (timeline === known && found?.reaches === true) return;
    missing = await findMissing(db, notes.listNoted());
    if (missing.length === 0) return accept(timeline);
    log.error('the database lacks purchases that this hub sent; nothing is bought', {
      missing: missing.length,
      timeline,
    });
  };

  return {
    known: () => known,
    look,
    findStop: () =>
      missing.length === 0
        ? undefined
        : {
            by: 'loss',
            why: `the database was restored or failed over, and lacks ${missing.length} of the purchases that this hub sent`,
            hint: 'Put them back with "svcd hub recover", or start the server that has them.',
            since: null,
          },
    recover: async () => {
      const { value } = await db.transaction(async (tx) => {
        const found = await tx.one<{ timeline: string }>(`SELECT ${TIMELINE} AS timeline`);
        const lost = await findMissing(tx, notes.listNoted());
        // No number is given again that this hub knows.
        const highest = notes.listNoted().at(-1)?.id ?? 0;
        await tx.run(`SELECT setval('purchase_id', greatest($1::bigint, (SELECT last_value FROM purchase_id)))`, [
          Math.max(1, highest),
        ]);
        for (const note of lost) await putBack(tx, note, holder);
        return { timeline: found?.timeline ?? '', count: lost.length };
      });
      accept(value.timeline);
      return value.count;
    },
  };
}

/** Those of which the database knows nothing, or something else under their number, or not that they were sent. */
async function findMissing(tx: Pick<Transaction, 'all'>, noted: readonly Noted[]): Promise<Noted[]> {
  const asked = noted.filter(({ isSent }) => isSent !== false);
  const rows = await tx.all<{ id: number; state: string }>(
    `SELECT p.id, p.state FROM jsonb_to_recordset($1::jsonb) AS n (id bigint, scope text, item text)
       JOIN purchase AS p ON p.id = n.id AND p.scope = n.scope AND p.item = n.item`,
    [JSON.stringify(asked.map(({ id, scope, item }) => ({ id, scope, item })))],
  );
  const states = new Map(rows.map(({ id, state }) => [id, state]));
  return asked.filter(({ id, isSent }) => {
    const state = states.get(id);
    return state === undefined || (state === 'intent' && isSent === true);
  });
}

async function putBack(tx: Transaction, note: Note, holder: string): Promise<void> {
  const { id, scope, item, keyId, price, payers } = note;
  // It is there, and not sent as far as the database remembers: it was.
  const regressed = await tx.run(
    `UPDATE purchase SET state = 'sent', sent_at = svcd_ms() WHERE id = $1 AND scope = $2 AND item = $3 AND state = 'intent'`,
    [id, scope, item],
  );
  if (regressed === 1) {
    await tx.run(`UPDATE purchase SET state = 'unknown', reason = 'recovered', settled_at = svcd_ms() WHERE id = $1`, [
      id,
    ]);
    return;
  }
  const counting = await tx.one<{ id: number }>(
    `SELECT id FROM purchase WHERE scope = $1 AND item = $2 AND state <> 'refused' AND superseded_by IS NULL`,
    [scope, item],
  );
  const taken = await tx.one('SELECT 1 FROM purchase WHERE id = $1', [id]);
  await tx.run('INSERT INTO service_key (key_id, scope) VALUES ($1, $2) ON CONFLICT DO NOTHING', [keyId, scope]);
  const made = await tx.one<{ id: number }>(
    `INSERT INTO purchase (id, scope, item, kind, state, price, reason, key_id, holder, payers, day, superseded_by, sent_at, settled_at)
     VALUES (coalesce($1, nextval('purchase_id')), $2, $3, $4, 'unknown', $5, 'recovered', $6, $7, $9, svcd_today($2), $8,
       svcd_ms(), svcd_ms()) RETURNING id`,
    [taken === undefined ? id : null, scope, item, kindOf(item), price, keyId, holder, counting?.id ?? null, payers],
  );
  if (made === undefined) throw new SvcdError('internal', `purchase ${id} could not be put back`);
  await tx.run(`INSERT INTO hub_event (actor, verb, subject, detail) VALUES ('hub', 'recover', $1, $2)`, [
    item,
    JSON.stringify({ noted: id, purchase: made.id }),
  ]);
}
