// A sticker of the user's own, as svcd's own path takes it.

import * as v from 'valibot';
import { SvcdError } from '../model/errors.js';
import { parseWith, text } from '../contract/json-body.js';

const TITLE_MAX = 300;
const KEYWORDS_MAX = 64;
const KEYWORD_MAX = 64;

const filled = (max: number) =>
  v.pipe(
    text(max),
    v.check((value) => value.trim() !== '', 'must not be blank'),
  );

const wishSchema = v.strictObject({
  title: filled(TITLE_MAX),
  keywords: v.optional(
    v.pipe(v.array(filled(KEYWORD_MAX)), v.maxLength(KEYWORDS_MAX, `at most ${KEYWORDS_MAX} are allowed`)),
    [],
  ),
  color: v.optional(v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/i, 'must be like #ff8800'))),
  lottie: v.string(),
});

/** What is told of a sticker, and its file as text. */
export interface OwnStickerRequest {
  readonly title: string;
  readonly keywords: readonly string[];
  /** `#rrggbb`. */
  readonly color?: string;
  readonly lottie: string;
}

/** Reads a body of the path. Throws `invalid_request`. */
export function parseOwnSticker(bytes: Uint8Array): OwnStickerRequest {
  const { color, title, ...wish } = parseWith(wishSchema, parse(bytes));
  return { ...wish, title: title.trim(), ...(color !== undefined && { color: color.toLowerCase() }) };
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new SvcdError('invalid_request', 'body: is not JSON', { cause });
  }
}
