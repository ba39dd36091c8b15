// npm run bench:slowest -- [--seconds 60] [--keep]: looks for the queries and copies within the documented
// limits that take longest, by changing the worst found so far. --keep adds the worst to cases.jsonl, which the
// tests ask on every run.

import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MATCH_TEXT_MAX, QUERY_MAX } from '../../../src/contract/limits.js';
import { growCatalogue } from '../in-process/grow.js';
import { ENGINES } from '../in-process/open-engine.js';
import { median } from '../report.js';

const CASES = join(import.meta.dirname, 'cases.jsonl');
const ENTRIES = 11_991;
const REPEATS = 5;
const KEPT = 3;

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, keep: { type: 'boolean', default: false } },
});

const texts = growCatalogue(ENTRIES);
const engine = ENGINES['svcd']!(texts);
// The same on every run.
let state = 1;
const below = (n: number): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * n);
};
const known = readFileSync(CASES, 'utf8').split('\n');
for (const kind of ['search', 'match'] as const) hunt(kind, (Number(values.seconds) * 1000) / 2);
engine.close();

function hunt(kind: 'search' | 'match', forMs: number): void {
  const max = kind === 'search' ? QUERY_MAX : MATCH_TEXT_MAX;
  const ask = (text: string) => (kind === 'search' ? engine.search(text) : engine.match(text));
  const endAt = performance.now() + forMs;
  let worst: { text: string; ms: number }[] = [];
  while (performance.now() < endAt) {
    const from = worst.length > 0 && below(4) > 0 ? worst[below(worst.length)]!.text : '';
    const text = change(from, max);
    const ms = timeOf(() => ask(text), 1);
    if (worst.length === KEPT && ms <= worst.at(-1)!.ms) continue;
    // Once is noise: what looks slow is asked again.
    worst = [...worst, { text, ms: timeOf(() => ask(text), REPEATS) }].toSorted((a, b) => b.ms - a.ms).slice(0, KEPT);
  }
  for (const { text, ms } of worst) {
    process.stdout.write(`${kind} ${ms.toFixed(1)} ms ${JSON.stringify(text.slice(0, 60))} (${text.length})\n`);
    const line = JSON.stringify({ kind, text });
    if (values.keep && !known.includes(line)) appendFileSync(CASES, `${line}\n`);
  }
}

function timeOf(work: () => unknown, times: number): number {
  return median(
    Array.from({ length: times }, () => {
      const startedAt = performance.now();
      work();
      return performance.now() - startedAt;
    }),
  );
}

// Pieces that the library knows, cut and joined, single common characters, Latin beginnings, one thing repeated.
function change(from: string, max: number): string {
  const characters = Array.from(from);
  const at = below(characters.length + 1);
  const count = below(max);
  const made = Array.from({ length: 1 + below(40) }, piece).join(['', ' ', '，'][below(3)]);
  const next = [...characters.slice(0, at), ...Array.from(made), ...characters.slice(at + below(20))];
  const long = below(5) === 0 ? Array.from(made.repeat(Math.ceil(max / made.length)).slice(0, count + 1)) : next;
  return long.slice(0, max).join('') || '一';
}

function piece(): string {
  const { title, keywords } = texts[below(texts.length)]!;
  const word = [title, ...keywords][below(keywords.length + 1)]!;
  const kinds = [word, word.slice(0, 2), word.slice(-1), String.fromCharCode(97 + below(26)), '大', '的', '人', '🎂'];
  return kinds[below(kinds.length)]!;
}
