// What `import 'svcd/slots'` gives: the slots of a lock, each a file that is checked by its digest before it is used. For pages,
// renderers and Node.js; needs no svcd and no packages.

import type { EntryLike, LockLike, LottieFile, Slot, StickerSlot } from './lock-types.js';
import { refusalOf } from './stand-in.js';

export type { LockLike, LottieFile, MusicSlot, PictureSlot, Slot, StickerSlot } from './lock-types.js';
export { playhead, type Play, type PlayOptions } from './playhead.js';

export interface SlotsOptions {
  /** Where a file of the lock is: an address that `fetch` takes; on Node.js also `file://`. */
  readonly url: (file: string) => string;
  /** Whether a slot that holds a stand-in or a guess is refused when it is asked for. */
  readonly strict?: boolean | undefined;
}

export interface Slots<L extends LockLike> {
  /** What the lock says of a slot, and where its file is. Throws for a slot that there is not, and for a stand-in under `strict`. */
  entry<S extends Slot<L>>(slot: S): L['assets'][S] & { readonly url: string };
  /** The file. Rejects, naming the slot, where it is missing or not that of the lock. */
  bytes(this: void, slot: Slot<L>): Promise<Uint8Array<ArrayBuffer>>;
  /** The same, parsed anew each time: players write into what they play. */
  lottie(this: void, slot: StickerSlot<L>): Promise<LottieFile>;
  readonly slots: readonly Slot<L>[];
  readonly stickers: readonly StickerSlot<L>[];
  /** The credit lines that the video needs, each once. */
  readonly credits: readonly string[];
}

const NEWEST = 2;
const VERIFY = '"svcd verify" tells which differ';

/** Opens the slots of a lock. Throws for a lock that is none, or that needs a newer svcd. */
export function openSlots<const L extends LockLike>(lock: L, { url, strict = false }: SlotsOptions): Slots<L> {
  const { assets } = lock;
  if (!(lock.lock >= 1 && lock.lock <= NEWEST) || typeof assets !== 'object') {
    throw new Error(`this is no lock of version 1 to ${NEWEST}: it says ${String(lock.lock)}`);
  }
  const slots = Object.keys(assets) as Slot<L>[];
  const read = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
  const find = (slot: string): EntryLike => {
    const entry = Object.hasOwn(assets, slot) ? assets[slot] : undefined;
    if (entry === undefined)
      throw new Error(`slot ${slot}: the lock has none of that name; it has ${slots.join(', ')}`);
    const refusal = strict && refusalOf(slot, entry);
    if (refusal) throw new Error(refusal);
    return entry;
  };
  const bytes = async (slot: string) => {
    const entry = find(slot);
    const key = `${entry.sha256} ${entry.file}`;
    if (!read.has(key)) read.set(key, readChecked(entry, url(entry.file)));
    try {
      return await read.get(key)!;
    } catch (error) {
      read.delete(key);
      throw new Error(`slot ${slot}: ${(error as Error).message}`, { cause: error });
    }
  };
  const entries = Object.values<EntryLike>(assets);
  return {
    entry: (slot) => {
      const entry = find(slot);
      return { ...(entry as L['assets'][typeof slot]), url: url(entry.file) };
    },
    bytes,
    lottie: async (slot) => JSON.parse(new TextDecoder().decode(await bytes(slot))) as LottieFile,
    slots,
    stickers: slots.filter((slot) => 'frames' in assets[slot]!) as string[] as StickerSlot<L>[],
    credits: [...new Set(entries.flatMap(({ attribution }) => attribution ?? []))].toSorted(),
  };
}

async function readChecked({ file, sha256 }: EntryLike, address: string): Promise<Uint8Array<ArrayBuffer>> {
  const { subtle } = globalThis.crypto ?? {};
  if (subtle === undefined)
    throw new Error('this page is no secure context: serve it from http://localhost or https://');
  const bytes = await readFile(file, address);
  const digest = new Uint8Array(await subtle.digest('SHA-256', bytes));
  const found = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  if (found !== sha256) throw new Error(`${file} is not the file of the lock; ${VERIFY}`);
  return bytes;
}

async function readFile(file: string, address: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    // Bundlers must find no module of Node.js here.
    const files = address.startsWith('file:') && globalThis.process?.getBuiltinModule('node:fs');
    if (files) return new Uint8Array(files.readFileSync(new URL(address)));
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`${answer.status}`);
    return new Uint8Array(await answer.arrayBuffer());
  } catch (cause) {
    // What a browser says of it, "Failed to fetch", helps nobody.
    const { location } = globalThis as { location?: { protocol: string } };
    const isFile = location?.protocol === 'file:';
    const advice = isFile ? 'a page of file:// may read no file: serve it from http://localhost' : VERIFY;
    throw new Error(`${file} cannot be read (${(cause as Error).message}); ${advice}`, { cause });
  }
}
