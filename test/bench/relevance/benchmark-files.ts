// The files of a relevance benchmark: what to index, queries and copies with what was judged relevant. Their names
// begin with library, queries or copies; whatever half they are of is scored.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One thing to index. */
export interface Entry {
  readonly preset: string;
  readonly title: string;
  readonly keywords: readonly string[];
  readonly title_en?: string;
  readonly keywords_en?: readonly string[];
  readonly category?: string;
  /** Where it is from; a query was judged within one of these only. */
  readonly source: string;
}

/** A query and what was judged relevant within its scope. */
export interface JudgedQuery {
  readonly id: string;
  readonly q: string;
  readonly track: string;
  readonly scope: string;
  readonly relevant: readonly string[];
  readonly grades?: Readonly<Record<string, number>>;
  /** How near the query is to the text of a relevant entry. */
  readonly lexical: string;
}

/** A text for match; without `relevant` it is there to be looked at. */
export interface Copy {
  readonly id: string;
  readonly kind: string;
  readonly text: string;
  readonly short?: string;
  readonly relevant?: readonly string[];
}

/** What a folder holds. */
export interface Benchmark {
  readonly library: readonly Entry[];
  readonly queries: readonly JudgedQuery[];
  readonly copies: readonly Copy[];
}

/** Copies are judged within one source. */
export const COPY_SCOPE = 'cldr';

/** Reads a benchmark from `folder` and its `more/`. Throws when there is no library or nothing to ask. */
export function readBenchmark(folder: string): Benchmark {
  const read = <T>(kind: string): T[] =>
    [folder, join(folder, 'more')].flatMap((place) => filesOf(place, kind)).flatMap((file) => linesOf<T>(file));
  const benchmark = {
    library: read<Entry>('library').map(withEnglish),
    queries: read<JudgedQuery>('queries'),
    copies: read<Copy>('copies'),
  };
  if (benchmark.library.length === 0) throw new Error(`${folder} has no library*.jsonl`);
  if (benchmark.queries.length + benchmark.copies.length === 0) {
    throw new Error(`${folder} has neither queries*.jsonl nor copies*.jsonl`);
  }
  return benchmark;
}

// Where the library has English, it is one more keyword: for svcd as for its peers.
function withEnglish(entry: Entry): Entry {
  const english = [entry.title_en ?? [], entry.keywords_en ?? []].flat();
  return { ...entry, keywords: [...new Set([...entry.keywords, ...english])] };
}

function filesOf(folder: string, kind: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => new RegExp(`^${kind}\\b.*\\.jsonl$`).test(name));
  return names.toSorted().map((name) => join(folder, name));
}

function linesOf<T>(file: string): T[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}
