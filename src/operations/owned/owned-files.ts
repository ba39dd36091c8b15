// The files of stickers that are here for good and may be taken somewhere: owned, the user's own, shipped; alone, and as one
// zip. Nothing here buys or asks the remote; the sandbox's art is no such file.

import { assetOf, LOTTIE_TYPE, type Delivery } from '../../model/asset.js';
import { SvcdError } from '../../model/errors.js';
import { isOwnName } from '../../model/sticker.js';
import { plainName, foldName } from '../../video/lock/name-files.js';
import { itemOf } from '../../purchases/item.js';
import type { Rooms } from '../rooms.js';
import type { OwnedStore } from '../../purchases/owned-store.js';
import { zipOf, type ZippedFile } from '../../platform/files/write-zip.js';

export type OwnedFiles = ReturnType<typeof createOwnedFiles>;

export function createOwnedFiles({ own, owned, defaults, library }: Rooms) {
  const isOwn = (preset: string) => isOwnName(preset) && own.has(preset);
  return {
    /** Whether it is here, without reading it. */
    has: (preset: string): boolean =>
      isOwn(preset) || owned.has(itemOf(preset)) || defaults.findSticker(preset) !== undefined,
    /** Undefined for what is not here. */
    read: async (preset: string): Promise<Delivery | undefined> => {
      const asset = isOwn(preset) ? await own.read(preset) : await owned.find(itemOf(preset));
      if (asset !== undefined) return { source: 'owned', cost: 0, ...asset };
      const packed = defaults.findSticker(preset);
      if (packed === undefined) return undefined;
      return { source: 'library', cost: 0, ...assetOf(await defaults.readSticker(packed), LOTTIE_TYPE) };
    },
    /** A name for people; `nth` of those that would be the same. */
    nameOf: (preset: string, nth?: number): string => plainName(library.findSticker(preset)?.title ?? '', preset, nth),
  };
}

/** The error of what was to be taken and is not here. */
export function notOwned(presets: readonly string[]): SvcdError {
  const [first = ''] = presets;
  const others = presets.length > 1 ? ` and ${presets.length - 1} more are` : ' is';
  return new SvcdError('not_owned', `${JSON.stringify(first)}${others} not owned`, {
    hint: `"svcd get ${first}" buys it.`,
  });
}

/** The presets of all owned stickers: one set until something is bought or set aside, so that what is worked out of it can be kept. */
export type OwnedPresets = () => ReadonlySet<string>;

/** Of so many that were added nothing else is read again. */
const ADDED_AT_ONCE = 1000;

/** Gives the presets owned now. */
export function createOwnedPresets(
  owned: Pick<OwnedStore, 'listPresets' | 'listStickers' | 'countStickers'>,
): OwnedPresets {
  let known: { readonly lastId: number; readonly count: number; readonly presets: ReadonlySet<string> } | undefined;
  return () => {
    const [lastId, count] = [owned.listStickers(0, 1)[0]?.id ?? 0, owned.countStickers()];
    if (known?.lastId === lastId && known.count === count) return known.presets;
    const added = known === undefined ? [] : owned.listStickers(known.lastId, ADDED_AT_ONCE);
    const before = known !== undefined && count === known.count + added.length ? known.presets : owned.listPresets();
    const presets = new Set(before);
    for (const { preset } of added) presets.add(preset);
    known = { lastId, count, presets };
    return presets;
  };
}

/** A zip of the files of these presets, under the names they would have in the folder. Throws `not_owned`. */
export type ZipOwned = (presets: readonly string[]) => AsyncGenerator<Uint8Array>;

export function createZipOwned(ownedFiles: OwnedFiles): ZipOwned {
  return (presets) => {
    const wanted = [...new Set(presets)];
    const missing = wanted.filter((preset) => !ownedFiles.has(preset));
    if (missing.length > 0) throw notOwned(missing);
    return zipOf(filesOf(ownedFiles, wanted));
  };
}

async function* filesOf(ownedFiles: OwnedFiles, presets: readonly string[]): AsyncGenerator<ZippedFile> {
  const names = new Set<string>();
  for (const preset of presets) {
    const file = await ownedFiles.read(preset);
    // The answer has begun: it breaks off, so that nobody takes it for whole.
    if (file === undefined) throw new SvcdError('damaged', `the file of ${JSON.stringify(preset)} is damaged`);
    let nth = 1;
    while (names.has(foldName(ownedFiles.nameOf(preset, nth)))) nth += 1;
    names.add(foldName(ownedFiles.nameOf(preset, nth)));
    yield { name: ownedFiles.nameOf(preset, nth), bytes: file.bytes };
  }
}
