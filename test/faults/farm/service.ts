// The service that everything of a farm buys from: a sandbox in the process of the test, which nothing kills. Its ledger is
// what the oracle believes.

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { systemClock, type Clock } from '../../../src/platform/clock.js';
import { silentLog } from '../../../src/platform/log.js';
import type { Fault } from '../../../src/sandbox/faults/fault-kinds.js';
import { openSandbox } from '../../../src/sandbox/open-sandbox.js';
import { writeTinyCatalogue } from '../../sandbox/tiny-catalogue.js';

export interface Service {
  readonly url: string;
  readonly port: number;
  readonly key: string;
  /** What goes wrong with the requests to come. */
  trouble: (path: string) => Fault | undefined;
  /** How often each thing was charged: `sticker:PRESET`, or `image` for all images. */
  charges(): Map<string, number>;
  /** When each paid call was charged, in milliseconds since the epoch. */
  chargedAt(): number[];
  /** When each of the last 10,000 requests came, in milliseconds since the epoch, and its status. */
  answers(): Promise<{ at: number; status: number | null }[]>;
  close(): Promise<void>;
}

export interface ServiceOptions {
  /** How many stickers it sells: `farm/0` and so on. */
  readonly stickers: number;
  readonly requestsPerMinute?: number;
  readonly credits?: number;
  readonly clock?: Clock;
  /** Whether a connection may wait for its request without end. */
  readonly isPatient?: boolean;
}

const CONTROL = 'control-of-the-farm';

/** The name of a sticker that it sells. */
export const presetOf = (nth: number): string => `farm/${nth}`;

/** Starts one; without `requestsPerMinute` as many requests as are wanted. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { stickers, requestsPerMinute = 100_000, credits = 1_000_000, clock = systemClock } = options;
  const folder = mkdtempSync(join(tmpdir(), 'svcd-service-'));
  const names = Array.from({ length: stickers }, (_, nth) => presetOf(nth));
  const changing: { trouble: Service['trouble'] } = { trouble: () => undefined };
  const sandbox = openSandbox({
    file: join(folder, 'sandbox.db'),
    catalogueFolder: writeTinyCatalogue(
      folder,
      names.map((preset) => ({ preset, title: preset, keywords: [preset] })),
    ),
    clock,
    log: silentLog,
    requestsPerMinute,
    credits,
    controlToken: CONTROL,
    faults: ({ path }) => changing.trouble(path),
  });
  const serverOptions = options.isPatient === true ? { headersTimeout: 0, requestTimeout: 0 } : {};
  const server = serve({ fetch: sandbox.app.fetch, port: 0, hostname: '127.0.0.1', serverOptions });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return Object.assign(changing, {
    url,
    port,
    key: sandbox.key,
    charges: () => {
      const counted = new Map<string, number>();
      for (const { capability, subject } of sandbox.charges()) {
        const item = capability === 'stickers.file' ? `sticker:${subject}` : 'image';
        counted.set(item, (counted.get(item) ?? 0) + 1);
      }
      return counted;
    },
    chargedAt: () => sandbox.charges().map(({ at }) => at),
    answers: async () => {
      const headers = { Authorization: `Bearer ${CONTROL}` };
      const answer = await fetch(`${url}/sandbox/requests?limit=10000`, { headers });
      const { requests } = (await answer.json()) as { requests: { at: string; status: number | null }[] };
      return requests.map(({ at, status }) => ({ at: Date.parse(at), status }));
    },
    close: async () => {
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
      await once(server, 'close');
      sandbox.close();
      rmSync(folder, { recursive: true, force: true });
    },
  });
}
