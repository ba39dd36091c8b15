// Which sticker of the shipped pack stands in for one that cannot be had: the best rated that the run has not been given
// for another one; else one akin to it; else the best again; the plain one when nothing fits.

import type { Sticker } from '../model/sticker.js';
import { PLAIN_PRESET, type PackedSticker } from './default-pack.js';
import { distanceOf } from './nearest-owned.js';
import type { RateDefaults, Rated } from './rate-defaults.js';

export interface Choice {
  readonly sticker: PackedSticker;
  /** Why, in words a person can read, such as `shares 生日, 蛋糕`. */
  readonly why: string;
  /** Whether it has to do with what was wanted. */
  readonly fits: boolean;
}

/**
 * Chooses for a preset; `wanted` is what is known of it, if anything, and `isTaken` says of a sticker of the pack whether it
 * stands in for another preset of the same run. The same question always has the same answer.
 */
export type ChooseDefault = (
  preset: string,
  wanted: Sticker | undefined,
  isTaken?: (preset: string) => boolean,
) => Choice;

/** One that is rated less than this share of the best does not take its place. */
const NEARLY_AS_GOOD = 0.4;
const REASONS_TOLD = 3;
/** Scores as near as this are alike: shape, length and color decide. */
const ALIKE_SCORE = 0.05;

/** A chooser over a pack, which must hold the plain one. */
export function createChooseDefault(pack: readonly PackedSticker[], rate: RateDefaults): ChooseDefault {
  const plain = pack.find(({ preset }) => preset === PLAIN_PRESET);
  if (plain === undefined) throw new Error(`the default pack holds no ${PLAIN_PRESET}`);
  return (preset, wanted, isTaken = () => false) => {
    const rated = rate(preset, wanted).filter(({ sticker }) => sticker !== plain);
    const best = wanted === undefined ? rated[0] : nearestInShape(rated, wanted);
    if (best === undefined) return { sticker: plain, why: whyPlain(wanted), fits: false };
    if (!isTaken(best.sticker.preset)) return choiceOf(best);
    const other = rated.find(({ sticker, score }) => score >= best.score * NEARLY_AS_GOOD && !isTaken(sticker.preset));
    if (other !== undefined) return choiceOf(other);
    // Akin to the best: what would stand in for it, if it could not be had.
    const akin = rate(best.sticker.preset, best.sticker, true).find(
      ({ sticker }) => sticker !== plain && sticker !== best.sticker && !isTaken(sticker.preset),
    );
    if (akin === undefined) return choiceOf(best);
    return { sticker: akin.sticker, why: `akin to ${best.sticker.title}, ${tell(best)}`, fits: true };
  };
}

/** Of those rated as high as the first, the nearest in shape, length and color. */
function nearestInShape(rated: readonly Rated[], wanted: Sticker): Rated | undefined {
  const [first] = rated;
  if (first === undefined) return undefined;
  const alike = rated.filter(({ score }) => score >= first.score * (1 - ALIKE_SCORE));
  if (alike.length === 1) return first;
  const ranked = alike.map((one) => ({ one, distance: distanceOf(one.sticker, wanted) }));
  return ranked.toSorted((a, b) => a.distance - b.distance)[0]?.one;
}

function choiceOf(rated: Rated): Choice {
  return { sticker: rated.sticker, why: tell(rated), fits: true };
}

/** The first few reasons; words it shares with the wanted one together. */
function tell({ reasons }: Rated): string {
  const shares = /^shares /;
  const [first = ''] = reasons;
  if (!shares.test(first)) return reasons.slice(0, REASONS_TOLD - 1).join(', ');
  const words = reasons.filter((reason) => shares.test(reason)).map((reason) => reason.replace(shares, ''));
  return explainShared(words);
}

/** The words two stickers share, as a reason; the first few of many. */
export function explainShared(shared: readonly string[]): string {
  return `shares ${shared.slice(0, 5).join(', ')}`;
}

function whyPlain(wanted: Sticker | undefined): string {
  return wanted === undefined ? 'nothing is known of this preset' : 'nothing in the pack is like it';
}
