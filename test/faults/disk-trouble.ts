// Disks that take no more: a small one that fills up, and a process whose every write to a file fails.

import { execFileSync } from 'node:child_process';
import { closeSync, fstatSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export interface SmallDisk {
  readonly folder: string;
  /** Gives back the space that was held from the start. */
  free(): void;
  /** Makes it twice as large. */
  grow(): void;
}

/** A disk of its own that is gone after the test. */
export function mountSmallDisk(sizeMb: number, heldMb: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'svcd-disk-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m,mode=0700`, 'tmpfs', folder]);
  onTestFinished(() => void execFileSync('umount', ['-l', folder]));
  const ballast = join(folder, 'ballast');
  writeFileSync(ballast, Buffer.alloc(heldMb * 1024 * 1024));
  const size = `remount,size=${2 * sizeMb}m`;
  return {
    folder,
    free: () => rmSync(ballast),
    grow: () => void execFileSync('mount', ['-o', size, folder]),
  };
}

/** Fills a disk but for so many bytes. */
export function fillUp(folder: string, leftBytes: number): void {
  const filling = openSync(join(folder, 'filling'), 'a');
  const block = Buffer.alloc(4096);
  try {
    for (;;) writeSync(filling, block);
  } catch {
    ftruncateSync(filling, Math.max(0, fstatSync(filling).size - leftBytes));
  } finally {
    closeSync(filling);
  }
}

/** From now on every write of this process to a file fails, as on a disk that became read-only. */
export function forbidWrites(pid: number | undefined): void {
  execFileSync('prlimit', ['--pid', String(pid), '--fsize=0:']);
}

/** Takes that back. */
export function allowWrites(pid: number | undefined): void {
  execFileSync('prlimit', ['--pid', String(pid), '--fsize=unlimited:']);
}
