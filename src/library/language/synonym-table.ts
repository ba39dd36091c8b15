// The form of a synonym table: lines to entries, and what is wrong with a line. Knows neither where tables lie nor what
// an entry does to a search; spelling is folded by synonyms.ts.

export interface SynonymEntry {
  readonly words: readonly string[];
  /** What each of them finds; itself is left out. */
  readonly find: readonly string[];
}

export interface SynonymProblem {
  /** Counted from 1. */
  readonly line: number;
  readonly what: string;
}

export interface SynonymTable {
  readonly entries: readonly SynonymEntry[];
  /** Of lines that were passed over. */
  readonly problems: readonly SynonymProblem[];
}

/** Longer ones are never searched for word by word. */
const MAX_WORD_CHARACTERS = 24;
const MAX_WORDS = 64;
/** Of a line: all its words, at their longest. */
const MAX_LINE_CHARACTERS = 4096;

/**
 * The entries of a table: `a b c` find one another; of `a b > c d` the left find the right only. Words stand between
 * spaces, `_` is a space inside one, `#` begins a comment. A line that says nothing is passed over with a reason.
 */
export function readSynonymTable(text: string): SynonymTable {
  const entries: SynonymEntry[] = [];
  const problems: SynonymProblem[] = [];
  const plain = text.replace(COMMENT, '').replace(OTHER_SPACE, ' ').replaceAll('＞', '>');
  for (const [i, line] of plain.split('\n').entries()) {
    if (line === '' || line.trim() === '') continue;
    const entry = readLine(line);
    if (typeof entry === 'string') problems.push({ line: i + 1, what: entry });
    else entries.push(entry);
  }
  return { entries, problems };
}

const COMMENT = /[#＃].*/g;
const OTHER_SPACE = /[^\S \n]/g;

function readLine(line: string): SynonymEntry | string {
  if (line.length > MAX_LINE_CHARACTERS)
    return `has ${line.length} characters; at most ${MAX_LINE_CHARACTERS} are read`;
  const sides = line.split('>');
  const [words = [], find = words] = sides.map(wordsOf);
  return findProblem(sides) ?? { words, find };
}

function findProblem(sides: readonly string[]): string | undefined {
  const [words = [], find = words] = sides.map(wordsOf);
  const all = sides.flatMap(wordsOf);
  const long = all.find((word) => word.length > MAX_WORD_CHARACTERS && !word.includes(' '));
  if (sides.length > 2) return 'has more than one ">"';
  if (words.length === 0) return 'has no word before ">"';
  if (find.length === 0) return 'has no word after ">"';
  if (sides.length === 1 && words.length === 1) return `has one word only: "${words[0]}" stands for nothing else`;
  if (all.length > MAX_WORDS) return `has ${all.length} words; more than ${MAX_WORDS} mean nothing`;
  if (long !== undefined) return `"${long}" is longer than ${MAX_WORD_CHARACTERS} characters`;
  return undefined;
}

function wordsOf(side: string): string[] {
  const words = side.split(' ').filter((word) => word !== '');
  return [...new Set(words)].map((word) => word.replaceAll('_', ' '));
}
