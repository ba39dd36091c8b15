// What an emoji is called in Chinese, so that one in a query or a copy counts as words. Reads raw text, for NFKC takes
// some emoji apart. The table is made by data/emoji/build.

import { readLanguageMap } from './language-data.js';

interface EmojiFind {
  /** Where it begins and ends in the text, in code units. */
  readonly start: number;
  readonly end: number;
  /** Its name, then what else it stands for. */
  readonly words: readonly string[];
}

const JOINER = '\u200D';
/** Selectors and skin tones, which the table leaves out, unless joined to what stands before. */
const VARIATIONS = /(?<!\u200D)(?:\p{EMod}|\uFE0E|\uFE0F)/gu;
/**
 * What may be an emoji: the two letters of a flag, or a character of the ranges that have emoji; then selectors, skin tones, a
 * keycap, tags, and whatever is joined.
 */
const SEQUENCE =
  /(?:\p{RI}\p{RI}|[0-9#*\u00A9\u00AE\u203C-\u2FFF\u3030-\u33FF\u{10000}-\u{10FFFF}])(?:\p{EMod}|\uFE0E|\uFE0F|\u20E3|[\u{E0020}-\u{E007F}]|\u200D[^])*/gu;

let table: ReadonlyMap<string, string> | undefined;

/** The emoji of a text in order, each with its words; one without a name is left out. */
export function findEmoji(text: string): EmojiFind[] {
  return Array.from(text.matchAll(SEQUENCE), ({ 0: sequence, index }) => ({
    start: index,
    end: index + sequence.length,
    words: wordsOf(sequence),
  })).filter(({ words }) => words.length > 0);
}

/** The text with each named emoji replaced by its name, apart from what stands beside it. */
export function spellEmoji(text: string): string {
  return text.replace(SEQUENCE, (sequence) => {
    const [name] = wordsOf(sequence);
    return name === undefined ? sequence : ` ${name} `;
  });
}

// A sequence without a name is named by its parts: a new family is still 男人 and 女孩.
function wordsOf(sequence: string): readonly string[] {
  const first = String.fromCodePoint(sequence.codePointAt(0)!);
  const plain = first + sequence.slice(first.length).replace(VARIATIONS, '');
  const own = listed(plain);
  if (own.length > 0 || !plain.includes(JOINER)) return own;
  return [...new Set(plain.split(JOINER).flatMap(listed))];
}

function listed(emoji: string): readonly string[] {
  table ??= readLanguageMap('emoji/emoji-words.txt');
  return table.get(emoji)?.split(' ') ?? [];
}
