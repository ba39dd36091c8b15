// What the library is asked for, and what it gives: stickers with what the question needs to know of them.

import type { Reason } from '../contract/candidate.js';
import type { Sticker } from '../model/sticker.js';
import type { StickerFilter } from './query/filter.js';

interface SearchHit {
  /** The same object for the same sticker while it is in use, so that a caller can attach what it made of it. */
  readonly sticker: Sticker;
  readonly score: number;
}

export interface SearchHits {
  /** How many stickers can be listed with a larger limit. */
  readonly total: number;
  /** How many share or mean more than single characters of the query; they come first. */
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
  readonly offset: number;
  readonly limit: number;
}

export interface RelatedHits {
  readonly total: number;
  readonly hits: readonly {
    readonly sticker: Sticker;
    readonly sameConcept: boolean;
    readonly shared: readonly string[];
  }[];
}

export interface MatchHits {
  /** Explicit keywords as given, then words of the copy by weight. */
  readonly extractedKeywords: readonly string[];
  readonly total: number;
  readonly hits: readonly (SearchHit & { readonly reasons: Reason[] })[];
}
