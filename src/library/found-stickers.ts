// What the library is asked for, and what it gives: stickers with what the question needs to know of them.

import type { Reason } from '../contract/candidate.js';
import type { Sticker } from '../model/sticker.js';
import type { StickerFilter } from './query/filter.js';
import type { Submission } from './query/keyword-extraction.js';
import type { ShippedRule } from './query/shipped-rule.js';

export interface FoundSticker {
  /** Its number in the index, until stickers change. */
  readonly document?: number;
  /** The same object for the same sticker while it is in use, so that a caller can attach what it made of it. */
  readonly sticker: Sticker;
  /** Whether it is svcd's own: in its pack, and never listed by the remote. */
  readonly shipped: boolean;
}

interface SearchHit extends FoundSticker {
  readonly score: number;
  /** How well it answers, from 0 to 1, by the same measure for every question; undefined where no words were asked for. */
  readonly fit?: number;
}

export interface SearchHits {
  /** How many stickers can be listed with a larger limit. */
  readonly total: number;
  /** How many of others than svcd's own share or mean more than single characters of the query. */
  readonly direct: number;
  /** Words of the query that were left out, because no sticker has all. */
  readonly dropped: readonly string[];
  /** Words of the library that may have been meant, when nothing was found. */
  readonly suggestions: readonly string[];
  readonly hits: readonly SearchHit[];
}

export interface FindRequest {
  /** Without one every sticker is listed, by preset. */
  readonly query: string | undefined;
  readonly filter: StickerFilter;
  /** Which of svcd's own are listed; `last-resort` when not given. */
  readonly shipped?: ShippedRule | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** Orders of a list: `best` is that of search; `seen` is the newest in the library first. */
export type ListOrder = 'best' | 'title' | 'seen' | 'hue' | 'length';

export interface ListRequest extends FindRequest {
  readonly order: ListOrder;
}

export interface RelatedHits {
  readonly total: number;
  readonly hits: readonly (FoundSticker & {
    readonly sameConcept: boolean;
    readonly shared: readonly string[];
    readonly fit: number;
  })[];
}

export interface MatchQuestion extends Submission {
  readonly limit: number;
  readonly filter?: StickerFilter | undefined;
  /** Which of svcd's own may be among them; `last-resort` when not given. */
  readonly shipped?: ShippedRule | undefined;
}

export interface MatchHits {
  /** Explicit keywords as given, then words of the copy by weight. */
  readonly extractedKeywords: readonly string[];
  /** Those of them that the copy says are not so. */
  readonly negated: readonly string[];
  readonly total: number;
  /** How many of them are not svcd's own. */
  readonly direct: number;
  readonly hits: readonly (SearchHit & { readonly fit: number; readonly reasons: Reason[] })[];
}
