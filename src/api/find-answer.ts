// What svcd's own ways of finding return. A candidate in them is that of search, with what only svcd knows.

import type { Candidate } from '../contract/candidate.js';

/** A candidate, and whether it was bought. */
export interface FoundCandidate extends Candidate {
  owned: boolean;
}

/** A page of a longer list. */
export interface PageFacts {
  /** How many there are on all pages. */
  total: number;
  offset: number;
  limit: number;
  /** The offset of the next page; null on the last one. */
  next: number | null;
}

/** GET /svcd/search */
export interface FindAnswer extends PageFacts {
  query: string | null;
  /** Words of the query that nothing had, and that were left out. */
  dropped: readonly string[];
  /** What else to search for, when nothing was found. */
  suggestions: readonly string[];
  results: FoundCandidate[];
}

/** GET /svcd/complete */
export interface CompleteAnswer {
  query: string;
  completions: { word: string; stickers: number }[];
}

/** GET /svcd/related/{preset} */
export interface RelatedAnswer extends PageFacts {
  preset: string;
  results: (FoundCandidate & {
    /** Whether it shows the same thing in another style. */
    same_concept: boolean;
    /** Titles and keywords both have. */
    shared: readonly string[];
  })[];
}

/** The facts of a page of `limit` at `offset`. */
export function pageFacts(total: number, offset: number, limit: number, offsetMax: number): PageFacts {
  const end = offset + limit;
  return { total, offset, limit, next: end < total && end <= offsetMax ? end : null };
}
