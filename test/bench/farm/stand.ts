// What the measurements stand on: services, hubs and machines, all gone at the end.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../../src/config/config.js';
import { startDaemon } from '../../../src/daemon/daemon.js';
import { silentLog } from '../../../src/platform/log.js';
import { startHub, type Hub } from '../../faults/farm/hub.js';
import { joinMachine, type Machine } from '../../faults/farm/machine.js';
import { startService, type Service, type ServiceOptions } from '../../faults/farm/service.js';
import { createFastTime, type FastTime } from './fast-time.js';

export interface Stand {
  service(options: ServiceOptions): Promise<Service>;
  /** A hub as a process of its own, on an empty home. */
  hub(service: Pick<Service, 'url' | 'key'>): Promise<Hub>;
  /** A hub in this process, whose time runs faster by a factor. */
  fastHub(factor: number, options: Omit<ServiceOptions, 'clock'>): Promise<FastHub>;
  /** Joins so many, a few at a time. */
  machines(code: string, many: number): Promise<Machine[]>;
  /** Is called at the end. */
  last(clean: () => unknown): void;
  close(): Promise<void>;
}

export interface FastHub {
  readonly service: Service;
  readonly time: FastTime;
  invite(project: string): Promise<string>;
  own(method: 'POST' | 'PUT', path: string, body: object): Promise<Response>;
}

const JOINING_AT_ONCE = 8;

/** Opens a stand; `database`: of the hubs that are processes. */
export function openStand(database: string | undefined): Stand {
  const cleaning: (() => unknown)[] = [];
  const last = (clean: () => unknown) => void cleaning.unshift(clean);
  const service = async (options: ServiceOptions) => {
    const started = await startService(options);
    last(() => started.close());
    return started;
  };
  return {
    last,
    service,
    hub: async ({ url, key }) => {
      const hub = await startHub({ remote: url, key, ...(database !== undefined && { database }) });
      last(() => hub.remove());
      return hub;
    },
    fastHub: async (factor, options) => {
      const time = createFastTime(factor);
      const before = await service({ ...options, clock: time.clock });
      const home = mkdtempSync(join(tmpdir(), 'svcd-bench-'));
      last(() => rmSync(home, { recursive: true, force: true }));
      const flags = { home, port: 0, remote: before.url, 'hub-listen': '127.0.0.1:0', 'background-sync': false };
      const daemon = await startDaemon(await loadConfig(flags, {}), {
        log: silentLog,
        listens: true,
        userKey: before.key,
        ...time,
      });
      last(() => daemon.close());
      const { url, token } = daemon.info;
      const own: FastHub['own'] = (method: 'POST' | 'PUT', path, body) => {
        const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
        return fetch(url + path, { headers, method, body: JSON.stringify(body) });
      };
      await own('PUT', '/svcd/budget', { day: null, month: null });
      const invite = async (project: string) => {
        const answer = await own('POST', '/svcd/hub/invites', { projects: [project], uses: 1000 });
        return ((await answer.json()) as { code: string }).code;
      };
      return { service: before, time, own, invite };
    },
    machines: async (code, many) => {
      const joined: Machine[] = [];
      while (joined.length < many) {
        const some = Math.min(JOINING_AT_ONCE, many - joined.length);
        const names = Array.from({ length: some }, (_, nth) => `stub-${joined.length + nth}`);
        joined.push(...(await Promise.all(names.map((name) => joinMachine(code, name)))));
      }
      last(() => joined.forEach((machine) => machine.close()));
      return joined;
    },
    close: async () => {
      for (const clean of cleaning) await clean();
    },
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
