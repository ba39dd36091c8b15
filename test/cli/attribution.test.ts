// svcd attribution: the credit lines of a video, from the report of a run or the lock of its assets.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectRefusal, homeInTest } from '../support/in-test.js';
import { runHere } from '../support/run-here.js';

const untold = (preset: string) =>
  `unknown: ${preset} (the service did not tell its licence: ask it before you publish)`;
const LINE = 'Art © Jané, CC-BY 4.0';
const ASSETS = [
  { kind: 'sticker', preset: 'b/2', source: 'owned', licence: 'CC-BY-4.0', attribution: LINE },
  { kind: 'sticker', preset: 'a/1', source: 'remote', licence: 'CC-BY-4.0', attribution: `${LINE}\n` },
  { kind: 'sticker', preset: 'c/3', source: 'owned', licence: 'MIT' },
  { kind: 'sticker', preset: 'd/4', source: 'remote' },
  { kind: 'sticker', preset: 'e/5', source: 'remote', licence: 'unknown', attribution: null },
  { kind: 'image', image: 'ab12', source: 'remote' },
];

describe('svcd attribution', () => {
  it.each([
    ['a report', { run: 'x', assets: ASSETS }],
    [
      'a lock by preset',
      { assets: Object.fromEntries(ASSETS.map(({ preset, ...rest }, i) => [preset ?? `i${i}`, rest])) },
    ],
  ])('prints each needed line once, and what nobody told, of %s', async (what, content) => {
    const { home, file } = write(what === 'a report' ? content : withoutImages(content));
    const { code, stdout } = await runHere(['attribution', file], { home });
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${LINE}\n${untold('d/4')}\n${untold('e/5')}\n` });
    const json = await runHere(['attribution', file, '--json'], { home });
    const credits = [{ attribution: LINE, presets: ['a/1', 'b/2'] }];
    expect(JSON.parse(json.stdout)).toEqual({ credits, unknown: ['d/4', 'e/5'] });
  });

  it('passes over what failed, for it is not in the video', async () => {
    const { home, file } = write({ report: 1, assets: [ASSETS[0], { ...ASSETS[3], outcome: 'failed' }] });
    expect((await runHere(['attribution', file], { home })).stdout).toBe(`${LINE}\n`);
  });

  it('says so when no line is needed, and refuses what holds no assets', async () => {
    const free = write({ assets: [ASSETS[2]] });
    expect((await runHere(['attribution', free.file], { home: free.home })).stdout).toBe('No credit line is needed.\n');
    const odd = write({ other: [] });
    // A Lottie file has assets of its own, and must not pass for a video that owes nobody a credit.
    const lottie = write({ v: '5.9.0', layers: [], assets: [{ id: 'part', layers: [] }] });
    for (const { file, home } of [odd, lottie, write([]), write({ assets: [] })]) {
      expectRefusal(await runHere(['attribution', file], { home }), 'is no report and no lock');
    }
    expect((await runHere(['attribution', join(odd.home, 'none.json')], { home: odd.home })).code).toBe(2);
  });
});

function withoutImages(lock: { assets: object }): object {
  return { assets: Object.fromEntries(Object.entries(lock.assets).filter(([preset]) => !preset.startsWith('i'))) };
}

function write(content: object): { home: string; file: string } {
  const home = homeInTest();
  const file = join(home, 'report.json');
  writeFileSync(file, JSON.stringify(content));
  return { home, file };
}
