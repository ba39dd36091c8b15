// Writes the lines of what owned.db holds, and keeps those of another machine. A sound row is never replaced; a damaged one is
// set aside for a sound line.

import { collectionNamedSchema } from '../../api/collections.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/open-database.js';
import { parseWith } from '../../contract/json-body.js';
import type { CarriedCollection, CollectionStore } from './collections.js';
import type { OwnStickers } from './own-stickers.js';
import type { ProjectStore } from './projects.js';
import { prepareOwnedRows } from './owned-rows.js';
import { numberIn, receiptOfImported, type SignReceipt } from '../signed-receipts.js';
import { isSafe } from '../../lottie/judge-lottie.js';
import { compress } from '../../platform/compressed-forms.js';
import { readSound } from '../owned-store.js';
import {
  OWNED_FORMAT,
  VERSION,
  type OwnedOutcome,
  type OwnedCarrier,
  type CarriedOwn,
  type OwnedItem,
  readItem,
  bad,
  line,
  orBad,
} from '../transfer-owned.js';

interface OwnedRow {
  id: number;
  scope: string;
  item: string;
  contentType: string;
  sha256: string;
  size: number;
  keptAt: number;
  gzip: Buffer;
  receipt: string | null;
}

export interface CarrierParts {
  readonly db: Database;
  /** The remote that a hub sells of. */
  readonly scope: string;
  readonly own: OwnStickers;
  readonly collections: Pick<CollectionStore, 'carried' | 'merge'>;
  readonly projects: Pick<ProjectStore, 'carried' | 'merge'>;
  readonly clock: Clock;
  /** Set where this is a hub. */
  readonly sign: SignReceipt | undefined;
}

const CODE = 'it runs code or fetches something, and no receipt of this hub proves that it was bought';

