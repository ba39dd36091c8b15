// The default that stands in for a sticker: registered by the user, else an owned one that is near, else one
// of the shipped pack; always in the shape that was wanted.

import { LOTTIE_TYPE, type Asset, type Delivery, type FallbackReason } from '../asset.js';
import type { Log } from '../log.js';
import { createByteCache } from '../purchases/byte-cache.js';
import { createChooseDefault, explainShared } from '../purchases/choose-default.js';
import type { DefaultPack } from '../purchases/default-pack.js';
import { fitLottie } from '../purchases/fit-lottie.js';
import { createOwnedKin } from '../purchases/owned-kin.js';
import { asAsset, type OwnedStore } from '../purchases/owned-store.js';
import { EVERY_PRESET, type RegisteredDefaults } from '../purchases/registered-defaults.js';
import { aspectOf, type Sticker } from '../sticker.js';
import { itemOf } from './item.js';

/** Delivers the default for a preset under a reason. Fails only when svcd's own files cannot be read. */
export type StandIn = (preset: string, reason: FallbackReason) => Promise<Delivery>;

export interface StandInParts {
  readonly library: { findSticker(preset: string): Sticker | undefined };
  readonly registered: RegisteredDefaults;
  readonly owned: Pick<OwnedStore, 'find' | 'listStickers'>;
  readonly defaults: DefaultPack;
  readonly log: Log;
}

/** A file to stand in, and what `X-Svcd-Default` says of it. */
interface Chosen {
  readonly which: string;
  readonly why: string;
  readonly bytes: Uint8Array;
  /** Digest or name that tells this file from every other. */
  readonly mark: string;
}

const FITTED_BYTES = 8 * 1024 * 1024;
const FITTED_FILE_BYTES = 1024 * 1024;

/** Stands in for what cannot be had. */
export function createStandIn(parts: StandInParts): StandIn {
  const fitted = createByteCache<Asset>(FITTED_BYTES, FITTED_FILE_BYTES);
  const fit = (chosen: Chosen, aspect: number | undefined): Asset => {
    const name = `${chosen.mark} ${aspect ?? ''}`;
    const known = fitted.find(name);
    if (known !== undefined) return known;
    const asset = asAsset({ bytes: fitLottie(chosen.bytes, aspect), contentType: LOTTIE_TYPE });
    fitted.put(name, asset, asset.bytes.byteLength);
    return asset;
  };
  const choose = createChoose(parts);
  return async (preset, reason) => {
    const wanted = parts.library.findSticker(preset);
    const chosen = await choose(preset, wanted);
    const asset = fit(chosen, wanted && aspectOf(wanted));
    return { ...asset, source: 'default', cost: 0, reason, chosen: explain(chosen) };
  };
}
