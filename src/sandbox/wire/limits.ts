// The numbers of the service's document, sections 2, 4 and 8, as the sandbox reads them. They stand again in
// src/contract, on purpose: when one of the two readings is wrong, the conformance tests see them disagree.

/** Lengths count Unicode code points, an emoji once (our choice: the document says only "characters"). */
export const LIMITS = {
  bodyBytes: 16 * 1024,
  textLength: 2000,
  keywords: 20,
  keywordLength: 64,
  promptLength: 2000,
  results: 50,
  resultsByDefault: 12,
  requestsPerMinute: 120,
  /** Our choice: the document gives no bound for `q`. */
  queryLength: 500,
  /** Our choice: the document gives no bounds for what a production tells. */
  materials: 100,
  durationS: 86_400,
} as const;

/** Credits of one paid call. */
export const PRICES = { sticker: 1, image: 10 } as const;

/** The document shows 1536x1024 and says that there are three; the other two are our choice. */
export const IMAGE_SIZES = ['1024x1024', '1536x1024', '1024x1536'] as const;
export type ImageSize = (typeof IMAGE_SIZES)[number];

/** Width and height in pixels of `<width>x<height>`. */
export function dimensionsOf(size: ImageSize): { width: number; height: number } {
  const [width = 0, height = 0] = size.split('x').map(Number);
  return { width, height };
}
