// One style through a video: four coloured emoji and six black icons are no answer. The style is that in which most slots have
// something that fits.

import type { FitWord } from '../../contract/fit.js';
import { styleOf } from '../../model/sticker.js';

/** The style in which most slots have something that fits; no style at all. */
export const AUTO = 'auto';
export const ANY = 'any';

interface Fitting {
  readonly sticker: { readonly preset: string };
  readonly fit: FitWord;
}

/** The style that most slots have something in that fits; where several have as many: in which more is owned, then the first by name. */
export function commonStyle(
  slots: readonly (readonly Fitting[])[],
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
  for (const ranked of slots) {
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
