// The file of a sticker for looking at it: owned, the user's own, shipped, or the sandbox's art. It never buys and never
// asks the remote, whoever asks.

import { assetOf, LOTTIE_TYPE, type Delivery } from '../model/asset.js';
import { SvcdError } from '../model/errors.js';
import type { OwnedFiles } from './owned-files.js';

export interface ShownSources {
  readonly ownedFiles: Pick<OwnedFiles, 'read'>;
  /** The sandbox's file of a preset; undefined where there is none, or no sandbox. */
  readonly readSandboxArt: (preset: string) => Promise<Buffer | undefined>;
}

/** Throws `not_owned` for what there is nothing to see of. */
export type ShowSticker = (preset: string) => Promise<Delivery>;

export function createShowSticker({ ownedFiles, readSandboxArt }: ShownSources): ShowSticker {
  return async (preset) => {
    const file = await ownedFiles.read(preset);
    if (file !== undefined) return file;
    const bytes = await readSandboxArt(preset);
    if (bytes !== undefined) return { source: 'library', cost: 0, ...assetOf(bytes, LOTTIE_TYPE) };
    throw new SvcdError('not_owned', `${JSON.stringify(preset)} is not owned, and the service has no free preview`, {
      hint: `"svcd get ${preset}" buys it.`,
    });
  };
}
