// What a lock says of the bytes of a file.

import type { Form, Verdict } from '../api/facts.js';
import { requirePlayable } from '../lottie/check-lottie.js';

export interface StickerFacts {
  readonly width: number;
  readonly height: number;
  readonly frame_rate: number;
  readonly frames: number;
  readonly verdict: Verdict;
}

/** The bytes in a form, and what is known of them. */
export async function formSticker(bytes: Uint8Array, form: Form): Promise<{ bytes: Uint8Array; facts: StickerFacts }> {
  const { w, h, fr, ip, op } = requirePlayable(bytes);
  void form;
  return { bytes, facts: { width: w, height: h, frame_rate: fr, frames: op - ip, verdict: 'clean' } };
}
