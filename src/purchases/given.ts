// What machines own when they join a hub, kept aside until somebody approves it: files, checked by digest and for being
// playable, and what their journals say was paid or is in doubt. Of what several had paid the file is kept once, and all counts.

import { IMAGE_PRICE, STICKER_PRICE } from '../contract/limits.js';
import type { Clock } from '../platform/clock.js';
import { compress, gunzipOrNothing } from '../platform/compressed-forms.js';
import { parseJsonRecord, isRecord } from '../platform/json.js';
import type { Database } from '../platform/open-database.js';
import { itemProblem, readItem } from './owned-carrier.js';
import { prepareOwnedRows } from './owned-rows.js';
import type { SignReceipt } from './owned-store.js';

export type GivenOutcome =
  { readonly kind: 'waiting' | 'unchanged' | 'header' } | { readonly kind: 'bad'; readonly why: string };

/** What one machine gave. */
export interface GivenByMachine {
  readonly machine: number;
  readonly name: string;
  readonly state: 'waiting' | 'approved' | 'refused';
  readonly files: number;
  readonly unknown: number;
  /** Credits that it had paid. */
  readonly paid: number;
}

/** What came of a decision. */
export interface GivenDecision {
  readonly files: number;
  /** Of them, those that the hub had, or another machine had given before. */
  readonly owned_already: number;
  readonly unknown: number;
  readonly paid: number;
}

export interface GivenStore {
  /** Takes in a line of a machine. Throws only when the disk does. */
  take(machineId: number, text: string | undefined, maxFileBytes: number): Promise<GivenOutcome>;
  list(): Promise<GivenByMachine[]>;
  /** Takes what waits over, of one machine or of all, or refuses it. */
  decide(approve: boolean, machineId?: number): Promise<GivenDecision>;
}

/** How a journal's word about an item is carried: what was paid for it, and whether its outcome is unknown. */
interface CarriedPurchase {
  readonly scope: string;
  readonly item: string;
  readonly purchase: { readonly paid: number; readonly unknown: boolean };
}

interface GivenRow {
  readonly id: number;
  readonly machineId: number;
  readonly item: string;
  readonly contentType: string;
  readonly sha256: string;
  readonly size: number;
  readonly gzip: Buffer;
  readonly paid: number | null;
}

/** The mark of what was paid by machines before they joined; it stands for their Keys, too. */
const GIVEN = 'given';
const MOST_CREDITS = 1_000_000;

/** What the journal of a home says of the items of one remote, but for what came from a hub: lines to be given. */
export function listGivable(db: Database, scope: string): CarriedPurchase[] {
  const rows = db.prepare<[string], { item: string; paid: number; unknown: 0 | 1 }>(
    `SELECT item, sum(iif(state = 'paid', cost, 0)) AS paid,
       max(state = 'unknown' AND superseded_by IS NULL) AS unknown
     FROM purchase WHERE scope = ? AND state IN ('paid', 'unknown') AND reason IS NOT 'hub' GROUP BY item`,
  );
  return rows
    .all(scope)
    .map(({ item, paid, unknown }) => ({ scope, item, purchase: { paid, unknown: unknown === 1 } }));
}

export interface GivenParts {
  readonly db: Database;
  readonly scope: string;
  readonly clock: Clock;
  readonly signReceipt: SignReceipt | undefined;
  /** The day that a purchase made now is counted on. */
  readonly day: () => string;
  /** Told after what was given is owned. */
  readonly onOwned: () => void;
}

