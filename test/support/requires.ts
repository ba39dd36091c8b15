// What some tests need of the machine, and what to install where that is missing. A test whose need is not met is
// skipped with the sentence in its name. `.ci/run` refuses that, unless the need says what is tested instead.

import { execFileSync, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext, type TestOptions } from 'vitest';

export interface Need {
  /** Looked at when a test file with this need is loaded. */
  readonly isMet: () => boolean;
  /** What to do where it is not met. */
  readonly advice: string;
  /** What is tested in its place where it cannot be met. */
  readonly instead?: string;
}

export const CHROMIUM_PATH = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

export const CHROMIUM: Need = {
  isMet: () => isProgram(CHROMIUM_PATH),
  advice: 'install Chromium (Debian: apt-get install chromium fonts-noto-cjk), or set CHROMIUM_PATH',
};

export const SECRET_SERVICE: Need = {
  isMet: () =>
    ['dbus-daemon', 'dbus-send', 'gnome-keyring-daemon'].every(hasProgram) &&
    ['x86_64-linux-gnu/', 'aarch64-linux-gnu/', ''].some((arch) => existsSync(`/usr/lib/${arch}libsecret-1.so.0`)),
  advice: 'install a keyring (Debian: apt-get install libsecret-1-0 gnome-keyring dbus)',
};

export const OTHER_USERS: Need = {
  isMet: () => process.platform === 'linux' && process.getuid?.() === 0 && hasProgram('useradd'),
  advice: 'run as root on Linux, which may make another user',
};

export const SMALL_DISKS: Need = { isMet: canMount, advice: 'run as root on Linux, which may mount a small disk' };

export const PID_NAMESPACES: Need = {
  isMet: () => process.platform === 'linux' && succeeds('unshare', ['--pid', '--fork', '--mount-proc', 'true']),
  advice: 'run as root on Linux, which may make a container',
};

export const CONTAINERS: Need = {
  isMet: () =>
    PID_NAMESPACES.isMet() &&
    ['ip', 'setpriv', 'nsenter', 'chroot'].every(hasProgram) &&
    succeeds('unshare', ['--net', '--mount', 'sh', '-c', 'ip link set lo up && mount -t tmpfs none /mnt']),
  advice: 'run as root on Linux, which may make namespaces (Debian: apt-get install util-linux iproute2)',
  instead: 'svcd run --own and the steps for CI, outside of a container',
};

export const LIMITED_WRITES: Need = {
  isMet: () => succeeds('prlimit', ['--pid', String(process.pid), '--fsize']),
  advice: 'install prlimit (Debian: apt-get install util-linux)',
};

export const TERMINAL: Need = {
  // The one of BSD and macOS takes other options.
  isMet: () => process.platform === 'linux' && succeeds('script', ['-qec', 'true', '/dev/null']),
  advice: 'install script (Debian: apt-get install bsdutils)',
};

export const PYTHON: Need = {
  isMet: () => succeeds('python3', ['-c', 'import zipfile']),
  advice: 'install Python (Debian: apt-get install python3)',
};

export const FFMPEG: Need = {
  isMet: () => ['ffmpeg', 'ffprobe'].every(hasProgram),
  advice: 'install FFmpeg (Debian: apt-get install ffmpeg)',
};

export const LINUX: Need = { isMet: () => process.platform === 'linux', advice: 'run on Linux' };

// The two below are what the lint's rules of vitest are about, and no tests themselves.
/* oxlint-disable vitest/valid-describe-callback, vitest/valid-title, vitest/expect-expect */

/** `describe` where the need is met. */
export function describeIf(need: Need, name: string, suite: () => void, options: TestOptions = {}): void {
  describe.skipIf(!need.isMet())(titleOf(need, name), options, suite);
}

/** `it` where the need is met. */
export function itIf(
  need: Need,
  name: string,
  test: (context: TestContext) => unknown,
  options: TestOptions = {},
): void {
  it.skipIf(!need.isMet())(titleOf(need, name), options, async (context) => void (await test(context)));
}

/* oxlint-enable */

function titleOf(need: Need, name: string): string {
  if (need.isMet()) return name;
  const instead = need.instead === undefined ? '' : `; instead: ${need.instead}`;
  return `${name} (skipped: ${need.advice}${instead})`;
}

export function hasProgram(name: string): boolean {
  return (process.env['PATH'] ?? '').split(':').some((folder) => isProgram(join(folder, name)));
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function canMount(): boolean {
  if (process.getuid?.() !== 0) return false;
  const folder = mkdtempSync(join(tmpdir(), 'svcd-mount-'));
  const mounted = succeeds('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]);
  if (mounted) execFileSync('umount', [folder]);
  rmdirSync(folder);
  return mounted;
}

function succeeds(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}
