// Owned bytes in PostgreSQL, kept with their purchase in one transaction, and mirrored into this hub's own file row by row: from
// there they are served, also while the database is away. A row that is missing there is looked for in the database.

import { assetOf, type Asset } from '../../model/asset.js';
import { sha256Beside } from '../../model/hash.js';
import { compress, pack, type Forms } from '../../platform/compressed-forms.js';
import type { Database } from '../../platform/open-database.js';
import type { Transaction } from '../../platform/postgres/transaction.js';
import { prepareOwnedRows, readSound } from '../owned-rows.js';
import type { ItemFile, OwnedStore } from '../owned-store.js';
import { numberIn, type SignReceipt } from '../signed-receipts.js';
import { kindOf, type HubNotes } from './hub-notes.js';
import { bookLate, refusePurchase, type Ledger } from './ledger.js';

export interface PostgresOwned extends OwnedStore {
  /** Copies what other hubs kept since the last time; returns how much. Throws `database_away`. */
  pull(): Promise<number>;
  /** Writes down what the database did not take when it was answered; returns how much. Throws `database_away`. */
  replay(): Promise<number>;
  /** Puts back what this hub has on its disk and the database lacks; returns how much. Throws `database_away`. */
  giveBack(): Promise<number>;
  /** Keeps bytes that nobody bought now. An item that is owned stays as it is; true when it is new. */
  adopt(this: void, file: ItemFile, origin: 'given' | 'returned', purchaseId?: number): Promise<boolean>;
}

export interface OwnedParts {
  readonly ledger: Ledger;
  /** The store over this hub's own file. */
  readonly mirror: OwnedStore;
  /** That file. */
  readonly local: Database;
  readonly notes: HubNotes;
  readonly sign: SignReceipt | undefined;
}

export interface OwnedRow {
  readonly item: string;
  readonly contentType: string;
  readonly sha256: string;
  readonly size: number;
  readonly gzip: Buffer;
  readonly brotli: Buffer | null;
  readonly receipt: string | null;
  readonly origin: string;
  readonly keptAt: number;
}

const COLUMNS = `item, content_type AS "contentType", sha256, size, gzip, brotli, receipt, origin, kept_at AS "keptAt"`;
/** Rows that were committed later than others that began after them. */
const OVERLAP_MS = 60_000;
const PULLED_AT_ONCE = 500;

