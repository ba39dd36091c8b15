// Cuts a normalised text into index terms; the index and the query side call the same function, so that no word
// is lost because it was cut elsewhere. Which terms count how much is for query-plan.ts.

/** `whole`: an entire title, keyword or query, or a part of one between separators. */
export type TokenKind = 'whole' | 'word' | 'pair' | 'single';

export interface Token {
  readonly term: string;
  readonly kind: TokenKind;
}

/** Stands before a whole; it is neither letter nor digit, so that no other term can begin with it. */
export const WHOLE_MARK = '=';

const SEPARATORS = /[\s:,;、。/|()[\]{}"「」《》·・!?]+/;
const SEPARATOR_OR_DIGIT = /[\s:,;、。/|()[\]{}"「」《》·・!?\d]/;
const NUMBERED = /^([\u4E00-\u9FFF]{2,})\d{1,2}$/;

/** Every term of a normalised text, in order, repeated where the text repeats: the whole and its parts, then words, pairs and single characters. */
export function tokenise(text: string): Token[] {
  const tokens = wholes(text).map((whole): Token => ({ term: WHOLE_MARK + whole, kind: 'whole' }));
  let run: Run = { text: '', script: 'none' };
  for (const character of text) {
    const script = scriptOf(character);
    if (script !== run.script) {
      pushRun(run, tokens);
      run = { text: '', script };
    }
    run.text += character;
  }
  pushRun(run, tokens);
  return tokens;
}

/** A normalised text and, where it has separators or a number, its parts. */
export function wholes(text: string): string[] {
  if (text === '') return [];
  if (!SEPARATOR_OR_DIGIT.test(text)) return [text];
  const parts = text.split(SEPARATORS).filter((part) => part !== '');
  // Icon sets number their variants: the word in 图片2 is 图片.
  const unnumbered = parts.flatMap((part) => NUMBERED.exec(part)?.[1] ?? []);
  return [...new Set([text, ...parts, ...unnumbered])];
}

type Script = 'spaced' | 'unspaced' | 'none';

interface Run {
  text: string;
  readonly script: Script;
}

function pushRun({ text, script }: Run, tokens: Token[]): void {
  if (script === 'spaced') tokens.push({ term: text, kind: 'word' });
  if (script !== 'unspaced') return;
  let before = '';
  for (const character of text) {
    if (before !== '') tokens.push({ term: before + character, kind: 'pair' });
    tokens.push({ term: character, kind: 'single' });
    before = character;
  }
}

// First and last code points of scripts written without spaces between words.
const UNSPACED: readonly (readonly [number, number])[] = [
  [0x3400, 0x4dbf], // Han beside the basic block
  [0x3005, 0x3007],
  [0x3041, 0x31ff], // kana, bopomofo, Hangul letters
  [0xac00, 0xd7ff], // Hangul
  [0xf900, 0xfaff],
  [0x20000, 0x3ffff],
  [0x0e01, 0x0eff], // Thai, Lao
  [0x1000, 0x109f], // Myanmar
  [0x1100, 0x11ff], // Hangul letters
  [0x1780, 0x17ff], // Khmer
];

// By number where it can be: a table of all letters costs milliseconds at the first use.
function scriptOf(character: string): Script {
  const point = character.codePointAt(0)!;
  if (point >= 0x4e00 && point <= 0x9fff) return 'unspaced';
  if (point < 0x80) return isAsciiWord(point) ? 'spaced' : 'none';
  if (UNSPACED.some(([first, last]) => point >= first && point <= last)) return 'unspaced';
  return /[\p{L}\p{N}\p{M}]/u.test(character) ? 'spaced' : 'none';
}

function isAsciiWord(point: number): boolean {
  return (point >= 0x30 && point <= 0x39) || (point >= 0x61 && point <= 0x7a) || (point >= 0x41 && point <= 0x5a);
}
