// Times the engines against one another in one process: every question goes to each of them in turn, so that noise
// falls on all alike.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { makeCopies, makeQueries } from '../questions.js';
import { rowOf, type Row } from '../report.js';
import { growCatalogue } from './grow.js';
import type { Text } from '../peers/peer.js';
import { ENGINES, readSynonyms, type TimedEngine } from './open-engine.js';
import { openSameTerms } from './same-terms.js';

const COPY_LENGTH = 2000;
/** At more entries a peer that holds every term of svcd's takes minutes to build. */
const LARGE = 50_000;
const MEASURE_MEMORY = join(import.meta.dirname, 'measure-memory.ts');

/** How many questions are asked of each engine. */
export interface Effort {
  readonly queries: number;
  readonly copies: number;
}

/** Latency, build, load and memory at a number of entries, svcd beside each peer. */
export function timeEngines(entries: number, effort: Effort, note: (line: string) => void): Row[] {
  const texts = growCatalogue(entries);
  const engines = Object.entries(ENGINES).map(([name, open]) => {
    note(`${name}, ${entries} entries …`);
    return open(texts);
  });
  const search = race(engines, makeQueries(effort.queries), (engine, query) => engine.search(query));
  const match = race(engines, longCopies(effort.copies), (engine, copy) => engine.match(copy));
  const sameTerms = entries < LARGE ? raceSameTerms(engines[0]!, texts, effort, note) : [];
  for (const engine of engines) engine.close();
  const at = `${entries.toLocaleString('en')} entries`;
  return [
    ...sameTerms,
    ...compare(engines, `search p50, ${at}`, 'µs', (_, i) => quantile(search[i]!, 0.5)),
    ...compare(engines, `search p99, ${at}`, 'µs', (_, i) => quantile(search[i]!, 0.99)),
    ...compare(engines, `match of 2,000 characters p50, ${at}`, 'µs', (_, i) => quantile(match[i]!, 0.5)),
    ...compare(engines, `match of 2,000 characters p99, ${at}`, 'µs', (_, i) => quantile(match[i]!, 0.99)),
    ...compare(engines, `build, ${at}`, 'ms', ({ buildMs }) => buildMs),
    ...compare(engines, `load, ${at} (peers build)`, 'ms', ({ buildMs, loadMs }) => loadMs ?? buildMs),
    ...compare(engines, `memory, ${at}`, 'MB', ({ name }) => memoryOf(name, entries)),
  ];
}

/** Beside MiniSearch that holds and is asked for the same terms. */
function raceSameTerms(
  svcd: TimedEngine,
  texts: readonly Text[],
  { queries }: Effort,
  note: (line: string) => void,
): Row[] {
  note('minisearch with the same terms …');
  const search = openSameTerms(texts, readSynonyms());
  const same: Pick<TimedEngine, 'search'> = { search };
  const [ours = [], against = []] = race([svcd, same], makeQueries(queries), (engine, query) => engine.search(query));
  return [0.5, 0.99].map((share) =>
    rowOf({
      name: `search p${share * 100}, ${texts.length.toLocaleString('en')} entries`,
      ours: quantile(ours, share),
      against: quantile(against, share),
      better: 'lower',
      unit: 'µs',
      peer: 'minisearch with the same terms',
    }),
  );
}

/** Microseconds by engine; the first tenth of the questions is asked twice, once to warm up. */
function race<Engine>(
  engines: readonly Engine[],
  questions: readonly string[],
  ask: (engine: Engine, question: string) => unknown,
): number[][] {
  const times = engines.map(() => [] as number[]);
  for (const question of questions.slice(0, Math.ceil(questions.length / 10))) {
    for (const engine of engines) ask(engine, question);
  }
  for (const question of questions) {
    for (const [i, engine] of engines.entries()) {
      const startedAt = performance.now();
      ask(engine, question);
      times[i]!.push((performance.now() - startedAt) * 1000);
    }
  }
  return times;
}

function compare(
  engines: readonly TimedEngine[],
  name: string,
  unit: string,
  read: (engine: TimedEngine, index: number) => number,
): Row[] {
  const [ours = NaN, ...others] = engines.map(read);
  return others.map((against, i) => rowOf({ name, ours, against, better: 'lower', unit, peer: engines[i + 1]!.name }));
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

function longCopies(count: number): string[] {
  const sentences = makeCopies(count * 20);
  return Array.from({ length: count }, (_, at) =>
    Array.from(sentences.slice(at * 20, at * 20 + 60).join('\n'))
      .slice(0, COPY_LENGTH)
      .join(''),
  );
}

function memoryOf(name: string, entries: number): number {
  const args = ['--expose-gc', '--import', 'tsx', MEASURE_MEMORY, name, String(entries)];
  return Number(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}
