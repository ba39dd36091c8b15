// What machines own when they join a hub, kept aside until somebody approves it: files, checked by digest and for being
// playable, and what their journals say was paid or is in doubt. Of what several had paid the file is kept once, and all counts.

import { describe } from '../contract/json-body.js';
import { IMAGE_PRICE, STICKER_PRICE } from '../contract/limits.js';
import { LOTTIE_TYPE } from '../model/asset.js';
import type { Clock } from '../platform/clock.js';
import { compress, gunzipOrNothing } from '../platform/compressed-forms.js';
import { parseJsonRecord, isRecord } from '../platform/json.js';
import type { Database } from '../platform/open-database.js';
import { pictureTypeOf } from '../platform/picture-type.js';
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

/** How much is kept of what machines gave: bytes of files and names until they are decided on, and a row for each thing. */
export interface GivenSize {
  readonly bytes: number;
  readonly rows: number;
}

export interface GivenStore {
  /** What is kept of one machine, and of all. */
  size(machineId: number): Promise<{ readonly own: GivenSize; readonly all: GivenSize }>;
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

export interface GivenRow {
  readonly id: number;
  readonly machineId: number;
  readonly item: string;
  readonly contentType: string;
  readonly sha256: string;
  readonly size: number;
  readonly gzip: Buffer;
  readonly paid: number | null;
}

/** A line of a machine, read and checked. */
export type GivenLine =
  | {
      readonly kind: 'file';
      readonly item: string;
      readonly contentType: string;
      readonly sha256: string;
      readonly bytes: Uint8Array;
    }
  /** Nothing paid for certain is null: nobody knows. */
  | { readonly kind: 'purchase'; readonly item: string; readonly paid: number | null }
  | GivenOutcome;

/** What an approval writes down. */
export interface Approval {
  /** What was paid, as history; undefined for none. */
  readonly cost: number | undefined;
  /** Whether it becomes a purchase of unknown outcome, so that nobody buys it unasked. */
  readonly isDoubtful: boolean;
  readonly isKept: boolean;
  readonly decision: GivenDecision;
}

/** The mark of what was paid by machines before they joined; it stands for their Keys, too. */
export const GIVEN = 'given';
const MOST_CREDITS = 1_000_000;

/** Longer ones are nobody's; a name is kept beside the bytes. */
const ITEM_MAX = 2048;
/** Of an image: the digest of its words, and which one of them it is. */
const IMAGE_NAME = /^image:[0-9a-f]{64}(?::.+)?$/;

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
  // What was approved is owned now, what was refused is nobody's.
  const settle = db.prepare(
    `UPDATE given SET state = ?, decided_at = ?, gzip = x'' WHERE id = ? AND state = 'waiting'`,
  );
  const measure = db.prepare<[number | null], GivenSize>(
    `SELECT coalesce(sum(length(gzip) + length(item)), 0) AS bytes, count(*) AS rows FROM given
     WHERE machine_id = coalesce(?, machine_id)`,
  );
  const sizeOf = (machineId: number | null) => measure.get(machineId) ?? { bytes: 0, rows: 0 };
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

  const history = (row: GivenRow, state: 'paid' | 'unknown', cost: number | null, by: number | undefined) => {
    const { kind, price } = pricedAs(row.item, cost);
    const id = nextId.get()?.id ?? 1;
    const now = clock.now();
    writeDown.run({ id, scope, item: row.item, kind, state, price, cost, day: day(), now, by: by ?? null });
    return id;
  };

  const approve = (row: GivenRow, forms: { gzip: Uint8Array; brotli?: Uint8Array | undefined }): GivenDecision => {
    const { item, contentType, sha256, size } = row;
    const counts = counting.get(scope, item)?.id;
    const { cost, isDoubtful, isKept, decision } = planApproval(
      row,
      isOwned.get(scope, item) !== undefined,
      counts !== undefined,
    );
    if (isDoubtful) history(row, 'unknown', null, undefined);
    const purchaseId = cost === undefined ? null : history(row, 'paid', cost, counts);
    if (isKept) {
      const receipt = signReceipt?.(item, sha256, purchaseId ?? 0) ?? null;
      const kept = { scope, item, contentType, sha256, size, purchaseId, keptAt: clock.now(), receipt, origin: GIVEN };
      rows.insert({ ...kept, gzip: forms.gzip, brotli: forms.brotli ?? null });
    }
    return decision;
  };

