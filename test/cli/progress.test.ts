// The line that is written over while something takes longer than a second, and the words of what is known of a library.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LibraryStatus } from '../../src/api/library.js';
import { printNote } from '../../src/cli/terminal/output.js';
import { openProgress } from '../../src/cli/terminal/progress.js';
import { describeLibrary } from '../../src/cli/library/sync-library.js';

describe('progress', () => {
  let written = '';

  beforeEach(() => {
    written = '';
    vi.useFakeTimers();
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      written += String(text);
      return true;
    });
    onTerminal(true);
  });

  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
    onTerminal(undefined);
  });

  function onTerminal(isTTY: boolean | undefined): void {
    Object.defineProperty(process.stderr, 'isTTY', { value: isTTY, configurable: true });
    Object.defineProperty(process.stderr, 'columns', { value: isTTY === true ? 20 : undefined, configurable: true });
  }

  it('shows nothing of what is over within a second', () => {
    const progress = openProgress(false);
    progress.show('half');
    vi.advanceTimersByTime(900);
    progress.end();
    expect(written).toBe('');
  });

  it('writes each line over the one before, and takes the last away', () => {
    const progress = openProgress(false);
    progress.show('nearly nothing');
    vi.advanceTimersByTime(1000);
    progress.show('half');
    vi.advanceTimersByTime(200);
    progress.end();
    expect(written).toBe(`\rnearly nothing\rhalf${' '.repeat(10)}\r    \r`);
  });

  it('shows at once what lets no timer in', () => {
    openProgress(false).show('migrating', true);
    expect(written).toBe('\rmigrating');
  });

  it('shows what holds up the event loop once a second has passed', () => {
    const progress = openProgress(false);
    progress.show('1 of 9');
    vi.setSystemTime(Date.now() + 1500);
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 1500);
    progress.show('2 of 9');
    expect(written).toBe('\r2 of 9');
  });

  it('cuts a line at the width of the terminal, where wide characters count twice', () => {
    openProgress(false).show('正在建立素材库的索引：45 %', true);
    expect(written).toBe('\r正在建立素材库的索');
  });

  it('makes place for a note', () => {
    openProgress(false).show('half', true);
    printNote('a note');
    expect(written).toBe('\rhalf\r    \ra note\n');
  });

  it.each([
    ['in a pipe', false, false],
    ['with --json', true, true],
  ])('shows nothing %s', (_where, isTTY, json) => {
    onTerminal(isTTY);
    const progress = openProgress(json);
    progress.show('half', true);
    vi.advanceTimersByTime(5000);
    progress.end();
    expect(written).toBe('');
  });
});

describe('the total of a library', () => {
  const STATUS = {
    known: 11_991,
    coverage: 1,
    complete: false,
    requests: { sent: 0, answered: 0 },
    last_sync_at: null,
    state: 'off',
    why: null,
    background: false,
    allowed_per_minute: 60,
  } as unknown as LibraryStatus;
  const totalOf = (status: Partial<LibraryStatus>) =>
    describeLibrary({ ...STATUS, ...status }, 0)[1]?.replace(/^ *in all */, '');

  it.each<[string, Partial<LibraryStatus>, string]>([
    ['plain where both bounds are the same', { estimate: { total: 9, low: 9, high: 9 } }, '9 stickers'],
    [
      'plain where all is known',
      { complete: true, estimate: { total: 11_991, low: 11_991, high: 12_001 } },
      '11,991 stickers',
    ],
    [
      'with its bounds where they differ',
      { estimate: { total: 1200, low: 1100, high: 1300 } },
      'about 1,200 (between 1,100 and 1,300, 19 times of 20)',
    ],
    ['unknown where too little was asked', { estimate: null }, 'not known yet: too little was asked'],
  ])('is %s', (_how, status, said) => {
    expect(totalOf(status)).toBe(said);
  });
});
