// The report: what every asset that was asked for came to, for one run or for all requests that belong to no run.

import * as v from 'valibot';
import { SOURCES, VERDICTS } from '../model/asset.js';
import type { Told } from './operation.js';

/** Version of the shape; a field that is added does not change it. */
export const REPORT_VERSION = 1;

/**
 * What an asset came to, the worst first: `default` when a default was served for it even once, `failed` when the last
 * answer was an error, `bought` when this run paid for it, else `owned` or `shipped`.
 */
const OUTCOMES = ['default', 'failed', 'bought', 'owned', 'shipped'] as const;
export type Outcome = (typeof OUTCOMES)[number];

const asset = v.object({
  kind: v.picklist(['sticker', 'image']),
  /** Of a sticker. */
  preset: v.exactOptional(v.string()),
  /** Of an image: a digest of its prompt and size, as in `svcd purchases`. */
  image: v.exactOptional(v.string()),
  title: v.exactOptional(v.string()),
  outcome: v.picklist(OUTCOMES),
  /** Of the last answer that brought bytes; null when there was none. */
  source: v.nullable(v.picklist(SOURCES)),
  /** Why a default was served, the last time one was; null when none was. */
  reason: v.nullable(v.string()),
  /** Which default, and why that one. */
  default: v.nullable(v.string()),
  /** Code of the last error that a client got in place of the asset; null when it got none. */
  error: v.nullable(v.string()),
  /** Credits that this run spent on it; null while a call is under way, or it is not known whether it was charged. */
  cost: v.nullable(v.number()),
  /**
   * Of the bytes of the last answer that brought some. Of an image: of the picture that the last answer with an owned one
   * points at; null when there was none.
   */
  sha256: v.nullable(v.string()),
  /** The longest that one request for it took, in milliseconds. */
  ms: v.number(),
  asked: v.number(),
  /** How many of these requests got a default, and how many an error. */
  fallbacks: v.number(),
  failures: v.number(),
  licence: v.exactOptional(v.string()),
  attribution: v.exactOptional(v.string()),
  warnings: v.exactOptional(v.array(v.string())),
  /** Of the bytes of the last answer that brought some, where it is known. */
  verdict: v.exactOptional(v.picklist(VERDICTS)),
});

export const reportSchema = v.object({
  report: v.literal(REPORT_VERSION),
  /** Null for the requests that belong to no run. */
  run: v.nullable(v.string()),
  /** ISO 8601. */
  started_at: v.string(),
  summary: v.object({
    assets: v.number(),
    owned: v.number(),
    shipped: v.number(),
    bought: v.number(),
    fallbacks: v.number(),
    failed: v.number(),
    /** Credits known to be spent. */
    credits: v.number(),
    /** Assets whose cost is not known: their `cost` is null. */
    uncertain: v.number(),
    asked: v.number(),
    /** Requests for assets beyond the number that a report lists. */
    omitted: v.number(),
    /** Searches and matches that listed only svcd's own stickers because the remote was not heard; absent for none. */
    unheard: v.exactOptional(v.number()),
  }),
  /** Purchases of the run of which it is not known whether they were charged, by the journal; absent for none. */
  in_doubt: v.exactOptional(v.array(v.number())),
  /** Sorted by kind, then by preset or digest. */
  assets: v.array(asset),
});
export type Report = Told<typeof reportSchema>;
export type ReportAsset = Report['assets'][number];
