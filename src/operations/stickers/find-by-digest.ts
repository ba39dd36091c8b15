// A file by the digest of its bytes, wherever they were bought: what a lock is fetched by. It never spends, and never
// reaches the remote.

import { assetOf, LOTTIE_TYPE, type Asset, type Delivery } from '../../model/asset.js';
import { creditOf, type Credit } from '../../model/credit.js';
import { isSvcdError, SvcdError } from '../../model/errors.js';
import { sha256Hex } from '../../model/hash.js';
import { IMAGE_SIZES } from '../../contract/limits.js';
import type { DefaultPack, PackedSticker } from '../../defaults/default-pack.js';
import type { FallbackSticker } from '../../defaults/fallback-sticker.js';
import type { RegisteredDefaults } from '../../defaults/registered-defaults.js';
import type { StickerReader } from '../../lottie/read-sticker.js';
import { createByteCache } from '../../platform/byte-cache.js';
import type { OwnStickers } from '../../purchases/sqlite/own-stickers.js';
import { itemOf } from '../../purchases/item.js';
import type { OwnedDigests } from '../../purchases/sqlite/owned-digests.js';

export interface DigestSources {
  readonly digests: OwnedDigests;
  readonly own: Pick<OwnStickers, 'has' | 'list' | 'read'>;
  readonly defaults: DefaultPack;
  readonly registered: Pick<RegisteredDefaults, 'list' | 'read'>;
  /** Defaults that were served of late. */
  readonly findServed: (sha256: string) => Delivery | undefined;
  readonly findCredit: (preset: string) => Credit | undefined;
  readonly reader: Pick<StickerReader, 'safeFormOf'>;
}

/** The file of a digest, or the safe form of the file of `preset` if that has it. Throws `not_owned`. */
export type FindByDigest = (sha256: string, preset?: string) => Promise<Delivery>;

const SERVED_BYTES = 16 * 1024 * 1024;
const STICKER = 'sticker:';
const PNG = 'image/png';

/** Finds files by their digests. */
export function createFindByDigest(sources: DigestSources): FindByDigest {
  const { digests, own, defaults, registered, findServed, findCredit, reader } = sources;
  const findPacked = createPackedDigests(defaults);

  async function findOwn(sha256: string): Promise<Delivery | undefined> {
    const found = own.list().find((one) => one.sha256 === sha256);
    const asset = found && (await own.read(found.sticker.preset));
    return found && asset && { source: 'owned', cost: 0, ...asset, ...creditOf(found.sticker) };
  }

  async function findRegistered(sha256: string): Promise<Delivery | undefined> {
    const found = registered.list().find((one) => one.sha256 === sha256);
    const bytes = found && (await registered.read(found));
    return bytes && { source: 'default', cost: 0, ...assetOf(bytes, LOTTIE_TYPE) };
  }

  /** Safe forms are made, and kept nowhere. */
  async function findSafe(sha256: string, preset: string): Promise<Delivery | undefined> {
    const packed = defaults.findSticker(preset);
    const files = [
      ...(await digests.listNamed(itemOf(preset))),
      ...(own.has(preset) ? [await own.read(preset)] : []),
      ...(packed === undefined ? [] : [assetOf(await defaults.readSticker(packed), LOTTIE_TYPE)]),
    ];
    for (const file of files) {
      const safe = file && (await reader.safeFormOf(file).catch(unlessBusy));
      if (safe?.sha256 === sha256) return { source: 'owned', cost: 0, ...safe, ...findCredit(preset) };
    }
    return undefined;
  }

  return async (sha256, preset) => {
    const owned = await digests.find(sha256);
    if (owned !== undefined) {
      const { item, ...asset } = owned;
      const credit = item.startsWith(STICKER) ? findCredit(item.slice(STICKER.length)) : undefined;
      return { source: 'owned', cost: 0, ...asset, ...credit };
    }
    const found =
      (await findOwn(sha256)) ??
      findServed(sha256) ??
      (await findRegistered(sha256)) ??
      (await findPacked(sha256)) ??
      (preset === undefined ? undefined : await findSafe(sha256, preset));
    if (found !== undefined) return found;
    throw new SvcdError('not_owned', `no file with the digest ${sha256} is owned here`, {
      hint: 'Buy it, or run "svcd owned export" on the machine that owns it and "svcd owned import" here.',
    });
  };
}

/** One that cannot be made in time and memory is no form of it; what only has to wait may be, and is asked for again. */
function unlessBusy(error: unknown): undefined {
  if (isSvcdError(error, 'busy')) throw error;
}

/** The files of the shipped pack by their digests, which are worked out when first asked for. */
function createPackedDigests(defaults: DefaultPack): (sha256: string) => Promise<Delivery | undefined> {
  type Packed = { readonly read: () => Promise<Asset>; readonly sticker?: PackedSticker };
  let known: Promise<ReadonlyMap<string, Packed>> | undefined;
  const load = async () => {
    const files = new Map<string, Packed>();
    for (const size of IMAGE_SIZES) {
      const read = async () => assetOf(await defaults.readImage(size), PNG);
      files.set((await read()).sha256, { read });
    }
    for (const sticker of defaults.stickers()) {
      const read = async () => assetOf(await defaults.readSticker(sticker), LOTTIE_TYPE);
      files.set(sha256Hex(await defaults.readSticker(sticker)), { read, sticker });
    }
    return files;
  };
  return async (sha256) => {
    known ??= load().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    const found = (await known).get(sha256);
    if (found === undefined) return undefined;
    return { source: 'library', cost: 0, ...(await found.read()), ...creditOf(found.sticker ?? {}) };
  };
}

/**
 * The same defaults, and those served last by their digests. One that was fitted to a shape exists nowhere else: whoever is
 * told its digest must be able to have it.
 */
export function rememberServed(fallbackSticker: FallbackSticker) {
  const served = createByteCache<Delivery>(SERVED_BYTES, SERVED_BYTES);
  const remembering: FallbackSticker = async (...asked) => {
    const delivery = await fallbackSticker(...asked);
    if (delivery !== undefined) served.put(delivery.sha256, delivery, delivery.bytes.byteLength);
    return delivery;
  };
  return { fallbackSticker: remembering, findServed: (sha256: string) => served.find(sha256) };
}
