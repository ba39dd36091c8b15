// svcd's own stickers stand in for those of the remote. They are listed where they suit better than everything else, and
// otherwise where the caller wants them: then behind what suits as well. What suits how well is for search.ts and match.ts.

import type { Accepts } from './filter.js';
import type { ScoreAccumulator } from './score-accumulator.js';

/** Of svcd's own: those that suit better than everything else; all, behind what suits as well; or none. */
export type ShippedRule = 'last-resort' | 'listed' | 'left-out';

export interface ShippedLimits {
  /** Documents that are svcd's own stickers, and by document 1 for them. */
  readonly documents: Uint32Array;
  readonly marks: Uint8Array;
  readonly rule: ShippedRule;
}

/** What a query met from one place to before another: svcd's own that may be listed. */
export function shippedAmong(
  met: ScoreAccumulator,
  [from, to]: readonly [number, number],
  shipped: ShippedLimits | undefined,
  accepts?: Accepts,
): Uint32Array {
  if (shipped === undefined || shipped.rule === 'left-out') return NONE;
  return shipped.documents.filter((document) => isBetween(met, document, from, to) && accepts?.(document) !== false);
}

/** The same of all others. */
export function othersAmong(
  met: ScoreAccumulator,
  [from, to]: readonly [number, number],
  shipped: ShippedLimits | undefined,
  accepts?: Accepts,
): Uint32Array {
  const all = met.documents.subarray(from, to);
  // Mostly none of svcd's own is met: to find that out costs less than to copy what was met.
  const hasShipped = shipped?.documents.some((document) => isBetween(met, document, from, to)) === true;
  const others = hasShipped ? all.filter((document) => shipped.marks[document] === 0) : all;
  return accepts === undefined ? others : others.filter(accepts);
}

function isBetween(met: ScoreAccumulator, document: number, from: number, to: number): boolean {
  const place = met.placeOf(document);
  return place >= from && place < to;
}

const NONE = new Uint32Array();
