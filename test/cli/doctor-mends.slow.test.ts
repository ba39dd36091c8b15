// svcd doctor, by breaking what it looks at: each breakage is found under its code, the doctor changes nothing, and the
// command that it prints mends what it found.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { canonicalLock } from '../../src/lock/canonical-lock.js';
import { startSandbox } from '../sandbox/start-sandbox.js';
import { BrokenPlace } from '../support/break-home.js';
import { lockedSticker, lockOf } from '../support/locks.js';
import { startSecretService } from '../keyring/secret-service.js';
import { hasProgram, itIf, LINUX, type Need, OTHER_USERS, SECRET_SERVICE, SMALL_DISKS } from '../support/requires.js';
import { runCommand } from '../support/run-command.js';
import { startSvcd } from '../support/start-svcd.js';
import { makeAuthority, startTlsFront } from '../support/tls-front.js';

interface Breakage {
  readonly what: string;
  readonly check: string;
  readonly code: string;
  /** Whether nothing works until it is mended: exit code 1. */
  readonly bad?: true;
  readonly need?: Need;
  readonly breakIt: (place: BrokenPlace) => Promise<void> | void;
  /** What a person does where no command can. */
  readonly byHand?: (place: BrokenPlace) => Promise<void> | void;
}

const ANY: Need = { isMet: () => true, advice: '' };
const OPENSSL: Need = {
  isMet: () => hasProgram('openssl'),
  advice: 'install openssl (Debian: apt-get install openssl)',
};

const inConfig = (settings: object) => (place: BrokenPlace) => place.config(settings);
const inEnvironment = (env: Record<string, string>) => (place: BrokenPlace) => void Object.assign(place.env, env);
const used = (change: (place: BrokenPlace) => Promise<void> | void) => async (place: BrokenPlace) => {
  await place.use();
  await change(place);
};

/** A remote that answers so; the right one is what a person would name. */
const remoteThat = (listener: RequestListener) => async (place: BrokenPlace) => {
  const server = createServer(listener);
  place.config({ remote: `http://127.0.0.1:${await portOf(server)}` });
  place.blanks['ADDRESS'] = (await startSandbox()).url;
};

const remoteAt = (remote: string) => async (place: BrokenPlace) => {
  place.config({ remote });
  place.blanks['ADDRESS'] = (await startSandbox()).url;
};

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function runDaemon(place: BrokenPlace): Promise<number> {
  const svcd = await startSvcd(['--sandbox'], { home: place.home, env: { HOME: place.folder } });
  onTestFinished(async () => {
    if (svcd.child.exitCode === null && svcd.child.signalCode === null) await svcd.end('SIGKILL');
  });
  return svcd.info.pid;
}

async function mount(place: BrokenPlace, options: string): Promise<void> {
  mkdirSync(place.home, { recursive: true });
  await runCommand('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', place.home]);
  onTestFinished(async () => void (await runCommand('umount', ['-l', place.home])));
}

