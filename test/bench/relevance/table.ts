// The scores for people: a line for each track, a column for each engine.

import type { TrackFigures } from './metrics.js';

/** What an engine scored. */
export interface Scored {
  readonly engine: string;
  /** How it was set up. */
  readonly setUp: string;
  readonly figures: readonly TrackFigures[];
}

/** Tables of queries (nDCG@10, recall and reciprocal rank for ALL) and of copies, then how each engine was set up. */
export function tablesOf(engines: readonly Scored[]): string {
  const tracks = engines[0]?.figures.map(({ track }) => track) ?? [];
  const isCopies = (track: string) => track.startsWith('copies/');
  const isAll = (track: string) => track.startsWith('ALL');
  const parts = [
    section('R@10 / MRR@10 / nDCG@10', tracks.filter(isAll), engines, threeFigures),
    section(
      'nDCG@10 by track',
      tracks.filter((track) => !isAll(track) && !isCopies(track)),
      engines,
      ({ ndcg }) => said(ndcg),
    ),
    section(
      'whole copies: R@10 / hit@50',
      tracks.filter(isCopies),
      engines,
      ({ recall, hit50 = 0 }) => `${said(recall)} / ${said(hit50)}`,
    ),
    ...engines.map(({ engine, setUp }) => `${engine}: ${setUp}`),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function section(
  title: string,
  tracks: readonly string[],
  engines: readonly Scored[],
  cell: (figures: TrackFigures) => string,
): string {
  if (tracks.length === 0) return '';
  const head = [title, 'n', ...engines.map(({ engine }) => engine)];
  const rows = tracks.map((track) => {
    const found = engines.map(({ figures }) => figures.find((one) => one.track === track));
    const n = String(found.find((one) => one !== undefined)?.n ?? 0);
    return [track, n, ...found.map((one) => (one === undefined ? '' : cell(one)))];
  });
  return `${align([head, ...rows])}\n`;
}

function align(table: readonly (readonly string[])[]): string {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('   '),
    )
    .join('\n');
}

function threeFigures({ recall, mrr, ndcg }: TrackFigures): string {
  return [recall, mrr, ndcg].map(said).join(' / ');
}

/** `.744` */
function said(value: number): string {
  return value.toFixed(3).replace(/^0/, '');
}
