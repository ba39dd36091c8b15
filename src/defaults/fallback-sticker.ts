// The default that stands in for a sticker: registered by the user, else an owned one that is near, else one of the
// shipped pack; always in the wanted shape. No failure here stops a render as long as one of them can be read.

import { assetOf, LOTTIE_TYPE, type Asset, type Delivery, type FallbackReason } from '../model/asset.js';
import { SvcdError } from '../model/errors.js';
import { aspectOf, type Sticker } from '../model/sticker.js';
import { fitLottie } from '../lottie/fit-lottie.js';
import { createByteCache } from '../platform/byte-cache.js';
import type { Log } from '../platform/log.js';
import { createChooseDefault, explainShared, type ChooseDefault } from './choose-default.js';
import type { DefaultPack } from './default-pack.js';
import { createNearestOwned, type KnownStickers, type OwnedList } from './nearest-owned.js';
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
  readonly read: () => Promise<Uint8Array | undefined>;
}

const FITTED_BYTES = 8 * 1024 * 1024;
const FITTED_FILE_BYTES = 1024 * 1024;

/** Chooses among these parts and remembers the files it fitted last. */
export function createFallbackSticker(parts: FallbackStickerParts): FallbackSticker {
  const { library, registered, owned, defaults, log } = parts;
  const findNearestOwned = createNearestOwned(owned, library);
  const fitted = createByteCache<Asset>(FITTED_BYTES, FITTED_FILE_BYTES);
  let choose: ChooseDefault | undefined;

  function findRegistered(preset: string): Candidate | undefined {
    const found = registered.find(preset);
    if (found === undefined) return undefined;
    const which = found.preset;
    const why = which === EVERY_PRESET ? 'registered for every preset' : 'registered for this preset';
    return { which, why, mark: found.sha256, read: () => registered.read(found) };
  }

  function findOwned(_preset: string, wanted: Sticker | undefined): Candidate | undefined {
    const near = wanted && findNearestOwned(wanted);
    if (near === undefined) return undefined;
    const which = near.sticker.preset;
    const why = `owned, ${explainShared(near.shared)}`;
    return { which, why, mark: `owned ${which}`, read: () => owned.read(which) };
  }

  function findShipped(preset: string, wanted: Sticker | undefined): Candidate {
    // The pack is read when a default is first needed, not at the start.
    choose ??= createChooseDefault(defaults.stickers());
    const { sticker, why } = choose(preset, wanted);
    const which = sticker.preset;
    const read = () => defaults.readSticker(sticker);
    return { which, why: `shipped, ${why}`, mark: `shipped ${which}`, read };
  }

  /** The file of a candidate in the wanted shape; undefined when it is damaged. */
  async function fit({ mark, read }: Candidate, aspect: number | undefined): Promise<Asset | undefined> {
    const name = `${aspect ?? ''} ${mark}`;
    const known = fitted.find(name);
    if (known !== undefined) return known;
    const bytes = await read();
    if (bytes === undefined) return undefined;
    const asset = assetOf(fitLottie(bytes, aspect), LOTTIE_TYPE);
    fitted.put(name, asset, asset.bytes.byteLength);
    return asset;
  }

  /** The result, or undefined with a line in the log when it cannot be had. */
  async function attempt<T>(find: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await find();
    } catch (error) {
      log.error('a default could not be used', { why: error instanceof Error ? error.message : 'unknown' });
      return undefined;
    }
  }

  return async (preset, reason) => {
    const wanted = await attempt(() => library.findSticker(preset));
    const aspect = wanted && aspectOf(wanted);
    for (const find of [findRegistered, findOwned, findShipped]) {
      const delivery = await attempt(async (): Promise<Delivery | undefined> => {
        const candidate = find(preset, wanted);
        const asset = candidate && (await fit(candidate, aspect));
        if (candidate === undefined || asset === undefined) return undefined;
        const chosen = `${headerText(candidate.which)}; ${headerText(candidate.why)}`;
        return { ...asset, source: 'default', cost: 0, reason, chosen };
      });
      if (delivery !== undefined) return delivery;
    }
    throw new SvcdError('internal', 'no default can be read');
  };
}

/** Text of any script for a header, in plain ASCII: everything else, `%`, `;` and control characters are percent-encoded. */
function headerText(text: string): string {
  // Half a surrogate pair cannot be encoded.
  return text.replace(/\p{Cs}/gu, '\uFFFD').replace(/[^\x20-\x7e]|[%;]/gu, encodeURIComponent);
}
