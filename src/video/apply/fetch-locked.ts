// What `svcd fetch --locked` does: the files of a lock by their digests, from what is owned. The lock is read and never
// rewritten.

import { dirname, join, resolve } from 'node:path';
import { LOCK_FILE, type Lock, type LockedAsset } from '../../api/lock.js';
import { SvcdError } from '../../model/errors.js';
import { remotePresetProblem } from '../../model/preset.js';
import { openLockedFolder, type LockedFolder } from '../lock/locked-folder.js';
import { readLock } from '../lock/read-lock.js';
import type { Connect } from './apply.js';
import type { Client } from '../../cli/connection/client.js';
import { lockFileOf } from '../lock/find-lock.js';
import { formatCount, sanitize } from '../../cli/terminal/format.js';
import { printNote } from '../../cli/terminal/output.js';
import { openStickerForms } from './sticker-forms.js';
import { buyAssets, describeUnmet, failureOf, takeByDigest, type Bought } from './take-assets.js';
import { applyWords } from '../../cli/video/apply-words.js';

export interface FetchRequest {
  readonly lock: string | undefined;
  readonly out: string | undefined;
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
export async function fetchLocked(request: FetchRequest, connect: Connect): Promise<Fetched> {
  const file = lockFileOf(request.lock, request.out);
  const { lock, bytes } = readLock(file);
  const out = request.out ?? dirname(file);
  const folder = openLockedFolder(out);
  try {
    const slots = Object.entries(lock.assets);
    const missing = slots.filter(([, asset]) => !folder.has(asset));
    for (const [, asset] of missing) folder.requirePlace(asset);
    const none = { files: new Map<string, Uint8Array>(), bought: [], cost: 0 };
    const taken =
      missing.length === 0 ? none : await connect((client) => takeMissing(client, lock, missing, request.buyFor));
    for (const [, asset] of missing) folder.put(asset, taken.files.get(asset.sha256) ?? new Uint8Array());
    bringLock(folder, file, out, bytes);
    const written = [...new Set(missing.map(([, asset]) => asset.file))];
    const kept = [...new Set(slots.map(([, asset]) => asset.file))].filter((name) => !written.includes(name));
    return { lock: file, out, kept, written, bought: taken.bought, cost: taken.cost };
  } finally {
    folder.close();
  }
}

/** The names of files are relative to their lock, so that it goes with them; another one that lies there stays. */
function bringLock(folder: LockedFolder, file: string, out: string, bytes: Uint8Array): void {
  const place = join(out, LOCK_FILE);
  folder.commitCopy(bytes);
  if (folder.before === undefined) return;
  if (resolve(place) !== resolve(file) && !Buffer.from(bytes).equals(folder.before.bytes)) {
    printNote(sanitize(applyWords().anotherLock(place)));
  }
}

async function takeMissing(client: Client, lock: Lock, missing: readonly Slot[], buyFor: number | undefined) {
  const files = new Map<string, Uint8Array>();
  for (const [, asset] of missing) {
    if (files.has(asset.sha256)) continue;
    const preset = asset.kind === 'sticker' ? asset.preset : undefined;
    const file = await takeByDigest(client, asset.sha256, preset);
    if (file !== undefined) files.set(asset.sha256, file.bytes);
  }
  const unmet = missing.filter(([, { sha256 }]) => !files.has(sha256));
  if (unmet.length === 0) return { files, bought: [], cost: 0 };
  if (buyFor === undefined || !unmet.every(isForSale)) throw lockUnmet(unmet, lock, buyFor !== undefined);
  const presets = [...new Set(unmet.flatMap(([, asset]) => (asset.kind === 'sticker' ? [asset.preset] : [])))];
  const price = priceOf(unmet);
  if (price > buyFor) {
    throw new SvcdError('budget', applyWords().overMax(formatCount(price, 'credit'), buyFor), {
      hint: applyWords().wasNothingBought,
    });
  }
  const bought = await buyAssets(client, { presets, images: [], max_credits: price, fallback: false });
  await keepBought(client, unmet, presets, bought, files);
  return { files, bought: presets.filter((_, place) => wasBought(bought.places[place])), cost: bought.cost };
}

/** Takes what was bought, if it is what the lock names. Throws `lock_mismatch`, and what could not be bought. */
async function keepBought(
  client: Client,
  unmet: readonly Slot[],
  presets: readonly string[],
  { places, cost }: Bought,
  files: Map<string, Uint8Array>,
): Promise<void> {
  for (const [id, asset] of unmet) {
    const event = places[asset.kind === 'sticker' ? presets.indexOf(asset.preset) : -1];
    if (event === undefined) throw new SvcdError('internal', `svcd did not say what became of ${id}`);
    if (event.event === 'failed') throw failureOf(event, id, cost);
    const file = await takeByDigest(client, event.sha256);
    const bytes = file && (await inForm(file.bytes, asset));
    if (bytes !== undefined) files.set(asset.sha256, bytes);
  }
  const other = unmet.filter(([, { sha256 }]) => !files.has(sha256)).map(([id]) => id);
  if (other.length === 0) return;
  if (places.some(wasBought)) {
    throw new SvcdError('lock_mismatch', applyWords().serviceGaveOther(other), {
      hint: applyWords().serviceGaveOtherHint,
    });
  }
  throw new SvcdError('lock_mismatch', applyWords().ownedIsOther(other), { hint: applyWords().ownedIsOtherHint });
}

function wasBought(place: Bought['places'][number] | undefined): boolean {
  return place?.event === 'asset' && place.source === 'bought';
}

/** The bytes in the form of an asset, if they are those of the lock then. */
async function inForm(bought: Uint8Array, asset: LockedAsset): Promise<Uint8Array | undefined> {
  const forms = openStickerForms();
  try {
    const { bytes, sha256 } = await forms.make(bought, asset.kind === 'sticker' ? asset.form : 'as-bought');
    return sha256 === asset.sha256 ? bytes : undefined;
  } finally {
    forms.close();
  }
}

function lockUnmet(unmet: readonly Slot[], lock: Lock, maySpend: boolean): SvcdError {
  const words = applyWords();
  const lines = unmet.map(([id, asset]) => describeUnmet(id, asset));
  const price = formatCount(priceOf(unmet), 'credit');
  const hints = [...lines, words.unmetHint, maySpend ? words.unmetNotForSale : words.unmetBuy(lock.remote, price)];
  const names = unmet.map(([id]) => id);
  return new SvcdError('lock_unmet', words.unmet(names, price), { hint: hints.join('\n') });
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
