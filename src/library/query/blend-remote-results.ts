// How what the remote once listed for the same words joins what was found here. The order does not depend on how much of
// it is asked for: the whole of it is laid down before a page is cut.

import type { Scored } from './top-k.js';

/** What the remote listed for the words of a query. */
export interface RemoteList {
  /** In the remote's order. */
  readonly documents: readonly number[];
  /** Whether the words were asked alone, so that the order is theirs. */
  readonly isWhole: boolean;
}

/** What the remote's first is worth more than without it, where we found it too; its later ones less and less. */
const BONUS = 0.1;
const FADES_OVER = 10;
/** How many of our own come before the first that only the remote listed. */
const OURS_FIRST = 3;
/** So many of our own are weighed against the remote's order: as many as a list of the remote holds. */
const WEIGHED = 50;

/**
 * The ranking with what the remote listed. Listed for these words alone, its order is evidence, weaker than our own; as
 * part of a longer question it only adds, behind everything found directly (`isDirect`, the first `direct` documents) and
 * before what shares single characters only.
 */
export function blendRemoteList(
  ranked: readonly Scored[],
  direct: number,
  { documents, isWhole }: RemoteList,
  isDirect: (document: number) => boolean,
): Scored[] {
  const ours = fallingScores(ranked.slice(0, isWhole ? Math.min(direct, WEIGHED) : direct));
  const listed = new Set(ours.map(({ document }) => document));
  const added = documents.filter((document) => !listed.has(document) && (isWhole || !isDirect(document)));
  const lowest = ours.at(-1)?.score ?? ranked[0]?.score ?? 1;
  for (const document of added) listed.add(document);
  return [
    ...(isWhole
      ? byEvidence(ours, added, documents, lowest)
      : [...ours, ...added.map((document) => ({ document, score: lowest }))]),
    ...ranked.slice(ours.length).filter(({ document }) => !listed.has(document)),
  ];
}

function byEvidence(
  ours: readonly Scored[],
  added: readonly number[],
  remote: readonly number[],
  lowest: number,
): Scored[] {
  const places = new Map(remote.map((document, place) => [document, place]));
  const placeOf = (document: number) => places.get(document) ?? Infinity;
  const theirs = added.map((document) => {
    const behind = placeOf(document) + OURS_FIRST - 1;
    return { document, score: ours[behind]?.score ?? lowest, order: behind + 0.5 };
  });
  const raised = ours.map(({ document, score }, order) => ({
    document,
    score: score * (1 + BONUS / (1 + placeOf(document) / FADES_OVER)),
    order,
  }));
  return [...raised, ...theirs].toSorted((a, b) => b.score - a.score || a.order - b.order);
}

/** The scores in the order of the ranking: never higher than those before. */
function fallingScores(ranked: readonly Scored[]): Scored[] {
  let least = Infinity;
  return ranked.map(({ document, score }) => ({ document, score: (least = Math.min(least, score)) }));
}
