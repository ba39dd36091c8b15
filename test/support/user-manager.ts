// A systemd user manager of a test's own: in a mount namespace with its own /run, and in cgroups of its own, so that it
// neither needs a system that systemd booted nor meets one.

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasProgram, type Need } from './requires.js';
import { collect } from './run-svcd.js';

export interface UserManager {
  /** The user's home. */
  readonly home: string;
  /** The program that runs another one inside, with its arguments. */
  readonly through: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Runs `systemctl --user`; what it said. */
  systemctl(...args: readonly string[]): string;
  /** Ends the session, as a shutdown does, and begins another one. */
  reboot(): Promise<void>;
  /** Ends it, and removes the home. */
  stop(): Promise<void>;
}

const RUNTIME = '/run/user/0';
const SYSTEMD = '/lib/systemd/systemd';

// systemd refuses where the first of these folders is missing; what a service of root may not see is covered by the two
// things in the second. Credentials are mounted by a child, and seen where /run is shared.
const BEGIN = `set -e
mount -t tmpfs tmpfs /run
mount --make-shared /run
mkdir -p /run/systemd/system /run/systemd/inaccessible/dir ${RUNTIME}
touch /run/systemd/inaccessible/reg
chmod 000 /run/systemd/inaccessible/*
chmod 700 ${RUNTIME}
for base in /sys/fs/cgroup/systemd /sys/fs/cgroup/unified /sys/fs/cgroup; do
  if [ -e $base/cgroup.procs ]; then
    mkdir $base/svcd-test-$$ && echo $$ > $base/svcd-test-$$/cgroup.procs
  fi
done
exec ${SYSTEMD} --user --log-target=console --log-level=info`;

const REMOVE_GROUPS = 'find /sys/fs/cgroup -depth -type d -path "*/svcd-test-$0*" -exec rmdir {} + 2>/dev/null || true';

/** Starts one. Rejects when it does not come up. */
export async function startUserManager(): Promise<UserManager> {
  const home = mkdtempSync(join(tmpdir(), 'svcd-user-'));
  const env = { HOME: home, XDG_RUNTIME_DIR: RUNTIME };
  let session = await begin(env);
  const through = () => ['nsenter', '--target', String(session.pid), '--mount', '--'];
  return {
    home,
    env,
    get through() {
      return through();
    },
    systemctl: (...args) => {
      const [program = '', ...rest] = [...through(), 'systemctl', '--user', ...args];
      const { stdout, stderr } = spawnSync(program, rest, { env: { ...pathOnly(), ...env }, encoding: 'utf8' });
      return stdout + stderr;
    },
    reboot: async () => {
      await end(session);
      session = await begin(env);
    },
    stop: async () => {
      await end(session);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

export const USER_MANAGER: Need = {
  isMet: () => {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
    if (!['systemctl', 'nsenter', 'unshare'].every(hasProgram)) return false;
    // The same steps, except that the manager only tells its version.
    const steps = BEGIN.replace(/--user .*/, '--version');
    const child = spawnSync('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', steps], { stdio: 'ignore' });
    removeGroups(child.pid);
    return child.status === 0;
  },
  advice: 'run as root on Linux with systemd installed (Debian: apt-get install systemd)',
  instead:
    'the unit is checked by systemd-analyze where that is, its ExecStart is run, and a stand-in answers for systemctl',
};

async function begin(env: Readonly<Record<string, string>>): Promise<ChildProcess> {
  const child = spawn('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', BEGIN], {
    env: { ...pathOnly(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = collect(child.stderr);
  child.stdout.resume();
  const args = ['--target', String(child.pid), '--mount', '--', 'systemctl', '--user', 'is-system-running'];
  while (child.exitCode === null && child.signalCode === null) {
    const { stdout } = spawnSync('nsenter', args, { env: { ...pathOnly(), ...env }, encoding: 'utf8' });
    if (/running|degraded/.test(stdout)) return child;
    await sleep(100);
  }
  throw new Error(`systemd --user ended and said: ${said()}`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM');
    await once(child, 'close');
  }
  removeGroups(child.pid);
}

function removeGroups(pid: number | undefined): void {
  execFileSync('sh', ['-c', REMOVE_GROUPS, String(pid)], { stdio: 'ignore' });
}

function pathOnly() {
  return { PATH: process.env['PATH'] };
}
