// A tile: one sticker as the page shows it. What may be looked at without paying, whether it is owned or being bought, and
// why it was found.

import * as v from 'valibot';
import { parameter, searchWords, wholeNumber } from '../contract/read-query.js';
import { otherTitles, styleKind } from '../contract/candidate.js';
import { fit } from '../contract/fit.js';
import { matchKeywords } from '../contract/requests.js';
import { MATCH_TEXT_MAX } from '../contract/limits.js';
import { text, wholeBetween } from '../contract/json-body.js';
import { filtered, readFilters, type FindRequest } from './find.js';
import { styleName } from './plan.js';
import { collectionName } from './collections.js';
import type { Told } from './operation.js';
import { TILE_ORDERS, type TileOrder } from './page-terms.js';

const TILES_MAX = 200;
/** Beyond any library. */
const OFFSET_MAX = 10_000_000;
/** Of one sentence. */
const SENTENCE_TILES_MAX = 24;

export interface TilesRequest extends FindRequest {
  readonly sort: TileOrder;
  /** Only those of one of the user's collections, in its own order where `sort` is `best` and there are no words. */
  readonly collection: string | undefined;
}

/** GET /svcd/tiles: the parameters of /svcd/search, of which none is needed, and pages that reach to the end. */
export const tilesQuerySchema = v.pipe(
  filtered({
    q: v.optional(searchWords),
    limit: v.optional(wholeNumber(1, TILES_MAX), '100'),
    offset: v.optional(wholeNumber(0, OFFSET_MAX), '0'),
    sort: v.optional(
      parameter((word) => TILE_ORDERS.find((one) => one === word), `one of ${TILE_ORDERS.join(', ')}`, {
        type: 'string',
        enum: TILE_ORDERS,
      }),
      'best',
    ),
    collection: v.optional(collectionName),
  }),
  v.transform(({ q, limit, offset, sort, collection, ...rest }): TilesRequest => ({
    q,
    limit,
    offset,
    sort,
    collection,
    ...readFilters(rest),
  })),
);

/** Where something stands in a text, in UTF-16 units: from, and without the end. */
const place = v.pipe(v.array(v.number()), v.length(2), v.readonly());

/** Why it was found: `word` of the sticker answers `asked`; `at` is its place in the title. */
const reason = v.object({
  word: v.string(),
  asked: v.string(),
  field: v.picklist(['title', 'keywords']),
  source: v.picklist(['direct', 'synonym']),
  at: v.exactOptional(place),
});

const tileSchema = v.object({
  preset: v.string(),
  title: v.string(),
  ...otherTitles,
  keywords: v.pipe(v.array(v.string()), v.readonly()),
  /** Width divided by height; seconds; `#rrggbb`. */
  aspect: v.nullable(v.number()),
  duration: v.nullable(v.number()),
  color: v.nullable(v.string()),
  style_kind: styleKind,
  /** Credits; 0 for what is owned, the user's own or shipped. */
  price: v.number(),
  /**
   * Whose file /svcd/pictures/{preset} shows; null for none. That of `sandbox` is not owned: the sandbox's art lies on this
   * disk.
   */
  picture: v.nullable(v.picklist(['owned', 'own', 'shipped', 'sandbox'])),
  purchase: v.nullable(v.picklist(['under_way', 'unknown', 'damaged', 'gone'])),
  /** The free drawing to show in place of a picture, and the title it was drawn for; null where none fits. */
  sketch: v.nullable(v.object({ id: v.string(), of: v.string() })),
  /** How many others show the same thing in another style. */
  variants: v.number(),
  /** The user's collections that hold it; empty without a session. */
  collections: v.array(v.string()),
  because: v.array(reason),
  /** How well it answers, from 0 to 1; absent where nothing was asked. */
  fit,
});
export type Tile = Told<typeof tileSchema>;
export type TileReason = Tile['because'][number];

/** From which place of the list on tiles are only loosely related; null where all of these fit. */
const relatedFromSchema = v.nullable(v.number());

/** GET /svcd/tiles */
export const tilesSchema = v.object({
  query: v.nullable(v.string()),
  total: v.number(),
  offset: v.number(),
  /** Changes whenever the list could change. */
  revision: v.string(),
  dropped: v.array(v.string()),
  suggestions: v.array(v.string()),
  /** That many stickers of the library have, whatever is listed here. */
  styles: v.array(v.string()),
  related_from: relatedFromSchema,
  tiles: v.array(tileSchema),
});
export type Tiles = Told<typeof tilesSchema>;

/** POST /svcd/tiles/match; nothing of it is kept. */
export const tileMatchRequestSchema = v.strictObject({
  text: v.optional(text(MATCH_TEXT_MAX), ''),
  keywords: v.optional(matchKeywords, []),
  /** The best of the whole copy, or of each of its sentences. */
  by: v.optional(v.picklist(['copy', 'sentence']), 'sentence'),
  /** Of `best`: one style for all sentences as in a plan, `auto`, or `any` for no one style. */
  style: v.optional(styleName, 'any'),
  /** Of a copy's sentences, in their order: what is searched in place of their own words. */
  lines: v.optional(
    v.pipe(
      v.array(v.strictObject({ text: text(MATCH_TEXT_MAX), q: v.exactOptional(text(MATCH_TEXT_MAX)) })),
      v.maxLength(MATCH_TEXT_MAX),
    ),
    [],
  ),
  /** Those of `/svcd/tiles`, as in an address. */
  filters: v.optional(v.pipe(filtered({}), v.transform(readFilters)), {}),
  limit: v.optional(wholeBetween(1, SENTENCE_TILES_MAX, `a whole number from 1 to ${SENTENCE_TILES_MAX}`), 6),
});
export type TileMatchRequest = v.InferOutput<typeof tileMatchRequestSchema>;

export const tileMatchSchema = v.object({
  /** The one that `best` is of; null for no one style. */
  style: v.nullable(v.string()),
  sentences: v.array(
    v.object({
      at: place,
      /** What was searched in place of its own words. */
      q: v.exactOptional(v.string()),
      words: v.array(v.object({ word: v.string(), at: v.exactOptional(place) })),
      total: v.number(),
      related_from: relatedFromSchema,
      tiles: v.array(tileSchema),
      /** What it gets where all sentences are served together, as slots of a plan are; null where nothing is found. */
      best: v.nullable(tileSchema),
    }),
  ),
});
export type TileMatch = Told<typeof tileMatchSchema>;

/** GET /svcd/tiles/{preset} */
export const tileDetailsSchema = v.object({
  ...tileSchema.entries,
  licence: v.string(),
  attribution: v.nullable(v.string()),
  /** Of the file, where it may be looked at. */
  file: v.nullable(v.object({ bytes: v.number(), sha256: v.string(), fps: v.nullable(v.number()) })),
  /** The same thing in other styles, then what shares words. */
  same: v.array(tileSchema),
  related: v.array(tileSchema),
});
export type TileDetails = Told<typeof tileDetailsSchema>;
