// English as far as finding needs it: which words of a gloss or a keyword carry meaning, their stems, and the word that a
// stem mostly stands for when people read it (christma is christmas).

import { readLanguageText } from './language-data.js';

const SAYS_NOTHING = new Set(
  `a an the of to in on for and or with by at from as is be it its into out up off also who that which sb sth one
   ones used esp etc see old variant cl fig lit idiom abbr tw surname kind type very not no do make person`.split(
    /\s+/,
  ),
);

let usualWords: ReadonlyMap<string, string> | undefined;

/** The stems of a text's telling English words, in order, each once. */
export function stemsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  return [...new Set(words.filter((word) => word.length > 1 && !SAYS_NOTHING.has(word)).map(stem))];
}

// A word without its English ending; what is left need not be a word, only the same for all its forms.
function stem(word: string): string {
  if (word.length < 4) return word;
  const singular = withoutPlural(word);
  const base = withoutEnding(singular);
  return base.length > 4 && base.endsWith('e') ? base.slice(0, -1) : base;
}

function withoutPlural(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith('s') && !/(?:ss|us|is)$/.test(word) ? word.slice(0, -1) : word;
}

function withoutEnding(word: string): string {
  if (word.length > 5 && word.endsWith('ing')) return undoubled(word.slice(0, -3));
  if (word.length > 4 && word.endsWith('ed')) return undoubled(word.slice(0, -2));
  return word;
}

// stopp(ing) is stop, but fall(ing) and miss(ing) are not doubled by the ending.
function undoubled(word: string): string {
  return /([^lsz])\1$/.test(word) ? word.slice(0, -1) : word;
}

/** The usual word of a stem; a stem that is a word is its own. */
export function usualWord(of: string): string {
  if (usualWords === undefined) {
    const words = readLanguageText('glosses/words.txt').trimEnd().split('\n');
    usualWords = new Map(words.map((word) => [stemsOf(word)[0] ?? word, word]));
  }
  return usualWords.get(of) ?? of;
}
