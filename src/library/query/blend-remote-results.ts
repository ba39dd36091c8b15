// How weak knowledge orders an answer: what the remote returned for the same words joins what was found here, and
// what is gone from the remote sinks.

import type { Sticker } from '../../model/sticker.js';

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

/** What the remote's first is worth more than without it, where we found it too; its later ones less and less. */
const BONUS = 0.1;
const FADES_OVER = 10;
/** How many of our own come before the first that only the remote found. */
const OURS_FIRST = 3;

/**
 * What was found, with what the remote said fits: all of that counts as direct. Asked for these words alone, its order is
 * evidence, weaker than our own; as part of a longer question it only adds, behind all that was found directly and
 * before what shares single characters only.
 */
export function blendRemoteResults(
  found: DirectHits,
  recalled: readonly Sticker[],
  isWhole: boolean,
): DirectHits {
  if (recalled.length === 0) return found;
  const { direct, hits, total } = found;
  const ours = fallingScores(hits.slice(0, direct));
  const listed = new Set(ours.map(({ sticker }) => sticker.preset));
  // More direct ones than the list holds: whatever was recalled may be among them.
  const isCut = direct > hits.length;
  const added = isCut && !isWhole ? [] : recalled.filter(({ preset }) => !listed.has(preset));
  for (const { preset } of added) listed.add(preset);
  const lowest = ours.at(-1)?.score ?? hits[direct]?.score ?? 1;
  const count = isCut ? direct : direct + added.length;
  return {
    total: Math.max(total, count),
    direct: count,
    hits: [
      ...(isWhole ? byEvidence(ours, added, recalled, lowest) : [...ours, ...scored(added, lowest)]),
      ...hits.slice(direct).filter(({ sticker }) => !listed.has(sticker.preset)),
    ],
  };
}

function byEvidence(
  ours: readonly Hit[],
  added: readonly Sticker[],
  recalled: readonly Sticker[],
  lowest: number,
) {
  const places = new Map(recalled.map(({ preset }, place) => [preset, place]));
  const placeOf = ({ preset }: Sticker) => places.get(preset) ?? Infinity;
  const theirs = added.map((sticker) => {
    const behind = placeOf(sticker) + OURS_FIRST - 1;
    return { sticker, score: ours[behind]?.score ?? lowest, order: behind + 0.5 };
  });
  const raised = ours.map(({ sticker, score }, order) => ({
    sticker,
    score: score * (1 + BONUS / (1 + placeOf(sticker) / FADES_OVER)),
    order,
  }));
  return [...raised, ...theirs].toSorted((a, b) => b.score - a.score || a.order - b.order);
}

function scored(stickers: readonly Sticker[], score: number): Hit[] {
  return stickers.map((sticker) => ({ sticker, score }));
}

/** The scores in the order of the list, which is not theirs alone: never higher than those before. */
function fallingScores(hits: readonly Hit[]): Hit[] {
  let least = Infinity;
  return hits.map(({ sticker, score }) => ({ sticker, score: (least = Math.min(least, score)) }));
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
