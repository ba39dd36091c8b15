// Buying many things in one request: what is asked for, and the events that are told while it goes on, one a line.

import * as v from 'valibot';
import { imageRequestSchema } from '../contract/requests.js';
import { FALLBACK_REASONS } from '../model/asset.js';
import { credits } from './money.js';
import { presetText } from './slot.js';

export const PREFETCH_MAX = 200;
/** As much as the copy has from which it was planned. */
export const PREFETCH_MAX_BYTES = 64 * 1024;

/** POST /svcd/prefetch. A place is the number of a thing in `presets` and then `images`, from 0. */
export const prefetchRequestSchema = v.pipe(
  v.strictObject({
    presets: v.optional(v.array(presetText), []),
    images: v.optional(v.array(imageRequestSchema), []),
    /** All of it may cost this much at most, or nothing is bought. */
    max_credits: credits,
    /** What a sticker costs, as its buyer was shown it; at another price nothing is bought (`price_changed`). */
    price: v.exactOptional(credits),
    /** Whether a default is an end like others; else what cannot be had is `failed`. */
    fallback: v.optional(v.boolean(), true),
  }),
  v.check(
    ({ presets, images }) => presets.length + images.length >= 1 && presets.length + images.length <= PREFETCH_MAX,
    (issue) =>
      `presets and images have ${issue.input.presets.length + issue.input.images.length} entries, 1 to ${PREFETCH_MAX} are allowed`,
  ),
);
export type PrefetchRequest = v.InferOutput<typeof prefetchRequestSchema>;

const refusal = { code: v.string(), message: v.string(), hint: v.exactOptional(v.string()) };

/** One line of the answer. */
export const prefetchEventSchema = v.variant('event', [
  /**
   * `have` need not be bought, as it is here or others are buying it; `buy` will be, for the `cost` credits reserved. The
   * rest is in doubt, or out of reach. What others do not get after all is bought too, within `max_credits`.
   */
  v.object({ event: v.literal('begun'), of: v.number(), have: v.number(), buy: v.number(), cost: v.number() }),
  v.object({
    event: v.literal('asset'),
    place: v.number(),
    preset: v.exactOptional(v.string()),
    image: v.exactOptional(v.literal(true)),
    /** `bought` for 0 credits: another request was buying it. */
    source: v.picklist(['bought', 'owned', 'own', 'shipped', 'default']),
    reason: v.exactOptional(v.picklist(FALLBACK_REASONS)),
    cost: v.union([v.number(), v.literal('unknown')]),
    /** Of the bytes: of an image those of its picture. */
    sha256: v.string(),
    bytes: v.number(),
    done: v.number(),
    of: v.number(),
  }),
  /** It cannot be had, and no default was asked for or there is none. */
  v.object({
    event: v.literal('failed'),
    place: v.number(),
    preset: v.exactOptional(v.string()),
    image: v.exactOptional(v.literal(true)),
    cost: v.union([v.number(), v.literal('unknown')]),
    done: v.number(),
    of: v.number(),
    ...refusal,
  }),
  /**
   * `pace`, the code of the remote's refusal for now, or `answer` while the remote is at work; `seconds` until it goes on,
   * 0 where that is not known.
   */
  v.object({ event: v.literal('waiting'), why: v.string(), seconds: v.number() }),
  v.object({
    event: v.literal('ended'),
    cost: v.number(),
    /** Places whose cost is not known. */
    uncertain: v.array(v.number()),
    defaults: v.number(),
    failed: v.array(v.number()),
  }),
  /** It ended before its time: svcd stops. */
  v.object({ event: v.literal('error'), ...refusal }),
]);
export type PrefetchEvent = v.InferOutput<typeof prefetchEventSchema>;
