// One style through a video: four coloured emoji and six black icons are no answer. The style is that in which most slots have
// something that fits; what it lacks stays as it is.

import type { FitWord } from '../../contract/fit.js';
import { styleOf } from '../../model/sticker.js';

/** The style in which most slots have something that fits; no style at all. */
export const AUTO = 'auto';
export const ANY = 'any';

interface Fitting {
  readonly sticker: { readonly preset: string };
  readonly fit: FitWord;
}

/** What a slot may get, best first, and what it would get without a style. */
export interface Choosable<C extends Fitting> {
  readonly ranked: readonly C[];
  readonly pick: C | undefined;
}

export interface StyleQuestion<C> {
  /** Its name, or `auto`. */
  readonly style: string;
  /** Presets that slots name themselves. */
  readonly named: readonly string[];
  readonly isOwned: (preset: string) => boolean;
  /** The same for stickers of one picture. */
  readonly pictureOf: (one: C) => string;
}

/**
 * For each slot what it gets in one style: the same picture where that style has it, else the best that fits and no other slot has.
 * With the name of that style; undefined where nothing was found.
 */
export function inOneStyle<C extends Fitting>(
  slots: readonly Choosable<C>[],
  { style, named, isOwned, pictureOf }: StyleQuestion<C>,
): { readonly style: string | undefined; readonly picks: readonly (C | undefined)[] } {
  const common = style === AUTO ? commonStyle(slots, named, isOwned) : style;
  const picks = slots.flatMap(({ pick }) => pick ?? []);
  const pictures = new Set(picks.map(pictureOf));
  const presets = new Set([...named, ...picks.map(({ sticker }) => sticker.preset)]);
  const choose = ({ ranked, pick }: Choosable<C>) => {
    if (pick === undefined || styleOf(pick.sticker.preset) === common) return pick;
    const isFree = ({ fit, sticker: { preset } }: C) =>
      fit !== 'weak' && styleOf(preset) === common && !presets.has(preset);
    const own = ranked.filter(isFree);
    const found =
      own.find((one) => pictureOf(one) === pictureOf(pick)) ?? own.find((one) => !pictures.has(pictureOf(one))) ?? pick;
    pictures.add(pictureOf(found));
    presets.add(found.sticker.preset);
    return found;
  };
  return { style: common, picks: slots.map(choose) };
}

/** Where several have as many: in which more is owned, then the first by name. */
function commonStyle(
  slots: readonly Choosable<Fitting>[],
  named: readonly string[],
  isOwned: (preset: string) => boolean,
): string | undefined {
  const counts = new Map<string, { slots: number; owned: number }>();
  const count = (styles: ReadonlyMap<string, boolean>) => {
    for (const [style, owned] of styles) {
      // Of presets without one; the user's own and svcd's are none that others share.
      if (['', 'own', 'default'].includes(style)) continue;
      const before = counts.get(style) ?? { slots: 0, owned: 0 };
      counts.set(style, { slots: before.slots + 1, owned: before.owned + (owned ? 1 : 0) });
    }
  };
  for (const preset of named) count(new Map([[styleOf(preset), isOwned(preset)]]));
  for (const { ranked } of slots) {
    const styles = new Map<string, boolean>();
    for (const { fit, sticker } of ranked) {
      const style = styleOf(sticker.preset);
      if (fit !== 'weak') styles.set(style, (styles.get(style) ?? false) || isOwned(sticker.preset));
    }
    count(styles);
  }
  const [first] = [...counts].toSorted(
    ([a, one], [b, other]) => other.slots - one.slots || other.owned - one.owned || (a < b ? -1 : 1),
  );
  return first?.[0];
}
