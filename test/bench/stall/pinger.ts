// A client in a thread of its own, which tells what it waited longest while something was done.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Server } from '../start-server.js';

export interface Held {
  readonly waited: number;
  /** What svcd's own thread computed meanwhile. */
  readonly computed: number;
}

export function startPinger({ url, pid }: Server) {
  const { hostname: host, port } = new URL(url);
  const worker = new Worker(new URL('./pinger-thread.mjs', import.meta.url), {
    workerData: { host, port: Number(port), pid },
  });
  const longest = async (): Promise<Held> => {
    worker.postMessage('tell', []);
    return ((await once(worker, 'message')) as [Held])[0];
  };
  return {
    longestDuring: async (work: () => Promise<unknown>) => {
      await longest();
      await work();
      return longest();
    },
    end: () => worker.terminate(),
  };
}
