// POST /api/v1/images: its body (asset API, section 2, "Image request").

import * as v from 'valibot';
import { describe, parseWith, text } from './json-body.js';
import { IMAGE_SIZES, PROMPT_MAX, type ImageSize } from './limits.js';

/** The body as it is checked. */
export const imageRequestSchema = v.strictObject({
  prompt: v.pipe(
    text(PROMPT_MAX),
    v.check((value) => value.trim() !== '', 'is empty'),
  ),
  size: v.pipe(
    v.string(),
    v.picklist(
      IMAGE_SIZES,
      (issue) => `must be one of ${IMAGE_SIZES.join(', ')}, got ${describe(issue.input)}`,
    ),
  ),
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