/** Opens the carrier over owned.db. */
export function openOwnedCarrier({
  db,
  scope: here,
  own,
  collections,
  projects,
  clock,
  sign,
}: CarrierParts): OwnedCarrier {
  const columns = `id, scope, item, content_type AS contentType, sha256, size, kept_at AS keptAt, gzip, receipt`;
  const page = db.prepare<[number], OwnedRow>(`SELECT ${columns} FROM owned WHERE id > ? ORDER BY id LIMIT 1`);
  const digests = db.prepare<[], Pick<OwnedRow, 'id' | 'sha256'>>(`SELECT id, sha256 FROM owned ORDER BY id`);
  const known = db.prepare<[string, string], OwnedRow>(`SELECT ${columns} FROM owned WHERE scope = ? AND item = ?`);
  const rows = prepareOwnedRows(db);
  // It brought these bytes, so it was paid; a file that was restored knows only that it may have been.
  const prove = db.prepare(
    `UPDATE purchase SET state = 'paid', cost = price, reason = 'returned', settled_at = ?
     WHERE id = ? AND scope = ? AND item = ? AND state = 'unknown'`,
  );

  /** All rows, or the sound ones among those of some digests: what is asked for by its digest has to be that. */
  async function* rowsOf(only: ReadonlySet<string> | undefined): AsyncGenerator<OwnedRow> {
    if (only === undefined) {
      for (let row = page.get(0); row !== undefined; row = page.get(row.id)) yield row;
      return;
    }
    for (const { id } of digests.all().filter(({ sha256 }) => only.has(sha256))) {
      const row = page.get(id - 1);
      if (row?.id === id && (await readSound(row)) !== undefined) yield row;
    }
  }

  async function* lines(only?: ReadonlySet<string>, withProjects = true): AsyncGenerator<string> {
    const exported_at = new Date(clock.now()).toISOString();
    yield line({ format: OWNED_FORMAT, version: VERSION, exported_at });
    let items = 0;
    for await (const row of rowsOf(only)) {
      const { scope, item, contentType, sha256, keptAt, gzip, receipt } = row;
      items += 1;
      const told = {
        scope,
        item,
        content_type: contentType,
        sha256,
        kept_at: new Date(keptAt).toISOString(),
        ...(receipt !== null && { receipt }),
      };
      yield line({ ...told, gzip: gzip.toString('base64') });
    }
    for (const one of own.list()) {
      if (only?.has(one.sha256) === false) continue;
      const asset = await own.read(one.sticker.preset);
      if (asset?.gzip === undefined) continue;
      items += 1;
      const told = { own: one.sticker, sha256: one.sha256, added_at: new Date(one.addedAt).toISOString() };
      yield line({ ...told, gzip: Buffer.from(asset.gzip).toString('base64') });
    }
    for (const { scope, name, presets, changedAt } of only === undefined ? collections.carried() : []) {
      const told = { scope, collection: name, presets, changed_at: new Date(changedAt).toISOString() };
      // An svcd that knows no collections takes the line for one more header, and leaves it.
      yield line({ format: OWNED_FORMAT, version: VERSION, ...told });
    }
    for (const { changedAt, ...one } of only === undefined && withProjects ? projects.carried() : []) {
      yield line({ format: OWNED_FORMAT, version: VERSION, ...one, changed_at: new Date(changedAt).toISOString() });
    }
    yield line({ end: true, items });
  }

  /** A file of the user's own: kept unless there is a sound one of that name. */
  async function keepOwn({ sticker, bytes, addedAt }: CarriedOwn): Promise<OwnedOutcome> {
    const isKnown = own.has(sticker.preset);
    if (isKnown && (await own.read(sticker.preset)) !== undefined) return { kind: 'unchanged' };
    await own.add(sticker, bytes, addedAt);
    return { kind: isKnown ? 'mended' : 'added' };
  }

  async function keep(one: OwnedItem, origin: 'bought' | 'returned' = 'bought'): Promise<OwnedOutcome> {
    const before = known.get(one.scope, one.item);
    if (before !== undefined && (await readSound(before)) !== undefined) return { kind: 'unchanged' };
    const signs = one.scope === here ? sign : undefined;
    const receipt = receiptOfImported(signs, one) ?? null;
    // A hub hands it to all its machines.
    const isForeign = signs !== undefined && receipt !== one.receipt;
    if (isForeign && one.item.startsWith('sticker:') && !(await isSafe(one.bytes))) return bad(CODE);
    const { gzip, brotli } = await compress(one.bytes, one.contentType);
    const file = {
      ...one,
      receipt,
      origin,
      bytes: undefined,
      size: one.bytes.byteLength,
      gzip,
      brotli: brotli ?? null,
    };
    db.transaction(() => {
      if (before !== undefined) rows.setAside(before.id, clock.now());
      if (origin === 'returned') prove.run(clock.now(), numberIn(one.receipt), one.scope, one.item);
      rows.insert({ ...file, purchaseId: null });
    }).immediate();
    return { kind: before === undefined ? 'added' : 'mended' };
  }

  return {
    lines,
    take: async (text, maxFileBytes, isProven) => {
      const read = await readItem(text, maxFileBytes);
      if ('kind' in read) return read;
      if (isProven !== undefined) {
        if (!('item' in read)) return bad('only what was bought is taken back');
        const { receipt } = read;
        const proven = receipt !== undefined && isProven({ ...read, receipt });
        return proven ? keep(read, 'returned') : bad('no receipt of this hub proves that it was bought');
      }
      if ('presets' in read) return mergeCollection(collections, read);
      if ('project' in read) return merged(() => projects.merge(read));
      return 'sticker' in read ? keepOwn(read) : keep(read);
    },
  };
}

function mergeCollection({ merge }: Pick<CollectionStore, 'merge'>, carried: CarriedCollection): OwnedOutcome {
  return merged(() =>
    merge({ ...carried, name: parseWith(collectionNamedSchema, { collection: carried.name }).collection }),
  );
}

function merged(merge: () => boolean): OwnedOutcome {
  return orBad(() => ({ kind: merge() ? 'added' : 'unchanged' }));
}