export function openGivenStore({ db, scope, clock, signReceipt, day, onOwned }: GivenParts): GivenStore {
  const rows = prepareOwnedRows(db);
  const putFile = db.prepare(
    `INSERT INTO given (machine_id, scope, item, content_type, sha256, size, gzip, paid, state, given_at)
     VALUES (@machineId, @scope, @item, @contentType, @sha256, @size, @gzip, 0, 'waiting', @now)
     ON CONFLICT (machine_id, scope, item) DO UPDATE
     SET content_type = excluded.content_type, sha256 = excluded.sha256, size = excluded.size, gzip = excluded.gzip,
         paid = coalesce(paid, 0)
     WHERE state = 'waiting'`,
  );
  // Without a file, and with nothing paid for certain, it is one whose outcome nobody knows.
  const putPurchase = db.prepare(
    `INSERT INTO given (machine_id, scope, item, content_type, sha256, size, gzip, paid, state, given_at)
     VALUES (@machineId, @scope, @item, '', '', 0, x'', @paid, 'waiting', @now)
     ON CONFLICT (machine_id, scope, item) DO UPDATE SET paid = iif(size > 0, coalesce(excluded.paid, 0), excluded.paid)
     WHERE state = 'waiting'`,
  );
  const isOwned = db.prepare<[string, string], { one: 1 }>(`SELECT 1 AS one FROM owned WHERE scope = ? AND item = ?`);
  const counting = db.prepare<[string, string], { id: number }>(
    `SELECT id FROM purchase WHERE scope = ? AND item = ? AND state <> 'refused' AND superseded_by IS NULL`,
  );
  const waiting = db.prepare<{ scope: string; machineId: number | null }, { id: number }>(
    `SELECT id FROM given WHERE scope = @scope AND state = 'waiting' AND (@machineId IS NULL OR machine_id = @machineId)
     ORDER BY id`,
  );
  const one = db.prepare<[number], GivenRow>(
    `SELECT id, machine_id AS machineId, item, content_type AS contentType, sha256, size, gzip, paid FROM given WHERE id = ?`,
  );
  const settle = db.prepare(`UPDATE given SET state = ?, decided_at = ? WHERE id = ? AND state = 'waiting'`);
  const nextId = db.prepare<[], { id: number }>(`SELECT coalesce(max(id), 0) + 1 AS id FROM purchase`);
  // Of no payer here: it is history, and no budget of the hub pays for it again.
  const writeDown = db.prepare(
    `INSERT INTO purchase (id, scope, item, kind, state, price, cost, reason, key_id, payers, day, created_at, sent_at,
       settled_at, superseded_by)
     VALUES (@id, @scope, @item, @kind, @state, @price, @cost, '${GIVEN}', '${GIVEN}', '[]', @day, @now, @now, @now, @by)`,
  );
  const listed = db.prepare<[string], GivenByMachine>(
    `SELECT machine_id AS machine, machine.name, state, sum(size > 0) AS files, sum(paid IS NULL) AS unknown,
       sum(coalesce(paid, 0)) AS paid
     FROM given JOIN machine ON machine.id = given.machine_id WHERE scope = ? GROUP BY machine_id, state ORDER BY machine_id`,
  );

  const takePurchase = (machineId: number, { item, purchase: { paid, unknown } }: CarriedPurchase): GivenOutcome => {
    if (paid === 0 && !unknown) return { kind: 'header' };
    putPurchase.run({ machineId, scope, item, paid: paid === 0 ? null : paid, now: clock.now() });
    return { kind: 'waiting' };
  };

  const history = (row: GivenRow, state: 'paid' | 'unknown', cost: number | null, by: number | undefined) => {
    const kind = row.item.startsWith('image:') ? 'image' : 'sticker';
    const id = nextId.get()?.id ?? 1;
    const price = Math.max(kind === 'image' ? IMAGE_PRICE : STICKER_PRICE, cost ?? 0);
    const now = clock.now();
    writeDown.run({ id, scope, item: row.item, kind, state, price, cost, day: day(), now, by: by ?? null });
    return id;
  };

  const approve = (row: GivenRow, forms: { gzip: Uint8Array; brotli?: Uint8Array | undefined }): GivenDecision => {
    const { item, contentType, sha256, size, paid } = row;
    const had = isOwned.get(scope, item) !== undefined;
    const counts = counting.get(scope, item)?.id;
    const isUnknown = paid === null;
    let purchaseId: number | null = null;
    if (isUnknown && !had && counts === undefined) history(row, 'unknown', null, undefined);
    if (paid !== null && paid > 0) purchaseId = history(row, 'paid', paid, counts);
    if (size > 0 && !had) {
      const receipt = signReceipt?.(item, sha256, purchaseId ?? 0) ?? null;
      const kept = { scope, item, contentType, sha256, size, purchaseId, keptAt: clock.now(), receipt, origin: GIVEN };
      rows.insert({ ...kept, gzip: forms.gzip, brotli: forms.brotli ?? null });
    }
    return {
      files: size > 0 ? 1 : 0,
      owned_already: size > 0 && had ? 1 : 0,
      unknown: isUnknown && !had && counts === undefined ? 1 : 0,
      paid: paid ?? 0,
    };
  };

  return {
    take: async (machineId, text, maxFileBytes) => {
      const carried = readPurchase(text);
      if (carried !== undefined) {
        if (carried.scope !== scope) return { kind: 'bad', why: `it is of another remote: ${carried.scope}` };
        return takePurchase(machineId, carried);
      }
      const read = await readItem(text, maxFileBytes);
      if ('kind' in read) return read.kind === 'bad' ? { kind: 'bad', why: read.why } : { kind: 'header' };
      if (!('item' in read)) return { kind: 'bad', why: 'a hub takes in only what was bought' };
      if (read.scope !== scope) return { kind: 'bad', why: `it is of another remote: ${read.scope}` };
      if (isOwned.get(scope, read.item) !== undefined) return { kind: 'unchanged' };
      const { item, contentType, sha256, bytes } = read;
      const { gzip } = await compress(bytes, contentType);
      const size = bytes.byteLength;
      putFile.run({ machineId, scope, item, contentType, sha256, size, gzip, now: clock.now() });
      return { kind: 'waiting' };
    },
    list: async () => listed.all(scope),
    decide: async (isApproved, machineId) => {
      const total = { files: 0, owned_already: 0, unknown: 0, paid: 0 };
      // Files before what is only said of them, so that nothing that is there becomes doubtful.
      const ids = waiting.all({ scope, machineId: machineId ?? null }).map(({ id }) => id);
      const ordered = ids.toSorted((a, b) => Number(one.get(b)?.size !== 0) - Number(one.get(a)?.size !== 0) || a - b);
      for (const id of ordered) {
        const row = one.get(id);
        if (row === undefined) continue;
        const forms = row.size > 0 && isApproved ? await formsOf(row) : { gzip: row.gzip };
        db.transaction(() => {
          if (settle.run(isApproved ? 'approved' : 'refused', clock.now(), id).changes === 0) return;
          const done = isApproved ? approve(row, forms) : countOf(row);
          for (const name of ['files', 'owned_already', 'unknown', 'paid'] as const) total[name] += done[name];
        }).immediate();
      }
      if (isApproved && ids.length > 0) onOwned();
      return total;
    },
  };
}

async function formsOf({ gzip, size, contentType }: GivenRow) {
  const bytes = await gunzipOrNothing(gzip, size);
  return bytes === undefined ? { gzip } : compress(bytes, contentType);
}

function countOf({ size, paid }: GivenRow): GivenDecision {
  return { files: size > 0 ? 1 : 0, owned_already: 0, unknown: paid === null ? 1 : 0, paid: paid ?? 0 };
}

/** A line about a purchase; undefined for any other. */
function readPurchase(text: string | undefined): CarriedPurchase | undefined {
  const value = text === undefined ? undefined : parseJsonRecord(text);
  const { scope, item, purchase } = value ?? {};
  if (typeof scope !== 'string' || typeof item !== 'string' || !isRecord(purchase)) return undefined;
  if (!/^(sticker|image):/.test(item) || itemProblem(item, 'application/json') !== undefined) return undefined;
  const { paid, unknown } = purchase;
  const credits = typeof paid === 'number' && Number.isInteger(paid) && paid >= 0 && paid <= MOST_CREDITS ? paid : 0;
  return { scope, item, purchase: { paid: credits, unknown: unknown === true } };
}
