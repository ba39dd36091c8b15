// What machines own when they join hubs on PostgreSQL, kept aside until somebody approves it; as in given.ts, of which the
// arithmetic is. What was paid before becomes history of no payer, what nobody knows becomes unknown: so no hub buys either.

import { compress } from '../../platform/compressed-forms.js';
import type { Transaction } from '../../platform/postgres/transaction.js';
import { SvcdError } from '../../model/errors.js';
import {
  addDecision,
  countOf,
  formsOf,
  GIVEN,
  NOTHING_DECIDED,
  planApproval,
  pricedAs,
  readGivenLine,
  type GivenByMachine,
  type GivenDecision,
  type GivenRow,
  type GivenStore,
} from '../given.js';
import type { SignReceipt } from '../owned-store.js';
import type { Ledger } from './ledger.js';
import { insertOwned } from './postgres-owned.js';

export interface PostgresGivenParts {
  readonly ledger: Pick<Ledger, 'db' | 'scope' | 'holder'>;
  readonly sign: SignReceipt | undefined;
  /** Told after what was given is owned. */
  readonly onOwned: () => Promise<unknown>;
}

const COLUMNS = `id, machine_id AS "machineId", item, content_type AS "contentType", sha256, size, gzip, paid`;
/** How often a purchase that counts may end between two looks at it. */
const LOOKS = 5;

