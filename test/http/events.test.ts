// The stream that tells a page what has changed: everything at once, then each change; few at a time; it ends with svcd, and a
// reader that is gone leaves nothing behind.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createWatchPage } from '../../src/operations/page/watch-page.js';
import { PAGE_EVENTS, type PageEvent } from '../../src/api/page-terms.js';
import { stickerPath } from '../../src/model/sticker.js';
import { CAKE } from '../sandbox/tiny-catalogue.js';
import type { StartedDaemon } from '../support/start-daemon.js';
import { startPair } from '../support/start-pair.js';

const MOST = 8;

/** Reads the events of a stream as they come. */
async function listen(svcd: StartedDaemon) {
  const gone = new AbortController();
  onTestFinished(() => gone.abort());
  const answer = await svcd.get('/svcd/events', {}, gone.signal);
  const seen: string[] = [];
  const read = async () => {
    let rest = '';
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) {
      const parts = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n\n');
      rest = parts.pop() ?? '';
      seen.push(...parts.flatMap((part) => /^event: (\w+)\ndata: ".*"$/.exec(part)?.[1] ?? []));
    }
    return 'ended';
  };
  const end = read().catch(() => 'broken');
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    seen,
    end,
    leave: () => gone.abort(),
    /** What changed since the last time, once this is among it. */
    until: async (event: PageEvent) => {
      await expect.poll(() => seen).toContain(event);
      return seen.splice(0);
    },
  };
}

describe('the stream of events', () => {
  it('tells everything at first, and then what changed', async () => {
    const { svcd } = await startPair();
    const page = await listen(svcd);
    expect([page.status, page.type]).toEqual([200, 'text/event-stream; charset=utf-8']);
    await expect.poll(() => [...page.seen]).toEqual([...PAGE_EVENTS]);
    page.seen.length = 0;
    await svcd.send('PUT', '/svcd/collections/wanted/a');
    expect(await page.until('collections')).toEqual(['collections']);
    await svcd.get(stickerPath(CAKE));
    await page.until('owned');
    await svcd.post('/svcd/spending', { stopped: true });
    expect(await page.until('summary')).toContain('summary');
    await svcd.post('/svcd/library/pause', '');
    expect(await page.until('summary')).toContain('summary');
    await svcd.send('PUT', '/svcd/budget', { day: 7 });
    expect(await page.until('summary')).toContain('summary');
  });

  it(`is for ${MOST} at most, and has room again when one goes`, async () => {
    const { svcd } = await startPair();
    // A HEAD takes no place.
    for (let nth = 0; nth <= MOST; nth++) {
      expect((await svcd.send('HEAD', '/svcd/events')).status).toBe(200);
    }
    const pages = [];
    for (let nth = 0; nth < MOST; nth++) pages.push(await listen(svcd));
    const refused = await svcd.get('/svcd/events');
    expect([refused.status, await refused.json()]).toMatchObject([429, { code: 'busy' }]);
    pages[0]?.leave();
    await expect.poll(async () => (await listen(svcd)).status).toBe(200);
  });

  it('ends with svcd', async () => {
    const { svcd } = await startPair();
    const page = await listen(svcd);
    await page.until('summary');
    await svcd.daemon.close();
    expect(['ended', 'broken']).toContain(await page.end);
  });

  it('has room again after a reader was killed', async () => {
    const { svcd } = await startPair();
    const code = `fetch(${JSON.stringify(`${svcd.url}/svcd/events`)}, { headers: { Authorization: 'Bearer ${svcd.token}' } })
      .then(async ({ body }) => { for await (const _ of body) console.log('heard') })`;
    const readers = [];
    for (let nth = 0; nth < MOST; nth++) {
      const reader = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
      onTestFinished(() => void reader.kill('SIGKILL'));
      readers.push(reader);
      await once(reader.stdout, 'data');
    }
    expect((await svcd.get('/svcd/events')).status).toBe(429);
    for (const reader of readers) reader.kill('SIGKILL');
    await expect.poll(async () => (await listen(svcd)).status).toBe(200);
    expect((await svcd.get('/svcd/status')).status).toBe(200);
  });
});

describe('looking for changes', () => {
  it('goes on only while somebody listens', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let looks = 0;
    const now = Object.fromEntries(PAGE_EVENTS.map((event) => [event, '1'])) as Record<PageEvent, string>;
    const page = createWatchPage(() => ((looks += 1), { ...now }));
    vi.advanceTimersByTime(10_000);
    expect([looks, vi.getTimerCount()]).toEqual([0, 0]);
    const heard: string[] = [];
    const stops = [page.watch((event) => heard.push(event)), page.watch(() => undefined)];
    now.owned = '2';
    vi.advanceTimersByTime(1000);
    expect(heard).toEqual([...PAGE_EVENTS, 'owned']);
    for (const stop of stops) stop();
    const after = looks;
    vi.advanceTimersByTime(10_000);
    expect([looks, vi.getTimerCount()]).toEqual([after, 0]);
  });

  it('outlives a look that fails', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const now = Object.fromEntries(PAGE_EVENTS.map((event) => [event, '1'])) as Record<PageEvent, string>;
    let isBroken = false;
    const page = createWatchPage(() => {
      if (isBroken) throw new Error('the disk is gone');
      return { ...now };
    });
    const heard: string[] = [];
    const stop = page.watch((event) => heard.push(event));
    isBroken = true;
    vi.advanceTimersByTime(1000);
    isBroken = false;
    now.library = '2';
    vi.advanceTimersByTime(1000);
    expect(heard.at(-1)).toBe('library');
    stop();
  });
});
