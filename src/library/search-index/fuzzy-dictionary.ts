// Words found by how they begin and in spite of a mistake, as MiniSearch finds them and with its scores, from a form that
// takes a fiftieth of its memory and is stored beside the index. A property test holds it to MiniSearch.

import SearchableMap from 'minisearch/SearchableMap';

/** A word as it is typed, in letters below U+0100, and its first letters if it can be typed so; '' if not. */
export interface FuzzyWord {
  readonly id: number;
  readonly letters: string;
  readonly initials: string;
}

/** A word that was found. */
export interface FoundWord {
  readonly id: number;
  readonly score: number;
  /** What of it was met first: its letters or its first letters. */
  readonly as: string;
}

export interface TypedQuery {
  /** Whether words that only begin so are found. */
  readonly prefix: boolean;
  /** How many letters may differ; 0 for none. */
  readonly mistakes: number;
  /** Whether first letters count. */
  readonly initials: boolean;
}

// MiniSearch's defaults.
const PREFIX_WEIGHT = 0.375;
const FUZZY_WEIGHT = 0.45;
const SATURATED = 0.5 + 2.2 / (1 + 1.2 * (1 - 0.7 + 0.7));

/** Numbers of words and of spellings come first. */
const HEADER = 2;
const FIELDS = 2;

/** Words without a change since they were compiled, and what was added. */
export class FuzzyDictionary {
  /** All of it in one block, for the snapshot. */
  readonly block: Uint32Array;
  private readonly size: number;
  private readonly offsets: Uint32Array;
  private readonly ranks: Uint32Array;
  private readonly starts: Uint32Array;
  private readonly ids: Uint32Array;
  private readonly letters: Uint8Array;
  /** The letters as a string, once they are asked for. */
  private text: string | undefined;
  private documents: number;
  /** Words by spelling, one list for letters and one for first letters. */
  private readonly added = new Map<string, [number[], number[]]>();
  private readonly addedIds = new Set<number>();

  constructor(block: Uint32Array) {
    this.block = block;
    this.documents = block[0] ?? 0;
    this.size = block[1] ?? 0;
    let at = HEADER;
    const take = (length: number) => block.subarray(at, (at += length));
    this.offsets = take(this.size + 1);
    this.ranks = take(this.size);
    this.starts = take(FIELDS * this.size + 1);
    this.ids = take(this.starts[FIELDS * this.size] ?? 0);
    this.letters = new Uint8Array(block.buffer, block.byteOffset + 4 * at, this.offsets[this.size] ?? 0);
  }

  /** How many words there are. */
  get count(): number {
    return this.documents;
  }

  /** Adds a word, once. */
  add({ id, letters, initials }: FuzzyWord): void {
    if (this.addedIds.has(id)) return;
    this.addedIds.add(id);
    this.documents++;
    for (const [field, spelling] of [letters, initials].entries()) {
      if (spelling === '') continue;
      const lists = this.added.get(spelling) ?? [[], []];
      this.added.set(spelling, lists);
      lists[field]!.push(id);
    }
  }

  /** Words for what was typed, best first. */
  search(typed: string, { prefix, mistakes, initials }: TypedQuery): FoundWord[] {
    const found = new Map<number, { id: number; score: number; as: string }>();
    const take = (spelling: string, term: number, weight: number) => {
      for (let field = 0; field < (initials ? FIELDS : 1); field++) {
        const own = term < 0 ? [] : this.idsOf(term, field);
        const more = this.added.get(spelling)?.[field] ?? [];
        const score = weight * (this.rarityOf(own.length + more.length) * SATURATED);
        for (const ids of [own, more]) {
          for (const id of ids) {
            const known = found.get(id);
            if (known === undefined) found.set(id, { id, score, as: spelling });
            else known.score += score;
          }
        }
      }
    };
    take(typed, this.find(typed), 1);
    if (prefix) {
      this.forEachLonger(typed, (spelling, term) => take(spelling, term, prefixWeight(spelling.length, typed.length)));
    }
    if (mistakes > 0) {
      for (const { spelling, term, distance } of this.near(typed, mistakes)) {
        if (distance === 0 || (prefix && spelling.startsWith(typed))) continue;
        take(spelling, term, (FUZZY_WEIGHT * spelling.length) / (spelling.length + distance));
      }
    }
    return [...found.values()].toSorted((a, b) => b.score - a.score);
  }

