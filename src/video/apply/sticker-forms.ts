// The form that a lock wants of a sticker's file, and what it says of it: worked out from the bytes, so that it is the same on
// every machine.

import { type Form, assetOf, LOTTIE_TYPE, type Asset } from '../../model/asset.js';
import type { LockedAsset } from '../../api/lock.js';
import { requirePlayable } from '../../lottie/check-lottie.js';
import { createStickerReader } from '../../lottie/read-sticker.js';
import { openLog } from '../../platform/log.js';
import type { Telling } from './asker.js';

export type StickerFacts = Pick<
  Extract<LockedAsset, { kind: 'sticker' }>,
  'width' | 'height' | 'frame_rate' | 'frames' | 'verdict'
>;

export interface StickerForms {
  /** These bytes in a form. */
  make(bytes: Uint8Array, form: Form): Promise<Asset>;
  factsOf(asset: Asset): Promise<StickerFacts>;
  close(): void;
}

/** Large files are worked on in a thread with bounded memory, which ends with `close`. */
export function openStickerForms({ note }: Pick<Telling, 'note'>): StickerForms {
  const reader = createStickerReader(openLog(note, { json: false }));
  return {
    make: async (bytes, form) => {
      const asset = assetOf(bytes, LOTTIE_TYPE);
      return form === 'safe' ? reader.safeFormOf(asset) : asset;
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

/** Of a file whose facts do not say. */
function headOf(bytes: Uint8Array): Omit<StickerFacts, 'verdict'> {
  const { w, h, fr, ip, op } = requirePlayable(bytes);
  return { width: w, height: h, frame_rate: fr, frames: op - ip };
}