export function openPostgresOwned({ ledger, mirror, local, notes, sign }: OwnedParts): PostgresOwned {
  const { db, scope, log } = ledger;
  const rows = prepareOwnedRows(local);
  const findLocal = local.prepare<[string, string], { id: number }>(
    'SELECT id FROM owned WHERE scope = ? AND item = ?',
  );
  const listLocal = local.prepare<[string], { item: string; receipt: string | null }>(
    'SELECT item, receipt FROM owned WHERE scope = ?',
  );
  let pulledUntil = 0;

  /** Into this hub's own file; a full disk there costs nothing but another look at the database. */
  const copyHere = (row: OwnedRow) => {
    try {
      local
        .transaction(() => {
          const damaged = findLocal.get(scope, row.item);
          if (damaged !== undefined) rows.setAside(damaged.id, ledger.clock.now());
          rows.insert({ ...row, scope, purchaseId: null });
        })
        .immediate();
    } catch (error) {
      log.warn('an owned file could not be copied to this hub', { item: row.item, why: String(error) });
    }
  };

  const fetchRow = (item: string) =>
    db.one<OwnedRow>(`SELECT ${COLUMNS} FROM owned WHERE scope = $1 AND item = $2`, [scope, item]);

  async function setAside({ item, sha256 }: OwnedRow): Promise<void> {
    log.error('an owned file is damaged in the database and is set aside', { item });
    await db.transaction(async (tx) => {
      await tx.run(
        `WITH gone AS (DELETE FROM owned WHERE scope = $1 AND item = $2 AND sha256 = $3 RETURNING *)
         INSERT INTO set_aside (scope, item, purchase_id, why, content_type, sha256, bytes)
           SELECT scope, item, purchase_id, 'damaged', content_type, sha256, gzip FROM gone`,
        [scope, item, sha256],
      );
    });
  }

  /** A row of the database, if it is sound. */
  async function fetchSound(item: string): Promise<OwnedRow | undefined> {
    const row = await fetchRow(item);
    if (row === undefined) return undefined;
    if ((await readSound(row)) !== undefined) return row;
    await setAside(row);
    return undefined;
  }

  async function find(item: string): Promise<Asset | undefined> {
    const here = await mirror.find(item);
    if (here !== undefined) return here;
    const row = await fetchSound(item);
    if (row === undefined) return undefined;
    copyHere(row);
    const copied = await mirror.find(item);
    if (copied !== undefined) return copied;
    const bytes = await readSound(row);
    return bytes && assetOf(bytes, row.contentType);
  }

  async function rowOf(file: ItemFile, origin: string, purchaseId: number | null) {
    const { item, bytes, contentType } = file;
    const forms = await compress(bytes, contentType);
    const asset = assetOf(bytes, contentType);
    const signed = purchaseId === null ? undefined : sign?.(item, asset.sha256, purchaseId);
    const receipt = file.receipt ?? signed ?? null;
    return { asset, row: rowFrom(file, asset.sha256, forms, { receipt, origin, keptAt: ledger.clock.now() }) };
  }

  const insert = (tx: Transaction, row: OwnedRow, purchaseId: number | null) => insertOwned(tx, scope, row, purchaseId);

  /** Books the charge; where it was taken for free meanwhile, as one more. */
  async function pay(tx: Transaction, id: number, cost: number): Promise<void> {
    const paid = await tx.run(
      `UPDATE purchase SET state = 'paid', cost = $2, reason = NULL, settled_at = svcd_ms()
       WHERE id = $1 AND state IN ('sent', 'unknown')`,
      [id, cost],
    );
    if (paid === 0) await bookLate(ledger, tx, id, { state: 'paid', cost });
  }

  const adopt: PostgresOwned['adopt'] = async (file, origin, purchaseId) => {
    const { row } = await rowOf(file, origin, purchaseId ?? null);
    const { value } = await db.transaction(async (tx) => {
      // It brought these bytes, so it was paid; a database that was restored knows only that it may have been.
      await tx.run(
        `UPDATE purchase SET state = 'paid', cost = price, reason = 'returned', settled_at = svcd_ms()
         WHERE id = $1 AND item = $2 AND scope = $3 AND state = 'unknown' AND $4 = 'returned'`,
        [purchaseId, file.item, scope, origin],
      );
      const known = await tx.one<{ id: number }>('SELECT id FROM purchase WHERE id = $1 AND item = $2', [
        purchaseId,
        file.item,
      ]);
      return insert(tx, row, known?.id ?? null);
    });
    if (value === 1) copyHere(row);
    return value === 1;
  };

  async function keep(purchaseId: number, cost: number, file: ItemFile): Promise<Asset> {
    const { asset, row } = await rowOf(file, file.receipt === undefined ? 'bought' : 'hub', purchaseId);
    try {
      await db.transaction(async (tx) => {
        await pay(tx, purchaseId, cost);
        await insert(tx, row, purchaseId);
      });
    } catch (error) {
      // The bytes were paid for: this hub's own disk keeps them until the database takes them.
      notes.spill(purchaseId, cost, file);
      throw error;
    }
    notes.settled(purchaseId);
    copyHere(row);
    return (await mirror.find(file.item)) ?? asset;
  }

  return {
    ...mirror,
    find,
    keep,
    keepFile: async (file) => {
      const { row } = await rowOf(file, 'bought', null);
      await db.transaction((tx) => insert(tx, row, null));
      copyHere(row);
    },
    keepEvidence: async (purchaseId, { item, bytes, contentType }, why) => {
      const [packed, sha256] = await Promise.all([pack(bytes), sha256Beside(bytes)]);
      await db.transaction(async (tx) => {
        const lost = await tx.run(
          `UPDATE purchase SET state = 'unknown', reason = 'unusable', settled_at = svcd_ms() WHERE id = $1 AND state = 'sent'`,
          [purchaseId],
        );
        if (lost === 0) await bookLate(ledger, tx, purchaseId, { state: 'unknown' });
        await tx.run(
          `INSERT INTO set_aside (scope, item, purchase_id, why, content_type, sha256, bytes) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
          [scope, item, purchaseId, why, contentType, sha256, packed],
        );
      });
    },
    adopt,
    giveBack: async () => {
      let given = 0;
      for (const { item, receipt } of listLocal.all(scope)) {
        if ((await db.one('SELECT 1 FROM owned WHERE scope = $1 AND item = $2', [scope, item])) !== undefined) continue;
        const asset = await mirror.find(item);
        if (asset === undefined) continue;
        const file = { item, bytes: asset.bytes, contentType: asset.contentType, ...(receipt !== null && { receipt }) };
        if (await adopt(file, 'returned', numberIn(receipt))) given += 1;
      }
      return given;
    },
    replay: async () => {
      const spilled = notes.listSpilled();
      for (const { id, item, cost, file, refused } of spilled) {
        log.info('an answer that the database had not taken is written down', { purchase: id, kind: kindOf(item) });
        if (file !== undefined) await keep(id, cost, file);
        else if (refused !== undefined) {
          await refusePurchase(ledger, id, refused);
          notes.settled(id);
        }
      }
      return spilled.length;
    },
    pull: async () => {
      let [copied, since, after] = [0, pulledUntil - OVERLAP_MS, ''];
      for (;;) {
        const found = await db.all<{ item: string; sha256: string; keptAt: number }>(
          `SELECT item, sha256, kept_at AS "keptAt" FROM owned WHERE scope = $1 AND (kept_at, item) > ($2, $3)
           ORDER BY kept_at, item LIMIT $4`,
          [scope, since, after, PULLED_AT_ONCE],
        );
        for (const { item } of found.filter((one) => mirror.describe(one.item)?.sha256 !== one.sha256)) {
          const row = await fetchSound(item);
          if (row !== undefined) copyHere(row);
          copied += 1;
        }
        const last = found.at(-1);
        if (last === undefined) return copied;
        [since, after] = [last.keptAt, last.item];
        pulledUntil = Math.max(pulledUntil, since);
      }
    },
  };
}

/** Adds a row; one that is there already stays. Returns how many were added. */
function insertOwned(
  tx: Transaction,
  scope: string,
  row: Omit<OwnedRow, 'keptAt'>,
  purchaseId: number | null,
): Promise<number> {
  const { item, contentType, sha256, size, gzip, brotli, receipt, origin } = row;
  return tx.run(
    `INSERT INTO owned (scope, item, purchase_id, content_type, sha256, size, gzip, brotli, receipt, origin)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`,
    [scope, item, purchaseId, contentType, sha256, size, gzip, brotli, receipt, origin],
  );
}

function rowFrom(
  { item, bytes, contentType }: ItemFile,
  sha256: string,
  { gzip, brotli }: Forms,
  more: Pick<OwnedRow, 'receipt' | 'origin' | 'keptAt'>,
): OwnedRow {
  return { item, contentType, sha256, size: bytes.byteLength, gzip, brotli: brotli ?? null, ...more };
}
