// POST /api/v1/images: its body (asset API, section 2, "Image request").

import * as v from 'valibot';
import { text } from './json-body.js';
import { IMAGE_SIZES, PROMPT_MAX, type ImageSize } from './limits.js';

export const imageRequestSchema = v.strictObject({
  prompt: v.pipe(
    text(PROMPT_MAX),
    v.check((value) => value.trim() !== '', 'is empty'),
  ),
  size: v.picklist(IMAGE_SIZES),
});

export type ImageRequest = v.InferOutput<typeof imageRequestSchema>;

/** Width and height in pixels of `<width>x<height>`. */
export function dimensionsOf(size: ImageSize): { width: number; height: number } {
  const [width = 0, height = 0] = size.split('x').map(Number);
  return { width, height };
}
