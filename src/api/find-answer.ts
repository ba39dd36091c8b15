// What svcd's own ways of finding return. A candidate in them is that of search, with what only svcd knows.

import * as v from 'valibot';
import { candidateSchema } from '../contract/candidate.js';
import type { Told } from './operation.js';

/** A page of a longer list: `total` is the length of all pages, `next` the offset of the next page, null on the last. */
const page = { total: v.number(), offset: v.number(), limit: v.number(), next: v.nullable(v.number()) };
/** A candidate, whether it was bought, and whether it is one of svcd's own, which stand in for those of the service. */
const found = { ...candidateSchema.entries, owned: v.boolean(), shipped: v.boolean() };

/** GET /svcd/search */
export const findAnswerSchema = v.object({
  query: v.nullable(v.string()),
  ...page,
  /** Words of the query that nothing had, and that were left out. */
  dropped: v.array(v.string()),
  /** What else to search for, when nothing was found. */
  suggestions: v.array(v.string()),
  results: v.array(v.object(found)),
});
export type FindAnswer = Told<typeof findAnswerSchema>;

/** GET /svcd/complete */
export const completeAnswerSchema = v.object({
  query: v.string(),
  completions: v.array(v.object({ word: v.string(), stickers: v.number() })),
});
export type CompleteAnswer = Told<typeof completeAnswerSchema>;

/** GET /svcd/related/{preset} */
export const relatedAnswerSchema = v.object({
  preset: v.string(),
  ...page,
  results: v.array(
    v.object({
      ...found,
      /** Whether it shows the same thing in another style. */
      same_concept: v.boolean(),
      /** Titles and keywords both have. */
      shared: v.array(v.string()),
    }),
  ),
});
export type RelatedAnswer = Told<typeof relatedAnswerSchema>;

/** The facts of a page of `limit` at `offset`. */
export function pageFacts(total: number, offset: number, limit: number, offsetMax: number) {
  const end = offset + limit;
  return { total, offset, limit, next: end < total && end <= offsetMax ? end : null };
}
