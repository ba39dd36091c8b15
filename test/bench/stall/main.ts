// npm run bench:stall [-- --json] [-- NAME…]: how long the worst known request of each operation holds the loop, and with it
// everybody else. A client in a thread of its own asks for little all the while; told is what it waited longest, and what svcd
// computed in that time, of several rounds the least (and in the first): the machine's other work only adds to it.

import { setTimeout as wait } from 'node:timers/promises';
import { OPERATIONS, type OperationName } from '../../../src/api/operations.js';
import type { Operation } from '../../../src/api/operation.js';
import { readChoice } from '../choice.js';
import { startSvcd, type SvcdServer } from '../start-server.js';
import { threeDigits } from '../report.js';
import { openWorkbench } from '../workbench.js';
import { startPinger } from './pinger.js';
import { fillHome, PURCHASES } from './fill-home.js';
import { WORST_INPUTS, type WorstInput } from './worst-inputs.js';

const ROUNDS = 3;
/** What an answer without end is read for. */
const READ_MS = 500;
/** After an answer some work goes on. */
const REST_MS = 150;
/** What is wanted at most: of requests without a token, and with one. */
const WANTED_MS = { anybody: 10, known: 50 } as const;

const { json, chosen } = readChoice(Object.keys(WORST_INPUTS));
const bench = openWorkbench();

const home = bench.makeFolder('home');
await (await startSvcd(bench, home)).stop();
fillHome(home);
const svcd = await startSvcd(bench, home, ['hub', 'start', '--listen', '127.0.0.1:0', '--port', '0']);
let { token } = svcd;
const pinger = startPinger(svcd);
// What is loaded at the first request of its kind is not the request's.
await wait(5000);
const idle = await pinger.longestDuring(() => wait(1000));
if (!json)
  process.stdout.write(
    `${PURCHASES} purchases; nothing asked: waited ${idle.waited.toFixed(1)} ms, computed ${idle.computed.toFixed(1)} ms\n`,
  );
for (const name of Object.keys(WORST_INPUTS) as OperationName[]) {
  if (!chosen.includes(name)) continue;
  // The sandbox is in the same process: what it would compute is not svcd's.
  await ask(
    svcd,
    OPERATIONS.switchOffline,
    { body: { offline: OPERATIONS[name].cost === 0 && !WORST_INPUTS[name].some(({ online }) => online) } },
    0,
  );
  for (const [at, input] of WORST_INPUTS[name].entries()) tell(name, at, await measure(OPERATIONS[name], input));
}
await pinger.end();
await svcd.stop().catch(() => undefined);

async function measure(operation: Operation, input: WorstInput) {
  let [waited, computed, first, status] = [Infinity, Infinity, 0, 0];
  for (let round = 0; round < ROUNDS; round += 1) {
    const longest = await pinger.longestDuring(async () => {
      const asked = Array.from({ length: input.times ?? 1 }, (_, at) => ask(svcd, operation, input, at + round * 10));
      const [told = 0] = await Promise.all(asked);
      // After the last one svcd is gone.
      if (round === 0) status = told;
      await wait(REST_MS);
    });
    waited = Math.min(waited, longest.waited);
    computed = Math.min(computed, longest.computed);
    if (round === 0) first = longest.computed;
  }
  return { waited, computed, first, status, wanted: operation.who === 'anybody' ? WANTED_MS.anybody : WANTED_MS.known };
}

/** Asks, reads all of the answer, and gives its status; 0 where svcd is gone. */
async function ask({ url }: SvcdServer, { method, path, who }: Operation, input: WorstInput, nonce: number) {
  const { fill = [], query, body, headers, endless = false } = input;
  let at = 0;
  const inRound = (text: string) => text.replaceAll('{round}', String(Math.floor(nonce / 10) + 1));
  const filled = path.replace(/\{\w+\}|\*/g, () => encodeURIComponent(inRound(fill[at++] ?? 'none')));
  const gone = new AbortController();
  if (endless) setTimeout(() => gone.abort(), READ_MS);
  try {
    const answer = await fetch(`${url}${filled}${query === undefined ? '' : `?${differingQuery(query, nonce)}`}`, {
      method: method === 'any' ? 'GET' : method,
      headers: {
        ...(who === 'anybody' ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : inRound(differing(body, nonce)) }),
      signal: gone.signal,
    });
    if (path === OPERATIONS.rotateToken.path && answer.ok) ({ token } = (await answer.json()) as { token: string });
    else for await (const _ of answer.body ?? []) continue;
    return answer.status;
  } catch {
    return 0;
  }
}

/** The same words, and one that nothing has. */
function differingQuery(query: string, nonce: number): string {
  return query.replace(/(^|&)q=/, `$1q=${encodeURIComponent(String.fromCharCode(0x3400 + nonce))}`);
}

/** The same body as often as wanted, which no cache of answers knows. */
function differing(body: object, nonce: number): string {
  return JSON.stringify(body, (key, value: unknown) =>
    key === 'text' && typeof value === 'string' ? `${String.fromCharCode(0x3400 + nonce)}${value.slice(1)}` : value,
  );
}

function tell(
  name: string,
  at: number,
  { waited, computed, first, status, wanted }: Awaited<ReturnType<typeof measure>>,
): void {
  const row = {
    name,
    input: at + 1,
    status,
    waited: threeDigits(waited),
    computed: threeDigits(computed),
    first: threeDigits(first),
    wanted,
  };
  const ms = [computed, first, waited].map((one) => one.toFixed(1).padStart(9)).join('');
  const mark = computed > wanted ? '  more than wanted' : '';
  process.stdout.write(
    json ? `${JSON.stringify(row)}\n` : `${`${name} ${at + 1}`.padEnd(22)} ${status}${ms}  of ${wanted}${mark}\n`,
  );
}
