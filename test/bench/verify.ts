// 200 locked files compared with their lock: the command from its start to its end, beside sha256sum of the same files, which is
// what a Makefile would do; and the work alone, in this process.

import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LockedAsset } from '../../src/api/lock.js';
import { canonicalLock } from '../../src/video/lock/locked-folder.js';
import { readLock } from '../../src/video/lock/read-lock.js';
import { verifyFiles } from '../../src/video/lock/verify-files.js';
import { sha256Hex } from '../../src/model/hash.js';
import { median, rowOf, type Row } from './report.js';
import type { Workbench } from './workbench.js';

const FILES = 200;
const PAIRS = 9;
/** Of a sticker of the catalogue, in the middle; every tenth file is as large as a picture. */
const [STICKER_BYTES, PICTURE_BYTES] = [8_000, 1_500_000];
const BUILT = join(import.meta.dirname, '..', '..', 'bin', 'svcd.js');

/** Measures; both read the same files, which are in the cache of the system by then. */
export async function benchVerify(bench: Workbench): Promise<Row[]> {
  const folder = bench.makeFolder('locked');
  const lockFile = writeFiles(folder);
  const { lock } = readLock(lockFile);
  const sums = join(folder, 'sums.txt');
  writeFileSync(
    sums,
    Object.values(lock.assets)
      .map(({ sha256, file }) => `${sha256}  ${join(folder, file)}\n`)
      .join(''),
  );
  const times = { command: [] as number[], sha256sum: [] as number[], work: [] as number[] };
  for (let pair = 0; pair <= PAIRS; pair++) {
    const command = await timeRun(bench, process.execPath, [BUILT, 'verify', '--lock', lockFile]);
    const sha256sum = await timeRun(bench, 'sha256sum', ['--check', '--status', sums]);
    const startedAt = performance.now();
    if (verifyFiles(lock, folder).length > 0) throw new Error('files differ from their lock');
    const work = performance.now() - startedAt;
    // The first pair warms up.
    if (pair === 0) continue;
    times.command.push(command);
    times.sha256sum.push(sha256sum);
    times.work.push(work);
  }
  const row = { better: 'lower', unit: 'ms', peer: 'sha256sum --check', against: median(times.sha256sum) } as const;
  return [
    rowOf({ name: `svcd verify of ${FILES} files, with its start`, ours: median(times.command), ...row }),
    rowOf({ name: `the same in a running process`, ours: median(times.work), ...row }),
  ];
}

function writeFiles(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const assets: Record<string, LockedAsset> = {};
  for (let i = 0; i < FILES; i++) {
    const bytes = Buffer.alloc(i % 10 === 0 ? PICTURE_BYTES : STICKER_BYTES, `file ${i} `);
    const sha256 = sha256Hex(bytes);
    const file = `image~${i}.${sha256.slice(0, 8)}.png`;
    writeFileSync(join(folder, file), bytes);
    const size = { bytes: bytes.byteLength, width: 1, height: 1 };
    assets[`slot-${i}`] = { kind: 'image', image: `${i}`, source: 'service', price: 10, sha256, ...size, file };
  }
  const lockFile = join(folder, 'assets.lock.json');
  writeFileSync(lockFile, canonicalLock({ lock: 1, remote: null, assets }));
  return lockFile;
}

async function timeRun(bench: Workbench, program: string, args: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  const child = bench.spawn('server', program, { args, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
  return performance.now() - startedAt;
}
