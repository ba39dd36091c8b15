// What a container is to a program, without a container engine: processes, file system and network of its own, a root folder
// that cannot be written but for one volume, a user without rights, an environment of its own. Needs root, and nothing else.

import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { collect, type Outcome } from './run-svcd.js';

export const USER = 1000;

export interface Image {
  /** The root folder, to be bound together when a container starts. */
  readonly folder: string;
}

export interface ContainerOptions {
  readonly command: readonly string[];
  /** Folder that is /svcd inside. */
  readonly volume?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Another container whose network it shares. */
  readonly network?: Container;
  readonly user?: number;
}

export interface Container {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Its exit code; that of a shell where a signal ended it. */
  readonly ended: Promise<number>;
  /** Sends a signal to its first process, as `docker kill` does. */
  kill(signal: NodeJS.Signals): void;
}

const CLONE = join(import.meta.dirname, '..', '..');
/** What is the same in every image. */
const SHARED = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/etc'].filter((path) => existsSync(path));
const NODE = process.execPath.startsWith('/usr/') ? process.execPath : '/opt/node/node';
const ENVIRONMENT = {
  PATH: `/opt/bin:${dirname(NODE)}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`,
  HOME: '/home/node',
  SVCD_HOME: '/svcd',
};
const DEVICES = ['null', 'zero', 'urandom'];

/** An image with svcd on the PATH and these files in /app. */
export function makeImage(files: Readonly<Record<string, string>> = {}): Image {
  const folder = mkdtempSync(join(tmpdir(), 'svcd-image-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o644 });
  return { folder };
}

/** A new volume that belongs to a user; gone after the test. */
export function makeVolume(user = USER): string {
  const folder = mkdtempSync(join(tmpdir(), 'svcd-volume-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  chownSync(folder, user, user);
  return folder;
}

/** Starts a container; it is killed after the test. */
export function startContainer(
  image: Image,
  { command, volume, env = {}, network, user = USER }: ContainerOptions,
): Container {
  const root = '"$root"';
  const bind = (from: string, to = from, mode = 'ro') =>
    `mkdir -p ${root}${to}; mount --bind '${from}' ${root}${to}${mode === 'ro' ? `; mount -o remount,bind,ro ${root}${to}` : ''}`;
  const setUp = [
    'set -e',
    'root=$(mktemp -d)',
    'mount --make-rprivate /',
    'mount -t tmpfs -o mode=755 none "$root"',
    ...SHARED.map((path) => bind(path)),
    bind(CLONE, '/opt/svcd'),
    ...(process.execPath.startsWith('/usr/') ? [] : [bind(dirname(process.execPath), '/opt/node')]),
    bind(image.folder, '/app'),
    `mkdir -p ${root}/home/node ${root}/tmp ${root}/dev ${root}/proc ${root}/svcd ${root}/opt/bin`,
    `printf '#!/bin/sh\\nexec "%s" /opt/svcd/bin/svcd.js "$@"\\n' '${NODE}' > ${root}/opt/bin/svcd; chmod 755 ${root}/opt/bin/svcd`,
    ...DEVICES.map((one) => `touch ${root}/dev/${one}; mount --bind /dev/${one} ${root}/dev/${one}`),
    `mount -t proc proc ${root}/proc`,
    ...(volume === undefined ? [] : [bind(volume, '/svcd', 'rw')]),
    `mount -o remount,ro ${root}`,
    ...(network === undefined ? ['ip link set lo up'] : []),
    `cd ${root}`,
    `exec chroot ${root} setpriv --reuid=${user} --regid=${user} --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all sh -c 'cd /app; exec "$@"' sh "$@"`,
  ].join('\n');
  const enter =
    network === undefined ? ['unshare', '--net'] : ['nsenter', `--net=/proc/${network.child.pid}/ns/net`, 'unshare'];
  const [program = '', ...args] = [
    ...enter,
    '--mount',
    '--pid',
    '--fork',
    '--kill-child',
    'sh',
    '-c',
    setUp,
    'sh',
    ...command,
  ];
  const child = spawn(program, args, { env: { ...ENVIRONMENT, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const ended = new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? -1)));
  onTestFinished(async () => {
    // The first process takes all others along; a change of user has cut it loose from the program that made it.
    if (child.exitCode === null && child.signalCode === null)
      process.kill(firstProcess(child) || child.pid || 0, 'SIGKILL');
    await ended;
  });
  return { child, stdout, stderr, ended, kill: (signal) => void process.kill(firstProcess(child), signal) };
}

/** Runs one to its end. */
export async function runContainer(image: Image, options: ContainerOptions): Promise<Outcome> {
  const { ended, stdout, stderr } = startContainer(image, options);
  return { code: await ended, stdout: stdout(), stderr: stderr() };
}

function firstProcess({ pid }: ChildProcess): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0]);
}