export function openPostgresGiven({ ledger, sign, onOwned }: PostgresGivenParts): GivenStore {
  const { db, scope, holder } = ledger;

  const isOwned = async (tx: Pick<typeof db, 'one'>, item: string) =>
    (await tx.one('SELECT 1 FROM owned WHERE scope = $1 AND item = $2', [scope, item])) !== undefined;
  const findCounting = async (tx: Transaction, item: string) =>
    (
      await tx.one<{ id: number }>(
        `SELECT id FROM purchase WHERE scope = $1 AND item = $2 AND state <> 'refused' AND superseded_by IS NULL`,
        [scope, item],
      )
    )?.id;

  /** A row of the journal, which counts unless it is superseded; undefined where another counts meanwhile. */
  async function insert(
    tx: Transaction,
    item: string,
    cost: number | null,
    by: number | undefined,
  ): Promise<number | undefined> {
    const { kind, price } = pricedAs(item, cost);
    const state = cost === null ? 'unknown' : 'paid';
    const row = await tx.one<{ id: number }>(
      `INSERT INTO purchase (scope, item, kind, state, price, cost, reason, key_id, holder, payers, day, superseded_by, settled_at)
       VALUES ($1, $2, $3, $4, $5, $6, '${GIVEN}', '${GIVEN}', $7::uuid, '{}', svcd_today($1), $8, svcd_ms())
       ON CONFLICT (scope, item) WHERE state <> 'refused' AND superseded_by IS NULL DO NOTHING RETURNING id`,
      [scope, item, kind, state, price, cost, holder, by ?? null],
    );
    return row?.id;
  }

  /** What was paid is written down in any case; where a purchase counts, beside that. */
  async function history(tx: Transaction, item: string, cost: number): Promise<number> {
    for (let looked = 0; looked < LOOKS; looked += 1) {
      const id = await insert(tx, item, cost, await findCounting(tx, item));
      if (id !== undefined) return id;
    }
    throw new SvcdError('busy', 'others buy what was given all the time; approve it again');
  }

  async function approve(
    tx: Transaction,
    row: GivenRow,
    forms: { gzip: Uint8Array; brotli?: Uint8Array | undefined },
  ): Promise<GivenDecision> {
    const { item, contentType, sha256, size } = row;
    const counts = await findCounting(tx, item);
    const { cost, isDoubtful, isKept, decision } = planApproval(row, await isOwned(tx, item), counts !== undefined);
    if (isDoubtful || cost !== undefined) {
      // Stands for the Keys of the machines; nothing is ever sent with it.
      await tx.run('INSERT INTO service_key (key_id, scope) VALUES ($1, $2) ON CONFLICT DO NOTHING', [GIVEN, scope]);
    }
    if (isDoubtful) await insert(tx, item, null, undefined);
    const purchaseId = cost === undefined ? null : await history(tx, item, cost);
    if (isKept) {
      const receipt = sign?.(item, sha256, purchaseId ?? 0) ?? null;
      const [gzip, brotli] = [Buffer.from(forms.gzip), forms.brotli === undefined ? null : Buffer.from(forms.brotli)];
      const kept = { item, contentType, sha256, size, gzip, brotli, receipt, origin: GIVEN };
      await insertOwned(tx, scope, kept, purchaseId);
    }
    return decision;
  }

  return {
    size: async (machineId) => {
      const found = await db.one<{ bytes: number; rows: number; ownBytes: number; ownRows: number }>(
        `SELECT coalesce(sum(size), 0)::bigint AS bytes, count(*) AS rows,
           coalesce(sum(size) FILTER (WHERE machine_id = $1), 0)::bigint AS "ownBytes",
           count(*) FILTER (WHERE machine_id = $1) AS "ownRows"
         FROM (SELECT machine_id, octet_length(gzip) + octet_length(item) AS size FROM given) AS kept`,
        [machineId],
      );
      const { bytes = 0, rows = 0, ownBytes = 0, ownRows = 0 } = found ?? {};
      return { own: { bytes: ownBytes, rows: ownRows }, all: { bytes, rows } };
    },
    take: async (machineId, text, maxFileBytes) => {
      const line = await readGivenLine(text, maxFileBytes, scope);
      if (line.kind === 'purchase') {
        // Without a file, and with nothing paid for certain, it is one whose outcome nobody knows.
        await db.transaction((tx) =>
          tx.run(
            `INSERT INTO given (machine_id, scope, item, content_type, sha256, size, gzip, paid, state)
             VALUES ($1, $2, $3, '', '', 0, '', $4, 'waiting')
             ON CONFLICT (machine_id, scope, item) DO UPDATE
             SET paid = CASE WHEN given.size > 0 THEN coalesce(excluded.paid, 0) ELSE excluded.paid END
             WHERE given.state = 'waiting'`,
            [machineId, scope, line.item, line.paid],
          ),
        );
        return { kind: 'waiting' };
      }
      if (line.kind !== 'file') return line;
      const { item, contentType, sha256, bytes } = line;
      if (await isOwned(db, item)) return { kind: 'unchanged' };
      const { gzip } = await compress(bytes, contentType);
      await db.transaction((tx) =>
        tx.run(
          `INSERT INTO given (machine_id, scope, item, content_type, sha256, size, gzip, paid, state)
           VALUES ($1, $2, $3, $4, $5, $6, $7, 0, 'waiting')
           ON CONFLICT (machine_id, scope, item) DO UPDATE
           SET content_type = excluded.content_type, sha256 = excluded.sha256, size = excluded.size,
             gzip = excluded.gzip, paid = coalesce(given.paid, 0)
           WHERE given.state = 'waiting'`,
          [machineId, scope, item, contentType, sha256, bytes.byteLength, gzip],
        ),
      );
      return { kind: 'waiting' };
    },
    list: () =>
      db.all<GivenByMachine>(
        `SELECT machine_id AS machine, machine.name, state, count(*) FILTER (WHERE size > 0) AS files,
           count(*) FILTER (WHERE paid IS NULL) AS unknown, coalesce(sum(paid), 0)::bigint AS paid
         FROM given JOIN machine ON machine.id = given.machine_id WHERE scope = $1
         GROUP BY machine_id, machine.name, state ORDER BY machine_id`,
        [scope],
      ),
    decide: async (isApproved, machineId) => {
      let total = NOTHING_DECIDED;
      // Files before what is only said of them, so that nothing that is there becomes doubtful.
      const waiting = await db.all<{ id: number }>(
        `SELECT id FROM given WHERE scope = $1 AND state = 'waiting' AND ($2::bigint IS NULL OR machine_id = $2)
         ORDER BY size = 0, id`,
        [scope, machineId ?? null],
      );
      for (const { id } of waiting) {
        const row = await db.one<GivenRow>(`SELECT ${COLUMNS} FROM given WHERE id = $1`, [id]);
        if (row === undefined) continue;
        const forms = row.size > 0 && isApproved ? await formsOf(row) : { gzip: row.gzip };
        const { value } = await db.transaction(async (tx) => {
          const settled = await tx.run(
            // What was approved is owned now, what was refused is nobody's.
            `UPDATE given SET state = $2, decided_at = svcd_ms(), gzip = '' WHERE id = $1 AND state = 'waiting'`,
            [id, isApproved ? 'approved' : 'refused'],
          );
          // Another hub was first.
          if (settled === 0) return NOTHING_DECIDED;
          return isApproved ? approve(tx, row, forms) : countOf(row);
        });
        total = addDecision(total, value);
      }
      if (isApproved && waiting.length > 0) await onOwned();
      return total;
    },
  };
}
