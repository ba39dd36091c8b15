// Who holds a lock: only that process may be told, because "svcd stop" ends it.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findLockHolder } from '../../src/platform/files/find-process.js';
import { describeIf, SMALL_DISKS } from '../support/requires.js';

/** A file on a disk of its own. */
function fileOnDisk(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svcd-disk-'));
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', folder]);
  onTestFinished(() => {
    spawnSync('umount', [folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  const file = join(folder, 'daemon.lock');
  writeFileSync(file, '');
  return file;
}

describeIf(SMALL_DISKS, 'the holder of a lock', () => {
  it('is told of the locked file alone, not of one with the same number on another disk', async () => {
    const [locked, other] = [fileOnDisk(), fileOnDisk()];
    expect(statSync(other).ino).toBe(statSync(locked).ino);
    const holder = spawn('flock', [locked, 'sh', '-c', 'echo held; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    // With what it runs, which holds the disk.
    onTestFinished(() => void process.kill(-(holder.pid ?? 0), 'SIGKILL'));
    await once(holder.stdout, 'data');
    expect(findLockHolder(locked)).toMatchObject({ pid: holder.pid });
    expect(findLockHolder(other)).toBeUndefined();
  });
});
