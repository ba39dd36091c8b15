// How good a ranked list is: recall, reciprocal rank and graded gain of its first ten, and their means by track.

import { COPY_SCOPE, type Benchmark, type Entry } from './benchmark-files.js';

/** A ranker: presets for a text, best first, as many as it likes. */
export type Rank = (text: string) => readonly string[];

/** What one ranked list is worth; `hit50` of copies only. */
export interface Figures {
  readonly recall: number;
  readonly mrr: number;
  readonly ndcg: number;
  readonly hit50?: number;
}

/** Means of a track, to three decimals. */
export interface TrackFigures extends Figures {
  readonly track: string;
  readonly n: number;
}

const DEPTH = 10;
const HIT_DEPTH = 50;

/** R@10 (hits by the most there can be), MRR@10 and graded nDCG@10. */
export function judge(
  ranked: readonly string[],
  relevant: ReadonlySet<string>,
  grades: Readonly<Record<string, number>> = {},
): Figures {
  const gradeOf = (preset: string) => grades[preset] ?? 1;
  const found = ranked
    .slice(0, DEPTH)
    .map((preset, at) => ({ preset, at }))
    .filter(({ preset }) => relevant.has(preset));
  const ideal = [...relevant].map(gradeOf).toSorted((a, b) => b - a);
  const best = sum(ideal.slice(0, DEPTH).map((grade, at) => gain(grade, at)));
  return {
    recall: found.length / Math.min(DEPTH, relevant.size),
    mrr: found[0] === undefined ? 0 : 1 / (found[0].at + 1),
    ndcg: best === 0 ? 0 : sum(found.map(({ preset, at }) => gain(gradeOf(preset), at))) / best,
  };
}

/** Means over the queries: ALL, ALL by lexical distance, and each track. Only entries of a query's scope were judged; others are dropped from the list first. */
export function scoreQueries(rank: Rank, { library, queries }: Benchmark): TrackFigures[] {
  const sources = sourcesOf(library);
  const rows = new Rows();
  for (const { q, track, scope, relevant, grades, lexical } of queries) {
    const ranked = rank(q).filter((preset) => sources.get(preset) === scope);
    rows.add(['ALL', `ALL/${lexical}`, track], judge(ranked, new Set(relevant), grades));
  }
  return rows.means();
}

/** Means over the copies by kind and form, with whether anything relevant is among the first fifty. */
export function scoreCopies(rank: Rank, { library, copies }: Benchmark): TrackFigures[] {
  const sources = sourcesOf(library);
  const rows = new Rows();
  for (const { kind, text, short, relevant } of copies) {
    if (relevant === undefined) continue;
    for (const [form, copy] of Object.entries({ short, text })) {
      if (copy === undefined || copy === '') continue;
      const ranked = rank(copy).filter((preset) => sources.get(preset) === COPY_SCOPE);
      const near = new Set(ranked.slice(0, HIT_DEPTH));
      const hit50 = relevant.some((preset) => near.has(preset)) ? 1 : 0;
      rows.add([`copies/${kind}/${form}`], { ...judge(ranked, new Set(relevant)), hit50 });
    }
  }
  return rows.means();
}

class Rows {
  private readonly figures = new Map<string, Figures[]>();

  add(tracks: readonly string[], figures: Figures): void {
    for (const track of tracks) {
      const row = this.figures.get(track);
      if (row === undefined) this.figures.set(track, [figures]);
      else row.push(figures);
    }
  }

  means(): TrackFigures[] {
    const byTrack = [...this.figures].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return byTrack.map(([track, figures]) => ({ track, n: figures.length, ...meanOf(figures) }));
  }
}

function meanOf(figures: readonly Figures[]): Figures {
  const mean = (read: (one: Figures) => number) => Number((sum(figures.map(read)) / figures.length).toFixed(3));
  const hits = figures[0]?.hit50 === undefined ? {} : { hit50: mean((one) => one.hit50 ?? 0) };
  return {
    recall: mean((one) => one.recall),
    mrr: mean((one) => one.mrr),
    ndcg: mean((one) => one.ndcg),
    ...hits,
  };
}

function gain(grade: number, at: number): number {
  return grade / Math.log2(at + 2);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function sourcesOf(library: readonly Entry[]): Map<string, string> {
  return new Map(library.map(({ preset, source }) => [preset, source]));
}
