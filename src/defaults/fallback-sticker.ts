// The default that stands in for a sticker: registered by the user, else an owned one that is near, else one of the
// shipped pack; always in the wanted shape. No failure here stops a render as long as one of them can be read.

import { assetOf, LOTTIE_TYPE, type Asset, type Delivery, type FallbackReason } from '../model/asset.js';
import { SvcdError } from '../model/errors.js';
import { aspectOf, type Sticker } from '../model/sticker.js';
import { fitLottie } from '../lottie/fit-lottie.js';
import { createByteCache } from '../platform/byte-cache.js';
import { headerText } from '../platform/header-text.js';
import type { Log } from '../platform/log.js';
import { createChooseDefault, explainShared, type ChooseDefault } from './choose-default.js';
import type { DefaultPack } from './default-pack.js';
import {
  createNearestOwned,
  type FindNearestOwned,
  type KnownStickers,
  type OwnedList,
} from './nearest-owned.js';
import { EVERY_PRESET, type RegisteredDefaults } from './registered-defaults.js';

/** Delivers the default for a preset under a reason. Throws `internal` when not even the shipped one can be read. */
export type FallbackSticker = (preset: string, reason: FallbackReason) => Promise<Delivery>;

/** Owned stickers and their files. */
export interface OwnedFiles extends OwnedList {
  /** The file of an owned sticker; undefined when there is none or it is damaged. */
  read(preset: string): Promise<Uint8Array | undefined>;
}

export interface FallbackStickerParts {
  readonly library: KnownStickers;
  readonly registered: Pick<RegisteredDefaults, 'find' | 'read'>;
  readonly owned: OwnedFiles;
  readonly defaults: DefaultPack;
  readonly log: Log;
}

/** A file that could stand in, with the text of `X-Svcd-Default`. */
interface Candidate {
  readonly which: string;
  readonly why: string;
  /** Tells this file from every other. */
  readonly mark: string;
  /** Undefined when it turns out to be damaged. */
  read(): Promise<Uint8Array | undefined>;
}

type FindCandidate = (preset: string, wanted: Sticker | undefined) => Candidate | undefined;
type Fit = (candidate: Candidate, aspect: number | undefined) => Promise<Asset | undefined>;

const FITTED_BYTES = 8 * 1024 * 1024;
const FITTED_FILE_BYTES = 1024 * 1024;

/** Chooses among these parts and remembers the files it fitted last. */
export function createFallbackSticker(parts: FallbackStickerParts): FallbackSticker {
  const findNearestOwned = createNearestOwned(parts.owned, parts.library);
  const fit = createFit();
  // The pack is read when a default is first needed, not at the start.
  let choose: ChooseDefault | undefined;
  const inOrder: FindCandidate[] = [
    (preset) => findRegistered(parts, preset),
    (_preset, wanted) => findOwned(parts, findNearestOwned, wanted),
    (preset, wanted) => {
      choose ??= createChooseDefault(parts.defaults.stickers());
      return chooseShipped(parts, choose, preset, wanted);
    },
  ];
  return async (preset, reason) => {
    const wanted = await attempt(parts.log, async () => parts.library.findSticker(preset));
    const aspect = wanted && aspectOf(wanted);
    for (const find of inOrder) {
      const delivery = await attempt(parts.log, async () => {
        const candidate = find(preset, wanted);
        const asset = candidate && (await fit(candidate, aspect));
        return candidate && asset && deliver(asset, candidate, reason);
      });
      if (delivery !== undefined) return delivery;
    }
    throw new SvcdError('internal', 'no default can be read');
  };
}

function findRegistered({ registered }: FallbackStickerParts, preset: string): Candidate | undefined {
  const found = registered.find(preset);
  if (found === undefined) return undefined;
  const why = found.preset === EVERY_PRESET ? 'registered for every preset' : 'registered for this preset';
  return { which: found.preset, why, mark: found.sha256, read: () => registered.read(found) };
}

function findOwned(
  { owned }: FallbackStickerParts,
  findNearestOwned: FindNearestOwned,
  wanted: Sticker | undefined,
): Candidate | undefined {
  const near = wanted && findNearestOwned(wanted);
  if (near === undefined) return undefined;
  const { preset } = near.sticker;
  const why = `owned, ${explainShared(near.shared)}`;
  return { which: preset, why, mark: `owned ${preset}`, read: () => owned.read(preset) };
}

function chooseShipped(
  { defaults }: FallbackStickerParts,
  choose: ChooseDefault,
  preset: string,
  wanted: Sticker | undefined,
): Candidate {
  const { sticker, why } = choose(preset, wanted);
  const read = () => defaults.readSticker(sticker);
  return { which: sticker.preset, why: `shipped, ${why}`, mark: `shipped ${sticker.preset}`, read };
}

/** Fits files to shapes and remembers the last ones. */
function createFit(): Fit {
  const fitted = createByteCache<Asset>(FITTED_BYTES, FITTED_FILE_BYTES);
  return async (candidate, aspect) => {
    const name = `${aspect ?? ''} ${candidate.mark}`;
    const known = fitted.find(name);
    if (known !== undefined) return known;
    const bytes = await candidate.read();
    if (bytes === undefined) return undefined;
    const asset = assetOf(fitLottie(bytes, aspect), LOTTIE_TYPE);
    fitted.put(name, asset, asset.bytes.byteLength);
    return asset;
  };
}

function deliver(asset: Asset, { which, why }: Candidate, reason: FallbackReason): Delivery {
  const chosen = `${headerText(which)}; ${headerText(why)}`;
  return { ...asset, source: 'default', cost: 0, reason, chosen };
}

/** The result, or undefined with a line in the log when it cannot be had. */
async function attempt<T>(log: Log, find: () => Promise<T>): Promise<T | undefined> {
  try {
    return await find();
  } catch (error) {
    log.error('a default could not be used', { why: error instanceof Error ? error.message : 'unknown' });
    return undefined;
  }
}
