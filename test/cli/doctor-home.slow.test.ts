// svcd doctor, by breaking the home: its settings, its folder and disk, its files.

import { chmodSync, chownSync, cpSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BrokenPlace } from '../support/break-home.js';
import {
  bad,
  badWhenUsed,
  type Breakage,
  inConfig,
  inEnvironment,
  must,
  testBreakages,
  warn,
  warnWhenUsed,
  runDaemon,
} from '../support/breakages.js';
import { OTHER_USERS, SMALL_DISKS } from '../support/requires.js';
import { runCommand } from '../support/run-command.js';

const BREAKAGES: readonly Breakage[] = [
  // Settings.
  warn('settings', 'settings_unknown', 'a setting that is none', inConfig({ prot: 7000 })),
  bad('settings', 'settings_wrong', 'a setting with a wrong value', inConfig({ port: 'abc' })),
  bad('settings', 'settings_file', 'a config.json that is no JSON', (place) => {
    place.config({});
    writeFileSync(join(place.home, 'config.json'), '{"port": ');
  }),
  bad('settings', 'settings_file', 'a last-used.json that is no JSON', (place) => {
    place.config({});
    writeFileSync(join(place.home, 'last-used.json'), '[');
  }),
  warn('settings', 'settings_variable', 'a variable that is none', inEnvironment({ SVCD_PROT: '1' })),
  bad('settings', 'settings_variable_wrong', 'a variable with a wrong value', inEnvironment({ SVCD_PORT: 'abc' })),
  warn('settings', 'trust_loopback', 'a loopback that is trusted', inConfig({ trustLoopback: true })),
  // The home.
  badWhenUsed('home', 'home_open', 'a home that others can read', ({ home }) => chmodSync(home, 0o755)),
  badWhenUsed('home', 'home_writable', 'a home that others can write', ({ home }) => chmodSync(home, 0o777)),
  badWhenUsed('home', 'home_writable', 'settings that others can write', ({ home }) =>
    chmodSync(join(home, 'config.json'), 0o666),
  ),
  badWhenUsed('home', 'home_owner', 'a home of another user', ({ home }) => chownSync(home, 12_345, 12_345), {
    need: OTHER_USERS,
  }),
  badWhenUsed(
    'home',
    'home_owner',
    'a database of another user',
    ({ home }) => chownSync(join(home, 'owned.db'), 12_345, 12_345),
    { need: OTHER_USERS },
  ),
  bad('home', 'home_no_folder', 'a file in the place of the home', ({ home }) => writeFileSync(home, '')),
  bad('home', 'home_read_only_empty', 'a read-only disk', (place) => mount(place, 'size=400m,mode=700,ro'), {
    need: SMALL_DISKS,
  }),
  bad('disk', 'disk_full', 'a full disk', (place) => mount(place, 'size=10m,mode=700'), {
    need: SMALL_DISKS,
    byHand: async ({ home }) => void (await runCommand('mount', ['-o', 'remount,size=400m', home])),
  }),
  warn('disk', 'disk_low', 'a disk that is nearly full', (place) => mount(place, 'size=100m,mode=700'), {
    need: SMALL_DISKS,
    byHand: async ({ home }) => void (await runCommand('mount', ['-o', 'remount,size=400m', home])),
  }),
  warn(
    'disk',
    'disk_files',
    'a disk without room for more files',
    (place) => mount(place, 'size=400m,mode=700,nr_inodes=100'),
    {
      need: SMALL_DISKS,
      byHand: async ({ home }) => void (await runCommand('mount', ['-o', 'remount,nr_inodes=9000', home])),
    },
  ),
  warnWhenUsed('clock', 'clock_behind', 'files that a wrong clock dated', ({ home }) =>
    utimesSync(join(home, 'config.json'), 4e9, 4e9),
  ),
  // Token and log.
  warnWhenUsed('token', 'token_missing', 'a token that is gone', ({ home }) => rmSync(join(home, 'runtime.json'))),
  warnWhenUsed('token', 'token_unreadable', 'a token that is damaged', ({ home }) =>
    writeFileSync(join(home, 'runtime.json'), '{'),
  ),
  badWhenUsed('token', 'token_lost', 'a token that is gone while svcd runs', async (place) => {
    await runDaemon(place);
    rmSync(join(place.home, 'runtime.json'));
  }),
  warnWhenUsed('log', 'log_large', 'a log that grew', ({ home }) =>
    writeFileSync(join(home, 'svcd.log'), Buffer.alloc(30_000_000, 'x\n')),
  ),
  warnWhenUsed('log', 'log_crash', 'a daemon that ended with an error', ({ home }) =>
    writeFileSync(join(home, 'svcd.err'), 'node:internal\nError: it broke\n    at x'),
  ),
  // Databases.
  warnWhenUsed('library.db', 'library_damaged', 'a damaged library', ({ home }) => damage(join(home, 'library.db'))),
  badWhenUsed('owned.db', 'owned_no_backup', 'a damaged owned.db', ({ home }) => damage(join(home, 'owned.db'))),
  badWhenUsed('owned.db', 'owned_damaged_backup', 'a damaged owned.db with a copy beside it', ({ home }) => {
    const file = join(home, 'owned.db');
    cpSync(file, `${file}.before-migration`);
    damage(file);
  }),
  badWhenUsed('purchases', 'loss', 'an owned.db that is an older copy', async (place) => {
    const file = join(place.home, 'owned.db');
    cpSync(file, join(place.folder, 'old.db'));
    await must(place, 'svcd get fluent-emoji-flat/birthday-cake -o cake.json');
    for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
    cpSync(join(place.folder, 'old.db'), file);
  }),
  warnWhenUsed(
    'spending',
    'spending_stopped',
    'spending that was stopped',
    async (place) => void (await place.shell('svcd stop-spending')),
  ),
];

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

  it('waits for no pipe in the place of the settings, and says that it is one', async () => {
    const place = new BrokenPlace();
    mkdirSync(place.home, { mode: 0o700 });
    await runCommand('mkfifo', ['-m', '600', join(place.home, 'config.json')]);
    const found = await place.doctor();
    expect([found.code, found.of('settings')?.code, found.of('home')?.state]).toEqual([1, 'settings_file', 'ok']);
  });
});
