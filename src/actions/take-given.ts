// Takes in what a machine owns when it joins a hub, line by line.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { GivenReport } from '../api/hub.js';
import { readLines } from '../platform/read-lines.js';
import type { GivenStore } from '../purchases/given.js';
import { longestLineOf } from './transfer-owned.js';

const MAX_TOLD = 20;

export function createTakeGiven(given: GivenStore, maxFileBytes: number) {
  return async ({ id }: { readonly id: number }, pieces: AsyncIterable<Uint8Array>): Promise<GivenReport> => {
    const counts = { lines: 0, added: 0, unchanged: 0, waiting: 0, bad: 0 };
    const badLines: GivenReport['bad_lines'][number][] = [];
    for await (const lines of readLines(pieces, { maxBytes: longestLineOf(maxFileBytes), batch: 1 })) {
      for (const { number, text } of lines) {
        counts.lines += 1;
        const outcome = await given.take(id, text, maxFileBytes);
        await nextTurn();
        if (outcome.kind === 'waiting' || outcome.kind === 'unchanged') counts[outcome.kind] += 1;
        if (outcome.kind !== 'bad') continue;
        counts.bad += 1;
        if (badLines.length < MAX_TOLD) badLines.push({ line: number, why: outcome.why });
      }
    }
    return { ...counts, bad_lines: badLines };
  };
}
