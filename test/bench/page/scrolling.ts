// Scrolling at 12,000 pixels a second: frames, the page's longest task, elements, memory; the same with ten times as many
// stickers; and how soon what is in view is drawn after it stops.

import type { Browser } from 'playwright-core';
import type { SvcdServer } from '../start-server.js';
import { median } from '../report.js';
import type { Figure } from './figures.js';
import { INTERVAL_MS, openPageUnderTest, quantile, settled, workedMs, type PageUnderTest } from './page-under-test.js';

const SPEED = 12_000;
const ROUNDS = 3;
const ROUND_MS = 8000;
const FRAMES_LATE = 2;

interface Scrolled {
  /** Between two frames. */
  readonly frames: readonly number[];
  readonly tasks: readonly number[];
  readonly elements: number;
  /** From the last movement until every tile in view is drawn. */
  readonly restMs: number;
}

/** Runs in the page: scrolls from the top, for so long or to the end. */
const SCROLL = `async ({ speed, most }) => {
  const grid = document.querySelector('.grid');
  const tasks = [];
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' });
  grid.scrollTop = 0;
  await new Promise((resolve) => setTimeout(resolve, 500));
  const frames = [];
  let [last, first, elements] = [0, 0, 0];
  await new Promise((resolve) => {
    const step = (now) => {
      if (last !== 0) frames.push(now - last);
      else first = now;
      last = now;
      grid.scrollTop = ((now - first) / 1000) * speed;
      if (frames.length % 30 === 0) elements = Math.max(elements, document.querySelectorAll('*').length);
      const isOver = now - first > most || grid.scrollTop + grid.clientHeight >= grid.scrollHeight - 1;
      if (isOver) resolve();
      else requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });
  const rest = performance.now();
  const inView = () => [...document.querySelectorAll('.tile:not([hidden])')].filter((tile) => {
    const { top, bottom } = tile.getBoundingClientRect();
    return bottom > grid.getBoundingClientRect().top && top < innerHeight;
  });
  const isDrawn = (tile) => tile.dataset.look !== 'waiting' && !tile.classList.contains('blank');
  while (performance.now() - rest < 5000 && !inView().every(isDrawn)) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
  const restMs = performance.now() - rest;
  await new Promise((resolve) => setTimeout(resolve, 200));
  return { frames, tasks, elements, restMs };
}`;

async function scroll({ page }: PageUnderTest, most: number): Promise<Scrolled> {
  return page.evaluate(`(${SCROLL})(${JSON.stringify({ speed: SPEED, most })})`);
}

const inTime = (frames: readonly number[]) =>
  (100 * frames.filter((ms) => ms <= FRAMES_LATE * INTERVAL_MS + 1).length) / frames.length;

/** JavaScript's own heap and what belongs to it, in MB, when everything that is not needed is gone. */
async function heapMb({ devtools }: PageUnderTest): Promise<{ readonly heap: number; readonly bytes: number }> {
  for (let times = 0; times < 2; times += 1) await devtools.send('HeapProfiler.collectGarbage');
  // The types of the protocol know the first of them only.
  const usage = (await devtools.send('Runtime.getHeapUsage')) as { usedSize: number; backingStorageSize?: number };
  return { heap: usage.usedSize / 2 ** 20, bytes: (usage.backingStorageSize ?? 0) / 2 ** 20 };
}

export async function benchScrolling(browser: Browser, usual: SvcdServer, large: SvcdServer): Promise<Figure[]> {
  return [...(await benchAll(browser, usual)), ...(await benchLarge(browser, usual, large))];
}

/** All tiles of the sandbox, with their pictures. */
async function benchAll(browser: Browser, svcd: SvcdServer): Promise<Figure[]> {
  const open = await openPageUnderTest(browser, svcd);
  // What a first movement makes is not what many leave behind.
  await scroll(open, 300);
  await open.page.evaluate("document.querySelector('.grid').scrollTop = 0");
  await settled(open.page);
  const before = await heapMb(open);
  const worked = await workedMs(open);
  const { frames, tasks, elements, restMs } = await scroll(open, 1e9);
  const busy = (await workedMs(open)) - worked;
  await settled(open.page);
  const after = await heapMb(open);
  const bare = await bareFrames(open);
  await open.close();
  return [
    { name: 'frames within 2 refresh intervals, 11,991 tiles', value: inTime(frames), unit: '%', atLeast: 99 },
    { name: 'the same where nothing is scrolled', value: inTime(bare), unit: '%' },
    { name: 'work of the page for a frame, mean', value: busy / frames.length, unit: 'ms' },
    { name: 'tasks of more than 50 ms', value: tasks.length, unit: '', atMost: 0 },
    { name: 'longest of those', value: Math.max(0, ...tasks), unit: 'ms', atMost: 50 },
    { name: 'drawn after rest', value: restMs, unit: 'ms', atMost: 200 },
    { name: 'elements while scrolling', value: elements, unit: '', atMost: 1500 },
    { name: 'heap after all tiles beside the first screen', value: after.heap / before.heap, unit: '×', atMost: 1.5 },
    { name: 'heap of the first screen', value: before.heap, unit: 'MB' },
    { name: 'files kept: first screen', value: before.bytes, unit: 'MB' },
    { name: 'files kept: after all tiles', value: after.bytes, unit: 'MB' },
  ];
}

/** Frames of this page, this browser and this machine while nothing happens. */
async function bareFrames({ page }: PageUnderTest): Promise<readonly number[]> {
  return page.evaluate(`new Promise((resolve) => {
    const frames = [];
    let last = 0;
    const step = (now) => {
      if (last !== 0) frames.push(now - last);
      last = now;
      if (frames.length === 600) resolve(frames);
      else requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  })`);
}

/** As many again tenfold, in turns, both as with the real service: what was grown has no pictures. */
async function benchLarge(browser: Browser, usual: SvcdServer, large: SvcdServer): Promise<Figure[]> {
  const sides = [
    { open: await openPageUnderTest(browser, usual, { asReal: true }), frames: [] as number[], work: [] as number[] },
    { open: await openPageUnderTest(browser, large, { asReal: true }), frames: [] as number[], work: [] as number[] },
  ] as const;
  const rests: number[] = [];
  for (let round = 0; round < 2 * ROUNDS; round += 1) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      await side.open.page.bringToFront();
      const worked = await workedMs(side.open);
      const { frames, restMs } = await scroll(side.open, ROUND_MS / 2);
      side.frames.push(...frames);
      side.work.push(((await workedMs(side.open)) - worked) / frames.length);
      if (side === sides[1]) rests.push(restMs);
    }
  }
  for (const { open } of sides) await open.close();
  const [few, many] = sides;
  const ratio = (of: (side: (typeof sides)[number]) => number) => of(many) / of(few);
  return [
    { name: '120,000: frames within 2 refresh intervals', value: inTime(many.frames), unit: '%', atLeast: 99 },
    { name: '120,000: p95 of frames', value: ratio(({ frames }) => quantile(frames, 0.95)), unit: '×', atMost: 1.1 },
    { name: '120,000: work for a frame', value: ratio(({ work }) => median(work)), unit: '×', atMost: 1.1 },
    { name: '120,000: drawn after rest, median', value: median(rests), unit: 'ms', atMost: 200 },
  ];
}
