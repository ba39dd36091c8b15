// Keeping the user's own defaults: registering a file for a preset or for every preset, listing, removing.

import { SvcdError } from '../../model/errors.js';
import type { DefaultView } from '../../api/answers.js';
import { requirePlayable } from '../../lottie/check-lottie.js';
import type { RegisteredDefault, RegisteredDefaults } from '../../defaults/registered-defaults.js';

export interface KeepDefaults {
  list(): DefaultView[];
  /** Registers a file in place of an earlier one. Throws `invalid_request` unless it is a playable Lottie file. */
  add(preset: string, bytes: Uint8Array): Promise<DefaultView>;
  /** Throws `not_found` when there is none. */
  remove(preset: string): Promise<void>;
}

/** Keeps the defaults in a store. */
export function createKeepDefaults(registered: RegisteredDefaults): KeepDefaults {
  return {
    list: () => registered.list().map(viewOf),
    add: async (preset, bytes) => {
      const { w, h } = requirePlayable(bytes);
      return viewOf(await registered.add(preset, bytes, { width: w, height: h }));
    },
    remove: async (preset) => {
      if (await registered.remove(preset)) return;
      throw new SvcdError('not_found', `no default is registered for ${JSON.stringify(preset)}`, {
        hint: '"svcd defaults" lists what is registered.',
      });
    },
  };
}

function viewOf({ preset, width, height, sizeBytes, sha256, addedAt }: RegisteredDefault): DefaultView {
  const added = new Date(addedAt).toISOString();
  return { preset, width, height, size_bytes: sizeBytes, sha256, added_at: added };
}
