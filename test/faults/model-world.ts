// The world of the model test: svcd in process on a home, a remote on a socket, a clock, and what can happen to
// them. What was promised is written down beside it and checked by the test.

import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/config/config.js';
import { startDaemon, type Daemon } from '../../src/daemon/daemon.js';
import { sha256Hex } from '../../src/model/hash.js';
import { silentLog } from '../../src/platform/log.js';
import { stickerPath } from '../../src/model/sticker.js';
import type { PrefetchEvent } from '../../src/api/prefetch.js';
import { createMovingClock, type MovingClock } from '../support/moving-clock.js';
import { eventsOf } from '../support/prefetch.js';
import { listPurchases, type ListedPurchase } from '../support/purchases.js';
import { lottieOf, openFaultyRemote, PICTURE, type FaultyRemote, type Trouble } from './faulty-remote.js';

const GRACE_MS = 15_000;
// There is no port here, but the gate wants to be called by one of its own names.
const ORIGIN = 'http://127.0.0.1:7823';
const HOST = { Host: '127.0.0.1:7823' };
const KEPT_FILES = ['owned.db', 'owned.db-wal', 'library.db', 'library.db-wal', 'runtime.json', 'owned.mark'];
const START = '2026-11-21T12:00:00+08:00';

/** What is wanted: a sticker, or an image for a prompt. */
export interface Want {
  readonly kind: 'sticker' | 'image';
  readonly name: string;
}

export interface AskOptions {
  readonly fallback: boolean;
  readonly allowRepay: boolean;
}

export interface Given {
  readonly want: Want;
  readonly status: number;
  readonly source: string | null;
  readonly reason: string | null;
  readonly code: unknown;
  readonly text: string;
}

export interface PrefetchOptions {
  readonly maxCredits: number;
  readonly fallback: boolean;
}

/** What a prefetch told of one thing. */
export interface Told {
  readonly want: Want;
  readonly event: Extract<PrefetchEvent, { event: 'asset' | 'failed' }>;
}

/** When a purchase that is under way at a crash is charged. */
export type CrashCharge = 'before' | 'after' | 'never';

export class World {
  readonly remote: FaultyRemote;
  readonly clock: MovingClock;
  /** Requests with leave to pay again, by what the remote calls them. */
  readonly repays = new Map<string, number>();
  /** What somebody was given as the true thing. */
  readonly acknowledged = new Map<string, Want>();
  #daemon: Daemon;
  #home: string;
  /** Daemons that count as dead, and their homes. */
  readonly #dead: Daemon[] = [];
  readonly #homes: string[] = [];
  #landing: () => void = () => undefined;

  private constructor(remote: FaultyRemote, clock: MovingClock, daemon: Daemon, home: string) {
    this.remote = remote;
    this.clock = clock;
    this.#daemon = daemon;
    this.#home = home;
    this.#homes.push(home);
  }

  static async open(): Promise<World> {
    const remote = await openFaultyRemote({ underWayRetryAfterS: 600 });
    const home = newHome();
    const clock = createMovingClock(START);
    return new World(remote, clock, await startOn(home, remote, clock), home);
  }