  private rarityOf(frequency: number): number {
    return Math.log(1 + (this.documents - frequency + 0.5) / (frequency + 0.5));
  }

  private idsOf(term: number, field: number): Uint32Array {
    const at = FIELDS * term + field;
    return this.ids.subarray(this.starts[at], this.starts[at + 1]);
  }

  private spell(term: number): string {
    this.text ??= Buffer.from(this.letters).toString('latin1');
    return this.text.slice(this.offsets[term], this.offsets[term + 1]);
  }

  private find(typed: string): number {
    const term = this.firstFrom(typed);
    return term < this.size && this.spell(term) === typed ? term : -1;
  }

  /** The first spelling that is not before this one. */
  private firstFrom(typed: string): number {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.spell(middle) < typed) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // In the order in which MiniSearch walks its tree, for that decides between words of the same score.
  private forEachLonger(typed: string, visit: (spelling: string, term: number) => void): void {
    const from = this.firstFrom(typed);
    const to = this.firstFrom(`${typed}\uFFFF`);
    for (const term of this.inTreeOrder(from, to)) {
      const spelling = this.spell(term);
      if (spelling !== typed) visit(spelling, term);
    }
    for (const spelling of this.added.keys()) {
      const isNew = spelling !== typed && spelling.startsWith(typed) && this.find(spelling) < 0;
      if (isNew) visit(spelling, -1);
    }
  }

  // What begins alike is one branch, of which the ranks follow one another.
  private inTreeOrder(from: number, to: number): Uint32Array {
    const ranks = this.ranks.subarray(from, to);
    const first = ranks.reduce((least, rank) => Math.min(least, rank), this.size);
    const terms = new Uint32Array(to - from);
    for (const [i, rank] of ranks.entries()) terms[rank - first] = from + i;
    return terms;
  }

  /** Spellings that differ in so many letters at most, in the reverse of that order. */
  private near(typed: string, most: number): { spelling: string; term: number; distance: number }[] {
    const walk = new Distances(typed, most);
    const found: { spelling: string; term: number; distance: number }[] = [];
    const { letters, offsets } = this;
    for (let term = 0; term < this.size; term++) {
      const from = offsets[term]!;
      const to = offsets[term + 1]!;
      // Most are too short or too long, which costs the least to see here.
      if (Math.abs(to - from - typed.length) > most) continue;
      const distance = walk.next(letters, from, to);
      if (distance <= most) found.push({ spelling: this.spell(term), term, distance });
    }
    found.sort((a, b) => this.ranks[b.term]! - this.ranks[a.term]!);
    for (const spelling of this.added.keys()) {
      if (this.find(spelling) >= 0) continue;
      const distance = new Distances(typed, most).next(Buffer.from(spelling, 'latin1'), 0, spelling.length);
      if (distance <= most) found.push({ spelling, term: -1, distance });
    }
    return found;
  }
}

function prefixWeight(length: number, typed: number): number {
  return (PREFIX_WEIGHT * length) / (length + 0.3 * (length - typed));
}

/** How many letters words differ in from a typed one; words come sorted, and what they begin alike is worked out once. */
class Distances {
  private readonly typed: Uint16Array;
  private readonly most: number;
  private readonly width: number;
  /**
   * A row for each letter of the word before, and one for none. Of each only what is at most `most` off its diagonal is
   * worked out: the rest is further than that.
   */
  private readonly rows: Uint8Array;
  private before: Uint8Array = new Uint8Array();
  /** Where it begins in there. */
  private beforeFrom = 0;
  /** So many letters of the word before have a row. */
  private known = 0;
  /** What begins with so many of them is too far off. */
  private hopeless = Infinity;

