// Which sticker of the shipped pack stands in for one that cannot be had: the nearest by words; when nothing is known of
// it, the one its preset names in English; else the plain one.

import type { Sticker } from '../model/sticker.js';
import { PLAIN_PRESET, type PackedSticker } from './default-pack.js';
import { createNearStickers } from './near-stickers.js';

export interface Choice {
  readonly sticker: PackedSticker;
  /** Why, in words a person can read, such as `shares 生日, 蛋糕`. */
  readonly why: string;
}

/** Chooses for a preset; `wanted` is what is known of it, if anything. */
export type ChooseDefault = (preset: string, wanted: Sticker | undefined) => Choice;

/** A chooser over a pack, which must hold the plain one. The same question always has the same answer. */
export function createChooseDefault(pack: readonly PackedSticker[]): ChooseDefault {
  const plain = pack.find(({ preset }) => preset === PLAIN_PRESET);
  if (plain === undefined) throw new Error(`the default pack holds no ${PLAIN_PRESET}`);
  const scenes = new Map(pack.filter((one) => one !== plain).map((one) => [one.preset, one]));
  const near = createNearStickers(scenes.values());
  const named = [...scenes.values()].map((sticker) => ({ sticker, words: namesIn(sceneOf(sticker.preset)) }));
  return (preset, wanted) => {
    if (wanted === undefined) {
      return chooseByName(preset, named) ?? { sticker: plain, why: 'nothing is known of this preset' };
    }
    const nearest = near.findNearest(wanted) ?? near.findInside(wanted);
    const sticker = nearest && scenes.get(nearest.sticker.preset);
    if (nearest && sticker) return { sticker, why: explainShared(nearest.shared) };
    return { sticker: plain, why: 'shares no word with any default' };
  };
}

/** The words two stickers share, as a reason; the first few of many. */
export function explainShared(shared: readonly string[]): string {
  return `shares ${shared.slice(0, 5).join(', ')}`;
}

interface Named {
  readonly sticker: PackedSticker;
  readonly words: readonly string[];
}

/** The scene all of whose words the preset has; the most words win. A part would take a card for a credit card. */
function chooseByName(preset: string, named: readonly Named[]): Choice | undefined {
  const words = new Set(namesIn(preset));
  const [best] = named
    .filter((one) => one.words.every((word) => words.has(word)))
    .toSorted((a, b) => b.words.length - a.words.length || (a.sticker.preset < b.sticker.preset ? -1 : 1));
  return best && { sticker: best.sticker, why: `the preset says ${best.words.join(' ')}` };
}

function namesIn(text: string): string[] {
  return text.toLowerCase().match(/[a-z]+/g) ?? [];
}

function sceneOf(preset: string): string {
  return preset.slice(preset.indexOf('/') + 1);
}
