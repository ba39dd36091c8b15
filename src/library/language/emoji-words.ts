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
const KEYCAP = '\u20E3';
/** Nothing before it begins an emoji, but for the digits, signs and marks below. */
const FIRST_EMOJI_UNIT = 0x203c;
/** Between these lie the marks between Han, then Han and Hangul, and no emoji; none begins after the surrogates either. */
const FIRST_HAN_MARK = 0x3000;
const AFTER_HAN_MARKS = 0x3030;
const FIRST_HAN_UNIT = 0x3400;
const FIRST_SURROGATE = 0xd800;
const AFTER_SURROGATES = 0xe000;
const EARLY = /^[0-9#*\u00A9\u00AE]$/;

let table: ReadonlyMap<string, string> | undefined;

/** The emoji of a text in order, each with its words; one without a name is left out. */
export function findEmoji(text: string): EmojiFind[] {
  const found: EmojiFind[] = [];
  for (let at = 0; at < text.length;) {
    if (isPlain(text.charCodeAt(at))) {
      at++;
      continue;
    }
    const sequence = readSequence(text, at);
    if (sequence !== undefined) {
      const words = wordsOf(sequence.plain);
      if (words.length > 0) found.push({ start: at, end: sequence.end, words });
    }
    at = sequence?.end ?? at + 1;
  }
  return found;
}

/** The text with each named emoji replaced by its name, apart from what stands beside it. */
export function spellEmoji(text: string): string {
  let spelled = '';
  let from = 0;
  for (const { start, end, words } of findEmoji(text)) {
    spelled += `${text.slice(from, start)} ${words[0]} `;
    from = end;
  }
  return from === 0 ? text : spelled + text.slice(from);
}

function isPlain(unit: number): boolean {
  if (unit < FIRST_HAN_UNIT) return unit >= FIRST_HAN_MARK && unit < AFTER_HAN_MARKS;
  return unit < FIRST_SURROGATE || unit >= AFTER_SURROGATES;
}

interface Sequence {
  /** Without skin tones and selectors: as the table has it. */
  readonly plain: string;
  readonly end: number;
}

function readSequence(text: string, at: number): Sequence | undefined {
  const unit = text.charCodeAt(at);
  if (unit < FIRST_EMOJI_UNIT && !EARLY.test(text[at]!)) return undefined;
  let plain = characterAt(text, at);
  // A flag is two letters.
  if (isRegion(plain) && isRegion(characterAt(text, at + plain.length))) {
    plain += characterAt(text, at + plain.length);
  }
  let end = at + plain.length;
  for (;;) {
    const next = characterAt(text, end);
    if (isSelector(next) || isSkinTone(next)) end += next.length;
    else if (next === KEYCAP || isTag(next)) [plain, end] = [plain + next, end + next.length];
    else if (next === JOINER && end + 1 < text.length) {
      const joined = characterAt(text, end + 1);
      [plain, end] = [plain + JOINER + joined, end + 1 + joined.length];
    } else return { plain, end };
  }
}

// A sequence without a name is named by its parts: a new family is still 男人 and 女孩.
function wordsOf(plain: string): readonly string[] {
  const own = listed(plain);
  if (own.length > 0 || !plain.includes(JOINER)) return own;
  return [...new Set(plain.split(JOINER).flatMap(listed))];
}

function listed(emoji: string): readonly string[] {
  table ??= readLanguageMap('emoji/emoji-words.txt');
  return table.get(emoji)?.split(' ') ?? [];
}

function characterAt(text: string, at: number): string {
  const point = text.codePointAt(at);
  return point === undefined ? '' : String.fromCodePoint(point);
}

function isRegion(character: string): boolean {
  return character >= '\u{1F1E6}' && character <= '\u{1F1FF}';
}

function isSkinTone(character: string): boolean {
  return character >= '\u{1F3FB}' && character <= '\u{1F3FF}';
}

function isSelector(character: string): boolean {
  return character === '\uFE0F' || character === '\uFE0E';
}

function isTag(character: string): boolean {
  return character >= '\u{E0020}' && character <= '\u{E007F}';
}
