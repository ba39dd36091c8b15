// A library that is not complete asks the remote, learns, and answers like the remote from then on, also without it.

import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openLibrary } from '../../src/library/library.js';
import { silentLog } from '../../src/platform/log.js';
import { tinyLottie } from '../sandbox/tiny-catalogue.js';
import { startForeignRemote, type ForeignRemote } from '../support/foreign-remote.js';
import { startTestDaemon, temporaryHome, type StartedDaemon, type StartOptions } from '../support/start-daemon.js';

const USER_KEY = 'sk-live-0123456789';

/** Longer than any machine is slow; the wait itself is tested with a short one. */
const PATIENT_MS = 30_000;

interface Stage {
  readonly svcd: StartedDaemon;
  readonly remote: ForeignRemote;
}

/** Waits as long as usual where `askWaitMs` is undefined. */
async function start(askWaitMs: number | undefined, more: Partial<StartOptions> = {}): Promise<Stage> {
  const remote = await startForeignRemote();
  remote.stickers = [
    { preset: 'zoo/panda', label: '熊猫宝宝', tags: '动物、可爱', length: '1.5s', mood: 'calm' },
    { preset: 'zoo/tiger', label: '老虎', tags: '动物' },
  ];
  const svcd = await startTestDaemon({
    userKey: USER_KEY,
    ...(askWaitMs !== undefined && { askWaitMs }),
    flags: { remote: remote.url },
    ...more,
  });
  return { svcd, remote };
}

interface ForeignAnswer {
  ok: boolean;
  data: { asked: string; found: number; items: Record<string, unknown>[] };
}

async function search(svcd: StartedDaemon, q: string, limit = 12, headers: Record<string, string> = {}) {
  const answer = await svcd.call(
    `/api/v1/stickers/search?${new URLSearchParams({ q, limit: `${limit}` }).toString()}`,
    { headers },
  );
  const source = answer.headers.get('x-svcd-source');
  return { status: answer.status, source, body: (await answer.json()) as ForeignAnswer & { results: object[] } };
}

it('asks the remote for what it does not have, and gives it as the remote does, with addresses of its own', async () => {
  const { svcd, remote } = await start(PATIENT_MS);
  const { source, body } = await search(svcd, '熊猫宝宝');
  expect(source).toBe('remote');
  expect(body).toMatchObject({ ok: true, data: { asked: '熊猫宝宝' } });
  expect(body.data.items[0]).toMatchObject({
    preset: 'zoo/panda',
    label: '熊猫宝宝',
    tags: '动物、可爱',
    length: '1.5s',
    mood: 'calm',
    download: `${svcd.url}/api/v1/stickers/zoo%2Fpanda`,
  });
  expect(remote.seen).toEqual(['/api/v1/stickers/search?q=熊猫宝宝&limit=50']);
});

it('answers the same offline, without waiting, in the same form', async () => {
  const { svcd, remote } = await start(PATIENT_MS);
  const online = await search(svcd, '熊猫宝宝');
  await svcd.post('/svcd/offline', { offline: true });
  const offline = await search(svcd, '熊猫宝宝');
  expect(offline.source).toBe('library');
  expect(offline.body).toEqual(online.body);
  expect((await search(svcd, '老虎')).body.data.items[0]).toMatchObject({ preset: 'zoo/tiger', label: '老虎' });
  expect(remote.seen).toHaveLength(1);
});

