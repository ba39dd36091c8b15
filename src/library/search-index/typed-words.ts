// Words as they are typed, in MiniSearch's radix tree: found by their letters or first letters, by how they begin and in
// spite of a mistake, with the scores that MiniSearch gives them.

import SearchableMap from 'minisearch/SearchableMap';

/** A word as it is typed, in letters below U+0100, and its first letters if it can be typed so; '' if not. */
export interface TypedWord {
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

/** Words of one spelling: those with these letters, and those with these first letters. */
type Spelled = readonly [letters: number[], initials: number[]];

export class TypedWords {
  /** How many words there are. */
  count = 0;
  private readonly tree = new SearchableMap<Spelled>();

  add({ id, letters, initials }: TypedWord): void {
    this.count++;
    this.tree.fetch(letters, () => [[], []])[0].push(id);
    if (initials !== '') this.tree.fetch(initials, () => [[], []])[1].push(id);
  }

  /** Words for what was typed, best first. */
  search(typed: string, { prefix, mistakes, initials }: TypedQuery): FoundWord[] {
    const found = new Map<number, { id: number; score: number; as: string }>();
    const take = (spelling: string, spelled: Spelled, weight: number) => {
      for (const ids of initials ? spelled : [spelled[0]]) {
        const score = weight * (this.rarityOf(ids.length) * SATURATED);
        for (const id of ids) {
          const known = found.get(id);
          if (known === undefined) found.set(id, { id, score, as: spelling });
          else known.score += score;
        }
      }
    };
    const exact = this.tree.get(typed);
    if (exact !== undefined) take(typed, exact, 1);
    if (prefix) {
      for (const [spelling, spelled] of this.tree.atPrefix(typed)) {
        const length = spelling.length;
        const weight = (PREFIX_WEIGHT * length) / (length + 0.3 * (length - typed.length));
        if (spelling !== typed) take(spelling, spelled, weight);
      }
    }
    if (mistakes > 0) {
      for (const [spelling, [spelled, distance]] of this.tree.fuzzyGet(typed, mistakes)) {
        if (distance === 0 || (prefix && spelling.startsWith(typed))) continue;
        take(spelling, spelled, (FUZZY_WEIGHT * spelling.length) / (spelling.length + distance));
      }
    }
    return [...found.values()].toSorted((a, b) => b.score - a.score);
  }

  private rarityOf(frequency: number): number {
    return Math.log(1 + (this.count - frequency + 0.5) / (frequency + 0.5));
  }
}