const BREAKAGES: readonly Breakage[] = [
  // Settings.
  { what: 'a setting that is none', check: 'settings', code: 'settings_unknown', breakIt: inConfig({ prot: 7000 }) },
  {
    what: 'a setting with a wrong value',
    check: 'settings',
    code: 'settings_wrong',
    bad: true,
    breakIt: inConfig({ port: 'abc' }),
  },
  {
    what: 'a config.json that is no JSON',
    check: 'settings',
    code: 'settings_file',
    bad: true,
    breakIt: (place) => {
      place.config({});
      writeFileSync(join(place.home, 'config.json'), '{"port": ');
    },
  },
  {
    what: 'a last-used.json that is no JSON',
    check: 'settings',
    code: 'settings_file',
    bad: true,
    breakIt: (place) => {
      place.config({});
      writeFileSync(join(place.home, 'last-used.json'), '[');
    },
  },
  {
    what: 'a variable that is none',
    check: 'settings',
    code: 'settings_variable',
    breakIt: inEnvironment({ SVCD_PROT: '1' }),
  },
  {
    what: 'a variable with a wrong value',
    check: 'settings',
    code: 'settings_variable_wrong',
    bad: true,
    breakIt: inEnvironment({ SVCD_PORT: 'abc' }),
  },
  {
    what: 'a loopback that is trusted',
    check: 'settings',
    code: 'trust_loopback',
    breakIt: inConfig({ trustLoopback: true }),
  },
  // The home.
  {
    what: 'a home that others can read',
    check: 'home',
    code: 'home_open',
    bad: true,
    breakIt: used(({ home }) => chmodSync(home, 0o755)),
  },
  {
    what: 'a home that others can write',
    check: 'home',
    code: 'home_writable',
    bad: true,
    breakIt: used(({ home }) => chmodSync(home, 0o777)),
  },
  {
    what: 'settings that others can write',
    check: 'home',
    code: 'home_writable',
    bad: true,
    breakIt: used(({ home }) => chmodSync(join(home, 'config.json'), 0o666)),
  },
  {
    what: 'a home of another user',
    check: 'home',
    code: 'home_owner',
    bad: true,
    need: OTHER_USERS,
    breakIt: used(({ home }) => chownSync(home, 12_345, 12_345)),
  },
  {
    what: 'a database of another user',
    check: 'home',
    code: 'home_owner',
    bad: true,
    need: OTHER_USERS,
    breakIt: used(({ home }) => chownSync(join(home, 'owned.db'), 12_345, 12_345)),
  },
  {
    what: 'a file in the place of the home',
    check: 'home',
    code: 'home_no_folder',
    bad: true,
    breakIt: ({ home }) => writeFileSync(home, ''),
  },
  {
    what: 'a read-only disk',
    check: 'home',
    code: 'home_read_only_empty',
    bad: true,
    need: SMALL_DISKS,
    breakIt: (place) => mount(place, 'size=400m,mode=700,ro'),
  },
  {
    what: 'a full disk',
    check: 'disk',
    code: 'disk_full',
    bad: true,
    need: SMALL_DISKS,
    breakIt: (place) => mount(place, 'size=10m,mode=700'),
    byHand: async ({ home }) => void (await runCommand('mount', ['-o', 'remount,size=400m', home])),
  },
  {
    what: 'a disk that is nearly full',
    check: 'disk',
    code: 'disk_low',
    need: SMALL_DISKS,
    breakIt: (place) => mount(place, 'size=100m,mode=700'),
    byHand: async ({ home }) => void (await runCommand('mount', ['-o', 'remount,size=400m', home])),
  },
  {
    what: 'a disk without room for more files',
    check: 'disk',
    code: 'disk_files',
    need: SMALL_DISKS,
    breakIt: (place) => mount(place, 'size=400m,mode=700,nr_inodes=100'),
    byHand: async ({ home }) => void (await runCommand('mount', ['-o', 'remount,nr_inodes=9000', home])),
  },
  {
    what: 'files that a wrong clock dated',
    check: 'clock',
    code: 'clock_behind',
    breakIt: used(({ home }) => utimesSync(join(home, 'config.json'), 4e9, 4e9)),
  },
  // Token and log.
  {
    what: 'a token that is gone',
    check: 'token',
    code: 'token_missing',
    breakIt: used(({ home }) => rmSync(join(home, 'runtime.json'))),
  },
  {
    what: 'a token that is damaged',
    check: 'token',
    code: 'token_unreadable',
    breakIt: used(({ home }) => writeFileSync(join(home, 'runtime.json'), '{')),
  },
  {
    what: 'a token that is gone while svcd runs',
    check: 'token',
    code: 'token_lost',
    bad: true,
    breakIt: used(async (place) => {
      await runDaemon(place);
      rmSync(join(place.home, 'runtime.json'));
    }),
  },
  {
    what: 'a log that grew',
    check: 'log',
    code: 'log_large',
    breakIt: used(({ home }) => writeFileSync(join(home, 'svcd.log'), Buffer.alloc(30_000_000, 'x\n'))),
  },
  {
    what: 'a crash',
    check: 'log',
    code: 'log_crash',
    breakIt: used(({ home }) => writeFileSync(join(home, 'svcd.err'), 'node:internal\nError: it broke\n    at x')),
  },
  // Databases.
  {
    what: 'a damaged library',
    check: 'library.db',
    code: 'library_damaged',
    breakIt: used(({ home }) => damage(join(home, 'library.db'))),
  },
  {
    what: 'a damaged owned.db',
    check: 'owned.db',
    code: 'owned_no_backup',
    bad: true,
    breakIt: used(({ home }) => damage(join(home, 'owned.db'))),
  },
  {
    what: 'a damaged owned.db with a copy beside it',
    check: 'owned.db',
    code: 'owned_damaged_backup',
    bad: true,
    breakIt: used(({ home }) => {
      const file = join(home, 'owned.db');
      cpSync(file, `${file}.before-migration`);
      damage(file);
    }),
  },
  {
    what: 'an owned.db that is an older copy',
    check: 'purchases',
    code: 'loss',
    bad: true,
    breakIt: used(async (place) => {
      const file = join(place.home, 'owned.db');
      cpSync(file, join(place.folder, 'old.db'));
      const got = await place.shell('svcd get fluent-emoji-flat/birthday-cake -o cake.json');
      expect(got.code, got.stderr).toBe(0);
      for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
      cpSync(join(place.folder, 'old.db'), file);
    }),
  },
  {
    what: 'spending that was stopped',
    check: 'spending',
    code: 'spending_stopped',
    breakIt: used(async (place) => void (await place.shell('svcd stop-spending'))),
  },
  // The daemon and its port.
  {
    what: 'a daemon that does not run',
    check: 'daemon',
    code: 'daemon_none',
    breakIt: used((place) => {
      place.env['SVCD_PORT'] = '0';
      onTestFinished(async () => void (await place.shell('svcd stop')));
    }),
  },
  {
    what: 'a daemon that was paused',
    check: 'daemon',
    code: 'daemon_stopped',
    bad: true,
    breakIt: used(async (place) => void process.kill(await runDaemon(place), 'SIGSTOP')),
  },
  {
    what: 'a daemon that takes connections and answers none',
    check: 'daemon',
    code: 'daemon_silent',
    bad: true,
    breakIt: used(async (place) => {
      const script = `require('net').createServer(() => {}).listen(0, '127.0.0.1', function () { console.log(this.address().port) })`;
      const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
      onTestFinished(() => void child.kill('SIGKILL'));
      const [port] = (await once(child.stdout, 'data')) as [Buffer];
      const runtime = { pid: child.pid, url: `http://127.0.0.1:${String(port).trim()}`, token: 'svcd_x' };
      writeFileSync(join(place.home, 'runtime.json'), JSON.stringify(runtime), { mode: 0o600 });
    }),
  },
  {
    what: 'a port that another program has',
    check: 'port',
    code: 'port_taken',
    bad: true,
    breakIt: async (place) => place.config({ port: await portOf(createTcpServer()) }),
  },
  {
    what: 'a port in the environment that another program has',
    check: 'port',
    code: 'port_taken',
    bad: true,
    breakIt: async (place) => void (place.env['SVCD_PORT'] = String(await portOf(createTcpServer()))),
  },
  {
    what: 'a port that another svcd has',
    check: 'port',
    code: 'port_svcd',
    bad: true,
    breakIt: async (place) => {
      const other = await startSvcd();
      onTestFinished(other.stop);
      place.config({ port: Number(new URL(other.info.url).port) });
    },
  },
  // The system.
  {
    what: 'two svcd on the PATH',
    check: 'PATH',
    code: 'path_twice',
    breakIt: (place) => {
      const folder = place.install('old', { name: 'svcd', version: '0.0.9' });
      place.env['PATH'] = `${join(folder, 'bin2')}:${place.env['PATH']}`;
      mkdirSync(join(folder, 'bin2'));
      writeFileSync(join(folder, 'bin2', 'svcd'), readFileSync(join(place.bin, 'svcd')), { mode: 0o755 });
    },
  },
  {
    what: 'an older svcd that npm installed, first on the PATH',
    check: 'PATH',
    code: 'path_twice',
    breakIt: (place) => {
      const prefix = join(place.folder, 'npm');
      const folder = join(prefix, 'lib', 'node_modules', 'svcd');
      mkdirSync(join(folder, 'bin'), { recursive: true });
      mkdirSync(join(prefix, 'bin'));
      writeFileSync(
        join(folder, 'package.json'),
        JSON.stringify({ name: 'svcd', version: '0.0.9', bin: 'bin/svcd.js' }),
      );
      writeFileSync(join(folder, 'bin', 'svcd.js'), readFileSync(join(place.bin, 'svcd')), { mode: 0o755 });
      symlinkSync('../lib/node_modules/svcd/bin/svcd.js', join(prefix, 'bin', 'svcd'));
      // The other one is this svcd, of a newer version.
      const own = place.install('own', { name: 'svcd', version: '0.1.0', type: 'module' });
      rmSync(join(place.bin, 'svcd'));
      symlinkSync(join(own, 'bin', 'svcd.js'), join(place.bin, 'svcd'));
      place.env['PATH'] = `${join(prefix, 'bin')}:${place.env['PATH']}`;
    },
  },
  {
    what: 'few files that may be open',
    check: 'open files',
    code: 'files_low',
    need: LINUX,
    breakIt: (place) => void (place.before = 'ulimit -n 200'),
    // To raise a limit takes a right that containers do not give.
    byHand: (place) => void (place.before = ':'),
  },
  {
    what: 'little memory for Node.js',
    check: 'memory',
    code: 'memory_heap',
    breakIt: inEnvironment({ NODE_OPTIONS: '--max-old-space-size=100' }),
  },
  // The network and the remote.
  {
    what: 'a proxy between programs and svcd',
    check: 'proxy',
    code: 'proxy_loopback',
    breakIt: inEnvironment({ HTTP_PROXY: 'http://me:secret@proxy.test:3128', NO_PROXY: 'intranet' }),
  },
  {
    what: 'no remote',
    check: 'remote',
    code: 'remote_none',
    breakIt: async (place) => void (place.blanks['ADDRESS'] = (await startSandbox()).url),
  },
  {
    what: 'a name that does not resolve',
    check: 'remote',
    code: 'remote_dns',
    breakIt: remoteAt('https://assets.invalid'),
  },
  {
    what: 'a port where nothing listens',
    check: 'remote',
    code: 'remote_refused',
    breakIt: remoteAt('http://127.0.0.1:9'),
  },
  {
    what: 'a proxy that is not there',
    check: 'remote',
    code: 'remote_proxy',
    breakIt: async (place) => {
      await remoteAt('https://assets.invalid')(place);
      place.env['HTTPS_PROXY'] = 'http://me:secret@127.0.0.1:9';
      // The name then does not resolve, which is another trouble.
      place.blanks['PROXY'] = 'direct';
    },
  },
  {
    what: 'a remote that never answers',
    check: 'remote',
    code: 'remote_timeout',
    breakIt: remoteThat(() => undefined),
  },
  {
    what: 'a web page in the place of the service',
    check: 'remote',
    code: 'remote_foreign',
    bad: true,
    breakIt: remoteThat(
      (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>log in'),
    ),
  },
  {
    what: 'a redirect in the place of the service',
    check: 'remote',
    code: 'remote_redirect',
    bad: true,
    breakIt: remoteThat(
      (_, response) => void response.writeHead(302, { location: 'http://login.test/?secret=1' }).end(),
    ),
  },
  {
    what: 'a certificate that nobody trusts',
    check: 'remote',
    code: 'remote_tls_untrusted',
    bad: true,
    need: OPENSSL,
    breakIt: async (place) => {
      const { url } = await startSandbox();
      const { port } = await startTlsFront(url);
      place.config({ remote: `https://localhost:${port}` });
      place.blanks['FILE'] = makeAuthority().file;
    },
  },
  {
    what: 'a service that does not speak TLS',
    check: 'remote',
    code: 'remote_tls_none',
    bad: true,
    breakIt: async (place) => remoteAt(`https://127.0.0.1:${await portOf(createServer())}`)(place),
  },
  {
    what: 'offline in the settings',
    check: 'remote',
    code: 'remote_offline',
    breakIt: async (place) => place.config({ remote: (await startSandbox()).url, offline: true }),
  },
  {
    what: 'offline in the environment',
    check: 'remote',
    code: 'remote_offline',
    breakIt: async (place) => {
      place.config({ remote: (await startSandbox()).url });
      place.env['SVCD_OFFLINE'] = '1';
    },
  },
  {
    what: 'no Key, where there is no keychain',
    check: 'Key',
    code: 'key_none',
    breakIt: withoutKey,
  },
  {
    what: 'no keychain, where the Key is wanted from it',
    check: 'keychain',
    code: 'keychain_unusable',
    breakIt: withoutKey,
  },
  {
    what: 'a keychain that is locked',
    check: 'keychain',
    code: 'keychain_unusable',
    need: SECRET_SERVICE,
    breakIt: async (place) => {
      await withoutKey(place);
      const service = await startSecretService();
      Object.assign(place.env, service.env);
      expect((await place.shell('svcd key set')).code).toBe(0);
      await service.lock();
    },
  },
  {
    what: 'a keychain that hangs',
    check: 'keychain',
    code: 'keychain_unusable',
    need: SECRET_SERVICE,
    breakIt: async (place) => {
      await withoutKey(place);
      const service = await startSecretService();
      Object.assign(place.env, service.env);
      service.freeze();
    },
  },
  {
    what: 'a Key that is refused, in the environment',
    check: 'Key',
    code: 'key_wrong_variable',
    bad: true,
    breakIt: async (place) => {
      place.config({ remote: (await startSandbox()).url });
      place.env['SERVICE_API_KEY'] = 'sk-sandbox-wrong-0123456789';
    },
  },
  {
    what: 'a Key that is refused, in a file',
    check: 'Key',
    code: 'key_wrong',
    bad: true,
    breakIt: async (place) => {
      const { url, sandbox } = await startSandbox();
      const keyFile = join(place.folder, 'key');
      writeFileSync(keyFile, 'sk-sandbox-wrong-0123456789\n', { mode: 0o600 });
      place.config({ remote: url, keyFile });
      place.stdin = sandbox.key;
    },
  },
  {
    what: 'a Key that others can read',
    check: 'Key',
    code: 'key_exposed',
    breakIt: async (place) => {
      const { url, sandbox } = await startSandbox();
      const keyFile = join(place.folder, 'key');
      writeFileSync(keyFile, `${sandbox.key}\n`);
      chmodSync(keyFile, 0o644);
      place.config({ remote: url, package: keyFile });
    },
  },
  {
    what: 'a clock that is wrong',
    check: 'clock',
    code: 'clock_off',
    breakIt: async (place) => {
      const late = (_: unknown, response: Parameters<RequestListener>[1]) =>
        void response
          .writeHead(200, { 'content-type': 'application/json', date: new Date(Date.now() - 7_200_000).toUTCString() })
          .end('{"capabilities":[]}');
      await remoteThat(late)(place);
    },
    byHand: ({ home, blanks }) =>
      writeFileSync(join(home, 'config.json'), JSON.stringify({ remote: blanks['ADDRESS'] })),
  },
  // The lock of a video.
  {
    what: 'a lock whose files are gone and owned',
    check: 'lock',
    code: 'lock_unmet',
    breakIt: used(async (place) => {
      const got = await place.shell('svcd get fluent-emoji-flat/balloon -o balloon.json');
      expect(got.code, got.stderr).toBe(0);
      writeLock(place, readFileSync(join(place.cwd, 'balloon.json'), 'utf8'), 'fluent-emoji-flat/balloon');
      rmSync(join(place.cwd, 'balloon.json'));
    }),
  },
];

async function withoutKey(place: BrokenPlace): Promise<void> {
  const { url, sandbox } = await startSandbox();
  place.config({ remote: url });
  place.stdin = sandbox.key;
  mkdirSync(join(place.folder, '.config'));
}

function damage(file: string): void {
  writeFileSync(file, Buffer.concat([readFileSync(file).subarray(0, 16_384), Buffer.alloc(200_000, 7)]));
}

function writeLock(place: BrokenPlace, content: string, preset: string): void {
  writeFileSync(
    join(place.cwd, 'assets.lock.json'),
    canonicalLock(lockOf({ hero: lockedSticker(content, { preset }) })),
  );
}

describe('svcd doctor', () => {
  for (const { what, check, code, bad, need = ANY, breakIt, byHand } of BREAKAGES) {
    itIf(need, `finds ${what}, changes nothing, and says what mends it`, async () => {
      const place = new BrokenPlace();
      await breakIt(place);
      const before = place.snapshot();
      const found = await place.doctor();
      const finding = found.of(check, code);
      expect(finding, found.text).toMatchObject({ state: bad === true ? 'bad' : 'warn' });
      expect(found.code).toBe(found.checks.some(({ state }) => state === 'bad') ? 1 : 0);
      expect(place.snapshot()).toEqual(before);
      expect(found.text).not.toContain('secret');
      if (byHand !== undefined) await byHand(place);
      const command = byHand === undefined ? place.fill(finding?.command ?? 'false') : ':';
      const after = await place.doctor(command);
      expect(after.of(check, code), `${command}\n${after.text}`).toBeUndefined();
    });
  }

  it('ends although what it reads hangs, and says what does', async () => {
    const place = new BrokenPlace();
    mkdirSync(place.home, { mode: 0o700 });
    await runCommand('mkfifo', ['-m', '600', join(place.home, 'config.json')]);
    const { code, of } = await place.doctor();
    expect([code, of('settings')?.code, of('lock')?.state]).toEqual([1, 'check_unfinished', 'warn']);
  });
});
