// What `svcd fetch --locked` does: the files of a lock by their digests, from what is owned. The lock is read and never
// rewritten.

import { dirname, join, resolve } from 'node:path';
import { filesOf, LOCK_FILE, type Lock, type LockedAsset, type LockedFile } from '../../api/lock.js';
import type { SvcdError } from '../../model/errors.js';
import { remotePresetProblem } from '../../model/preset.js';
import { isOwnName } from '../../model/sticker.js';
import { lockFileOf } from '../lock/find-lock.js';
import { openLockedFolder, type LockedFolder } from '../lock/locked-folder.js';
import { readLock, type ReadLock } from '../lock/read-lock.js';
import { refusalIn, SILENT, type Asker, type Connect, type Telling } from './asker.js';
import { asLocked, openStickerForms } from './sticker-forms.js';
import { drawAgain } from './stills.js';
import { buyAssets, placeOf, requireWithin, takeByDigest, takeLocked, type Bought } from './take-assets.js';

export interface FetchRequest {
  readonly lock: string | undefined;
  readonly out: string | undefined;
  readonly home: string;
  /** The most that may be spent; undefined to buy nothing. */
  readonly buyFor: number | undefined;
}

export interface Fetched {
  readonly lock: string;
  readonly out: string;
  /** Files. */
  readonly kept: readonly string[];
  readonly written: readonly string[];
  /** Presets. */
  readonly bought: readonly string[];
  readonly cost: number;
}

type Slot = readonly [id: string, asset: LockedAsset];

/** Throws `lock_unmet`, with the slots and what they would cost, before anything is written or bought. */
export async function fetchLocked(request: FetchRequest, connect: Connect, telling = SILENT): Promise<Fetched> {
  const file = lockFileOf(telling.words, request.lock, request.out);
  const { lock, bytes } = readLock(file);
  const out = request.out ?? dirname(file);
  const folder = openLockedFolder(out, request.home);
  try {
    const slots = Object.entries(lock.assets);
    const missing = slots.filter(([, asset]) => !folder.has(asset));
    const lost = slots.flatMap(([id, asset]) => {
      const [, still] = filesOf(asset);
      return still === undefined || folder.has(still) ? [] : [{ id, asset, still }];
    });
    for (const one of [...missing.map(([, asset]) => asset), ...lost.map(({ still }) => still)])
      folder.requirePlace(one);
    const none = { files: new Map<string, Uint8Array>(), bought: [], cost: 0 };
    const taken =
      missing.length === 0
        ? none
        : await connect((asker) => takeMissing(asker, lock, missing, request.buyFor, telling));
    const [odd] = missing.filter(([, asset]) => taken.files.get(asset.sha256)?.byteLength !== asset.bytes);
    if (odd !== undefined) throw refusalIn(telling.words.otherSize(odd[0]), 'lock_mismatch');
    const stills = await restoreStills(
      lost,
      (asset) => taken.files.get(asset.sha256) ?? folder.read(asset.file),
      connect,
      telling,
    );
    for (const [still, picture] of stills) putTelling(folder, still, picture, telling);
    for (const [, asset] of missing) {
      putTelling(folder, asset, taken.files.get(asset.sha256)!, telling);
    }
    bringLock(folder, file, out, { lock, bytes }, telling);
    const written = [...new Set([...missing.map(([, asset]) => asset), ...stills.keys()].map((one) => one.file))];
    const kept = [...new Set(slots.flatMap(([, asset]) => filesOf(asset).map((one) => one.file)))].filter(
      (name) => !written.includes(name),
    );
    return { lock: file, out, kept, written, bought: taken.bought, cost: taken.cost };
  } finally {
    folder.close();
  }
}

interface Lost {
  readonly id: string;
  readonly asset: LockedAsset;
  readonly still: LockedFile;
}

/** The stills that are not there: drawn again, or what an import brought. Throws `lock_mismatch` where neither is as locked. */
async function restoreStills(
  lost: readonly Lost[],
  bytesOf: (asset: LockedAsset) => Uint8Array,
  connect: Connect,
  telling: Telling,
): Promise<Map<LockedFile, Uint8Array>> {
  const forms = openStickerForms(telling);
  const drawn = await drawAgain(
    lost.map(({ asset }) => [asset, bytesOf(asset)] as const),
    forms,
  ).finally(() => forms.close());
  const stills = new Map<LockedFile, Uint8Array>();
  for (const [at, { id, still }] of lost.entries()) {
    const bytes = drawn[at] ?? (await connect((asker) => takeByDigest(asker, still.sha256)))?.bytes;
    if (bytes === undefined) throw refusalIn(telling.words.otherStill(id), 'lock_mismatch');
    stills.set(still, bytes);
  }
  return stills;
}