  async close(): Promise<void> {
    this.land();
    await this.remote.stop();
    for (const daemon of [this.#daemon, ...this.#dead]) await daemon.close();
    for (const home of this.#homes) rmSync(home, { recursive: true, force: true });
  }

  /** Asks for all of these at the same time, while the remote has this trouble with each. */
  async ask(wants: readonly Want[], trouble: Trouble, options: AskOptions): Promise<Given[]> {
    this.remote.trouble = () => trouble;
    return Promise.all(wants.map((want) => this.#askOne(want, options)));
  }

  /** Asks for all of these by one request; undefined when that is refused as a whole. */
  async prefetch(wants: readonly Want[], trouble: Trouble, options: PrefetchOptions): Promise<Told[] | undefined> {
    this.remote.trouble = () => trouble;
    const answer = await this.#daemon.fetch(prefetchOf(wants, options, this.#bearer()));
    if (!answer.ok) return undefined;
    const all = inOrder(wants);
    const told = (await eventsOf(answer)).flatMap((one): Told[] => {
      const want = 'place' in one ? all[one.place] : undefined;
      return want === undefined ? [] : [{ want, event: one as Told['event'] }];
    });
    for (const { want, event } of told) {
      if (event.event === 'asset' && event.source !== 'default') this.acknowledged.set(subjectOf(want), want);
    }
    return told;
  }

  /** Where it comes from for somebody who can spend nothing. */
  async recall(want: Want): Promise<Given> {
    return given(want, await this.#daemon.fetch(requestFor(want, HOST)));
  }

  async purchases(): Promise<ListedPurchase[]> {
    return listPurchases((path) => this.#own('GET', path));
  }

  /** What svcd says is spent or reserved today, and what is allowed. */
  async dayBudget(): Promise<{ limit: number | null; spent: number }> {
    const answer = await this.#own('GET', '/svcd/spending');
    const { budgets } = (await answer.json()) as {
      budgets: { period: string; limit: number | null; spent: number }[];
    };
    if (!answer.ok) throw new Error(JSON.stringify(budgets ?? answer.status));
    const day = budgets.find(({ period }) => period === 'day');
    if (day === undefined) throw new Error('no budget of a day is shown');
    return day;
  }

  async setDayBudget(credits: number | null): Promise<void> {
    await this.#own('PUT', '/svcd/budget', { day: credits });
  }

  async settle(id: number, as?: 'charged' | 'free'): Promise<void> {
    await this.#own('POST', `/svcd/purchases/${id}/settle`, as === undefined ? {} : { as });
  }

  /** Has svcd look at all that is unknown, and at what it settled as free. */
  async settleAll(): Promise<void> {
    const answer = await this.#own('POST', '/svcd/purchases/settle', {});
    if (!answer.ok) throw new Error(await answer.text());
  }

  async readUsage(): Promise<void> {
    await this.#own('GET', '/api/v1/usage');
  }

  async switchOffline(offline: boolean): Promise<void> {
    await this.#own('POST', '/svcd/offline', { offline });
  }

  /** Closes the daemon in good order and starts another one on its home. */
  async restart(): Promise<void> {
    await this.#daemon.close();
    this.#daemon = await startOn(this.#home, this.remote, this.clock);
  }

  /**
   * The daemon dies in the middle of buying these by one request, or of nothing if there is nothing to buy. The one that
   * counts as dead goes on without effect: it is left its home, and the new one gets a copy of the files as they were.
   */
  async crash(wants: readonly Want[], charge: CrashCharge): Promise<void> {
    this.land();
    let arrived = () => {};
    const arrival = new Promise<void>((resolve) => (arrived = resolve));
    const landing = new Promise<void>((resolve) => (this.#landing = resolve));
    this.remote.trouble = () => ({
      until: async () => {
        arrived();
        if (charge !== 'before') await landing;
      },
      cut: { how: 'silence', after: charge === 'never' ? 'request' : 'charge' },
    });
    const [first] = wants;
    const asked =
      wants.length === 1 && first !== undefined
        ? this.#daemon.fetch(requestFor(first, this.#bearer()))
        : this.#daemon.fetch(prefetchOf(wants, { maxCredits: 1e9, fallback: true }, this.#bearer())).then(untilRead);
    await Promise.race([arrival, asked]);
    // A turn of the loop, in which a charge before the crash is made.
    await new Promise((resolve) => setTimeout(resolve, 5));
    await this.#goOnWithCopy();
  }

  /** What the remote still had to do for a purchase of before the crash, it does now. */
  land(): void {
    this.#landing();
  }

  async #goOnWithCopy(): Promise<void> {
    const home = newHome();
    this.#homes.push(home);
    for (const file of KEPT_FILES) {
      const from = join(this.#home, file);
      if (existsSync(from)) copyFileSync(from, join(home, file));
    }
    this.#dead.push(this.#daemon);
    this.#home = home;
    this.#daemon = await startOn(home, this.remote, this.clock);
  }

  async #askOne(want: Want, { fallback, allowRepay }: AskOptions): Promise<Given> {
    const subject = subjectOf(want);
    if (allowRepay) this.repays.set(subject, (this.repays.get(subject) ?? 0) + 1);
    const headers = {
      ...this.#bearer(),
      'X-Svcd-Fallback': fallback ? 'on' : 'off',
      ...(allowRepay ? { 'X-Svcd-Allow-Repay': '1' } : {}),
    };
    const answer = await given(want, await this.#daemon.fetch(requestFor(want, headers)));
    if (claimsTruth(answer)) this.acknowledged.set(subject, want);
    return answer;
  }

  async #own(method: string, path: string, body?: object): Promise<Response> {
    const headers = { ...this.#bearer(), ...(body === undefined ? {} : JSON_HEADER) };
    const text = body === undefined ? null : JSON.stringify(body);
    return this.#daemon.fetch(new Request(ORIGIN + path, { method, headers, body: text }));
  }

  #bearer(): Record<string, string> {
    return { ...HOST, Authorization: `Bearer ${this.#daemon.info.token}` };
  }
}

/** What the remote calls it in its charges. */
export function subjectOf({ kind, name }: Want): string {
  return `${kind}:${name}`;
}

/** Whether a purchase of the journal is one of this. Images are known there by a digest, so there is but one. */
export function isPurchaseOf({ kind, name }: Want, purchase: ListedPurchase): boolean {
  return purchase.kind === kind && (kind === 'image' || purchase.preset === name);
}

/** Whether svcd says that this is the true thing; a refusal may come from the remote too. */
export function claimsTruth({ status, source }: Given): boolean {
  return status === 200 && (source === 'remote' || source === 'owned');
}

/** Whether this is the true thing. */
export function isTrue({ want, text }: Given): boolean {
  return want.kind === 'sticker'
    ? text === lottieOf(want.name)
    : /\/files\/|\/svcd\/images\//.test(text) && !text.includes('default_image');
}

/** Digest of the true thing; of an image that of its picture. */
export function digestOf({ kind, name }: Want): string {
  return sha256Hex(kind === 'sticker' ? lottieOf(name) : PICTURE.body);
}

/** Stickers come before images. */
function inOrder(wants: readonly Want[]): Want[] {
  return [...wants.filter(({ kind }) => kind === 'sticker'), ...wants.filter(({ kind }) => kind === 'image')];
}

function prefetchOf(
  wants: readonly Want[],
  { maxCredits, fallback }: PrefetchOptions,
  headers: Record<string, string>,
): Request {
  const names = (kind: Want['kind']) => wants.filter((one) => one.kind === kind).map(({ name }) => name);
  const images = names('image').map((prompt) => ({ prompt, size: '1536x1024' }));
  const body = JSON.stringify({ presets: names('sticker'), images, max_credits: maxCredits, fallback });
  return new Request(`${ORIGIN}/svcd/prefetch`, { method: 'POST', headers: { ...headers, ...JSON_HEADER }, body });
}

/** Its daemon counts as dead, so what it says does not matter. */
async function untilRead(answer: Response): Promise<void> {
  await answer.text();
}

const JSON_HEADER = { 'Content-Type': 'application/json' };

function requestFor({ kind, name }: Want, headers: Record<string, string>): Request {
  if (kind === 'sticker') return new Request(ORIGIN + stickerPath(name), { headers });
  const body = JSON.stringify({ prompt: name, size: '1536x1024' });
  return new Request(`${ORIGIN}/api/v1/images`, {
    method: 'POST',
    headers: { ...headers, ...JSON_HEADER },
    body,
  });
}

async function given(want: Want, answer: Response): Promise<Given> {
  const text = await answer.text();
  const code = answer.ok ? undefined : (JSON.parse(text) as { code: unknown }).code;
  const [source, reason] = ['x-svcd-source', 'x-svcd-reason'].map((name) => answer.headers.get(name));
  return { want, status: answer.status, source: source ?? null, reason: reason ?? null, code, text };
}

async function startOn(home: string, remote: FaultyRemote, clock: MovingClock): Promise<Daemon> {
  const config = await loadConfig({ home, remote: remote.url, 'time-zone': 'Asia/Shanghai' }, {});
  return startDaemon(config, {
    log: silentLog,
    clock,
    userKey: remote.key,
    listens: false,
    settleGraceMs: GRACE_MS,
    // The clock stands still while somebody waits for a turn.
    pace: { burst: 120 },
  });
}

function newHome(): string {
  return mkdtempSync(join(tmpdir(), 'svcd-model-'));
}
