// A sticker of the user's own, as PUT /svcd/library/stickers/{preset} takes it.

import * as v from 'valibot';
import { text } from '../contract/json-body.js';

const TITLE_MAX = 300;
const KEYWORDS_MAX = 64;
const KEYWORD_MAX = 64;
const CREDIT_MAX = 500;

const filled = (max: number) =>
  v.pipe(
    text(max),
    v.check((value) => value.trim() !== '', 'must not be blank'),
  );

/** What is told of a sticker, and its file as text. */
export const ownStickerSchema = v.strictObject({
  keywords: v.optional(
    v.pipe(v.array(filled(KEYWORD_MAX)), v.maxLength(KEYWORDS_MAX, `at most ${KEYWORDS_MAX} are allowed`)),
    [],
  ),
  title: v.pipe(filled(TITLE_MAX), v.trim()),
  color: v.exactOptional(v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/i, 'must be like #ff8800'), v.toLowerCase())),
  licence: v.exactOptional(v.pipe(filled(CREDIT_MAX), v.trim())),
  attribution: v.exactOptional(v.pipe(filled(CREDIT_MAX), v.trim())),
  lottie: v.string(),
});

export type OwnStickerRequest = v.InferOutput<typeof ownStickerSchema>;
