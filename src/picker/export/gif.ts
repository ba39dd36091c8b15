// Writes GIF. It has 256 colors a frame and one bit of alpha: a pixel is there or not.

import { applyPalette, GIFEncoder, quantize } from 'gifenc';
import type { Collector } from './messages.js';

/** One color is kept for what is not there. */
const MOST_COLORS = 255;
const HALF = 128;
/** To the background before the next frame is drawn: what is not there shows nothing of the frame before. */
const TO_BACKGROUND = 2;

export function createGif(width: number, height: number): Collector {
  const gif = GIFEncoder();
  return {
    get bytes() {
      return gif.bytesView().length;
    },
    add: (pixels, delayMs) => {
      const isThere = (index: number) => (pixels[index * 4 + 3] ?? 0) >= HALF;
      const count = width * height;
      const seen = new Uint8ClampedArray(pixels.length);
      let end = 0;
      for (let i = 0; i < count; i += 1) {
        if (!isThere(i)) continue;
        seen.set(pixels.subarray(i * 4, i * 4 + 3), end);
        seen[end + 3] = 255;
        end += 4;
      }
      const palette = end === 0 ? [] : quantize(seen.slice(0, end), MOST_COLORS, { format: 'rgb565' });
      const nothing = palette.length;
      const indices =
        palette.length === 0 ? new Uint8Array(count).fill(nothing) : applyPalette(pixels, palette, 'rgb565');
      for (let i = 0; i < count; i += 1) if (!isThere(i)) indices[i] = nothing;
      gif.writeFrame(indices, width, height, {
        palette: [...palette, [0, 0, 0]],
        delay: delayMs,
        dispose: TO_BACKGROUND,
        transparent: true,
        transparentIndex: nothing,
      });
    },
    finish: () => {
      gif.finish();
      return [gif.bytesView()];
    },
  };
}
