// The file of a sticker for looking at it: owned, the user's own, shipped, or the sandbox's art; and the free drawings that are
// shown where there is none. It never buys and never asks the remote, whoever asks.

import { assetOf, LOTTIE_TYPE, type Delivery } from '../../model/asset.js';
import { SvcdError } from '../../model/errors.js';
import { isOwnName } from '../../model/sticker.js';
import type { OwnStickers } from '../../purchases/own-stickers.js';
import type { OwnedStore } from '../../purchases/owned-store.js';
import type { OwnedFiles } from '../owned/owned-files.js';
import type { Art } from './shown-art.js';

export interface ShownSources {
  readonly ownedFiles: Pick<OwnedFiles, 'read'>;
  readonly own: Pick<OwnStickers, 'has'>;
  readonly owned: Pick<OwnedStore, 'listDamaged'>;
  readonly art: Pick<Art, 'read'>;
  readonly isSandbox: boolean;
}

/** Throws `not_owned` for what there is nothing to see of, and `damaged` for a file that is here and cannot be read. */
export type ShowSticker = (preset: string) => Promise<Delivery>;

export function createShowSticker(sources: ShownSources): ShowSticker {
  const { ownedFiles, art, isSandbox } = sources;
  return async (preset) => {
    const file = await ownedFiles.read(preset);
    if (file !== undefined) return file;
    refuseDamaged(sources, preset);
    const bytes = isSandbox ? await art.read(preset) : undefined;
    if (bytes !== undefined) return { source: 'library', cost: 0, ...assetOf(bytes, LOTTIE_TYPE) };
    throw new SvcdError('not_owned', `${JSON.stringify(preset)} is not owned, and the service has no free preview`, {
      hint: `"svcd get ${preset}" buys it.`,
    });
  };
}

function refuseDamaged({ own, owned }: ShownSources, preset: string): void {
  if (isOwnName(preset) && own.has(preset)) {
    throw new SvcdError('damaged', `the file of ${JSON.stringify(preset)}, a sticker of yours, is damaged`, {
      hint: 'Add it again: "svcd library add FILE".',
    });
  }
  // What is set aside stays known as damaged until it is bought again: a preview in its place would hide the loss.
  if (!owned.listDamaged().includes(preset)) return;
  throw new SvcdError('damaged', `the owned file of ${JSON.stringify(preset)} is damaged`, {
    hint: `It was set aside. "svcd get ${preset}" buys it again.`,
  });
}

/** The Lottie file of a free drawing. Throws `not_found`. */
export type ShowSketch = (id: string) => Promise<Delivery>;

export function createShowSketch(art: Pick<Art, 'readSketch'>): ShowSketch {
  return async (id) => {
    const bytes = await art.readSketch(id);
    if (bytes === undefined) throw new SvcdError('not_found', `there is no free drawing ${JSON.stringify(id)}`);
    return { source: 'library', cost: 0, ...assetOf(bytes, LOTTIE_TYPE) };
  };
}
