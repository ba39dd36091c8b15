// Events that come by the thousand: few lines, and the true number of the others.

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FLOOD_LINES, limitFlood } from '../../src/platform/limit-flood.js';
import { createLog, type LogEntry } from '../../src/platform/log.js';

let time = 0;
let written: LogEntry[] = [];
const clock = { now: () => time, monotonic: () => time };

beforeEach(() => {
  time = 0;
  written = [];
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

function start() {
  const flood = limitFlood((entry) => written.push(entry), clock);
  return { flood, log: createLog((entry) => flood.write(entry)) };
}

const more = () => written.flatMap(({ fields }) => (fields['more'] === undefined ? [] : [Number(fields['more'])]));

it('writes the first of a minute, and how many more there were', () => {
  const { log } = start();
  for (let i = 0; i < 10_000; i++) log.info('served a default', { sticker: `s/${i}` });
  expect(written).toHaveLength(FLOOD_LINES);
  time = 60_000;
  vi.advanceTimersByTime(60_000);
  expect(written.at(-1)).toMatchObject({ level: 'info', event: `served a default: ${10_000 - FLOOD_LINES} more` });
  expect(more()).toEqual([10_000 - FLOOD_LINES]);
});

it('counts nothing twice over many minutes and at the end', () => {
  const { flood, log } = start();
  for (let minute = 0; minute < 5; minute++) {
    for (let i = 0; i < 100; i++) log.info('served a default');
    time += 60_000;
    vi.advanceTimersByTime(60_000);
  }
  for (let i = 0; i < 40; i++) log.info('served a default');
  flood.flush();
  flood.flush();
  const lines = written.filter(({ event }) => event === 'served a default').length;
  expect(lines + more().reduce((sum, one) => sum + one, 0)).toBe(540);
});

it('lets another event pass, the same one at another level, and every purchase', () => {
  const { log } = start();
  for (let i = 0; i < 1000; i++) log.info('served a default');
  for (let i = 0; i < 100; i++) log.info('bought', { purchase: i });
  log.warn('served a default');
  log.warn('the remote is away');
  expect(written).toHaveLength(FLOOD_LINES + 102);
});
