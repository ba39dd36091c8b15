// Gives the hub back what it has lost: bytes that it once paid for, of which this machine has a copy and a receipt. The hub tells
// what it lacks, at the start and every few minutes; after a database was restored that is what nobody could buy without paying again.

import { provenPurchase } from '../app/receipts.js';
import type { Log } from '../../platform/log.js';
import { parseJsonRecord } from '../../platform/json.js';
import type { HubTrade } from './trade.js';
import type { Remote } from '../../upstream/remote.js';
import type { OwnedStore } from '../../purchases/owned-store.js';
import type { OwnedCarrier } from '../../purchases/transfer-owned.js';

export interface GiveBackParts {
  readonly hub: HubTrade;
  readonly remote: Pick<Remote, 'exchange' | 'reach'>;
  readonly owned: Pick<OwnedStore, 'describe'>;
  readonly carrier: Pick<OwnedCarrier, 'lines'>;
  readonly log: Log;
}

const PATH = '/svcd/hub/returned';
/** A start has other things to do first. */
const FIRST_MS = 10_000;
const EVERY_MS = 3 * 60_000;
const TIMEOUT_MS = 60_000;
const MAX_BYTES = 1024 * 1024;
const PART_BYTES = 4 * 1024 * 1024;

/** Looks from time to time until it is stopped; nobody waits for it. */
export function createGiveBack({ hub, remote, owned, carrier, log }: GiveBackParts) {
  let isOver = false;
  let looking: Promise<void> | undefined;

  const ask = async (body?: Uint8Array): Promise<Record<string, unknown> | undefined> => {
    const sent = body && { body, contentType: 'application/x-ndjson' };
    const request = { method: body === undefined ? 'GET' : 'POST', path: PATH, key: hub.token, cost: 'free' } as const;
    const answer = await remote.exchange({ ...request, ...sent, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES });
    // A hub that is away, or an older one that does not ask for anything.
    return answer.kind === 'answer' && answer.status === 200 ? parseJsonRecord(answer.bytes) : undefined;
  };

  /** The digest of what this hub's receipt proves to be the item. */
  const digestOf = (item: unknown): string | undefined => {
    const found = typeof item === 'string' ? owned.describe(item) : undefined;
    if (typeof item !== 'string' || found === undefined || found.receipt === null) return undefined;
    const { sha256, receipt } = found;
    const proven = provenPurchase(receipt, { scope: hub.scope, item, sha256 }, hub.receiptKey);
    return proven === undefined ? undefined : sha256;
  };

  const give = async (lines: readonly string[]): Promise<number> => {
    const report = isOver || lines.length === 0 ? undefined : await ask(Buffer.from(lines.join('')));
    return typeof report?.['added'] === 'number' ? report['added'] : 0;
  };

  const giveBack = async (): Promise<void> => {
    if (remote.reach().offline) return;
    const items = (await ask())?.['items'];
    const digests = new Set(Array.isArray(items) ? items.flatMap((item) => digestOf(item) ?? []) : []);
    if (digests.size === 0) return;
    let [part, bytes, added]: [string[], number, number] = [[], 0, 0];
    for await (const line of carrier.lines(digests)) {
      part.push(line);
      bytes += line.length;
      if (bytes < PART_BYTES) continue;
      added += await give(part);
      [part, bytes] = [[], 0];
    }
    added += await give(part);
    if (added > 0) log.info('the hub was given back what it had lost', { things: added });
  };

  const look = (): Promise<void> =>
    (looking ??= giveBack()
      .catch((error: unknown) => {
        if (!isOver) log.warn('nothing could be given back to the hub', { why: String(error) });
      })
      .finally(() => (looking = undefined)));
  const first = setTimeout(() => void look(), FIRST_MS).unref();
  const timer = setInterval(() => void look(), EVERY_MS).unref();
  return {
    /** Looks now, and gives what it can. Never rejects. */
    look,
    stop: (): void => {
      isOver = true;
      clearTimeout(first);
      clearInterval(timer);
    },
  };
}
