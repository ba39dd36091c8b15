// Takes in what a machine owns when it joins a hub, line by line, as far as there is room for it: what nobody has approved yet
// is kept for people who may never look at it.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { GivenReport } from '../../api/hub.js';
import { SvcdError } from '../../model/errors.js';
import { readLines } from '../../platform/read-lines.js';
import type { GivenSize, GivenStore } from '../../purchases/given.js';
import { longestLineOf } from '../../operations/owned/transfer-owned.js';

export interface GivenLimits {
  readonly ofMachine: GivenSize;
  readonly ofAll: GivenSize;
}

const MAX_TOLD = 20;
const GB = 1_000_000_000;
/** Everything that the service has is 12,000 stickers of 30 KB; a picture has 2 MB. */
const LIMITS: GivenLimits = { ofMachine: { bytes: GB, rows: 100_000 }, ofAll: { bytes: 5 * GB, rows: 1_000_000 } };
/** How much text may come between two looks at how much there is; a line counts as one of this length at least. */
const LOOK_AFTER = 8 * 1024 * 1024;
const SHORTEST = 8 * 1024;

export function createTakeGiven(given: GivenStore, maxFileBytes: number, limits = LIMITS) {
  return async ({ id }: { readonly id: number }, pieces: AsyncIterable<Uint8Array>): Promise<GivenReport> => {
    const counts = { lines: 0, added: 0, unchanged: 0, waiting: 0, bad: 0 };
    const badLines: GivenReport['bad_lines'][number][] = [];
    let unseen = Infinity;
    for await (const lines of readLines(pieces, { maxBytes: longestLineOf(maxFileBytes), batch: 1 })) {
      for (const { number, text } of lines) {
        if (unseen >= LOOK_AFTER) {
          requireRoom(id, await given.size(id), limits);
          unseen = 0;
        }
        unseen += Math.max(SHORTEST, text?.length ?? 0);
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

/** Throws `body_too_large` where what is kept has reached a limit. */
function requireRoom(
  machine: number,
  size: { own: GivenSize; all: GivenSize },
  { ofMachine, ofAll }: GivenLimits,
): void {
  const isFull = ({ bytes, rows }: GivenSize, most: GivenSize) => bytes >= most.bytes || rows >= most.rows;
  const own = isFull(size.own, ofMachine);
  if (!own && !isFull(size.all, ofAll)) return;
  const [kept, most] = own ? [size.own, ofMachine] : [size.all, ofAll];
  const whose = own ? 'this machine' : 'its machines together';
  throw new SvcdError(
    'body_too_large',
    `the hub keeps ${amountOf(kept)} that ${whose} gave, and at most ${amountOf(most)} until somebody decides on it`,
    {
      hint: `What came before was kept. On the hub, "svcd hub given approve${own ? ` ${machine}` : ''}" or "refuse" makes room; then give the rest.`,
    },
  );
}

function amountOf({ bytes, rows }: GivenSize): string {
  return `${(bytes / 1_000_000).toFixed(0)} MB in ${rows} things`;
}
