// A library that fills itself from the remote: what is asked, what is learned, when it waits and when it ends.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { LibraryStatus } from '../../src/api/library.js';
import { SvcdError } from '../../src/model/errors.js';
import type { Fault } from '../../src/sandbox/faults/fault-kinds.js';
import { createHurriedTime } from '../bench/harvest/hurried-time.js';
import { temporaryHome } from '../support/start-daemon.js';
import { startPair, type Pair, type PairOptions } from '../support/start-pair.js';
import { writePartCatalogue } from '../support/part-catalogue.js';

type Event = LibraryStatus & {
  readonly event: 'begun' | 'asked' | 'waiting' | 'ended';
  readonly words: string[];
  readonly listed: number;
  readonly fresh: number;
  readonly asked: number;
};

interface Stage extends Pair {
  /** Paths of requests that reached the remote, oldest first. */
  readonly seen: string[];
  /** What goes wrong from now on. */
  fault: () => Fault | undefined;
  readonly size: number;
  readonly seeds: string;
}

const FEW = 60;

async function open({ remote, ...options }: PairOptions = {}): Promise<Stage> {
  const seen: string[] = [];
  const home = temporaryHome();
  const catalogueFolder = writePartCatalogue(home, FEW);
  const pair = await startPair({
    ...createHurriedTime(),
    synonyms: () => halfOfTitles(catalogueFolder),
    ...options,
    remote: {
      catalogueFolder,
      requestsPerMinute: 100_000,
      faults: ({ path }) => {
        if (!path.startsWith('/api/v1/stickers')) return undefined;
        seen.push(path);
        return stage.fault();
      },
      ...remote,
    },
  });
  const size = [...pair.remote.sandbox.stickers()].length;
  const stage: Stage = { ...pair, seen, fault: () => undefined, size, seeds: halfOfTitles(catalogueFolder) };
  return stage;
}

/** Few stickers share few words: without some of each corner nobody would find the way. */
function halfOfTitles(folder: string): string {
  const lines = readFileSync(join(folder, 'stickers.jsonl'), 'utf8').trim().split('\n');
  return lines
    .filter((_, i) => i % 2 === 0)
    .map((line) => (JSON.parse(line) as { title: string }).title)
    .join('\n');
}

interface SyncOptions {
  readonly most?: number;
  /** Hangs up when this says so. */
  readonly until?: (event: Event) => boolean;
}

async function sync({ svcd }: Pair, { most, until }: SyncOptions = {}): Promise<Event[]> {
  const events: Event[] = [];
  const query = most === undefined ? '' : `?max_requests=${most}`;
  const answer = await svcd.send('POST', `/svcd/library/sync${query}`);
  expect(answer.status).toBe(200);
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + part.value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const event = JSON.parse(line) as Event;
      events.push(event);
      if (until?.(event) !== true) continue;
      await reader.cancel();
      return events;
    }
  }
  return events;
}

async function status({ svcd }: Pair): Promise<LibraryStatus> {
  return (await (await svcd.call('/svcd/library')).json()) as LibraryStatus;
}

/** Waits for a state that comes by itself. */
async function reach(pair: Pair, isThere: (status: LibraryStatus) => boolean): Promise<LibraryStatus> {
  for (;;) {
    const now = await status(pair);
    if (isThere(now)) return now;
    await sleep(10);
  }
}

/** What was asked, each question once. */
function questionsOf(events: readonly Event[]): Set<string> {
  return new Set(events.filter(({ event }) => event === 'asked').map(({ words }) => words.join(' ')));
}

