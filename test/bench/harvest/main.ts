// npm run bench:harvest [-- --json] [-- --vocabulary ours|foreign] [-- --requests N]
//   [-- --agreement [FOLDER]]: how many requests a library takes to fill, from nothing, before the sandbox's 11,991
// stickers; in a vocabulary we have synonyms for, and in one of which 200 words are known.

import { parseArgs } from 'node:util';
import { measureAgreement, readQueries } from './agreement.js';
import { drawCurve, type Point } from './curve.js';
import { openStage, type Vocabulary } from './stage.js';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    vocabulary: { type: 'string' },
    requests: { type: 'string', default: '3000' },
    agreement: { type: 'string' },
  },
});
const TOLD_EVERY = 50;
const MARKS = [0.5, 0.9, 0.95, 0.99] as const;

const vocabularies: Vocabulary[] =
  values.vocabulary === undefined ? ['ours', 'foreign'] : [values.vocabulary === 'foreign' ? 'foreign' : 'ours'];
for (const vocabulary of vocabularies) {
  const stage = await openStage(vocabulary);
  try {
    const { points, state } = await drawCurve(stage, Number(values.requests), (point) => {
      if (point.requests % TOLD_EVERY === 0) tell(vocabulary, point);
    });
    const last = points.at(-1);
    if (last !== undefined && last.requests % TOLD_EVERY !== 0) tell(vocabulary, last);
    say(summaryOf(vocabulary, points, state, stage.size));
    if (values.agreement !== undefined && vocabulary === 'ours') {
      const folder = values.agreement === '' ? undefined : values.agreement;
      const agreement = await measureAgreement(stage, readQueries(folder, stage));
      write({ agreement }, `agreement of the first ten: ${JSON.stringify(agreement)}`);
    }
  } finally {
    await stage.close();
  }
}
// What a sleeping timer of the sandbox holds open is of no use any more.
process.exit(0);

function tell(vocabulary: Vocabulary, { requests, coverage, estimate }: Point): void {
  const told = `${vocabulary} ${requests} requests: ${(coverage * 100).toFixed(1)} % known`;
  const rounded = Math.round(coverage * 10_000) / 10_000;
  write({ vocabulary, requests, coverage: rounded, estimate }, `${told}, taken for ${estimate ?? 'unknown'}`);
}

function summaryOf(vocabulary: Vocabulary, points: readonly Point[], state: string, size: number): string {
  const reached = MARKS.map((mark) => {
    const point = points.find(({ coverage }) => coverage >= mark);
    return `${mark * 100} % at ${point?.requests ?? 'never'}`;
  });
  const late = points.filter(({ coverage }) => coverage >= 0.5);
  const wrong = late.flatMap(({ estimate }) => (estimate === null ? [] : [Math.abs(estimate / size - 1)]));
  const worst = `${(100 * Math.max(0, ...wrong)).toFixed(1)} %`;
  const close = `${((100 * wrong.filter((part) => part <= 0.05).length) / Math.max(1, late.length)).toFixed(1)} %`;
  const inside = late.filter(({ low, high }) => (low ?? Infinity) <= size && (high ?? 0) >= size).length;
  return [
    `${vocabulary}: ${reached.join(', ')}; ended ${state}.`,
    `From half-way on the estimate was wrong by ${worst} at most, within 5 % after ${close} of the requests;`,
    `its bounds held the truth after ${((100 * inside) / Math.max(1, late.length)).toFixed(1)} %.`,
  ].join(' ');
}

function write(value: object, words: string): void {
  process.stdout.write(values.json ? `${JSON.stringify(value)}\n` : `${words}\n`);
}

function say(words: string): void {
  process.stderr.write(`${words}\n`);
}
