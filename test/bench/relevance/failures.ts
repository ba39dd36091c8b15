// The queries of a track that an engine answers worst, with what was wanted and what came instead.

import type { Benchmark } from './benchmark-files.js';
import { judge, type Rank } from './metrics.js';

const SHOWN = 5;

/** The `count` worst of a track (`ALL`, `ALL/none`, `emoji-word`, `copies/inline`), spread evenly over all that fail. */
export function describeFailures(
  rank: { search: Rank; match: Rank },
  benchmark: Benchmark,
  track: string,
  count: number,
): string {
  const entries = new Map(benchmark.library.map((entry) => [entry.preset, entry]));
  const titles = (presets: readonly string[]) =>
    presets
      .slice(0, SHOWN)
      .map((preset) => entries.get(preset)?.title ?? preset)
      .join(' | ');
  const failed = asked(benchmark, track)
    .map(({ text, relevant, grades, scope, isCopy }) => {
      const all = isCopy ? rank.match(text) : rank.search(text);
      const ranked = all.filter((preset) => entries.get(preset)?.source === scope);
      return { text, relevant, ranked, ...judge(ranked, new Set(relevant), grades) };
    })
    .filter(({ recall, mrr }) => recall < 1 || mrr < 1)
    .toSorted((a, b) => a.ndcg - b.ndcg);
  const worst = failed.filter(({ ndcg }) => ndcg === (failed[0]?.ndcg ?? 0));
  const pool = worst.length > count ? worst : failed;
  const step = Math.max(1, Math.floor(pool.length / count));
  const chosen = (pool === worst ? pool.filter((_, at) => at % step === 0) : pool).slice(0, count);
  return [
    `${track}: ${failed.length} are not perfect, ${worst.length} as bad as can be`,
    ...chosen.map(
      ({ text, relevant, ranked, ndcg }) =>
        `${ndcg.toFixed(2)}  ${text.replaceAll('\n', ' ').slice(0, 120)}\n      wanted ${titles(relevant)}\n      came   ${titles(ranked)}`,
    ),
  ].join('\n');
}

interface Asked {
  readonly text: string;
  readonly relevant: readonly string[];
  readonly grades?: Readonly<Record<string, number>>;
  readonly scope: string;
  readonly isCopy: boolean;
}

function asked({ queries, copies }: Benchmark, track: string): Asked[] {
  if (track.startsWith('copies')) {
    return copies
      .filter(({ kind, relevant }) => relevant !== undefined && `copies/${kind}/text`.startsWith(track))
      .map(({ text, relevant = [] }) => ({ text, relevant, scope: 'cldr', isCopy: true }));
  }
  return queries
    .filter((query) => track === 'ALL' || track === query.track || track === `ALL/${query.lexical}`)
    .map(({ q, ...query }) => ({ ...query, text: q, isCopy: false }));
}
