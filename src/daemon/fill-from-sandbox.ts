// Puts all that the sandbox sells into a library: when svcd starts with it, and when the build prepares such a library.

import type { Library } from '../library/library.js';
import type { Sticker } from '../model/sticker.js';

/** Of its stickers and of what is bought there. */
export const SANDBOX_SCOPE = 'sandbox';

/** What the sandbox sells. */
export interface SandboxStickers {
  /** Changes when the stickers do. */
  readonly stamp: string;
  stickers(this: void): Iterable<Sticker>;
}

/** Does nothing to a library that has these stickers already; else calls `begun` before it takes its time. */
export function fillFromSandbox(library: Library, { stamp, stickers }: SandboxStickers, begun?: () => void): void {
  const source = `sandbox catalogue ${stamp} with credits and titles`;
  if (!library.hasImported(source)) {
    begun?.();
    library.importStickers(stickers(), source);
  }
  // All that this remote has is here.
  library.setComplete(true);
}