describe('a sync', () => {
  it('learns practically all there is, for nothing, and ends', async () => {
    const stage = await open();
    const events = await sync(stage);
    const end = events.at(-1);
    expect(end).toMatchObject({ event: 'ended', state: 'complete', complete: true, why: null });
    expect(end!.known).toBeGreaterThanOrEqual(stage.size * 0.85);
    expect(end!.known).toBeLessThanOrEqual(stage.size);
    expect(events.filter(({ event }) => event === 'asked')).toHaveLength(stage.seen.length);
    expect(end!.requests).toEqual({ sent: stage.seen.length, answered: stage.seen.length });
    expect(stage.remote.sandbox.charges()).toEqual([]);
    expect(stage.remote.sandbox.credits()).toBe(1000);
  });

  it('never asks the same twice, and asks nothing more when all is known', async () => {
    const stage = await open();
    expect(questionsOf(await sync(stage)).size).toBe(stage.seen.length);
    const before = stage.seen.length;
    expect((await sync(stage)).map(({ event }) => event)).toEqual(['begun', 'ended']);
    expect(stage.seen).toHaveLength(before);
  });

  it('answers from here alone afterwards, also offline, and says how much is known', async () => {
    const stage = await open();
    const query = '/api/v1/stickers/search?q=%E7%94%9F%E6%97%A5&limit=50';
    const before = (await stage.svcd.call(query)).headers.get('x-svcd-library');
    expect(before).toMatch(/^known=\d+, complete=\?0$/);
    await sync(stage);
    const asked = stage.seen.length;
    const answer = await stage.svcd.call(query);
    expect(answer.headers.get('x-svcd-library')).toMatch(/^known=\d\d(, estimate=\d+, .*)?, complete=\?1$/);
    expect(answer.headers.get('x-svcd-source')).toBe('library');
    expect(stage.seen).toHaveLength(asked);
    await stage.svcd.post('/svcd/offline', { offline: true });
    const theirs = await (await stage.remote.call(query)).json();
    const ours = await (await stage.svcd.call(query)).json();
    const presets = (body: unknown) => (body as { results: { preset: string }[] }).results.map(({ preset }) => preset);
    expect(presets(ours)).toEqual(expect.arrayContaining(presets(theirs)));
  });

  it('ends after as many requests as it was told, and goes on from there', async () => {
    const stage = await open();
    const first = await sync(stage, { most: 5 });
    expect(stage.seen).toHaveLength(5);
    expect(first.at(-1)).toMatchObject({ event: 'ended', asked: 5, complete: false });
    const second = await sync(stage, { most: 5 });
    expect(stage.seen).toHaveLength(10);
    expect(questionsOf([...first, ...second]).size).toBe(10);
  });

  it('ends soundly when nobody listens any more', async () => {
    const stage = await open({ sleep: (_, options) => sleep(5, undefined, options).catch(() => undefined) });
    await sync(stage, { until: ({ event, requests }) => event === 'asked' && requests.answered >= 3 });
    const { requests } = await reach(
      stage,
      ({ state, requests: { sent, answered } }) => state === 'off' && sent === answered,
    );
    await sleep(50);
    expect(stage.seen).toHaveLength(requests.sent);
  });

  it('goes on after a restart without asking again what it knows', async () => {
    const home = temporaryHome();
    const stage = await open({ home });
    const first = await sync(stage, { most: 20 });
    const end = first.at(-1);
    await stage.svcd.daemon.close();
    const again = await startAgain(stage, home);
    expect(await status(again)).toMatchObject({ known: end!.known, estimate: end!.estimate, requests: end!.requests });
    const second = await sync(again);
    expect(questionsOf([...first, ...second]).size).toBe(stage.seen.length);
  });

  it('learns what people are told too', async () => {
    const stage = await open({ askWaitMs: 30_000 });
    await sync(stage, { most: 1 });
    const before = (await status(stage)).known;
    await stage.svcd.get(`/api/v1/stickers/search?q=${encodeURIComponent('箭头')}&limit=50`);
    expect((await status(stage)).known).toBeGreaterThan(before);
  });

  it('looks again at what was seen longest ago once all is known, and finds what is new', async () => {
    const home = temporaryHome();
    const stage = await open({ home });
    await sync(stage);
    await stage.svcd.daemon.close();
    const asked = stage.seen.length;
    // Time goes on by eight days.
    const { clock, sleep: hurried } = createHurriedTime();
    const later = { now: () => clock.now() + 8 * 24 * 3_600_000, monotonic: () => clock.monotonic() };
    const again = await startAgain(stage, home, { clock: later, sleep: hurried });
    const events = await sync(again);
    expect(events.at(-1)).toMatchObject({ event: 'ended', complete: true });
    const refreshing = stage.seen.length - asked;
    expect(refreshing).toBeGreaterThan(stage.size / 50);
    expect(refreshing).toBeLessThan(stage.size);
    expect((await sync(again)).map(({ event }) => event)).toEqual(['begun', 'ended']);
  });
});

