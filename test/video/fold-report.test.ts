// Folding what a run was served: in any grouping, cut anywhere, the same report.

import { array, assert, constantFrom, nat, property, record } from 'fast-check';
import { parse } from 'valibot';
import { describe, expect, it } from 'vitest';
import { reportSchema } from '../../src/api/report.js';
import {
  addLine,
  linesOf,
  parseLines,
  reportOf,
  type ReportLine,
  type RunRecord,
} from '../../src/video/report/fold-report.js';

const empty = (): RunRecord => ({ run: 'card', startedAt: '2026-11-22T00:00:00.000Z', lines: new Map(), omitted: 0 });

const once = {
  kind: 'sticker',
  id: 'cake',
  asked: 1,
  failed: false,
  cost: 0,
  ms: 1,
  fallbacks: 0,
  failures: 0,
} as const;
const OWNED: ReportLine = { ...once, source: 'owned', sha256: 'aa' };
const BOUGHT: ReportLine = { ...once, source: 'remote', cost: 1, sha256: 'aa', ms: 40 };
const DEFAULT: ReportLine = { ...once, source: 'default', reason: 'offline', default: 'x', fallbacks: 1, sha256: 'dd' };
const FAILED: ReportLine = { ...once, failed: true, error: 'offline', failures: 1 };

function fold(...lines: ReportLine[]) {
  const run = empty();
  for (const line of lines) addLine(run, line);
  return reportOf(run);
}

describe('the report of an asset', () => {
  it.each([
    ['right, then a default', [OWNED, DEFAULT], 'default', 'default'],
    ['a default, then right', [DEFAULT, BOUGHT], 'default', 'remote'],
    ['an error, then right', [FAILED, BOUGHT], 'bought', 'remote'],
    ['right, then an error', [OWNED, FAILED], 'failed', 'owned'],
    ['bought, then owned', [BOUGHT, OWNED, OWNED], 'bought', 'owned'],
    ['errors alone', [FAILED, FAILED], 'failed', null],
    ['a default, then an error', [DEFAULT, FAILED], 'default', 'default'],
    ['shipped', [{ ...OWNED, source: 'library' as const }], 'shipped', 'library'],
  ])('asked for several times is one entry: %s', (_what, lines, outcome, source) => {
    const { assets } = fold(...lines);
    expect(assets).toHaveLength(1);
    expect(assets[0]).toMatchObject({ outcome, source, asked: lines.length });
    expect(assets[0]?.fallbacks).toBe(lines.filter((line) => line === DEFAULT).length);
    expect(assets[0]?.reason).toBe(lines.includes(DEFAULT) ? 'offline' : null);
  });

  it('adds up credits and keeps the longest wait, the digest, and what others add to it', () => {
    const extra = { licence: 'CC-BY-4.0', attribution: 'Twemoji', warnings: ['expression'] };
    const { assets, summary } = fold(OWNED, { ...BOUGHT, ...extra }, FAILED);
    expect(assets[0]).toMatchObject({ cost: 1, ms: 40, sha256: 'aa', error: 'offline', ...extra });
    expect(summary.credits).toBe(1);
  });

  it('counts an asset whose cost is not known, whatever was paid for it besides', () => {
    const late = { ...DEFAULT, reason: 'late', cost: null };
    const { assets, summary } = fold(late, BOUGHT, { ...BOUGHT, id: 'other' });
    expect(assets.map(({ cost }) => cost)).toEqual([null, 1]);
    expect(summary).toMatchObject({ credits: 1, uncertain: 1 });
  });

  it('does not depend on the order in which different assets were asked for', () => {
    const others = ['b', 'a', 'é', 'B', '日落'].map((id) => ({ ...OWNED, id }));
    expect(fold(...others)).toEqual(fold(...others.toReversed()));
  });
});

describe('the file of a run', () => {
  const line = record({
    id: constantFrom('a', 'b', 'c'),
    of: constantFrom(OWNED, BOUGHT, DEFAULT, FAILED),
  });

  it('tells the same after any line, read and gone on with, or made shorter', () => {
    assert(
      property(array(line, { maxLength: 20 }), nat(20), (asked, at) => {
        const lines = asked.map(({ id, of }) => ({ ...of, id }));
        const run = empty();
        for (const one of lines.slice(0, at)) addLine(run, one);
        const text =
          linesOf(run) +
          lines
            .slice(at)
            .map((one) => `${JSON.stringify(one)}\n`)
            .join('');
        const read = parseLines(text)?.record ?? empty();
        expect(reportOf(read)).toEqual(fold(...lines));
        expect(parse(reportSchema, reportOf(read))).toEqual(reportOf(read));
      }),
    );
  });

  it('may be cut in the middle of a line', () => {
    const run = empty();
    for (const id of ['a', 'b']) addLine(run, { ...OWNED, id });
    const text = linesOf(run);
    const cut = parseLines(text.slice(0, -5));
    expect(cut?.record.lines.size).toBe(1);
    expect(parseLines('')).toBeUndefined();
  });

  it('has room for so many assets, and counts the requests for more', () => {
    const run = empty();
    for (let n = 0; n < 5010; n++) addLine(run, { ...OWNED, id: `${n}` });
    expect(reportOf(run).summary).toMatchObject({ assets: 5000, omitted: 10, asked: 5010 });
  });
});
