// Owned bytes in PostgreSQL, kept with their purchase in one transaction, and mirrored into this hub's own file row by row: from
// there they are served, also while the database is away. A row that is missing there is looked for in the database.

import { assetOf, type Asset } from '../../model/asset.js';
import { sha256Beside } from '../../model/hash.js';
import { asItCame, compress, isWorthCompressing, pack } from '../../platform/compressed-forms.js';
import type { Statement } from '../../platform/postgres/transaction.js';
import { numberIn, type SignReceipt } from '../signed-receipts.js';
import { kindOf, type HubNotes } from './hub-notes.js';
import { bookLate, refusePurchase, type Ledger } from './ledger.js';
import {
  digestOf,
  LARGE_BYTES,
  type ItemFile,
  type OwnedStore,
  readSound,
  type OwnedCopy,
  type OwnedCopies,
} from '../owned-store.js';

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
  /** Its rows. */
  readonly copies: OwnedCopies;
  readonly notes: HubNotes;
  readonly sign: SignReceipt | undefined;
}

const COLUMNS = `item, content_type AS "contentType", sha256, size, gzip, brotli, receipt, origin, kept_at AS "keptAt"`;
/** Rows that were committed later than others that began after them. */
const OVERLAP_MS = 60_000;
const PULLED_AT_ONCE = 500;

export function openPostgresOwned({ ledger, mirror, copies, notes, sign }: OwnedParts): PostgresOwned {
  const { db, scope, log } = ledger;
  let pulledUntil = 0;

  async function setAside({ item, sha256 }: OwnedCopy): Promise<void> {
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

  async function fetchSound(item: string): Promise<OwnedCopy | undefined> {
    const row = await db.one<OwnedCopy>(`SELECT ${COLUMNS} FROM owned WHERE scope = $1 AND item = $2`, [scope, item]);
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
    copies.put(row);
    const copied = await mirror.find(item);
    if (copied !== undefined) return copied;
    const bytes = await readSound(row);
    return bytes && assetOf(bytes, row.contentType);
  }

  async function rowOf(file: ItemFile, origin: string, purchaseId: number | null) {
    const { item, bytes, contentType } = file;
    // What is large and dense would only be committed seconds later. What can be shorter must be: it has a connection's time.
    const isDense = bytes.byteLength > LARGE_BYTES && !(await isWorthCompressing(bytes.subarray(0, LARGE_BYTES)));
    const [{ gzip, brotli = null }, sha256] = await Promise.all([
      isDense ? asItCame(bytes) : compress(bytes, contentType),
      digestOf(bytes),
    ]);
    const asset: Asset = { bytes, contentType, sha256 };
    const signed = purchaseId === null ? undefined : sign?.(item, sha256, purchaseId);
    const receipt = file.receipt ?? signed ?? null;
    const facts = { item, contentType, sha256, size: bytes.byteLength, receipt, origin, keptAt: ledger.clock.now() };
    return { asset, row: { ...facts, gzip, brotli } satisfies OwnedCopy };
  }

  /** Adds a row; one that is there already stays. */
  const insert = (row: OwnedCopy, purchaseId: number | null): Statement => {
    const { item, contentType, sha256, size, gzip, brotli, receipt, origin } = row;
    return [
      `INSERT INTO owned (scope, item, purchase_id, content_type, sha256, size, gzip, brotli, receipt, origin)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`,
      [scope, item, purchaseId, contentType, sha256, size, gzip, brotli, receipt, origin],
    ];
  };

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
      return tx.run(...insert(row, known?.id ?? null));
    });
    if (value === 1) copies.put(row);
    return value === 1;
  };

  async function keep(purchaseId: number, cost: number, file: ItemFile): Promise<Asset> {
    const { asset, row } = await rowOf(file, file.receipt === undefined ? 'bought' : 'hub', purchaseId);
    try {
      const pay: Statement = [
        `UPDATE purchase SET state = 'paid', cost = $2, reason = NULL, settled_at = svcd_ms()
         WHERE id = $1 AND state IN ('sent', 'unknown')`,
        [purchaseId, cost],
      ];
      await db.transaction(
        async (tx, [paid]) => {
          // It was taken for free meanwhile: it is booked as one more.
          if (paid?.count === 0) await bookLate(ledger, tx, purchaseId, { state: 'paid', cost });
        },
        undefined,
        [pay, insert(row, purchaseId)],
      );
    } catch (error) {
      // The bytes were paid for: this hub's own disk keeps them until the database takes them.
      notes.spill(purchaseId, cost, file);
      throw error;
    }
    notes.settled(purchaseId);
    copies.put(row);
    return (await mirror.find(file.item)) ?? asset;
  }

  return {
    ...mirror,
    find,
    keep,
    keepFile: async (file) => {
      const { row } = await rowOf(file, 'bought', null);
      await db.transaction((tx) => tx.run(...insert(row, null)));
      copies.put(row);
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
      for (const { item, receipt } of copies.list()) {
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
          if (row !== undefined) copies.put(row);
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
