// How weak knowledge orders an answer: what the remote returned for the same words joins what was found here, and
// what is gone from the remote sinks.

import type { Sticker } from '../sticker.js';

interface Hit {
  readonly sticker: Sticker;
  readonly score: number;
}

interface Hits<H extends Hit> {
  readonly total: number;
  readonly hits: H[];
}

interface DirectHits extends Hits<Hit> {
  /** How many of these share more than single characters with the query; they come first. */
  readonly direct: number;
}

/**
 * The remote's own stickers for the same words, in its order, behind all that was found directly and before what
 * shares single characters only. They count as direct: the remote said that they fit.
 */
export function blendRecall(found: DirectHits, recalled: readonly Sticker[]): DirectHits {
  if (recalled.length === 0) return found;
  const { direct, hits, total } = found;
  const first = hits.slice(0, direct);
  const listed = new Set(first.map(({ sticker }) => sticker.preset));
  // More direct ones than the list holds: whatever was recalled may be among them.
  const added = direct > hits.length ? [] : recalled.filter(({ preset }) => !listed.has(preset));
  for (const { preset } of added) listed.add(preset);
  const lowest = hits[direct - 1]?.score ?? hits[direct]?.score ?? 1;
  const weak = hits.slice(direct).filter(({ sticker }) => !listed.has(sticker.preset));
  const middle = added.map((sticker) => ({ sticker, score: lowest }));
  return {
    total: Math.max(total, direct + added.length),
    direct: direct + added.length,
    hits: [...first, ...middle, ...weak],
  };
}

/** At most `limit` hits, those that are gone behind all others. */
export function sinkGone<H extends Hit, F extends Hits<H>>(
  found: F & Hits<H>,
  limit: number,
  isGone: (preset: string) => boolean,
): F {
  const { hits } = found;
  const gone = hits.filter(({ sticker }) => isGone(sticker.preset));
  const ordered =
    gone.length === 0 ? hits : [...hits.filter(({ sticker }) => !isGone(sticker.preset)), ...gone];
  return { ...found, hits: ordered.slice(0, limit) };
}
