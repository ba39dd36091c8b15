// The home folder as the doctor checks it: whose it is, the disk below it, settings, token, log.

import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync, type Stats } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadConfig, settleSettings } from '../../config/config.js';
import { SETTINGS } from '../../config/settings.js';
import { findSettingFaults, type SettingFault } from '../../config/setting-faults.js';
import { systemClock } from '../../platform/clock.js';
import { isSvcdError } from '../../model/errors.js';
import { findRuntime, isWritable } from '../../platform/files/home-folder.js';
import { parseJsonRecord } from '../../platform/json.js';
import { isNetwork, mountOf } from '../../platform/files/mount-of.js';
import { type Finding, findingsOf, quote, svcd } from './doctor-finding.js';
import { didYouMean } from '../terminal/usage-error.js';

const DAY_MS = 86_400_000;
const MIB = 1024 * 1024;
const ENOUGH_BYTES = 200 * MIB;
const NEEDED_BYTES = 20 * MIB;
const ENOUGH_FILES = 1000;
/** Three logs of 5 MB, and one that is being written. */
const LOG_BYTES = 20 * MIB;

/** Whether the home is the user's alone, can be written, and lies on this machine. */
export function checkHome(home: string): Finding[] {
  const { ok, warn, bad } = findingsOf('home');
  const folder = statOf(home);
  if (folder === undefined) {
    const above = existingFolder(home);
    if (isWritable(above) && !mountOf(above).readOnly) return [ok('home_new', [home])];
    return [bad('home_unmakeable', [home], mountCommand(above) ?? `sudo install -d -m 700 -o ${uid()} ${quote(home)}`)];
  }
  if (!folder.isDirectory()) return [bad('home_no_folder', [home], `mv ${quote(home)} ${quote(`${home}.old`)}`)];
  if (process.platform === 'win32') return [ok('home_ok', [home])];
  if (folder.uid !== uid()) {
    return [bad('home_owner', [home, folder.uid, uid()], `sudo chown -R ${uid()} ${quote(home)}`)];
  }
  const mode = (folder.mode & 0o7777).toString(8);
  if ((folder.mode & 0o022) !== 0) return [bad('home_writable', [home, mode], `chmod 700 ${quote(home)}`)];
  // Root may do what the mode forbids.
  if ((folder.mode & 0o500) !== 0o500) return [bad('home_closed', [home, mode], `chmod 700 ${quote(home)}`)];
  const found = [...checkFiles(home), ...checkWriting(home)];
  if ((folder.mode & 0o077) !== 0) found.push(bad('home_open', [home, mode], `chmod 700 ${quote(home)}`));
  const mount = mountOf(home);
  if (isNetwork(mount)) found.push(warn('home_network', [home, mount.kind]));
  return found.length === 0 ? [ok('home_ok', [home])] : found;
}

