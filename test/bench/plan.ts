// A plan of 50 slots against 50 single matches of the same copies, none of which was asked before: a plan also chooses,
// prices and lists alternatives, and saves 49 requests.

import { makeCopies } from './questions.js';
import { median, rowOf, type Row } from './report.js';
import { startSvcd } from './start-server.js';
import type { Workbench } from './workbench.js';

const SLOTS = 50;
const ROUNDS = 20;

/** Measures plans on a home that was started before. */
export async function benchPlan(bench: Workbench, home: string): Promise<Row[]> {
  const svcd = await startSvcd(bench, home);
  const headers = { Authorization: `Bearer ${svcd.token}`, 'Content-Type': 'application/json' };
  const ask = async (path: string, body: object) => {
    const answer = await fetch(svcd.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`);
    return answer.arrayBuffer();
  };
  const plan = (copies: readonly string[]) =>
    ask('/svcd/plan', { slots: copies.map((text, i) => ({ id: `slot-${i}`, text })) });
  const match = async (copies: readonly string[]) => {
    for (const text of copies) await ask('/api/v1/stickers/match', { text });
  };
  const copies = makeCopies(2 * SLOTS * ROUNDS);
  const [ours, against]: [number[], number[]] = [[], []];
  for (let round = 0; round < 2 * ROUNDS; round++) {
    const these = copies.slice(round * SLOTS, (round + 1) * SLOTS);
    // They take turns at being first, so that neither finds words that the other has read.
    const order = [[plan, ours] as const, [match, against] as const];
    for (const [work, times] of round % 2 === 0 ? order : order.toReversed()) {
      const since = performance.now();
      await work(these);
      // The first rounds meet cold code.
      if (round >= ROUNDS) times.push(performance.now() - since);
    }
  }
  await svcd.stop();
  const row = { name: `plan of ${SLOTS} slots`, better: 'lower', unit: 'ms', peer: `${SLOTS} single matches` } as const;
  return [rowOf({ ...row, ours: median(ours), against: median(against) })];
}
