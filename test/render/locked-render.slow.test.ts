// The same video again, elsewhere and offline: planned, applied, drawn; svcd stopped, files verified; brought to another home
// from an export, and drawn there without svcd. The pixels are equal.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Lock } from '../../src/api/lock.js';
import { CHROMIUM, describeIf } from '../support/requires.js';
import { makeHome, runSvcd } from '../support/run-svcd.js';
import { startSvcd } from '../support/start-svcd.js';
import { drawFrames, type Frames } from './runtime/draw-frames.js';

const COPY = {
  slots: [
    { id: 'opening', text: '小明生日快乐', aspect: 1 },
    { id: 'gift', text: '打开你的礼物' },
    { id: 'end', text: '放烟花' },
    { id: 'cover', want: 'image', prompt: 'a birthday table', size: '1024x1024' },
  ],
};

/** A video of what a lock names: the stickers in a row by their slots, and the picture. */
async function drawLocked(folder: string): Promise<Frames> {
  const { assets } = JSON.parse(readFileSync(join(folder, 'assets.lock.json'), 'utf8')) as Lock;
  const bytesOf = (slot: string) => readFileSync(join(folder, assets[slot]?.file ?? ''));
  const stickers = Object.keys(assets).filter((slot) => assets[slot]?.kind === 'sticker');
  return drawFrames(stickers.map(bytesOf), bytesOf('cover'));
}

function openHome() {
  const { home, remove } = makeHome();
  onTestFinished(remove);
  const cwd = join(home, 'work');
  mkdirSync(cwd);
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runSvcd(args, { home, cwd });
    expect([args.join(' '), code], stderr).toEqual([args.join(' '), 0]);
    return stdout;
  };
  return { home, run, at: (...names: string[]) => join(cwd, ...names) };
}

describeIf(CHROMIUM, 'a locked video', () => {
  it('is the same on another home from an export, without svcd', async () => {
    const first = openHome();
    const daemon = await startSvcd(['--sandbox', '--seed', '1'], { home: first.home });
    onTestFinished(() => daemon.stop());
    writeFileSync(first.at('copy.json'), JSON.stringify(COPY));
    const plan = JSON.parse(await first.run('plan', '--copy', 'copy.json', '--out', 'plan.json', '--json')) as {
      cost: number;
    };
    expect(plan.cost).toBe(13);
    await first.run('apply', '--copy', 'copy.json', '--plan', 'plan.json', '--yes', '--strict', '--json');
    const here = await drawLocked(first.at('svcd-assets'));
    for (const share of here.painted) expect(share).toBeGreaterThan(0);

    await daemon.end();
    await first.run('verify');
    await first.run('owned', 'export', '--lock', join('svcd-assets', 'assets.lock.json'), 'bundle.ndjson.gz');
    const second = openHome();
    await second.run('owned', 'import', first.at('bundle.ndjson.gz'));
    const lock = first.at('svcd-assets', 'assets.lock.json');
    await second.run('fetch', '--locked', '--lock', lock, '--out', 'svcd-assets');
    await second.run('verify');
    const there = await drawLocked(second.at('svcd-assets'));
    const frames = ({ pictures }: Frames) => pictures.map((png) => Buffer.from(png).toString('base64'));
    expect(frames(there)).toEqual(frames(here));
    expect(new Set(frames(here)).size).toBeGreaterThan(1);
  });
});
