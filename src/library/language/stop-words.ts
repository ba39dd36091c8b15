// Words of a text that say little about its scene, though a sticker's title or keyword may be spelled the same. The lists
// are in data/stop-words.

import { readLanguageText } from './language-data.js';

let stopWords: ReadonlySet<string> | undefined;
let fillers: ReadonlySet<string> | undefined;

/** Whether a normalised word is left out of a text's scene words; explicit keywords are not looked up here. */
export function isStopWord(word: string): boolean {
  return (stopWords ??= wordsOf('stop-words/stop-words.txt')).has(word);
}

/** Whether a normalised word is said in any advertisement, and so says little about its scene. */
export function isFiller(word: string): boolean {
  return (fillers ??= wordsOf('stop-words/filler-words.txt')).has(word);
}

function wordsOf(path: string): ReadonlySet<string> {
  return new Set(readLanguageText(path).trimEnd().split('\n'));
}
