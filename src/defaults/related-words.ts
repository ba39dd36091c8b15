// Which words the stickers of the pack can stand in for, as data/defaults/build/meanings.ts compiled them.

import { stemsOf } from '../library/language/english.js';
import type { PackedSticker } from './default-pack.js';

/** A sticker that shows what a word says, and how well, from 0 to 1. */
export interface Shown {
  readonly sticker: PackedSticker;
  readonly weight: number;
}

export type RelatedWords = ReturnType<typeof readRelatedWords>;

const NOTHING: readonly Shown[] = [];

/**
 * What the stickers of a pack can stand in for, in its order. `text` is that of data/defaults/meanings-compiled.txt: sections with an empty line
 * between, which hold the two lengths; English and other words, each with stickers by their place in the pack and how well
 * they show it in percent, in turn; hints; and words by how they are read.
 */
export function readRelatedWords(pack: readonly PackedSticker[], text: string) {
  const [head = '', english = '', words = '', hints = '', spoken = ''] = text.trimEnd().split('\n\n');
  const [stems = 1, characters = 1] = head.split(' ').map(Number);
  const [englishWords, otherWords, hintWords] = [keyed(english, '='), keyed(words, '='), new Set(hints.split('\n'))];
  let readings: ReadonlyMap<string, string> | undefined;
  const shownOf = (entry: string | undefined): readonly Shown[] => {
    if (entry === undefined) return NOTHING;
    const numbers = entry.split(' ').map(Number);
    const shown: Shown[] = [];
    for (let i = 0; i < numbers.length; i += 2) {
      const sticker = pack[numbers[i]!];
      if (sticker !== undefined) shown.push({ sticker, weight: numbers[i + 1]! / 100 });
    }
    return shown;
  };
  return {
    /** What shows these English stems, which stand together with single spaces between. */
    inEnglish: (said: string): readonly Shown[] => shownOf(englishWords.get(said)),
    /** What shows this normalised word of another language. */
    of: (word: string): readonly Shown[] => shownOf(otherWords.get(word)),
    /** Whether an English stem or another word says how or where rather than what. */
    isHint: (word: string): boolean => hintWords.has(word),
    /** The Chinese word that is read so, in pinyin without spaces and tones. */
    spoken: (reading: string): string | undefined => (readings ??= keyed(spoken, ' ')).get(reading),
    /** The longest entry of each kind: in stems, and in characters. */
    longest: { stems, characters },
  };
}

/** Lines as a map; of those with one key the first counts. */
function keyed(text: string, separator: string): ReadonlyMap<string, string> {
  const map = new Map<string, string>();
  for (const line of text.split('\n')) {
    const at = line.indexOf(separator);
    const key = line.slice(0, at);
    if (!map.has(key)) map.set(key, line.slice(at + 1));
  }
  return map;
}

/** An English word as it stands in a text, in small letters, and its stem, by which it is looked up. */
export interface SaidWord {
  readonly said: string;
  readonly stem: string;
}

/** The English words of a text with their stems, the little ones too. */
export function saidWords(text: string): SaidWord[] {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  return words.map((said) => ({ said, stem: stemsOf(said)[0] ?? said }));
}

/** Their stems alone. */
export function stemmed(text: string): string[] {
  return saidWords(text).map(({ stem }) => stem);
}
