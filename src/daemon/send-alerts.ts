// What the operator's own program is told without asking: a budget that is nearly taken, purchases of unknown end, a Key that is
// refused, a disk without room. Each once, when it begins; signed as https://www.standardwebhooks.com says. Loaded late.

import { createHmac, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { LateHubStores } from '../hub/books/hub-stores.js';
import { checkDisk } from '../operations/health/folder-checks.js';
import type { Rooms } from '../operations/rooms.js';
import { sleep } from '../platform/sleep.js';
import type { Exchanger } from '../upstream/exchange.js';
import { openSecret } from './open-secret.js';

/** How often is looked, and how long the first pause is after a message that was not taken; each further one is twice that. */
const PACE = { everyMs: 15_000, pauseMs: 5000 };
export type AlertPace = typeof PACE;
/** The last of the pauses comes after most of an hour. */
const TRIES = 10;
const MAX_WAITING = 100;
const [ANSWER_MS, ANSWER_BYTES] = [10_000, 64 * 1024];

interface Alert {
  readonly type: 'budget' | 'unknown' | 'key' | 'disk';
  /** It is told again when this rises. */
  readonly level: number;
  readonly data: object;
}

/**
 * Looks after what `webhook` is to be told; `home` is the folder that the secret and the disk are of. Returns what ends it. Throws
 * `invalid_config` for a secret that is none, and the system's error where it cannot be read or made.
 */
export function sendAlerts(
  webhook: string,
  home: string,
  exchange: Exchanger,
  rooms: Rooms,
  { get }: LateHubStores,
  pace = PACE,
): () => void {
  const { journal, keys, keyTrouble, guard, log } = rooms;
  const secret = Buffer.from(openSecret(home, 'webhook-secret').replace(/^whsec_/, ''), 'base64');
  const sender = createSender(new URL(webhook), secret, exchange, rooms, pace.pauseMs);
  let told = new Map<string, Alert>();
  const findMoney = async () => {
    const [budgets, sums] = await Promise.all([get().books.showBudgets(), journal.sums()]);
    const found = new Map<string, Alert>();
    for (const { payer, period, credits, spent, reserved } of budgets) {
      const taken = (spent ?? 0) + (reserved ?? 0);
      const level = taken >= credits ? 100 : taken >= 0.8 * credits ? 80 : 0;
      // One of a request counts nothing, and one of nothing is a stop.
      if (spent === null || credits === 0 || level === 0) continue;
      const data = { payer, period, credits, taken, percent: level };
      found.set(`${payer} ${period}`, { type: 'budget', level, data });
    }
    const { purchases = 0, credits = 0 } = sums.find(({ state }) => state === 'unknown') ?? {};
    if (purchases > 0) found.set('unknown', { type: 'unknown', level: purchases, data: { purchases, credits } });
    return found;
  };
  const look = async () => {
    // While a database is away nothing of it has changed.
    const before = () => new Map([...told].filter(([, { type }]) => type === 'budget' || type === 'unknown'));
    const now = await findMoney().catch(before);
    const code = keyTrouble.find(keys.current());
    if (code !== undefined) now.set('key', { type: 'key', level: 1, data: { code } });
    const { status } = checkDisk(home);
    const full = status === 'bad' || guard.findStop()?.by === 'disk_full';
    if (full || status === 'warn') now.set('disk', { type: 'disk', level: full ? 2 : 1, data: { full } });
    for (const [name, alert] of now) if (alert.level > (told.get(name)?.level ?? 0)) sender.send(alert);
    told = now;
  };
  let looking: Promise<void> | undefined;
  const lookOnce = () => {
    looking ??= look()
      .catch((error: unknown) => log.warn('what the webhook is told could not be looked for', { why: String(error) }))
      .finally(() => (looking = undefined));
  };
  lookOnce();
  const timer = setInterval(lookOnce, pace.everyMs).unref();
  return () => {
    clearInterval(timer);
    sender.stop();
  };
}

/** Sends one message after the other. Who takes none in time, or is away for long, misses the oldest; the log says so. */
function createSender(
  { origin: to, pathname, search }: URL,
  secret: Buffer,
  exchange: Exchanger,
  { clock, log }: Pick<Rooms, 'clock' | 'log'>,
  pauseMs: number,
) {
  const waiting: { readonly id: string; readonly body: Buffer; readonly type: string }[] = [];
  const end = new AbortController();
  const request = { method: 'POST', path: pathname + search, contentType: 'application/json', cost: 'free' } as const;
  const sendOnce = async (id: string, body: Buffer): Promise<string | undefined> => {
    const at = String(Math.floor(clock.now() / 1000));
    const digest = createHmac('sha256', secret).update(`${id}.${at}.`).update(body).digest('base64');
    const signed = { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': `v1,${digest}` };
    const answer = await exchange({ ...request, body, signed, timeoutMs: ANSWER_MS, maxBytes: ANSWER_BYTES });
    if (answer.kind !== 'answer') return answer.error.message;
    return answer.status < 300 ? undefined : `it answered ${answer.status}`;
  };
  const sendAll = async () => {
    for (let tries = 1; waiting[0] !== undefined && !end.signal.aborted; tries += 1) {
      const { id, body, type } = waiting[0];
      const why = await sendOnce(id, body);
      if (why !== undefined && tries === 1) log.warn('the webhook did not take a message', { to, type, why });
      if (why !== undefined && tries < TRIES) {
        await sleep(pauseMs * 2 ** (tries - 1), { signal: end.signal, ref: false });
        continue;
      }
      if (why !== undefined) log.error('the webhook took a message at no try', { to, type, why });
      waiting.shift();
      tries = 0;
    }
  };
  return {
    send: ({ type, data }: Alert) => {
      const timestamp = new Date(clock.now()).toISOString();
      const message = { type: `svcd.${type}`, timestamp, data: { host: hostname(), ...data } };
      waiting.push({ id: `msg_${randomUUID()}`, body: Buffer.from(JSON.stringify(message)), type });
      // The first is under way.
      const [lost] = waiting.length > MAX_WAITING ? waiting.splice(1, 1) : [];
      if (lost !== undefined) log.error('too much waits for the webhook, so the oldest is lost', { type: lost.type });
      if (waiting.length === 1) void sendAll();
    },
    stop: () => end.abort(),
  };
}
