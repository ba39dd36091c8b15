// The service that everything of a farm buys from: a sandbox in the process of the test, which nothing kills. Its ledger is
// what the oracle believes.

import type { ChooseFault, Fault } from '../../../src/sandbox/faults/fault.js';
import { startSandbox, temporaryHome } from '../../sandbox/start-sandbox.js';
import { writeTinyCatalogue } from '../../sandbox/tiny-catalogue.js';

export interface Service {
  readonly url: string;
  readonly port: number;
  readonly key: string;
  /** What goes wrong with the requests to come. */
  trouble: (path: string) => Fault | undefined;
  /** How often each thing was charged: `sticker:PRESET`, or `image` for all images. */
  charges(): Map<string, number>;
  /** Credits taken so far. */
  spent(): number;
  /** How many of the last 10,000 requests were answered with this status. */
  countAnswers(status: number): Promise<number>;
  /** When each paid sticker was charged, in milliseconds since the epoch. */
  chargedAt(): number[];
}

export interface ServiceOptions {
  /** How many stickers it sells: `farm/0` and so on. */
  readonly stickers: number;
  readonly requestsPerMinute?: number;
  readonly credits?: number;
}

const CONTROL = 'control-of-the-farm';

/** The name of a sticker that it sells. */
export const presetOf = (nth: number): string => `farm/${nth}`;

/** Starts one that ends with the test. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { stickers, requestsPerMinute = 1_000_000, credits = 1_000_000 } = options;
  const service: { trouble: Service['trouble'] } = { trouble: () => undefined };
  const faults: ChooseFault = ({ path }) => service.trouble(path);
  const names = Array.from({ length: stickers }, (_, nth) => presetOf(nth));
  const catalogueFolder = writeTinyCatalogue(
    temporaryHome(),
    names.map((preset) => ({ preset, title: preset, keywords: [preset] })),
  );
  const { url, sandbox } = await startSandbox({
    catalogueFolder,
    requestsPerMinute,
    credits,
    faults,
    controlToken: CONTROL,
  });
  return Object.assign(service, {
    url,
    port: Number(new URL(url).port),
    key: sandbox.key,
    countAnswers: async (status: number) => {
      const headers = { Authorization: `Bearer ${CONTROL}` };
      const answer = await fetch(`${url}/sandbox/requests?limit=10000`, { headers });
      const { requests } = (await answer.json()) as { requests: { status: number | null }[] };
      return requests.filter((one) => one.status === status).length;
    },
    charges: () => {
      const counted = new Map<string, number>();
      for (const { capability, subject } of sandbox.charges()) {
        const item = capability === 'stickers.file' ? `sticker:${subject}` : 'image';
        counted.set(item, (counted.get(item) ?? 0) + 1);
      }
      return counted;
    },
    spent: () => sandbox.charges().reduce((sum, { credits: taken }) => sum + taken, 0),
    chargedAt: () => sandbox.charges().map(({ at }) => at),
  });
}