it('asks one question once, however many want to know, and not again soon', async () => {
  const { svcd, remote } = await start(PATIENT_MS);
  let answerNow = (): void => undefined;
  const held = new Promise<void>((resolve) => (answerNow = resolve));
  remote.until = () => held;
  const asked = Array.from({ length: 10 }, () => search(svcd, '熊猫宝宝'));
  while (remote.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  answerNow();
  for (const { source } of await Promise.all(asked)) expect(['remote', 'library']).toContain(source);
  expect((await search(svcd, '熊猫宝宝')).source).toBe('library');
  expect(remote.seen).toHaveLength(1);
});

it('does not wait for a slow remote, and learns what comes late', async () => {
  const { svcd, remote } = await start(20);
  let answerNow = (): void => undefined;
  const held = new Promise<void>((resolve) => (answerNow = resolve));
  remote.until = () => held;
  const early = await search(svcd, '熊猫宝宝');
  expect(early.source).toBe('library');
  answerNow();
  let found: unknown;
  while (found === undefined) {
    const { body } = await search(svcd, '熊猫宝宝');
    found = (body.data?.items ?? []).find(({ preset }) => preset === 'zoo/panda');
  }
  expect(remote.seen).toHaveLength(1);
});

it('asks again when Retry-After is over, and everything else then too', async () => {
  const { svcd, remote } = await start(PATIENT_MS);
  remote.busy = 2;
  const [match, panda] = await Promise.all([
    svcd.post('/api/v1/stickers/match', { keywords: ['动物'] }),
    search(svcd, '熊猫宝宝'),
  ]);
  expect([match.headers.get('x-svcd-source'), panda.source]).toEqual(['remote', 'remote']);
  await search(svcd, '老虎');
  expect(remote.seen).toHaveLength(5);
});

it('says why the remote was not heard, with a line in the log where only its own stickers are listed', async () => {
  const logged: unknown[] = [];
  const log = { ...silentLog, info: (event: string, fields?: object) => void logged.push([event, fields]) };
  const { svcd, remote } = await start(20, { log });
  let answerNow = (): void => undefined;
  const held = new Promise<void>((resolve) => (answerNow = resolve));
  remote.until = () => held;
  const told = async () =>
    (await svcd.post('/api/v1/stickers/match', { text: '生日快乐' })).headers.get('x-svcd-library');
  expect(await told()).toMatch(/, unheard=late$/);
  expect(logged).toContainEqual([
    expect.stringContaining('only stickers of svcd itself'),
    { why: 'late', token: undefined },
  ]);
  expect(JSON.stringify(logged)).not.toContain('生日');
  answerNow();
  for (let header: string | null = 'unheard'; /unheard/.test(header ?? '');) header = await told();
  await svcd.post('/svcd/offline', { offline: true });
  expect(await told()).toMatch(/, unheard=offline$/);
});

it('waits for a slow remote in a home that knows nothing of it', async () => {
  const { svcd, remote } = await start(undefined);
  remote.until = () => new Promise((resolve) => setTimeout(resolve, 1200));
  expect((await search(svcd, '熊猫宝宝')).source).toBe('remote');
});

it('answers from the library when the remote fails, and leaves it alone for a while', async () => {
  const { svcd, remote } = await start(PATIENT_MS);
  remote.status = 403;
  expect(await search(svcd, '熊猫宝宝')).toMatchObject({ status: 200, source: 'library' });
  expect(await search(svcd, '老虎')).toMatchObject({ status: 200, source: 'library' });
  expect(remote.seen).toHaveLength(1);
});

it('asks nothing for somebody who shows a wrong token', async () => {
  const { svcd, remote } = await start(PATIENT_MS);
  const { status, source } = await search(svcd, '熊猫宝宝', 12, { Authorization: 'Bearer svcd_wrong' });
  expect([status, source, remote.seen]).toEqual([200, 'library', []]);
});

it('takes an empty list for an answer, and what lists nothing at all for none', async () => {
  const { svcd, remote } = await start(PATIENT_MS);
  const library = async (q: string) =>
    (await svcd.get(`/api/v1/stickers/search?q=${q}`)).headers.get('x-svcd-library') ?? '';
  remote.stickers = [];
  expect(await library('河马')).not.toContain('unheard');
  expect(await library('斑马')).not.toContain('unheard');
  expect(remote.seen).toHaveLength(2);
});

it('was not heard about words that it refuses, and is about others', async () => {
  const { svcd, remote } = await start(PATIENT_MS);
  const library = async (q: string) =>
    (await svcd.get(`/api/v1/stickers/search?q=${q}`)).headers.get('x-svcd-library') ?? '';
  remote.status = 400;
  expect(await library('河马')).toMatch(/, unheard=invalid_request$/);
  const asked = remote.seen.length;
  expect(await library('河马')).toMatch(/, unheard=invalid_request$/);
  expect(remote.seen).toHaveLength(asked);
  remote.status = 200;
  expect(await library('斑马')).not.toContain('unheard');
});

it('asks with a smaller limit where the remote refuses ours', async () => {
  const { svcd, remote } = await start(PATIENT_MS);
  remote.maxLimit = 20;
  expect((await search(svcd, '熊猫宝宝', 5)).source).toBe('remote');
  expect((await search(svcd, '河马', 7)).source).toBe('remote');
  expect(remote.seen.map((path) => path.split('limit=')[1])).toEqual(['50', '5', '7']);
});

it('asks about a match too, and tells reasons and scores in the form of the remote', async () => {
  const { svcd, remote } = await start(PATIENT_MS);
  const ask = async () => {
    const answer = await svcd.post('/api/v1/stickers/match', { keywords: ['动物'] });
    const { results } = (await answer.json()) as { results: Record<string, unknown>[] };
    return { source: answer.headers.get('x-svcd-source'), results };
  };
  const { source, results } = await ask();
  expect(source).toBe('remote');
  // Behind them those of the default pack that show an animal.
  expect(new Set(results.slice(0, 2).map(({ preset }) => preset))).toEqual(new Set(['zoo/panda', 'zoo/tiger']));
  expect(results[0]).toMatchObject({
    relevance: expect.any(Number) as unknown,
    matched: expect.arrayContaining([{ term: '动物', matched_field: 'keywords', type: 'direct' }]) as unknown,
  });
  expect(results[0]).not.toHaveProperty('score');
  await remote.refuse();
  expect((await ask()).results).toEqual(results);
});

it('learns from other answers that hold stickers', async () => {
  const { svcd } = await start(PATIENT_MS);
  await svcd.get('/api/v1/collections');
  await svcd.post('/svcd/offline', { offline: true });
  const { body } = await search(svcd, '熊猫宝宝');
  expect(body.results[0]).toMatchObject({ preset: 'zoo/panda', title: '熊猫宝宝', duration: 1.5 });
});

it('lets a sticker sink that the remote does not have any more', async () => {
  const { svcd } = await start(PATIENT_MS);
  const presets = async () => (await search(svcd, '老虎')).body.data.items.map(({ preset }) => preset);
  expect(await presets()).toEqual(['zoo/tiger', 'zoo/panda']);
  expect((await svcd.get('/api/v1/stickers/zoo%2Ftiger')).status).toBe(404);
  expect(await presets()).toEqual(['zoo/panda', 'zoo/tiger']);
});

it('lets it come back when it can be had again, and keeps what is owned whatever the remote has', async () => {
  const { svcd, remote } = await start(PATIENT_MS);
  const first = async () => (await search(svcd, '老虎')).body.data.items[0]?.preset;
  const download = async () => svcd.get('/api/v1/stickers/zoo%2Ftiger');
  await search(svcd, '老虎');
  expect((await download()).status).toBe(404);
  expect(await first()).toBe('zoo/panda');
  remote.files.set('zoo/tiger', tinyLottie('tiger'));
  expect((await download()).headers.get('x-svcd-source')).toBe('remote');
  expect(await first()).toBe('zoo/tiger');
  remote.files.clear();
  expect((await download()).headers.get('x-svcd-source')).toBe('owned');
});

it('asks nothing when the library is complete', async () => {
  const remote = await startForeignRemote();
  const home = temporaryHome();
  const file = join(home, 'library.db');
  const library = openLibrary({ file, scope: remote.url, synonyms: () => '', log: silentLog });
  library.setComplete(true);
  library.close();
  const svcd = await startTestDaemon({ home, userKey: USER_KEY, flags: { remote: remote.url } });
  expect(await search(svcd, '熊猫宝宝')).toMatchObject({ status: 200, source: 'library' });
  expect(remote.seen).toEqual([]);
});