/** The first file that is somebody else's, or that others can write. */
function checkFiles(home: string): Finding[] {
  const { bad } = findingsOf('home');
  for (const name of readdirSync(home)) {
    const path = join(home, name);
    const stat = statOf(path);
    if (stat === undefined) continue;
    const isForeign = stat.uid !== uid() && (stat.uid !== 0 || !isReadable(path));
    if (isForeign) return [bad('home_owner', [path, stat.uid, uid()], `sudo chown -R ${uid()} ${quote(home)}`)];
    if (name.endsWith('.json') && (stat.mode & 0o022) !== 0) {
      return [bad('home_writable', [path, (stat.mode & 0o7777).toString(8)], `chmod 600 ${quote(path)}`)];
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

function checkWriting(home: string): Finding[] {
  const { warn, bad } = findingsOf('home');
  const { readOnly } = mountOf(home);
  if (isWritable(home) && !readOnly) return [];
  const command = mountCommand(home) ?? `chmod 700 ${quote(home)}`;
  if (existsSync(join(home, 'owned.db'))) return [warn('home_read_only', [home], command)];
  return [bad('home_read_only_empty', [home], command)];
}

/** What makes a file system writable that is mounted to be read only. */
function mountCommand(folder: string): string | undefined {
  const { readOnly, path } = mountOf(folder);
  return readOnly ? `sudo mount -o remount,rw ${quote(path)}` : undefined;
}

function uid(): number {
  return process.getuid?.() ?? 0;
}

/** Whether there is room for what will be bought. */
export function checkDisk(home: string): Finding {
  const { ok, warn, bad } = findingsOf('disk');
  const folder = existingFolder(home);
  const { freeBytes, freeFiles, path, readOnly } = mountOf(folder);
  const mib = Math.floor(freeBytes / MIB);
  // Room in what cannot be written is of no use: the check of the home says so.
  if (readOnly || !isWritable(folder)) return ok('disk_ok', [mib, home]);
  if (freeBytes < NEEDED_BYTES) return bad('disk_full', [mib, path]);
  if (freeFiles !== undefined && freeFiles < ENOUGH_FILES) {
    return (freeFiles < 20 ? bad : warn)('disk_files', [freeFiles, path]);
  }
  return freeBytes < ENOUGH_BYTES ? warn('disk_low', [mib, path]) : ok('disk_ok', [mib, home]);
}

/** Whether the clock is behind the newest file in the home: budgets count days. */
export function checkFileDates(home: string): Finding | undefined {
  const now = systemClock.now();
  const files = existsSync(home) ? readdirSync(home).map((name) => join(home, name)) : [];
  const late = files.flatMap((path) => {
    const at = statOf(path)?.mtimeMs ?? 0;
    return at > now + DAY_MS ? [{ path, at }] : [];
  });
  if (late.length === 0) return undefined;
  const newest = new Date(Math.max(...late.map(({ at }) => at))).toISOString();
  const command = `touch ${late.map(({ path }) => quote(path)).join(' ')}`;
  return findingsOf('clock').warn('clock_behind', [new Date(now).toISOString(), newest], command);
}

/** All that is wrong with the settings, each with what mends it. */
export async function checkSettings(home: string): Promise<Finding[]> {
  const { ok, warn, bad } = findingsOf('settings');
  const faults = findSettingFaults(home).map(describeFault);
  if (faults.length > 0) return faults;
  let trustLoopback: boolean;
  try {
    ({ trustLoopback } = await loadConfig({ home }));
  } catch (error) {
    // The proxy's variables are not svcd's own settings, and are read with them.
    const message = isSvcdError(error, 'invalid_config') ? error.message : '';
    const [variable] = /^(?:https?|all)_proxy(?= )/i.exec(message) ?? [];
    if (variable === undefined) throw error;
    return [bad('settings_variable_wrong', [message], `unset ${variable}`)];
  }
  if (!trustLoopback) return [ok('settings_ok', [])];
  return [warn('trust_loopback', [], await endSetting(home, 'trustLoopback'))];
}

function describeFault({ kind, where, name, message }: SettingFault): Finding {
  const { warn, bad } = findingsOf('settings');
  if (kind === 'file') return bad('settings_file', [message], `mv ${quote(name)} ${quote(`${name}.broken`)}`);
  const isFile = where === 'file';
  const command = isFile ? svcd(`config unset ${quote(name)}`) : `unset ${name}`;
  const known = isFile ? SETTINGS.flatMap(({ file }) => file ?? []) : SETTINGS.map(({ env }) => env);
  const meant = didYouMean(name, known);
  if (kind === 'value') return bad(isFile ? 'settings_wrong' : 'settings_variable_wrong', [message], command);
  return warn(isFile ? 'settings_unknown' : 'settings_variable', [name, meant], command);
}

/** The command that ends a setting, wherever it was made. */
export async function endSetting(home: string, name: string): Promise<string> {
  const one = (await settleSettings({ home })).find(({ setting }) => setting.name === name);
  return one?.from === 'environment' ? `unset ${one.setting.env}` : svcd(`config unset ${name}`);
}

/** Whether programs can go on using the token they have. `holder` is the process that has the home. */
export function checkToken(home: string, isRunning: boolean, holder: number | undefined): Finding {
  const { ok, warn, bad } = findingsOf('token');
  const file = join(home, 'runtime.json');
  const readable = findRuntime(home) !== undefined;
  if (isRunning || readable) return ok('token_ok', []);
  if (holder !== undefined) return bad('token_lost', [file, holder], `kill ${holder}`);
  if (existsSync(file)) return warn('token_unreadable', [file], svcd('token show'));
  // A home that was in use has a lock of the daemon.
  if (!existsSync(join(home, 'owned.db'))) return ok('token_new', []);
  return warn('token_missing', [file], svcd('token show'));
}

/** How much the log takes, and whether the daemon ended by a crash. */
export function checkLog(home: string): Finding[] {
  const { ok, warn } = findingsOf('log');
  const names = existsSync(home) ? readdirSync(home).filter((name) => /^svcd\.(?:log|err)/.test(name)) : [];
  const files = names.map((name) => {
    const { size = 0, mtimeMs: at = 0 } = statOf(join(home, name)) ?? {};
    return { path: join(home, name), size, at };
  });
  if (files.length === 0) return [ok('log_none', [])];
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const [largest] = files.toSorted((a, b) => b.size - a.size);
  const mib = (bytes / MIB).toFixed(1);
  const found: Finding[] = [];
  if (bytes > LOG_BYTES && largest !== undefined) {
    found.push(warn('log_large', [mib, largest.path], `: > ${quote(largest.path)}`));
  }
  // The one of the daemon that runs, or of the one before it; a daemon that came up since, or stopped in order, wrote runtime.json.
  const since = statOf(join(home, 'runtime.json'))?.mtimeMs ?? 0;
  const crash = files.find(({ path, size, at }) => /\.err(?:\.1)?$/.test(path) && size > 0 && at > since);
  if (crash !== undefined) {
    found.push(warn('log_crash', [crash.path, firstLineOf(crash.path)], `rm ${quote(crash.path)}`));
  }
  return found.length === 0 ? [ok('log_ok', [mib])] : found;
}

const LINE_MAX = 160;

/** The line of a crash that says why; Node.js prints the place of the code before it. */
function firstLineOf(path: string): string {
  const lines = readFileSync(path, 'utf8').split('\n');
  const told = lines.map((one) => parseJsonRecord(one)?.['message']).find((one) => typeof one === 'string');
  const line = told ?? lines.find((one) => /error/i.test(one)) ?? lines.find((one) => one.trim() !== '') ?? '';
  return line.trim().replaceAll(homedir(), '~').slice(0, LINE_MAX);
}

function existingFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existingFolder(dirname(folder));
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
