// svcd doctor, by breaking the home: its settings, its folder and disk, its files.

import { chmodSync, chownSync, cpSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BrokenPlace } from '../support/break-home.js';
import { type Breakage, inConfig, inEnvironment, must, testBreakages, used } from '../support/breakages.js';
import { OTHER_USERS, SMALL_DISKS } from '../support/requires.js';
import { runCommand } from '../support/run-command.js';
import { startSvcd } from '../support/start-svcd.js';

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
    what: 'a daemon that ended with an error',
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
      await must(place, 'svcd get fluent-emoji-flat/birthday-cake -o cake.json');
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
];

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

function damage(file: string): void {
  writeFileSync(file, Buffer.concat([readFileSync(file).subarray(0, 16_384), Buffer.alloc(200_000, 7)]));
}

describe('svcd doctor', () => {
  testBreakages(BREAKAGES);

  it('ends although what it reads hangs, and says what does', async () => {
    const place = new BrokenPlace();
    mkdirSync(place.home, { mode: 0o700 });
    await runCommand('mkfifo', ['-m', '600', join(place.home, 'config.json')]);
    const found = await place.doctor();
    expect([found.code, found.of('settings')?.code, found.of('lock')?.state]).toEqual([1, 'check_unfinished', 'warn']);
  });
});