  constructor(typed: string, most: number) {
    this.typed = Uint16Array.from({ length: typed.length }, (_, i) => typed.charCodeAt(i));
    this.most = most;
    this.width = typed.length + 1;
    this.rows = new Uint8Array((typed.length + most + 2) * this.width).fill(most + 1);
    for (let j = 0; j <= Math.min(most, typed.length); j++) this.rows[j] = j;
  }

  /** More than `most` when it is more. */
  next(letters: Uint8Array, from: number, to: number): number {
    const { typed, most, width, rows, before, beforeFrom } = this;
    const length = to - from;
    let at = 0;
    const shared = Math.min(this.known, length);
    while (at < shared && before[beforeFrom + at] === letters[from + at]) at++;
    if (at >= this.hopeless) return most + 1;
    this.before = letters;
    this.beforeFrom = from;
    this.known = at;
    this.hopeless = Infinity;
    if (length > typed.length + most) return most + 1;
    for (; at < length; at++) {
      const row = (at + 1) * width;
      const letter = letters[from + at];
      let least = most + 1;
      if (at < most) least = rows[row] = at + 1;
      const last = at + 1 + most < width ? at + 1 + most : width - 1;
      for (let j = at + 1 > most ? at + 1 - most : 1; j <= last; j++) {
        const above = row - width + j;
        let distance = letter === typed[j - 1] ? rows[above - 1]! : rows[above - 1]! + 1;
        if (rows[above]! < distance) distance = rows[above]! + 1;
        if (rows[row + j - 1]! < distance) distance = rows[row + j - 1]! + 1;
        rows[row + j] = distance;
        if (distance < least) least = distance;
      }
      this.known = at + 1;
      if (least > most) {
        this.hopeless = at + 1;
        return most + 1;
      }
    }
    return rows[length * width + width - 1]!;
  }
}

/** Words in a compiled form; of 35,000 it takes some hundred milliseconds. */
export function compileFuzzyDictionary(words: Iterable<FuzzyWord>): FuzzyDictionary {
  // MiniSearch keeps its words in such a tree, and lists them in its order.
  const tree = new SearchableMap<[number[], number[]]>();
  let count = 0;
  for (const { id, letters, initials } of words) {
    count++;
    tree.fetch(letters, () => [[], []])[0].push(id);
    if (initials !== '') tree.fetch(initials, () => [[], []])[1].push(id);
  }
  const spelled = Array.from(tree, ([spelling, ids], rank) => ({ spelling, rank, ids }));
  return new FuzzyDictionary(packWords(count, spelled));
}

interface Spelled {
  readonly spelling: string;
  readonly rank: number;
  readonly ids: readonly (readonly number[])[];
}

function packWords(count: number, spelled: readonly Spelled[]): Uint32Array {
  const sorted = spelled.toSorted((a, b) => (a.spelling < b.spelling ? -1 : 1));
  const lists = sorted.flatMap(({ ids }) => ids);
  const letters = Buffer.from(sorted.map(({ spelling }) => spelling).join(''), 'latin1');
  const numbers = [
    count,
    sorted.length,
    ...startsOf(sorted.map(({ spelling }) => spelling.length)),
    ...sorted.map(({ rank }) => rank),
    ...startsOf(lists.map((ids) => ids.length)),
  ];
  const total = lists.reduce((sum, ids) => sum + ids.length, 0);
  const block = new Uint32Array(numbers.length + total + Math.ceil(letters.length / 4));
  block.set(numbers);
  block.set(lists.flat(), numbers.length);
  new Uint8Array(block.buffer, 4 * (numbers.length + total)).set(letters);
  return block;
}

function startsOf(lengths: readonly number[]): number[] {
  const starts = [0];
  for (const length of lengths) starts.push(starts.at(-1)! + length);
  return starts;
}
