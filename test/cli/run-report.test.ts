// What svcd run says at its end: a line for people, and under --strict what to do about each reason.

import { describe, expect, it } from 'vitest';
import { isSvcdError } from '../../src/model/errors.js';
import type { Absence } from '../../src/cli/run/token-lease.js';
import {
  describeAway,
  describeRefused,
  describeReport,
  refusedSince,
  requireWhole,
  type Strictness,
} from '../../src/cli/run/run-report.js';
import { addLine, reportOf, type ReportLine, type RunRecord } from '../../src/video/report/fold-report.js';

const ONCE = { kind: 'sticker', cost: 0, ms: 1, asked: 1, failed: false, fallbacks: 0, failures: 0 } as const;
const right = (id: string): ReportLine => ({ ...ONCE, id, source: 'owned' });
const served = (id: string, reason: string, cost: number | null = 0): ReportLine => {
  return { ...ONCE, id, source: 'default', reason, fallbacks: 1, cost };
};
const failed = (id: string, error: ReportLine['error']): ReportLine => {
  return { ...ONCE, id, error, failed: true, failures: 1 };
};
const AWAY: Absence[] = [{ from: '2026-11-22T00:00:00.000Z', ms: 1312 }];

function reportWith(...lines: ReportLine[]) {
  const record: RunRecord = { run: 'card', startedAt: '2026-11-22T00:00:00.000Z', lines: new Map(), omitted: 0 };
  for (const line of lines) addLine(record, line);
  return reportOf(record);
}

const strictly = (more: Partial<Strictness> = {}): Strictness => {
  return { away: [], refused: [], allowShipped: false, locked: undefined, ...more };
};

function hintOf(lines: ReportLine[], away: Absence[] = [], more: Partial<Strictness> = {}): string {
  try {
    requireWhole(reportWith(...lines), strictly({ away, ...more }));
  } catch (error) {
    if (isSvcdError(error, 'defaults_served')) return `${error.message}\n${error.hint}`;
    throw error;
  }
  return '';
}

describe('the line at the end of svcd run', () => {
  it('counts what it is not known of whether it cost', () => {
    const { kind, ...image } = right('b');
    const report = reportWith(right('a'), served('c', 'late', null), { ...image, kind, source: 'remote', cost: null });
    expect(describeReport(report)).toBe('3 assets: 2 owned, 1 fallback: c (late), and 2 whose cost is not known yet');
  });

  it('says when the credits are play money', () => {
    expect(describeReport(reportWith(right('a')), true)).toMatch(/^1 asset: 1 owned \(the sandbox: play money\)$/);
  });

  it.each([
    [[], undefined],
    [AWAY, 'svcd was away 1.3 s; what was asked then is not in this report'],
    [[...AWAY, ...AWAY], 'svcd was away 2 times, 2.6 s in all; what was asked then is not in this report'],
  ])('says that svcd was away: %j', (away, words) => {
    expect(describeAway(away)).toBe(words);
  });
});

describe('svcd run --strict', () => {
  it('finds nothing where all is right and svcd was there', () => {
    expect(hintOf([right('a')])).toBe('');
    expect(hintOf([], [], { locked: 6 })).toBe('');
  });

  it('fails when nothing was asked, of svcd or of a lock', () => {
    expect(hintOf([])).toMatch(/nothing was asked of svcd \(--strict\)[^]*--lock FILE/);
    expect(hintOf([], [], { locked: 0 })).toContain('nothing was asked');
  });

  it("fails for svcd's own art, unless that will do", () => {
    const shipped: ReportLine = { ...ONCE, id: 'default/heart', source: 'library' };
    expect(hintOf([shipped])).toContain("1 asset was svcd's own art");
    expect(hintOf([shipped], [], { allowShipped: true })).toBe('');
  });

  it('fails for pages that were refused, and says what lets them in', () => {
    const before = [{ origin: 'http://localhost:5173', requests: 3 }];
    const after = [
      { origin: 'http://localhost:5173', requests: 15 },
      { origin: 'null', requests: 1 },
    ];
    const refused = refusedSince({ pid: 1, requests: before }, { pid: 1, requests: after });
    expect(describeRefused(refused)).toEqual([
      '12 requests of pages at http://localhost:5173 were refused: svcd run --origin http://localhost:5173',
      expect.stringMatching(/^1 request of pages without an origin .* http:\/\/localhost, .*svcd\/slots\)$/),
    ]);
    expect(hintOf([right('a')], [], { refused })).toMatch(/13 requests of pages were refused[^]*--origin/);
    // A daemon that was started again counts anew.
    expect(refusedSince({ pid: 1, requests: before }, { pid: 2, requests: after })).toEqual(after);
    expect(refusedSince({ pid: 1, requests: before }, { pid: 1, requests: before })).toEqual([]);
  });

  it('fails for a purchase in doubt, by the journal too, and names it', () => {
    const report = reportWith(right('a'));
    const doubtful = { ...report, summary: { ...report.summary, uncertain: 1 }, in_doubt: [41] };
    expect(() => requireWhole(doubtful, strictly())).toThrow(/purchase 41: svcd purchases settle 41/);
    expect(describeReport(doubtful)).toContain('; purchase 41: svcd purchases settle 41');
  });

  it('fails also when lists came without the service', () => {
    const report = reportWith(right('a'));
    const unheard = { ...report, summary: { ...report.summary, unheard: 2 } };
    expect(() => requireWhole(unheard, strictly())).toThrow(
      /2 lists held svcd's own stickers alone, .* not heard \(--strict\)/,
    );
  });

  it.each([
    ['late', 'right the next time'],
    ['rate_limited', 'right the next time'],
    ['unsettled', 'svcd purchases retry ID'],
    ['no_key', 'svcd key status'],
    ['insufficient_credits', 'svcd key status'],
    ['budget', 'svcd budget'],
    ['spending_stopped', 'svcd status'],
    ['offline', 'svcd status'],
    ['upstream_failure', 'try again later'],
    ['not_enabled', 'does not offer'],
  ])('says what to do about %s, and only about that', (reason, words) => {
    const hint = hintOf([right('a'), served('b', reason), served('c', reason)]);
    expect(hint.split(words)).toHaveLength(2);
    expect(hint.includes('right the next time')).toBe(words === 'right the next time');
  });

  it.each([
    ['key_disabled', 'svcd key status'],
    ['unknown_preset', 'svcd search'],
    ['timeout', 'right the next time'],
    ['not_permitted', '--only'],
    ['not_declared', '--allow'],
  ] as const)('says what to do about the error %s', (error, words) => {
    const hint = hintOf([failed('b', error)]);
    expect(hint).toContain(words);
    expect(hint.includes('right the next time')).toBe(words === 'right the next time');
  });

  it('fails when svcd was away, although all that it saw is right', () => {
    expect(hintOf([right('a')], AWAY)).toMatch(
      /succeeded, and svcd was away 1\.3 s \(--strict\)\n.*run the command again/,
    );
  });
});
