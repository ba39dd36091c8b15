// Phrases in which an ambiguous character does not become what it becomes alone: 乾坤 keeps 乾, 乾燥 does not.

import { readJiebaWords } from '../../frequency/build/jieba-words.js';
import { readDictionary } from './opencc.js';

/** Means "raw" or "bad"; folding it to 坯 in phrases would break ordinary simplified words such as 打坏. */
const NEVER_CHANGED = '坏';
/** Taiwan writes it for 着 as well; in simplified words it stays itself. */
const AMBIGUOUS_VARIANT = '著';

/** Seen less often than this it is a name or a slip. */
const MIN_COUNT = 50;

/** Phrases with what they become, in every spelling in which they can stand in a text. */
export function phraseTable(characters: ReadonlyMap<string, string>): Map<string, string> {
  const spellings = [spellingOf('TWVariants'), spellingOf('HKVariants'), (text: string) => text];
  const table = new Map<string, string>();
  for (const [from, to] of candidates()) {
    // The outcome is a phrase of its own, so that folding it again changes nothing.
    for (const spelled of [to, ...spellings.map((spell) => spell(from))]) {
      if (isNeeded(spelled, to, characters)) table.set(spelled, to);
    }
  }
  return new Map([...table].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function* candidates(): Iterable<[string, string]> {
  const ordinary = readJiebaWords();
  const countOf = (word: string) => ordinary.get(word) ?? 0;
  for (const [from, to] of readDictionary('TSPhrases')) {
    // What is more often written so in simplified Chinese is no traditional spelling.
    if (from === to || countOf(from) <= countOf(to)) yield [from, to];
  }
  const simplify = spellingOf('TSCharacters');
  for (const [from, to] of readDictionary('TWVariantsRevPhrases')) {
    if (from.includes(AMBIGUOUS_VARIANT) && to.includes(AMBIGUOUS_VARIANT)) yield [from, simplify(to)];
  }
  for (const [word, count] of ordinary) {
    if (!word.includes(AMBIGUOUS_VARIANT) || word.length < 2 || count < MIN_COUNT) continue;
    if (count > countOf(word.replace(AMBIGUOUS_VARIANT, '着'))) yield [word, word];
  }
}

function isNeeded(from: string, to: string, characters: ReadonlyMap<string, string>): boolean {
  if (from.length !== to.length || from.includes(NEVER_CHANGED)) return false;
  const isSimplified = (character: string) => !characters.has(character);
  // What was changed must be simplified by now; what was kept may look traditional.
  if (!to.split('').every((character, i) => character === from[i] || isSimplified(character))) return false;
  return Array.from(from, (character) => characters.get(character) ?? character).join('') !== to;
}

function spellingOf(dictionary: string): (text: string) => string {
  const characters = readDictionary(dictionary);
  return (text) => Array.from(text, (character) => characters.get(character) ?? character).join('');
}
