// What a sync costs the people who search meanwhile: the real daemon and a real sandbox in processes of their own, real
// time, one search after the other. Stretches with a sync and without take turns, so that one run tells the ratio.

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { collect, makeHome, spawnSvcd } from '../../support/run-svcd.js';
import { startSvcd, type StartedSvcd } from '../../support/start-svcd.js';

export interface Beside {
  /** Searches measured, and milliseconds that half and 99 of 100 of them took. */
  readonly alone: Latency;
  readonly beside_sync: Latency;
  readonly ratio: { readonly p50: number; readonly p99: number };
  /** Requests of the sync that reached the sandbox. */
  readonly sync_requests: number;
  /** The most of them in any 60 seconds, and what the share allows. */
  readonly most_in_a_minute: number;
  readonly allowed_in_a_minute: number;
}

interface Latency {
  readonly searches: number;
  readonly p50: number;
  readonly p99: number;
}

const SHARE = 50;
const REQUESTS_PER_MINUTE = 120;
const FIRST_MS = 75_000;
const STRETCH_MS = 20_000;
const STRETCHES = 4;
const PAUSE_MS = 10;
const MINUTE_MS = 60_000;
/** Found often enough that no remote is asked: the sandbox then sees nothing but the sync. */
const WORDS = ['心', '猫', '狗', '箭头', '车', '人', '花', '手', '太阳', '旗'];

/** Measures for about four minutes; needs what `npm run build` makes. */
export async function measureBeside(): Promise<Beside> {
  const remote = await startRemote();
  const { home, remove } = makeHome();
  const env = { SERVICE_API_KEY: remote.key, SVCD_SYNC_SHARE: String(SHARE) };
  const svcd = await startSvcd(['--remote', remote.url], { home, env });
  const took = { alone: [] as number[], beside: [] as number[] };
  try {
    // What is not known yet is asked for by whoever searches: once.
    for (const word of WORDS) await searchFor(svcd, word);
    const begunAt = Date.now();
    // Long enough for windows of a minute that are full of both.
    await during(svcd, () => search(svcd, FIRST_MS));
    for (let stretch = 0; stretch < STRETCHES; stretch++) {
      took.alone.push(...(await search(svcd, STRETCH_MS)));
      await during(svcd, async () => void took.beside.push(...(await search(svcd, STRETCH_MS))));
    }
    const sent = (await remote.sentAt()).filter((at) => at > begunAt);
    const [alone, beside] = [latencyOf(took.alone), latencyOf(took.beside)];
    return {
      alone,
      beside_sync: beside,
      ratio: { p50: rounded(beside.p50 / alone.p50), p99: rounded(beside.p99 / alone.p99) },
      sync_requests: sent.length,
      most_in_a_minute: mostInAMinute(sent),
      allowed_in_a_minute: (REQUESTS_PER_MINUTE * SHARE) / 100,
    };
  } finally {
    await svcd.end();
    await remote.stop();
    remove();
  }
}

/** A sandbox alone; the times at which it was asked for stickers. */
async function startRemote() {
  const { home, remove } = makeHome();
  const child = spawnSvcd(['sandbox', 'start', '--json', '--port', '0'], { home }, ['ignore', 'pipe', 'inherit']);
  const said = collect(child.stdout);
  while (!said().includes('\n')) await once(child.stdout!, 'data');
  const {
    url,
    key,
    control_token: token,
  } = JSON.parse(said().split('\n', 1)[0] ?? '') as {
    url: string;
    key: string;
    control_token: string;
  };
  const sentAt = async () => {
    const address = `${url}/sandbox/requests?limit=1000&path=/api/v1/stickers/`;
    const answer = await fetch(address, { headers: { Authorization: `Bearer ${token}` } });
    const { requests } = (await answer.json()) as { requests: { at: string }[] };
    return requests.map(({ at }) => Date.parse(at)).toSorted((a, b) => a - b);
  };
  const stop = async () => {
    child.kill();
    await once(child, 'close');
    remove();
  };
  return { url, key, sentAt, stop };
}

/** Does something while the library is filled. */
async function during<T>({ info }: StartedSvcd, work: () => Promise<T>): Promise<T> {
  const end = new AbortController();
  const answer = await fetch(`${info.url}/svcd/library/sync`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${info.token}` },
    signal: end.signal,
  });
  const followed = answer.text().catch(() => '');
  try {
    return await work();
  } finally {
    end.abort();
    await followed;
  }
}

/** Searches, one after the other, for so long; how long each took. */
async function search(svcd: StartedSvcd, forMs: number): Promise<number[]> {
  const took: number[] = [];
  const until = performance.now() + forMs;
  for (let i = 0; performance.now() < until; i++) {
    const begun = performance.now();
    await searchFor(svcd, WORDS[i % WORDS.length] ?? '');
    took.push(performance.now() - begun);
    await sleep(PAUSE_MS);
  }
  return took;
}

async function searchFor({ info }: StartedSvcd, word: string): Promise<void> {
  const query = new URLSearchParams({ q: word, limit: '1' });
  const headers = { Authorization: `Bearer ${info.token}` };
  await (await fetch(`${info.url}/api/v1/stickers/search?${query.toString()}`, { headers })).arrayBuffer();
}

function latencyOf(took: readonly number[]): Latency {
  const sorted = took.toSorted((a, b) => a - b);
  const at = (part: number) => rounded(sorted[Math.floor(part * (sorted.length - 1))] ?? 0);
  return { searches: sorted.length, p50: at(0.5), p99: at(0.99) };
}

function mostInAMinute(sent: readonly number[]): number {
  return Math.max(0, ...sent.map((from) => sent.filter((at) => at >= from && at < from + MINUTE_MS).length));
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
