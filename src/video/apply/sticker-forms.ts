// The form that a lock wants of a sticker's file, and what it says of it: worked out from the bytes, so that it is the same on
// every machine.

import { type Form, assetOf, LOTTIE_TYPE, type Asset } from '../../model/asset.js';
import type { LockedAsset } from '../../api/lock.js';
import { requirePlayable } from '../../lottie/check-lottie.js';
import { colorsOf, type Coloring } from '../../lottie/recolor.js';
import { createStickerReader } from '../../lottie/read-sticker.js';
import { readWish } from '../../model/color-wish.js';
import { openLog } from '../../platform/log.js';
import type { Telling } from './asker.js';

type LockedSticker = Extract<LockedAsset, { kind: 'sticker' }>;
/** Colors that may have been the main one. */
const MAINS_MAX = 64;

export type StickerFacts = Pick<LockedSticker, 'width' | 'height' | 'frame_rate' | 'frames' | 'verdict'>;

export interface StickerForms {
  /** These bytes in a form, and in other colors. */
  make(bytes: Uint8Array, form: Form, coloring?: Coloring): Promise<Asset>;
  factsOf(asset: Asset): Promise<StickerFacts>;
  close(): void;
}

/** Large files are worked on in a thread with bounded memory, which ends with `close`. */
export function openStickerForms({ note }: Pick<Telling, 'note'>): StickerForms {
  const reader = createStickerReader(openLog(note, { json: false }));
  return {
    make: async (bytes, form, coloring) => {
      const asset = assetOf(bytes, LOTTIE_TYPE);
      const made = form === 'safe' ? await reader.safeFormOf(asset) : asset;
      return coloring === undefined ? made : reader.coloredOf(made, coloring);
    },
    factsOf: async (asset) => {
      const { verdict, ...facts } = await reader.factsOf(asset);
      const { width, height, frame_rate, frames } = facts;
      const isWhole = [width, height, frame_rate, frames].every((one) => one > 0);
      return { verdict, ...(isWhole ? { width, height, frame_rate, frames } : headOf(asset.bytes)) };
    },
    close: () => reader.close(),
  };
}

/** What was bought in the form and colors of a lock; undefined where that gives other bytes. */
export async function asLocked(bought: Uint8Array, asset: LockedAsset, telling: Telling) {
  const { preset = '', form = 'as-bought', color, sha256 } = asset as Partial<LockedSticker>;
  const forms = openStickerForms(telling);
  try {
    const plain = await forms.make(bought, form);
    const wish = readWish(color ?? '');
    if (wish === undefined) return plain.sha256 === sha256 ? plain.bytes : undefined;
    // Which one was the main color is known to the library that was asked then: it is the one that gives these bytes.
    const mains = colorsOf(requirePlayable(plain.bytes)).slice(0, wish.how === 'pairs' ? 1 : MAINS_MAX);
    for (const main of mains) {
      const made = await forms.make(plain.bytes, 'as-bought', { wish, preset, color: main.color });
      if (made.sha256 === sha256) return made.bytes;
    }
    return undefined;
  } finally {
    forms.close();
  }
}

/** Of a file whose facts do not say. */
function headOf(bytes: Uint8Array): Omit<StickerFacts, 'verdict'> {
  const { w, h, fr, ip, op } = requirePlayable(bytes);
  return { width: w, height: h, frame_rate: fr, frames: op - ip };
}
