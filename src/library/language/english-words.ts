// The English word that a stem of the glossary mostly stands for, as it is shown to people: christma is christmas.

import { stemsOf } from './english.js';
import { readLanguageText } from './language-data.js';

let words: ReadonlyMap<string, string> | undefined;

/** The usual word of a stem; a stem that is a word is its own. */
export function usualWord(stem: string): string {
  words ??= new Map(listWords().map((word) => [stemsOf(word)[0] ?? word, word]));
  return words.get(stem) ?? stem;
}

function listWords(): string[] {
  return readLanguageText('glosses/words.txt').trimEnd().split('\n');
}
