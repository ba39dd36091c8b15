// Which stickers a search may list: by what is known of them besides words. What is not known of a sticker cannot
// be within a range, so that such a sticker is left out.

import { namedDistance, type Lab } from '../../model/color.js';
import { kindOfStyle, type StyleKind } from '../../model/sticker.js';
import type { Facts } from '../search-index/facts.js';

export interface Range {
  readonly min: number;
  readonly max: number;
}

/** Every condition given must hold. */
export interface StickerFilter {
  readonly color?: { readonly near: Lab; readonly within: number } | undefined;
  /** Width divided by height. */
  readonly aspect?: Range | undefined;
  /** Seconds. */
  readonly duration?: Range | undefined;
  /** The first part of the preset. */
  readonly style?: string | undefined;
  readonly styleKind?: StyleKind | undefined;
  /** Only these presets, or all but these. */
  readonly presets?: { readonly set: ReadonlySet<string>; readonly within: boolean } | undefined;
}

export type Accepts = (document: number) => boolean;

/** The filter as a test of document numbers; `documentsOf` gives those of the presets that the library has. */
export function compileFilter(
  { color, aspect, duration, style, styleKind, presets }: StickerFilter,
  facts: Facts,
  documentsOf: (presets: ReadonlySet<string>) => ReadonlySet<number>,
): Accepts {
  const tests: Accepts[] = [];
  if (duration !== undefined) tests.push(isWithin(facts.durations, duration));
  if (aspect !== undefined) tests.push(isWithin(facts.aspects, aspect));
  if (style !== undefined) {
    const number = facts.styles.get(style);
    tests.push((document) => facts.styleNumbers[document] === number);
  }
  if (styleKind !== undefined) {
    const ofKind = [...facts.styles].filter(([name]) => kindOfStyle(name) === styleKind);
    const numbers = new Set(ofKind.map(([, number]) => number));
    tests.push((document) => numbers.has(facts.styleNumbers[document]!));
  }
  if (presets !== undefined) {
    const documents = documentsOf(presets.set);
    tests.push((document) => documents.has(document) === presets.within);
  }
  if (color !== undefined) {
    const { near, within } = color;
    tests.push((document) => {
      const own = facts.colorOf(document);
      return own !== undefined && namedDistance(own, near) <= within;
    });
  }
  return (document) => tests.every((test) => test(document));
}

// What is unknown is NaN, which is within no range.
function isWithin(values: Float64Array, { min, max }: Range): Accepts {
  return (document) => values[document]! >= min && values[document]! <= max;
}
