// A daemon under attack by raw sockets, while another client asks all the while and must get all its answers.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { ConnectionLimits } from '../../src/http/listen.js';
import { parseAnswer } from '../support/raw-socket.js';
import { startPair, type Pair } from '../support/start-pair.js';
import { watchArrivals, type Arrival } from './arrivals.js';

export interface Siege extends Pair {
  readonly port: number;
  readonly arrivals: readonly Arrival[];
  /** Ends the other client; throws unless all its answers were good and nothing was bought. */
  expectUnharmed(): Promise<void>;
}

/** Long enough for everything on a machine that is busy; room for few. */
export const LONG = {
  headersTimeoutMs: 60_000,
  requestTimeoutMs: 60_000,
  strangerBodyMs: 60_000,
  checkEveryMs: 50,
  maxConnections: 40,
} satisfies Partial<ConnectionLimits>;

/** What the other client asks. Not a search: what the remote teaches meanwhile may change its answer. */
export const ASKED = '/svcd/defaults/stickers';

// These are free, and a library that is not complete asks for those whom it answers.
const FREE = ['GET /api/v1/stickers/search', 'POST /api/v1/stickers/match'];

/** Starts a daemon that trusts: whatever got through would be charged. */
export async function startSiege(connectionLimits: Partial<ConnectionLimits>): Promise<Siege> {
  const heard: string[] = [];
  const faults = ({ method, path }: { method: string; path: string }) => (heard.push(`${method} ${path}`), undefined);
  const pair = await startPair({ flags: { 'trust-loopback': true }, connectionLimits, remote: { faults } });
  const port = Number(new URL(pair.svcd.url).port);
  const stop = keepAsking(pair);
  return {
    ...pair,
    port,
    arrivals: watchArrivals(port),
    expectUnharmed: async () => {
      await stop();
      expect(heard.filter((call) => !FREE.some((one) => call.startsWith(one)))).toEqual([]);
      expect(pair.remote.sandbox.charges()).toEqual([]);
    },
  };
}

function keepAsking({ svcd }: Pair): () => Promise<void> {
  const state = { stopped: false };
  const asking = (async () => {
    const first = await (await svcd.call(ASKED)).text();
    for (;;) {
      const answer = await svcd.call(ASKED);
      if (!answer.ok || (await answer.text()) !== first) throw new Error(`another client got ${answer.status}`);
      if (state.stopped) return;
      await sleep(5);
    }
  })();
  // It is awaited in the end.
  asking.catch(() => undefined);
  return () => {
    state.stopped = true;
    return asking;
  };
}

// A connection that is reset while much is under way may take the refusal with it; it ends, which is what counts.
export const RESET = 'reset';

/** The status of the first answer, or that the connection ended without one. */
export function statusOf(answer: string): number | typeof RESET {
  return answer === '' ? RESET : parseAnswer(answer).status;
}
