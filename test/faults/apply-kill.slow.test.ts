// svcd apply is killed without warning, again and again, on one folder: the old lock is there or a new one, and the files that
// it names. SVCD_FAULT_ROUNDS says how often (npm run test:long); SVCD_FAULT_SEED repeats a run as far as chance goes.

import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { readLock } from '../../src/video/lock/read-lock.js';
import { verifyFiles } from '../../src/video/lock/verify-files.js';
import { makeHome, runSvcd, spawnSvcd } from '../support/run-svcd.js';
import { startSvcd } from '../support/start-svcd.js';
import { createRandom } from './random.js';

const ROUNDS = Math.min(50, Number(process.env['SVCD_FAULT_ROUNDS'] ?? 8));
const SEED = Number(process.env['SVCD_FAULT_SEED'] ?? Math.floor(Math.random() * 1e9));
const LATEST_KILL_MS = 1500;
const WORDS = '生日 花 太阳 月亮 狗 猫 咖啡 音乐 火车 飞机 足球 礼物 气球 雪 雨 树 书 电话 时钟 苹果'.split(' ');

it(
  'leaves the old lock or a new one, and what it names, whenever it is killed',
  { timeout: 120_000 + ROUNDS * 10_000 },
  async () => {
    const { home, remove } = makeHome();
    onTestFinished(remove);
    const daemon = await startSvcd(['--sandbox', '--seed', '1'], { home });
    onTestFinished(() => daemon.stop());
    const random = createRandom(SEED);
    const cwd = join(home, 'work');
    mkdirSync(cwd);
    const folder = join(cwd, 'svcd-assets');
    const lockFile = join(folder, 'assets.lock.json');
    const args = ['apply', '--copy', 'copy.json', '--yes', '--json'];
    const writeCopy = () => {
      const slots = Array.from({ length: 5 }, (_, i) => ({ id: `slot-${i}`, text: WORDS[random.whole(0, 19)] }));
      writeFileSync(join(cwd, 'copy.json'), JSON.stringify({ slots }));
    };
    const ends = { killed: 0, ended: 0, changed: 0 };
    for (let round = 1; round <= ROUNDS; round++) {
      writeCopy();
      const before = readIfThere(lockFile);
      const seen = namesIn(folder).join();
      const child = spawnSvcd(args, { home, cwd }, 'ignore');
      const closed = once(child, 'close');
      // The while in which a mistake would be seen is short: a third when it writes files, a third when it writes the lock.
      const hasBegun = [
        () => true,
        () => namesIn(folder).join() !== seen,
        () => readIfThere(lockFile) !== before || namesIn(folder).includes('assets.lock.json.part'),
      ][round % 3];
      if (round % 3 === 0) await sleep(random.whole(0, LATEST_KILL_MS));
      // oxlint-disable-next-line no-unmodified-loop-condition -- the child ends while this sleeps
      while (child.exitCode === null && hasBegun?.() === false) await sleep(0);
      await sleep(random.whole(0, 12));
      child.kill('SIGKILL');
      await closed;
      ends[child.exitCode === null ? 'killed' : 'ended'] += 1;
      const after = readIfThere(lockFile);
      if (after !== before) ends.changed += 1;
      if (after === undefined) continue;
      expect([SEED, round, verifyFiles(readLock(lockFile).lock, folder)]).toEqual([SEED, round, []]);
    }
    process.stdout.write(`\n${ROUNDS} rounds of apply, seed ${SEED}: ${JSON.stringify(ends)}\n`);
    // The next one that is left alone ends well, and clears away what lay about.
    const { code, stderr } = await runSvcd(args, { home, cwd });
    expect(code, stderr).toBe(0);
    const { lock } = readLock(lockFile);
    expect(verifyFiles(lock, folder)).toEqual([]);
    const named = new Set(Object.values(lock.assets).map(({ file }) => file));
    expect(readdirSync(folder).toSorted()).toEqual(['assets.lock.json', ...named].toSorted());
    // Killed or not, no sticker was paid for twice.
    const { url, token } = daemon.info;
    const answer = await fetch(`${url}/svcd/purchases?limit=1000`, { headers: { Authorization: `Bearer ${token}` } });
    const { purchases } = (await answer.json()) as { purchases: { preset: string; state: string }[] };
    const paid = purchases.filter(({ state }) => state === 'paid').map(({ preset }) => preset);
    expect(paid.length).toBeGreaterThan(0);
    expect(paid.toSorted()).toEqual([...new Set(paid)].toSorted());
  },
);

/** Without what is there from the start, while it waits for its purchases. */
function namesIn(folder: string): string[] {
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => !name.startsWith('.'))
        .toSorted()
    : [];
}

function readIfThere(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
