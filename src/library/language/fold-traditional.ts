// Traditional characters, and the variants of Taiwan and Hong Kong, in simplified form. Works on text in NFKC; what
// else is one spelling is normalise.ts. The table is made by data/traditional/build.

import { readLanguageText } from './language-data.js';

interface Table {
  /** What a code unit becomes where no phrase says otherwise; 0 for itself. */
  readonly alone: Uint16Array;
  /** Length of the longest phrase that begins with a code unit; 0 for none. */
  readonly longest: Uint8Array;
  readonly phrases: ReadonlyMap<string, string>;
  /** 1 for what stands second in a phrase. */
  readonly second: Uint8Array;
}

let table: Table | undefined;

/** The text with each traditional character replaced by one simplified one: of the same length in code units, and stable under itself. */
export function foldTraditional(text: string): string {
  table ??= readTable();
  let folded = foldOnce(text, table);
  // What was folded can complete a phrase. Each round folds at least one character for good.
  for (let before = text; folded !== before; folded = foldOnce(folded, table)) before = folded;
  return folded;
}

function foldOnce(text: string, { alone, longest, phrases, second }: Table): string {
  let folded = '';
  // Start of what is not yet copied: most texts have nothing to fold and are never copied.
  let from = 0;
  for (let at = 0; at < text.length;) {
    const unit = text.charCodeAt(at);
    const mayBegin = longest[unit]! > 0 && second[text.charCodeAt(at + 1)] === 1;
    const phrase = mayBegin ? findPhrase(text, at, longest[unit]!, phrases) : undefined;
    const found = phrase ?? (alone[unit]! > 0 ? String.fromCharCode(alone[unit]!) : undefined);
    if (found !== undefined) {
      folded += text.slice(from, at) + found;
      from = at + found.length;
    }
    at += found?.length ?? 1;
  }
  return from === 0 ? text : folded + text.slice(from);
}

function findPhrase(
  text: string,
  at: number,
  longest: number,
  phrases: ReadonlyMap<string, string>,
): string | undefined {
  for (let length = Math.min(longest, text.length - at); length > 1; length--) {
    const phrase = phrases.get(text.slice(at, at + length));
    if (phrase !== undefined) return phrase;
  }
  return undefined;
}

// Two lines of characters, one below the other, then phrases: what is written, and what it becomes unless itself.
function readTable(): Table {
  const [traditional = '', simplified = '', ...lines] = readLanguageText('traditional/traditional.txt').split('\n');
  const alone = new Uint16Array(0x10000);
  for (let i = 0; i < traditional.length; i++) alone[traditional.charCodeAt(i)] = simplified.charCodeAt(i);
  const longest = new Uint8Array(0x10000);
  const second = new Uint8Array(0x10000);
  const phrases = new Map<string, string>();
  for (const line of lines) {
    const [phrase = '', becomes = phrase] = line.split(' ');
    if (phrase === '') continue;
    phrases.set(phrase, becomes);
    const first = phrase.charCodeAt(0);
    longest[first] = Math.max(longest[first]!, phrase.length);
    second[phrase.charCodeAt(1)] = 1;
  }
  return { alone, longest, phrases, second };
}
