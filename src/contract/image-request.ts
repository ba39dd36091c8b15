// POST /api/v1/images: its body (asset API, section 2, "Image request").

import * as v from 'valibot';
import { parseWith, text } from './json-body.js';
import { IMAGE_SIZES, PROMPT_MAX, type ImageSize } from './limits.js';

/** The body as it is checked. */
export const imageRequestSchema = v.strictObject({
  prompt: v.pipe(
    text(PROMPT_MAX),
    v.check((value) => value.trim() !== '', 'is empty'),
  ),
  size: v.picklist(IMAGE_SIZES),
});

export interface ImageRequest {
  prompt: string;
  size: ImageSize;
}

/** Validates an image request. Throws `invalid_request`. */
export function parseImageRequest(body: Record<string, unknown>): ImageRequest {
  return parseWith(imageRequestSchema, body);
}

/** Width and height in pixels of `<width>x<height>`. */
export function dimensionsOf(size: ImageSize): { width: number; height: number } {
  const [width = 0, height = 0] = size.split('x').map(Number);
  return { width, height };
}
