// The form of a synonym table: lines to entries, and what is wrong with a line. Knows neither where tables lie nor what
// an entry does to a search; spelling is folded by library/synonyms.ts.

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

/** Nobody asks for longer ones word by word. */
const MAX_WORD_CHARACTERS = 24;
const MAX_WORDS = 64;

/**
 * The entries of a table: `a b c` find one another; of `a b > c d` the left find the right only. Words stand between
 * spaces, `_` is a space inside one, `#` begins a comment. A line that says nothing is passed over with a reason.
 */
export function readSynonymTable(text: string): SynonymTable {
  const entries: SynonymEntry[] = [];
  const problems: SynonymProblem[] = [];
  // All at once, because every start reads some thousand lines.
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

/** An entry whose right side is cut into words when somebody asks for one of its left. */
class LateEntry implements SynonymEntry {
  readonly words: readonly string[];
  private readonly right: string;
  private cut: readonly string[] | undefined;

  constructor(words: readonly string[], right: string) {
    this.words = words;
    this.right = right;
  }

  get find(): readonly string[] {
    return (this.cut ??= wordsOf(this.right));
  }
}

function readLine(line: string): SynonymEntry | string {
  const arrow = line.indexOf('>');
  if (arrow >= 0) return readScene(line, arrow);
  const words = wordsOf(line);
  const isSound = words.length > 1 && words.length <= MAX_WORDS && countShortWords(line) > 0;
  return (isSound ? undefined : findProblem([line])) ?? { words, find: words };
}

/** Most are sound, which can be told without taking both sides apart. */
function readScene(line: string, arrow: number): SynonymEntry | string {
  const right = line.slice(arrow + 1);
  const words = wordsOf(line.slice(0, arrow));
  const count = right.includes('>') ? -1 : countShortWords(right);
  const isSound =
    words.length > 0 && count > 0 && words.length + count <= MAX_WORDS && countShortWords(line) > 0;
  return (isSound ? undefined : findProblem(line.split('>'))) ?? new LateEntry(words, right);
}

function findProblem(sides: readonly string[]): string | undefined {
  const [words = [], find = words] = sides.map(wordsOf);
  const all = sides.flatMap(wordsOf);
  const long = all.find((word) => word.length > MAX_WORD_CHARACTERS && !word.includes(' '));
  if (sides.length > 2) return 'has more than one ">"';
  if (words.length === 0) return 'has no word before ">"';
  if (find.length === 0) return 'has no word after ">"';
  if (sides.length === 1 && words.length === 1)
    return `has one word only: "${words[0]}" stands for nothing else`;
  if (all.length > MAX_WORDS) return `has ${all.length} words; more than ${MAX_WORDS} mean nothing`;
  if (long !== undefined) return `"${long}" is longer than ${MAX_WORD_CHARACTERS} characters`;
  return undefined;
}

/** -1 where one may be too long. */
function countShortWords(side: string): number {
  let count = 0;
  for (let at = 0; at < side.length;) {
    const space = side.indexOf(' ', at);
    const end = space < 0 ? side.length : space;
    if (end - at > MAX_WORD_CHARACTERS) return -1;
    if (end > at) count++;
    at = end + 1;
  }
  return count;
}

function wordsOf(side: string): string[] {
  const words: string[] = [];
  for (let at = 0; at < side.length;) {
    const space = side.indexOf(' ', at);
    const end = space < 0 ? side.length : space;
    if (end > at) words.push(side.slice(at, end));
    at = end + 1;
  }
  const each = words.length > 1 ? [...new Set(words)] : words;
  return side.includes('_') ? each.map((word) => word.replaceAll('_', ' ')) : each;
}
