// The facts of a sticker's file that is here: the user's own, owned, or shipped. Nothing is bought to know them.

import type { FactsAnswer } from '../../api/library.js';
import { assetOf, LOTTIE_TYPE, type Asset, type Form, type Verdict } from '../../model/asset.js';
import { SvcdError } from '../../model/errors.js';
import { itemOf } from '../../purchases/item.js';
import type { Rooms } from '../rooms.js';

export type ShowFacts = ReturnType<typeof createShowFacts>;

export function createShowFacts({ own, owned, defaults, reader }: Rooms) {
  const find = async (preset: string): Promise<Asset | undefined> => {
    if (own.has(preset)) return own.read(preset);
    const packed = defaults.findSticker(preset);
    return (await owned.find(itemOf(preset))) ?? (packed && assetOf(await defaults.readSticker(packed), LOTTIE_TYPE));
  };
  const require = async (preset: string): Promise<Asset> => {
    const asset = await find(preset);
    if (asset !== undefined) return asset;
    throw new SvcdError(
      'not_owned',
      `${JSON.stringify(preset)} is not owned, and svcd can only look into files that it has`,
      { hint: `"svcd get ${/^[\w./~@+-]+$/.test(preset) ? preset : 'PRESET'}" buys it.` },
    );
  };
  return {
    /** The file of a preset that is here. */
    find,
    /** Throws `not_owned` for what is not here. */
    require,
    /** Throws like `require`. */
    showFacts: async (preset: string, form: Form): Promise<FactsAnswer> => {
      const asset = await require(preset);
      const told = form === 'safe' ? await reader.safeFormOf(asset) : asset;
      return { preset, sha256: told.sha256, ...(await reader.factsOf(told)) };
    },
    /** Of the file as it was bought; undefined for what is not here. */
    verdictOf: async (preset: string): Promise<Verdict | undefined> => {
      const asset = await find(preset);
      return asset && (await reader.factsOf(asset)).verdict;
    },
  };
}
