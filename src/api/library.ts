// What is told of a sticker's file (`GET /svcd/facts/{preset}`, and in plans, locks and reports), a sticker of the user's own,
// as `PUT /svcd/library/stickers/{preset}` takes it, pictures of stickers, and how full the library is (`GET /svcd/library`).

import * as v from 'valibot';
import { parameter, wholeNumber } from '../contract/read-query.js';
import { FACTS_VERSION, FORMS, VERDICTS } from '../model/asset.js';
import { readWish, WISHES } from '../model/color-wish.js';
import type { Told } from './operation.js';
import { text } from '../contract/json-body.js';
import { presetText } from './slot.js';

/** `as-bought` or `safe`; what the settings say where it is left out. */
const formQuerySchema = v.object({
  form: v.optional(parameter((typed) => FORMS.find((form) => form === typed), FORMS.join(' or '), { enum: FORMS })),
});

/** In other colors; of what `GET /svcd/pictures/{preset}` shows, and of what is bought. */
export const pictureQuerySchema = v.strictObject({
  color: v.optional(parameter(readWish, WISHES, { type: 'string' })),
});
export const downloadQuerySchema = v.object({ ...formQuerySchema.entries, ...pictureQuerySchema.entries });

export const factsQuerySchema = v.strictObject(formQuerySchema.entries);

export const factsSchema = v.object({
  preset: v.string(),
  sha256: v.string(),
  facts: v.literal(FACTS_VERSION),
  bytes: v.number(),
  width: v.number(),
  height: v.number(),
  frame_rate: v.number(),
  first_frame: v.number(),
  frames: v.number(),
  duration_s: v.number(),
  layers: v.number(),
  keyframes: v.number(),
  markers: v.array(v.object({ name: v.string(), frame: v.number(), frames: v.number() })),
  images: v.object({ embedded: v.number(), remote: v.number(), bytes: v.number() }),
  fonts: v.array(v.string()),
  /** Features of the format that it uses. */
  uses: v.array(v.string()),
  verdict: v.picklist(VERDICTS),
  /** Each problem once for each code, with the place of the first; by player what it does. */
  problems: v.array(
    v.object({
      code: v.string(),
      at: v.string(),
      count: v.number(),
      players: v.record(v.string(), v.string()),
    }),
  ),
});
export type FactsAnswer = Told<typeof factsSchema>;

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

const stateSchema = v.picklist([
  // Nothing runs, and nothing is left to do for now.
  'complete',
  'filling',
  // Looking again at what was seen longest ago.
  'refreshing',
  // Something is in the way that passes by itself.
  'waiting',
  // The user wants it so.
  'paused',
  'off',
  // A person has to mend something first.
  'stopped',
]);

/** The answer of GET /svcd/library, and part of each event of a sync. */
export const libraryStatusSchema = v.object({
  state: stateSchema,
  why: v.nullable(v.string()),
  complete: v.boolean(),
  /** Stickers the remote listed so far. */
  known: v.number(),
  /** Stickers of the remote in all; between low and high in about 19 of 20 cases. Null while that cannot be said. */
  estimate: v.nullable(v.object({ total: v.number(), low: v.number(), high: v.number() })),
  /** Known of all, 0 to 1. */
  coverage: v.nullable(v.number()),
  requests: v.object({ sent: v.number(), answered: v.number() }),
  last_sync_at: v.nullable(v.string()),
  /** The hub whose library this is a copy of, and when it was last taken; null where the service is asked. */
  hub: v.nullable(v.object({ address: v.string(), taken_at: v.nullable(v.string()) })),
  background: v.boolean(),
  allowed_per_minute: v.number(),
  seconds_left: v.nullable(v.number()),
});

/** What filling the library is doing. */
export type LibraryState = v.InferOutput<typeof stateSchema>;
export type LibraryStatus = Told<typeof libraryStatusSchema>;

/** Pixels of a picture. */
export const STILL_SIZE = { min: 16, max: 1024 } as const;
export const SHEET_PRESETS_MAX = 24;
export const TILE_SIZES = [96, 128, 192] as const;

const oneOf = <const T extends readonly number[]>(numbers: T) =>
  parameter((word) => numbers.find((one): one is T[number] => String(one) === word), `one of ${numbers.join(', ')}`, {
    type: 'integer',
    enum: numbers,
  });
const share = parameter(
  (word) => (/^(?:0(?:\.\d+)?|1(?:\.0+)?)$/.test(word) ? Number(word) : undefined),
  'a number from 0 to 1',
  {
    type: 'number',
    minimum: 0,
    maximum: 1,
  },
);

/** GET /svcd/renders/{preset} */
export const renderQuerySchema = v.strictObject({
  /** Width and height in pixels. */
  size: v.optional(wholeNumber(STILL_SIZE.min, STILL_SIZE.max), '256'),
  /** Which frame: 0 is the first, 1 the last. */
  at: v.optional(share, '0.5'),
});
export type RenderQuery = v.InferOutput<typeof renderQuerySchema>;

/** GET /svcd/sheet.png */
export const sheetQuerySchema = v.strictObject({
  preset: v.pipe(
    v.array(presetText),
    v.check(
      (all) => all.length >= 1 && all.length <= SHEET_PRESETS_MAX,
      (issue) => `must be given 1 to ${SHEET_PRESETS_MAX} times, got ${issue.input.length}`,
    ),
  ),
  frames: v.optional(oneOf([1, 4]), '1'),
  tile: v.optional(oneOf(TILE_SIZES), '128'),
});
export type SheetQuery = v.InferOutput<typeof sheetQuerySchema>;
