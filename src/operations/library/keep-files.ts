// What the user keeps besides what was bought: Lottie files of their own as stickers of the library, and files registered as
// defaults, for a preset or for every preset. Checked, named, listed and removed.

import { SvcdError } from '../../model/errors.js';
import { requireHead } from '../../lottie/judge-lottie.js';
import type { Library } from '../../library/library.js';
import type { OwnSticker, OwnStickers } from '../../purchases/sqlite/own-stickers.js';
import { isOwnName, type Sticker } from '../../model/sticker.js';
import type { OwnStickerView, DefaultView } from '../../api/answers.js';
import type { OwnStickerRequest } from '../../api/library.js';
import type { RegisteredDefault, RegisteredDefaults } from '../../defaults/registered-defaults.js';

export interface KeepOwnStickers {
  list(): OwnStickerView[];
  /** Adds a file in place of an earlier one of the preset. Throws `invalid_request` for a preset that is taken or not own/…, and for a file that does not play. */
  add(preset: string, request: OwnStickerRequest): Promise<OwnStickerView & { readonly replaced: boolean }>;
  /** Throws `not_found` when there is none. */
  remove(preset: string): void;
}

type OwnStickerLibrary = Pick<Library, 'findSticker' | 'setOwnStickers'>;

/** Keeps them in owned.db and shows them in the library. */
export function createKeepOwnStickers(own: OwnStickers, library: OwnStickerLibrary): KeepOwnStickers {
  const show = () => library.setOwnStickers(own.list().map(({ sticker }) => sticker));
  return {
    list: () => own.list().map(viewOf),
    add: async (preset, { lottie, ...told }) => {
      const replaced = own.has(preset);
      requireFreeName(preset, replaced, library);
      const bytes = new TextEncoder().encode(lottie);
      const added = await own.add({ preset, ...told, ...(await shapeOf(bytes)) }, bytes);
      show();
      return { ...viewOf(added), replaced };
    },
    remove: (preset) => {
      if (!own.remove(preset)) {
        throw new SvcdError('not_found', `there is no sticker of yours called ${JSON.stringify(preset)}`, {
          hint: '"svcd library list" lists your stickers.',
        });
      }
      show();
    },
  };
}

/** The remote's stickers keep their names: facts and purchases of the two would be confused. */
function requireFreeName(preset: string, isOurs: boolean, library: OwnStickerLibrary): void {
  if (!isOwnName(preset)) {
    throw new SvcdError('invalid_request', `preset: must begin with own/, got ${JSON.stringify(preset)}`);
  }
  if (isOurs || library.findSticker(preset) === undefined) return;
  throw new SvcdError('invalid_request', `the remote has a sticker called ${JSON.stringify(preset)}`, {
    hint: 'Give yours another name with --preset.',
  });
}

/** Throws `invalid_request` unless it is a playable Lottie file. */
async function shapeOf(bytes: Uint8Array): Promise<Pick<Sticker, 'width' | 'height' | 'aspect' | 'fps' | 'duration'>> {
  const { w, h, fr, ip, op } = await requireHead(bytes);
  const duration = Math.round(((op - ip) / fr) * 1000) / 1000;
  return { width: w, height: h, aspect: Math.round((w / h) * 10_000) / 10_000, fps: fr, duration };
}

function viewOf({ sticker, sizeBytes, sha256, addedAt }: OwnSticker): OwnStickerView {
  const { preset, title, keywords, width = 0, height = 0, duration = 0 } = sticker;
  const shape = { width, height, duration };
  return {
    preset,
    title,
    keywords,
    ...shape,
    size_bytes: sizeBytes,
    sha256,
    added_at: new Date(addedAt).toISOString(),
  };
}

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
    list: () => registered.list().map(defaultView),
    add: async (preset, bytes) => {
      const { w, h } = await requireHead(bytes);
      return defaultView(await registered.add(preset, bytes, { width: w, height: h }));
    },
    remove: async (preset) => {
      if (await registered.remove(preset)) return;
      throw new SvcdError('not_found', `no default is registered for ${JSON.stringify(preset)}`, {
        hint: '"svcd library defaults" lists what is registered.',
      });
    },
  };
}

function defaultView({ preset, width, height, sizeBytes, sha256, addedAt }: RegisteredDefault): DefaultView {
  const added = new Date(addedAt).toISOString();
  return { preset, width, height, size_bytes: sizeBytes, sha256, added_at: added };
}
