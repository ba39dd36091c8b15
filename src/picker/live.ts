// What changes while the page is open, svcd going away and coming back. Of all tabs one holds the daemon's stream of events
// and tells the others: a browser opens six connections to us in all.

import { effect } from '@preact/signals';
import { PAGE_EVENTS, type PageEvent } from '../api/page-terms.js';
import type { Summary } from '../api/page-operations.js';
import { ApiError, ask, askJson } from './api.js';
import { changeTile, chosen, facts, failure, isThere, ranges, reload, session, summary } from './store.js';

const LOCK = 'svcd.events';
const channel = new BroadcastChannel(LOCK);
/** Between two tries while svcd is away: 1, 2, 4, 8 and then always 15 seconds. */
const pauseMs = (tries: number): number => Math.min(15_000, 1000 * 2 ** tries);
/** As many presets are asked about at once. */
const OWNED_AT_ONCE = 50;

type Listener = (event: PageEvent) => void;
const listeners = new Set<Listener>();

/** Tells of what changed in the daemon, in every tab, until the answer is called. */
export function onChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Begins to listen, where the page is signed in; while svcd is away it is looked for. */
export function beginLive(): void {
  // `away`: the tab that holds the stream has lost it.
  channel.addEventListener('message', ({ data }: MessageEvent<PageEvent | 'away'>) => {
    if (data === 'away') void look();
    else tell(data);
  });
  onChange((event) => {
    if (event === 'summary' || event === 'library') void readSummary();
    if (event === 'library') checkSoon();
  });
  const comeBack = () => {
    if (document.visibilityState === 'hidden') return;
    if (!isThere.value) void look();
    // Nobody tells a page without a session what was bought elsewhere.
    else if (session.value === 'none') void ranges.check();
  };
  addEventListener('focus', comeBack);
  document.addEventListener('visibilitychange', comeBack);
  effect(() => (isThere.value ? undefined : lookOften()));
  effect(() => {
    if (session.value !== 'live') return undefined;
    const over = new AbortController();
    void readSummary().then(askOldBalance);
    void navigator.locks.request(LOCK, { signal: over.signal }, () => hold(over.signal)).catch(() => undefined);
    return () => over.abort();
  });
}

/** While the library fills it changes several times a second. */
const CHECK_MS = 2000;
let checking: ReturnType<typeof setTimeout> | undefined;

function checkSoon(): void {
  checking ??= setTimeout(() => {
    checking = undefined;
    void ranges.check();
  }, CHECK_MS);
}

/** Looks for svcd until it is there. */
function lookOften(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const later = (tries: number) => {
    // The look that found it ends after what asked for it has stopped.
    if (!isThere.peek()) timer = setTimeout(() => void look().finally(() => later(tries + 1)), pauseMs(tries));
  };
  later(0);
  return () => clearTimeout(timer);
}

let looking: Promise<void> | undefined;

/** Whether svcd is there; what is shown is then brought up to date where it stands. */
function look(): Promise<void> {
  looking ??= lookOnce().finally(() => (looking = undefined));
  return looking;
}

async function lookOnce(): Promise<void> {
  const wasThere = isThere.value;
  try {
    await ask('/svcd/status');
  } catch {
    // Told by `isThere`.
    return;
  }
  if (session.value !== 'none') await readSummary();
  if (wasThere) return;
  // What was searched meanwhile is not what is shown.
  if (facts.value === undefined || ranges.isComing) return reload();
  failure.value = undefined;
  await ranges.renew();
}

/** Asks at once what has become of svcd: for a button. */
export const lookNow = (): void => void look();

/** Reads what the frame shows. */
export async function readSummary(): Promise<void> {
  try {
    summary.value = await askJson<Summary>('/svcd/summary');
    session.value = 'live';
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'invalid_token') return;
    session.value = 'lost';
    summary.value = undefined;
  }
}

/** How old a balance may be that the page opens with. */
const FRESH_MS = 60_000;

/** Whether it was told a while before this page was opened. */
export const isOld = (instant: string): boolean => Date.parse(instant) < performance.timeOrigin - FRESH_MS;

/** Has svcd ask the service for the balance, which costs nothing; what is not told now is told as it was. */
export const askUsage = () => ask('/api/v1/usage').catch(() => undefined);

/** The same, and shows it. */
export async function askBalance(): Promise<void> {
  await askUsage();
  await readSummary();
}

/** The same once for one that svcd does not know, or knows from a while ago. */
async function askOldBalance(): Promise<void> {
  const { balance, key, remote } = summary.value ?? {};
  if (key === undefined || key.source === 'none' || remote?.offline !== false) return;
  if (balance?.stale === false && !isOld(balance.as_of ?? '')) return;
  await askBalance();
}

function tell(event: PageEvent): void {
  for (const listener of listeners) listener(event);
}

function tellOthers(said: PageEvent | 'away'): void {
  // oxlint-disable-next-line require-post-message-target-origin -- a channel reaches pages of its own origin alone
  channel.postMessage(said);
}

/** Holds the stream for as long as this tab has the lock and a session; a stream that ended is opened again. */
async function hold(signal: AbortSignal): Promise<void> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    // Only a look brings up to date what is shown: it has to come first.
    if (!isThere.value) await look();
    if (isThere.value) await follow(signal, () => (failures = 0)).catch(() => undefined);
    if (signal.aborted) return;
    // It ended with svcd, or with the session.
    tellOthers('away');
    await look();
    await new Promise((resolve) => setTimeout(resolve, pauseMs(failures)));
  }
}

/** By fetch, for an `EventSource` cannot show the secret. */
async function follow(signal: AbortSignal, begun: () => void): Promise<void> {
  const { ok, body } = await ask('/svcd/events', { signal });
  if (!ok || body === null) return;
  begun();
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const lines = (rest + piece.value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const event = PAGE_EVENTS.find((one) => line === `event: ${one}`);
      if (event === undefined) continue;
      tell(event);
      tellOthers(event);
    }
  }
}

/** Fills again what is on screen and what is chosen, where what is owned changed. */
export function followOwned(): void {
  onChange((event) => {
    if (event !== 'owned' && event !== 'purchase') return;
    void renewTiles();
    void renewChosen();
  });
}

async function renewTiles(): Promise<void> {
  await ranges.renew();
  for (const { preset, purchase } of chosen.value.values()) {
    const now = ranges.find(preset)?.purchase;
    if (now !== undefined && now !== purchase) changeTile(preset, { purchase: now });
  }
  await ranges.check();
}

/** Of what was chosen, some may be owned by now, and cost nothing any more. */
async function renewChosen(): Promise<void> {
  const costing = [...chosen.value.values()].filter(({ price }) => price > 0).map(({ preset }) => preset);
  const free = await listFree(costing).catch(() => new Set<string>());
  for (const preset of free) changeTile(preset, { price: 0, picture: ranges.find(preset)?.picture ?? 'owned' });
}

/** Which of these cost nothing any more. Throws `ApiError`. */
export async function listFree(presets: readonly string[]): Promise<ReadonlySet<string>> {
  const free = new Set<string>();
  for (let at = 0; at < presets.length; at += OWNED_AT_ONCE) {
    const query = new URLSearchParams(presets.slice(at, at + OWNED_AT_ONCE).map((one) => ['preset', one]));
    const { owned, shipped } = await askJson<{ owned: string[]; shipped: string[] }>(`/svcd/owned?${query}`);
    for (const one of [...owned, ...shipped]) free.add(one);
  }
  return free;
}
