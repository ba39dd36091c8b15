// The home folder and its disk: whose it is, whether it can be written, whether there is room; and the token in it.

import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemCode } from '../../model/errors.js';
import { isWritable } from '../../platform/files/home-folder.js';
import { findRuntime } from '../../platform/files/runtime-file.js';
import { isNetwork, mountOf } from '../../platform/files/mount-of.js';
import { bad, ok, type Told, warn } from './finding.js';
import { shellWord } from '../../platform/files/shell-word.js';
import type { SystemPlace } from './place.js';
import { statOf } from '../../platform/files/safe-home.js';

const MIB = 1024 * 1024;
const ENOUGH_BYTES = 200 * MIB;
const NEEDED_BYTES = 20 * MIB;
const ENOUGH_FILES = 1000;

/** Whether the home is the user's alone, can be written, and lies on this machine. */
export function checkHome(home: string): Told[] {
  const folder = statOf(home);
  if (folder === undefined) {
    const above = existingFolder(home);
    const found = statOf(above);
    if (found?.isDirectory() === false) return [bad('home_in_file', [home, above])];
    if (isClosed(home)) return [bad('home_closed_above', [home, above, found?.uid ?? 0])];
    if (isWritable(above) && !mountOf(above).readOnly) return [ok('home_new', [home])];
    return [
      bad('home_no_folder', [home], mountCommand(above) ?? `sudo install -d -m 700 -o ${uid()} ${shellWord(home)}`),
    ];
  }
  if (!folder.isDirectory())
    return [bad('home_no_folder', [home], `mv ${shellWord(home)} ${shellWord(`${home}.old`)}`)];
  if (process.platform === 'win32') return [ok('home_ok', [home])];
  if (folder.uid !== uid()) {
    return [bad('home_owner', [home, folder.uid, uid()], `sudo chown -R ${uid()} ${shellWord(home)}`)];
  }
  const mode = (folder.mode & 0o7777).toString(8);
  if ((folder.mode & 0o022) !== 0) return [bad('home_writable', [home, mode], `chmod 700 ${shellWord(home)}`)];
  // Root may do what the mode forbids.
  if ((folder.mode & 0o500) !== 0o500) return [bad('home_closed', [home, mode], `chmod 700 ${shellWord(home)}`)];
  const found = [...checkFiles(home), ...checkWriting(home)];
  if ((folder.mode & 0o077) !== 0) found.push(bad('home_open', [home, mode], `chmod 700 ${shellWord(home)}`));
  const mount = mountOf(home);
  if (isNetwork(mount)) found.push(warn('home_network', [home, mount.kind]));
  return found.length === 0 ? [ok('home_ok', [home])] : found;
}

/** Whether it lies in a folder that this user may not look into: whatever is there is not this user's to make. */
function isClosed(home: string): boolean {
  try {
    statSync(home);
    return false;
  } catch (error) {
    return systemCode(error) === 'EACCES';
  }
}

/** The first file that is somebody else's, or that others can write. */
function checkFiles(home: string): Told[] {
  for (const name of readdirSync(home)) {
    const path = join(home, name);
    const stat = statOf(path);
    if (stat === undefined) continue;
    const isForeign = stat.uid !== uid() && (stat.uid !== 0 || !isReadable(path));
    if (isForeign) return [bad('home_owner', [path, stat.uid, uid()], `sudo chown -R ${uid()} ${shellWord(home)}`)];
    if (name.endsWith('.json') && (stat.mode & 0o022) !== 0) {
      return [bad('home_writable', [path, (stat.mode & 0o7777).toString(8)], `chmod 600 ${shellWord(path)}`)];
    }
  }
  return [];
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

function checkWriting(home: string): Told[] {
  const { readOnly } = mountOf(home);
  if (isWritable(home) && !readOnly) return [];
  const command = mountCommand(home) ?? `chmod 700 ${shellWord(home)}`;
  if (existsSync(join(home, 'owned.db'))) return [bad('home_read_only', [home], command)];
  return [bad('home_read_only_empty', [home], command)];
}

/** What makes a file system writable that is mounted to be read only. */
function mountCommand(folder: string): string | undefined {
  const { readOnly, path } = mountOf(folder);
  return readOnly ? `sudo mount -o remount,rw ${shellWord(path)}` : undefined;
}

function uid(): number {
  return process.getuid?.() ?? 0;
}

/** Whether there is room for what will be bought. */
export function checkDisk(home: string): Told {
  const folder = existingFolder(home);
  const { freeBytes, freeFiles, path, readOnly } = mountOf(folder);
  const mib = Math.floor(freeBytes / MIB);
  // Room in what cannot be written is of no use: the check of the home says so.
  if (readOnly || !isWritable(folder)) return ok('disk_ok', [mib, home]);
  if (freeBytes < NEEDED_BYTES) return bad('disk_full', [mib, path, shellWord(path)]);
  if (freeFiles !== undefined && freeFiles < ENOUGH_FILES) {
    return (freeFiles < 20 ? bad : warn)('disk_files', [freeFiles, path, shellWord(path)]);
  }
  return freeBytes < ENOUGH_BYTES ? warn('disk_low', [mib, path, shellWord(path)]) : ok('disk_ok', [mib, home]);
}

/** Whether programs can go on using the token they have. */
export function checkToken({ home, daemon: { running, silent, holder } }: SystemPlace): Told {
  const file = join(home, 'runtime.json');
  if (running !== undefined || findRuntime(home) !== undefined) return ok('token_ok');
  if (silent === undefined && holder !== undefined) return bad('token_lost', [file, holder], `kill ${holder}`);
  if (existsSync(file)) return warn('token_unreadable', [file], 'svcd token show');
  // A home that was in use has a lock of the daemon.
  if (!existsSync(join(home, 'owned.db'))) return ok('none_yet');
  return warn('token_missing', [file], 'svcd token show');
}

function existingFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existingFolder(dirname(folder));
}