describe('trouble', () => {
  it('stops in words when the Key is refused, and tells a person', async () => {
    const stage = await open();
    stage.remote.sandbox.setKeyState('disabled');
    const events = await sync(stage);
    expect(events.at(-1)).toMatchObject({
      event: 'ended',
      state: 'stopped',
      why: expect.stringContaining('403') as string,
    });
    expect(stage.seen.length).toBeLessThan(3);
    stage.remote.sandbox.setKeyState('active');
    expect((await sync(stage)).at(-1)).toMatchObject({ state: 'complete' });
  });

  it('stops at once without a Key, and while the user is offline', async () => {
    const stage = await open({ userKey: undefined });
    expect((await sync(stage)).at(-1)).toMatchObject({ state: 'stopped', why: 'there is no Key' });
    await stage.svcd.post('/svcd/offline', { offline: true });
    const [end] = (await sync(stage)).slice(-1);
    expect(end).toMatchObject({ state: 'stopped', why: expect.stringContaining('offline') as string });
    expect(stage.seen).toEqual([]);
  });

  it('leaves the remote alone for as long as it wants to be', async () => {
    const { clock, sleep: hurried } = createHurriedTime();
    const stage = await open({ clock, sleep: hurried });
    const at: number[] = [];
    stage.fault = () => {
      at.push(clock.monotonic());
      return at.length === 3 ? { refuse: new SvcdError('rate_limited', 'later', { retryAfterS: 200 }) } : undefined;
    };
    await sync(stage, { most: 6 });
    expect(at[3]! - at[2]!).toBeGreaterThanOrEqual(200_000);
  });

  it('goes on by itself after failures of the remote', async () => {
    const stage = await open();
    let failures = 0;
    stage.fault = () => (failures++ % 3 === 1 ? { refuse: new SvcdError('upstream_failure', 'odd') } : undefined);
    const end = (await sync(stage)).at(-1);
    expect(end).toMatchObject({ state: 'complete', complete: true });
    expect(end!.requests.sent).toBe(stage.seen.length);
  });
});

describe('the work in the background', () => {
  it('begins by itself, can be paused and resumed, also over a restart', async () => {
    const home = temporaryHome();
    const options = { syncAfterMs: 0, flags: { 'background-sync': true } };
    const stage = await open({ home, ...options });
    await reach(stage, ({ requests }) => requests.answered >= 3);
    expect(await (await stage.svcd.post('/svcd/library/pause', {})).json()).toMatchObject({ state: 'paused' });
    // Waits for what is under way; on a machine that is busy that may have no answer.
    await stage.svcd.daemon.close();
    const again = await startAgain(stage, home, options);
    const { requests } = await status(again);
    expect(requests.answered).toBeGreaterThanOrEqual(3);
    await sleep(150);
    expect(await status(again)).toMatchObject({ state: 'paused', background: false, requests });
    expect(await (await again.svcd.post('/svcd/library/resume', {})).json()).toMatchObject({ background: true });
    await reach(again, ({ state, complete }) => complete && state === 'complete');
  });

  it('does nothing where it is off', async () => {
    const stage = await open({ syncAfterMs: 0 });
    await sleep(100);
    expect(await status(stage)).toMatchObject({ state: 'off', background: false });
    expect(stage.seen).toEqual([]);
  });
});

it('asks for the token, but tells its state to anybody', async () => {
  const { svcd } = await open();
  for (const path of ['sync', 'pause', 'resume']) {
    expect((await svcd.call(`/svcd/library/${path}`, { method: 'POST' })).status).toBe(401);
  }
  expect((await svcd.call('/svcd/library')).status).toBe(200);
  expect((await svcd.post('/svcd/library/sync?max_requests=0', {})).status).toBe(400);
});

async function startAgain(stage: Stage, home: string, options: PairOptions = {}): Promise<Pair> {
  const { startTestDaemon } = await import('../support/start-daemon.js');
  const { flags, remote: _, ...rest } = options;
  const svcd = await startTestDaemon({
    home,
    userKey: stage.remote.sandbox.key,
    synonyms: () => stage.seeds,
    ...createHurriedTime(),
    ...rest,
    flags: { remote: stage.remote.url, ...flags },
  });
  onTestFinished(() => svcd.daemon.close());
  return { svcd, remote: stage.remote };
}