  return {
    size: async (machineId) => ({ own: sizeOf(machineId), all: sizeOf(null) }),
    take: async (machineId, text, maxFileBytes) => {
      const line = await readGivenLine(text, maxFileBytes, scope);
      if (line.kind === 'purchase') {
        putPurchase.run({ machineId, scope, item: line.item, paid: line.paid, now: clock.now() });
        return { kind: 'waiting' };
      }
      if (line.kind !== 'file') return line;
      const { item, contentType, sha256, bytes } = line;
      if (isOwned.get(scope, item) !== undefined) return { kind: 'unchanged' };
      const { gzip } = await compress(bytes, contentType);
      const size = bytes.byteLength;
      putFile.run({ machineId, scope, item, contentType, sha256, size, gzip, now: clock.now() });
      return { kind: 'waiting' };
    },
    list: async () => listed.all(scope),
    decide: async (isApproved, machineId) => {
      let total = NOTHING_DECIDED;
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
          total = addDecision(total, done);
        }).immediate();
      }
      if (isApproved && ids.length > 0) onOwned();
      return total;
    },
  };
}

/** Reads a line of a machine: of this remote, and whole. */
export async function readGivenLine(text: string | undefined, maxFileBytes: number, scope: string): Promise<GivenLine> {
  const carried = readPurchase(text);
  if (carried !== undefined) {
    if (carried.scope !== scope) return { kind: 'bad', why: `it is of another remote: ${carried.scope}` };
    const wrong = nameProblem(carried.item);
    if (wrong !== undefined) return { kind: 'bad', why: wrong };
    const { paid, unknown } = carried.purchase;
    if (paid === 0 && !unknown) return { kind: 'header' };
    return { kind: 'purchase', item: carried.item, paid: paid === 0 ? null : paid };
  }
  const read = await readItem(text, maxFileBytes);
  if ('kind' in read) return read.kind === 'bad' ? { kind: 'bad', why: read.why } : { kind: 'header' };
  if (!('item' in read)) return { kind: 'bad', why: 'a hub takes in only what was bought' };
  if (read.scope !== scope) return { kind: 'bad', why: `it is of another remote: ${read.scope}` };
  const { item, sha256, bytes } = read;
  const wrong = nameProblem(item);
  if (wrong !== undefined) return { kind: 'bad', why: wrong };
  // A stranger says what it is, and it will be served from this origin: its bytes decide.
  const contentType = item.startsWith('file:') ? pictureTypeOf(bytes) : LOTTIE_TYPE;
  return { kind: 'file', item, contentType, sha256, bytes };
}

function nameProblem(item: string): string | undefined {
  if (item.length > ITEM_MAX) return `its name is longer than ${ITEM_MAX} characters`;
  return !item.startsWith('image:') || IMAGE_NAME.test(item)
    ? undefined
    : `its name is none of an image: ${describe(item)}`;
}

/** What approving a row writes, where the item is owned already or another purchase of it counts. */
export function planApproval({ size, paid }: Pick<GivenRow, 'size' | 'paid'>, had: boolean, counts: boolean): Approval {
  const hasFile = size > 0;
  const isDoubtful = paid === null && !had && !counts;
  return {
    cost: paid !== null && paid > 0 ? paid : undefined,
    isDoubtful,
    isKept: hasFile && !had,
    decision: {
      files: hasFile ? 1 : 0,
      owned_already: hasFile && had ? 1 : 0,
      unknown: isDoubtful ? 1 : 0,
      paid: paid ?? 0,
    },
  };
}

/** What a purchase of an item is written down as. */
export function pricedAs(item: string, cost: number | null): { kind: 'image' | 'sticker'; price: number } {
  const kind = item.startsWith('image:') ? 'image' : 'sticker';
  return { kind, price: Math.max(kind === 'image' ? IMAGE_PRICE : STICKER_PRICE, cost ?? 0) };
}

export const NOTHING_DECIDED: GivenDecision = { files: 0, owned_already: 0, unknown: 0, paid: 0 };

export function addDecision(one: GivenDecision, other: GivenDecision): GivenDecision {
  return {
    files: one.files + other.files,
    owned_already: one.owned_already + other.owned_already,
    unknown: one.unknown + other.unknown,
    paid: one.paid + other.paid,
  };
}

/** The compressed forms of a row's file. */
export async function formsOf({ gzip, size, contentType }: GivenRow) {
  const bytes = await gunzipOrNothing(gzip, size);
  return bytes === undefined ? { gzip } : compress(bytes, contentType);
}

/** What refusing a row came to. */
export function countOf({ size, paid }: Pick<GivenRow, 'size' | 'paid'>): GivenDecision {
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
