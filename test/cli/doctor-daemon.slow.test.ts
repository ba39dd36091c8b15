// svcd doctor, by breaking what svcd runs on: its daemon, its port, the system, the lock of a video.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { describe, onTestFinished } from 'vitest';
import { define, unitText } from '../../src/cli/service/templates.js';
import { VERSION } from '../../src/platform/installation.js';
import { canonicalLock } from '../../src/video/lock/locked-folder.js';
import type { BrokenPlace } from '../support/break-home.js';
import {
  bad,
  badWhenUsed,
  type Breakage,
  inEnvironment,
  must,
  testBreakages,
  warn,
  warnWhenUsed,
} from '../support/breakages.js';
import { portOf, startInTest } from '../support/in-test.js';
import { lockedSticker, lockOf } from '../support/locks.js';
import { LINUX } from '../support/requires.js';
import { startSvcd } from '../support/start-svcd.js';

const BREAKAGES: readonly Breakage[] = [
  // The daemon and its port.
  warnWhenUsed('daemon', 'daemon_none', 'a daemon that does not run', (place) => {
    place.env['SVCD_PORT'] = '0';
    onTestFinished(async () => void (await place.shell('svcd stop')));
  }),
  badWhenUsed(
    'daemon',
    'daemon_stopped',
    'a daemon that was paused',
    async (place) => void process.kill(await runDaemon(place), 'SIGSTOP'),
  ),
  badWhenUsed('daemon', 'daemon_silent', 'a daemon that takes connections and answers none', async (place) => {
    const script = `require('net').createServer(() => {}).listen(0, '127.0.0.1', function () { console.log(this.address().port) })`;
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [port] = (await once(child.stdout, 'data')) as [Buffer];
    const runtime = { pid: child.pid, url: `http://127.0.0.1:${String(port).trim()}`, token: 'svcd_x' };
    writeFileSync(join(place.home, 'runtime.json'), JSON.stringify(runtime), { mode: 0o600 });
  }),
  // What "svcd restart" does is tried beside it, with two installations.
  warnWhenUsed(
    'daemon',
    'daemon_version',
    'a daemon of another version',
    async (place) => {
      const remote = { sandbox: true, address: null, forced: false, offline: false, held_until: null };
      const server = createServer((_, response) => {
        response.end(JSON.stringify({ name: 'svcd', pid: process.pid, version: place.blanks['VERSION'], url, remote }));
      });
      const url = `http://127.0.0.1:${await portOf(server)}`;
      place.blanks['VERSION'] = '0.0.1';
      const runtime = { pid: process.pid, url, token: 'svcd_x' };
      writeFileSync(join(place.home, 'runtime.json'), JSON.stringify(runtime), { mode: 0o600 });
    },
    { byHand: (place) => void (place.blanks['VERSION'] = VERSION) },
  ),
  bad('port', 'port_taken', 'a port that another program has', async (place) =>
    place.config({ port: await portOf(createTcpServer()) }),
  ),
  bad(
    'port',
    'port_taken',
    'a port in the environment that another program has',
    async (place) => void (place.env['SVCD_PORT'] = String(await portOf(createTcpServer()))),
  ),
  bad('port', 'port_svcd', 'a port that another svcd has', async (place) => {
    const other = await startInTest();
    place.config({ port: Number(new URL(other.info.url).port) });
  }),
  warnWhenUsed(
    'service',
    'service_drift',
    'a service whose Node.js is gone',
    async (place) => {
      // A user manager, of which containers have none; test/cli/service tries the command with a real one.
      place.program('systemctl', 'echo UnitFileState=enabled');
      await writeUnit(place, '/gone/node');
    },
    { need: LINUX, byHand: (place) => writeUnit(place, process.execPath) },
  ),
  // The system.
  warn('PATH', 'path_twice', 'two svcd on the PATH', (place) => {
    const folder = place.install('old', { name: 'svcd', version: '0.0.9' });
    place.env['PATH'] = `${join(folder, 'bin2')}:${place.env['PATH']}`;
    mkdirSync(join(folder, 'bin2'));
    writeFileSync(join(folder, 'bin2', 'svcd'), readFileSync(join(place.bin, 'svcd')), { mode: 0o755 });
  }),
  warn('PATH', 'path_twice', 'an older svcd that npm installed, first on the PATH', (place) => {
    const prefix = join(place.folder, 'npm');
    const folder = join(prefix, 'lib', 'node_modules', 'svcd');
    mkdirSync(join(folder, 'bin'), { recursive: true });
    mkdirSync(join(prefix, 'bin'));
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'svcd', version: '0.0.9', bin: 'bin/svcd.js' }));
    writeFileSync(join(folder, 'bin', 'svcd.js'), readFileSync(join(place.bin, 'svcd')), { mode: 0o755 });
    symlinkSync('../lib/node_modules/svcd/bin/svcd.js', join(prefix, 'bin', 'svcd'));
    // The other one is this svcd, of a newer version.
    const own = place.install('own', { name: 'svcd', version: '0.1.0', type: 'module' });
    rmSync(join(place.bin, 'svcd'));
    symlinkSync(join(own, 'bin', 'svcd.js'), join(place.bin, 'svcd'));
    place.env['PATH'] = `${join(prefix, 'bin')}:${place.env['PATH']}`;
  }),
  // To raise a limit takes a right that containers do not give.
  warn('open files', 'files_low', 'few files that may be open', (place) => void (place.before = 'ulimit -n 200'), {
    need: LINUX,
    byHand: (place) => void (place.before = ':'),
  }),
  warn(
    'memory',
    'memory_heap',
    'little memory for Node.js',
    inEnvironment({ NODE_OPTIONS: '--max-old-space-size=100' }),
  ),
  // The lock of a video.
  warnWhenUsed('lock', 'lock_unmet', 'a lock whose files are gone and owned', async (place) => {
    await must(place, 'svcd get fluent-emoji-flat/balloon -o balloon.json');
    writeLock(place, readFileSync(join(place.cwd, 'balloon.json'), 'utf8'), 'fluent-emoji-flat/balloon');
    rmSync(join(place.cwd, 'balloon.json'));
  }),
];

async function runDaemon(place: BrokenPlace): Promise<number> {
  const svcd = await startSvcd(['--sandbox'], { home: place.home, env: { HOME: place.folder } });
  onTestFinished(async () => {
    if (svcd.child.exitCode === null && svcd.child.signalCode === null) await svcd.end('SIGKILL');
  });
  return svcd.info.pid;
}

function writeLock(place: BrokenPlace, content: string, preset: string): void {
  writeFileSync(
    join(place.cwd, 'assets.lock.json'),
    canonicalLock(lockOf({ hero: lockedSticker(content, { preset }) })),
  );
}

async function writeUnit(place: BrokenPlace, node: string): Promise<void> {
  const folder = join(place.folder, '.config', 'systemd', 'user');
  const definition = await define(place.home, []);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${definition.name}.service`), unitText({ ...definition, node }));
}

describe('svcd doctor', () => {
  testBreakages(BREAKAGES);
});