/** Puts a file into the folder, and says where what lay there was kept. */
export function putTelling(folder: LockedFolder, asset: LockedFile, bytes: Uint8Array, { words, note }: Telling): void {
  const aside = folder.put(asset, bytes);
  if (aside !== undefined) note(words.keptAside(aside));
}

/** The names of files are relative to their lock, so that it goes with them; another one that lies there stays. */
function bringLock(folder: LockedFolder, file: string, out: string, copy: ReadLock, { words, note }: Telling): void {
  const place = join(out, LOCK_FILE);
  folder.commitCopy(copy);
  if (folder.before === undefined) return;
  if (resolve(place) !== resolve(file) && !Buffer.from(copy.bytes).equals(folder.before.bytes)) {
    note(words.anotherLock(place));
  }
}

async function takeMissing(
  asker: Asker,
  lock: Lock,
  missing: readonly Slot[],
  buyFor: number | undefined,
  telling: Telling,
) {
  const files = new Map<string, Uint8Array>();
  for (const [, asset] of missing) {
    const file = files.has(asset.sha256) ? undefined : await takeLocked(asker, asset, telling);
    if (file !== undefined) files.set(asset.sha256, file.bytes);
  }
  const unmet = missing.filter(([, { sha256 }]) => !files.has(sha256));
  if (unmet.length === 0) return { files, bought: [], cost: 0 };
  const music = unmet.flatMap(([id, asset]) => (asset.kind === 'music' ? [id] : []));
  if (music.length > 0) throw refusalIn(telling.words.otherMusic(music), 'lock_mismatch');
  if (buyFor === undefined || !unmet.every(isForSale)) throw lockUnmet(unmet, lock, buyFor !== undefined, telling);
  const presets = [...new Set(unmet.flatMap(([, asset]) => (asset.kind === 'sticker' ? [asset.preset] : [])))];
  const price = priceOf(unmet);
  requireWithin(price, buyFor, telling.words);
  const bought = await buyAssets(asker, { presets, images: [], max_credits: price, fallback: false }, telling);
  await keepBought(asker, unmet, presets, bought, files, telling);
  return { files, bought: presets.filter((_, place) => wasBought(bought.places[place])), cost: bought.cost };
}

/** Takes what was bought, if it is what the lock names. Throws `lock_mismatch`, and what could not be bought. */
async function keepBought(
  asker: Asker,
  unmet: readonly Slot[],
  presets: readonly string[],
  bought: Bought,
  files: Map<string, Uint8Array>,
  telling: Telling,
): Promise<void> {
  for (const [id, asset] of unmet) {
    const at = asset.kind === 'sticker' ? presets.indexOf(asset.preset) : -1;
    const file = await takeByDigest(asker, placeOf(bought, at, id, telling.words).sha256);
    const bytes = file && (await asLocked(file.bytes, asset, telling));
    if (bytes !== undefined) files.set(asset.sha256, bytes);
  }
  const other = unmet.filter(([, { sha256 }]) => !files.has(sha256)).map(([id]) => id);
  if (other.length === 0) return;
  const { serviceGaveOther, ownedIsOther } = telling.words;
  throw refusalIn((bought.places.some(wasBought) ? serviceGaveOther : ownedIsOther)(other), 'lock_mismatch');
}

function wasBought(place: Bought['places'][number] | undefined): boolean {
  return place?.event === 'asset' && place.source === 'bought';
}

function lockUnmet(unmet: readonly Slot[], { remote }: Lock, maySpend: boolean, { words }: Telling): SvcdError {
  const price = priceOf(unmet);
  const [message, hint = ''] = words.unmet(
    unmet.map(([id]) => id),
    price,
  );
  // `opening: fluent-emoji-flat/birthday-cake, 1 credit`
  const lines = unmet.map(([id, asset]) => {
    const what = asset.kind === 'sticker' ? asset.preset : words.anImage;
    if (asset.source === 'default') return words.unmetDefault(id, what);
    const isOwn = asset.kind === 'sticker' && isOwnName(asset.preset);
    return isOwn ? words.unmetOwn(id, what) : words.unmetPrice(id, what, asset.price);
  });
  const hints = [...lines, hint, maySpend ? words.unmetNotForSale : words.unmetBuy(remote, price)];
  return refusalIn([message, hints.join('\n')], 'lock_unmet');
}

/** Whether a lock can buy it: what it says of itself is not believed of a preset that no service has. */
function isForSale([, asset]: Slot): boolean {
  return asset.kind === 'sticker' && asset.source === 'service' && remotePresetProblem(asset.preset) === undefined;
}

/** What the unmet cost, each once: images too, which "svcd apply" buys. */
function priceOf(unmet: readonly Slot[]): number {
  const paid = unmet.filter((slot) => isForSale(slot) || slot[1].kind === 'image');
  const prices = new Map(paid.map(([, { sha256, price, source }]) => [sha256, source === 'default' ? 0 : price]));
  return [...prices.values()].reduce((sum, price) => sum + price, 0);
}
