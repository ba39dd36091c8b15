// The words of a sticker that a remote can be asked for: its title and keywords, cut where a remote may cut them,
// their Han characters and pairs of those. Which of them is asked, and when, is for crawl-frontier.ts.

/** Where a word comes from. A sign is a text without a letter or digit: a remote may drop it from a longer question. */
export type WordSource = 'seed' | 'title' | 'keyword' | 'character' | 'pair' | 'sign';

/** What words are learned from; keywords are missing or empty in a thin record. */
export interface SeenSticker {
  readonly preset: string;
  readonly title: string;
  readonly keywords?: readonly string[] | undefined;
}

const WORD_MAX = 64;
const HAN = /\p{Script=Han}/u;
const CUT = /[\s\p{P}]+/u;

/** One spelling for words that a remote takes for the same. */
export function plainWord(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase().replace(/\s+/gu, ' ');
}

/** A text as words that can stand beside others in one question; a text of signs alone is one word. */
export function askableWords(text: string): string[] {
  const plain = plainWord(text);
  const parts = plain.split(CUT).filter((part) => part !== '' && part.length <= WORD_MAX);
  return parts.length > 0 || plain === '' || plain.length > WORD_MAX ? parts : [plain];
}

/** Whether a text has no letter and no digit. */
export function isSign(text: string): boolean {
  return !/[\p{L}\p{N}\p{S}]/u.test(text);
}

/** The words a sticker counts by when it is spread over words: its Han characters, else all it has. */
export function countedWords(words: ReadonlyMap<string, WordSource>): ReadonlySet<string> {
  const characters = [...words.keys()].filter(
    (word) => word.length <= 2 && HAN.test(word) && Array.from(word).length === 1,
  );
  return new Set(characters.length > 0 ? characters : words.keys());
}

/** Every word of a sticker with where it comes from first. */
export function wordsOf({ title, keywords = [] }: SeenSticker): Map<string, WordSource> {
  const words = new Map<string, WordSource>();
  const add = (word: string, source: WordSource) => {
    if (!words.has(word)) words.set(word, isSign(word) ? 'sign' : source);
  };
  const titleWords = askableWords(title);
  const keywordWords = keywords.flatMap(askableWords);
  for (const word of titleWords) add(word, 'title');
  for (const word of keywordWords) add(word, 'keyword');
  for (const word of [...titleWords, ...keywordWords]) addCharacters(word, add);
  return words;
}

function addCharacters(word: string, add: (word: string, source: WordSource) => void): void {
  const characters = Array.from(word);
  for (const [at, character] of characters.entries()) {
    if (!HAN.test(character)) continue;
    add(character, 'character');
    const next = characters[at + 1];
    if (next !== undefined && characters.length > 2 && HAN.test(next)) add(character + next, 'pair');
  }
}
