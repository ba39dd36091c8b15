// The settings of a home: flags over environment over config.json over what the home was last used with (remote and sandbox
// only) over defaults, read once into one frozen value.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isSvcdError, SvcdError } from '../model/errors.js';
import { INSTALLATION } from '../platform/installation.js';
import { makeFolder, replaceFile } from '../platform/files/files.js';
import { chooseProxy } from './choose-proxy.js';
import { readConfigFile } from './json-file.js';
import { findBelonging } from './membership.js';
import { findHome } from './find-home.js';
import { readLastUsed, SANDBOX, writeLastUsed } from './last-used.js';
import { SETTINGS, type Setting, type SettingValue, type SettingValues } from './settings.js';

/** All settings, settled. The Key is no part of it, and what holds a password is shown without it (`shownValue`): so it can be printed. */
export type Config = SettingValues;

/** Values of flags by their name; undefined where a flag was not given. */
export type Flags = Readonly<Record<string, unknown>>;
export type Environment = Readonly<Record<string, string | undefined>>;

/** A setting with its value and where that comes from. */
export interface SettledSetting {
  readonly setting: Setting;
  readonly value: SettingValue;
  readonly from: (typeof SOURCES)[number];
  /** Set of a sandbox that is off because a remote is named further up; of a proxy that a remote on this machine needs not. */
  readonly endedBy?: 'remote' | 'loopback' | 'hub';
  /** The variable of the environment that the value, or the lack of one, comes from, where it is not svcd's own. */
  readonly variable?: string | undefined;
}

/** From the strongest to the weakest. */
const SOURCES = ['flag', 'environment', 'file', 'last_used', 'default'] as const;

/** Settles every setting. Throws `invalid_config` naming the value and where it stands. */
export async function loadConfig(flags: Flags = {}, env: Environment = process.env): Promise<Config> {
  const settled = await settleSettings(flags, env);
  const values = settled.map(({ setting, value }) => [setting.name, value] as const);
  return Object.freeze(Object.fromEntries(values) as unknown as Config);
}

/** Every setting in the order of SETTINGS, with where its value comes from. Throws `invalid_config`. */
export async function settleSettings(
  flags: Flags = {},
  env: Environment = process.env,
): Promise<readonly SettledSetting[]> {
  const home = await findHome(flags, env);
  const file = readConfigFile(home);
  const last = lastUsedIn(home);
  const given = endSandbox(
    SETTINGS.map(
      (setting) =>
        settleGiven(setting, flags, env, file, last, home) ?? {
          setting,
          value: setting.name === 'home' ? home : setting.initial,
          from: 'default',
        },
    ),
  );
  const settled = settleForMember(home, given);
  return settled.map((one) => (one.setting.name === 'proxy' ? settleProxy(one, settled, env) : one));
}

/** The proxy for the remote that was settled, from the environment's own variables where svcd's name none. */
function settleProxy(own: SettledSetting, settled: readonly SettledSetting[], env: Environment): SettledSetting {
  const valueOf = (name: Setting['name']) => settled.find(({ setting }) => setting.name === name)?.value;
  // The embedded sandbox is in this very process.
  if (valueOf('sandbox') === true) return own;
  const text = (value: SettledSetting['value']) => (value === undefined ? undefined : String(value));
  const { proxy, variable, because } = chooseProxy(text(valueOf('remote')), text(own.value), env);
  if (variable !== undefined) return { ...own, value: proxy, from: 'environment', variable };
  return { ...own, value: proxy, ...(because !== undefined && { endedBy: because }) };
}

function lastUsedIn(home: string): Flags {
  const last = readLastUsed(home);
  return last === SANDBOX ? { sandbox: true } : { remote: last };
}

/** Writes one setting to config.json, or removes it when `value` is undefined. Throws `invalid_config`. */
export function writeSetting(home: string, name: string, value: string | undefined): void {
  const setting = SETTINGS.find((one) => one.file === name);
  const file = { ...readConfigFile(home) };
  if (value === undefined) delete file[name];
  else if (setting === undefined) {
    const known = SETTINGS.flatMap((one) => one.file ?? []).join(', ');
    throw new SvcdError('invalid_config', `there is no setting ${name}; known are ${known}`);
  } else file[name] = setting.parse(value, `config set ${name}`);
  makeFolder(home);
  const path = join(home, 'config.json');
  replaceFile(path, `${JSON.stringify(file, null, 2)}\n`);
  // The user's word from now on: a removal of it must not bring back what was used before.
  const isRemote = name === 'remote' || name === 'sandbox';
  if (value !== undefined && isRemote && readLastUsed(home) !== undefined) writeLastUsed(home, undefined);
}

/** Where the files shipped with svcd are. */
export const DATA_FOLDER = fileURLToPath(new URL('data', INSTALLATION));

/** What config.json says of a setting now, checked. Throws `invalid_config`. */
function readSetting(home: string, name: Setting['name']): unknown {
  const setting = SETTINGS.find((one) => one.file === name);
  return setting && settleGiven(setting, {}, {}, readConfigFile(home), {}, home)?.value;
}

function settleGiven(
  setting: Setting,
  flags: Flags,
  env: Environment,
  file: Flags,
  last: Flags,
  home: string,
): SettledSetting | undefined {
  const flag = flags[setting.flag];
  if (flag !== undefined) return { setting, value: setting.parse(flag, `--${setting.flag}`), from: 'flag' };
  const fromEnv = env[setting.env];
  if (fromEnv !== undefined && fromEnv !== '') {
    return { setting, value: setting.parse(fromEnv, setting.env), from: 'environment' };
  }
  const fromFile = setting.file === undefined ? undefined : file[setting.file];
  if (fromFile !== undefined) {
    const where = `${setting.file} in ${join(home, 'config.json')}`;
    return { setting, value: setting.parse(fromFile, where), from: 'file' };
  }
  const used = last[setting.name];
  if (used === undefined) return undefined;
  return { setting, value: setting.parse(used, `remote in ${join(home, 'last-used.json')}`), from: 'last_used' };
}

/** A remote that is named further up than the sandbox ends it; named at the same place, the sandbox is the remote. */
function endSandbox(settled: readonly SettledSetting[]): readonly SettledSetting[] {
  const remote = settled.find(({ setting }) => setting.name === 'remote');
  return settled.map((one) =>
    one.value === true &&
    one.setting.name === 'sandbox' &&
    remote?.value !== undefined &&
    SOURCES.indexOf(remote.from) < SOURCES.indexOf(one.from)
      ? { ...one, value: false, from: remote.from, endedBy: 'remote' }
      : one,
  );
}

/**
 * The settings with the hub in place of remote and sandbox. Throws `invalid_config` where somebody asks for another one by a
 * flag, or for the sandbox: they would spend the studio's credits and think otherwise.
 */
function settleForMember(home: string, settled: readonly SettledSetting[]): readonly SettledSetting[] {
  if (!existsSync(join(home, 'hub.json'))) return settled;
  const belonging = findBelonging(home);
  return settled.map((one) => {
    const { setting, value, from } = one;
    const isTyped = from === 'flag' || (setting.name === 'sandbox' && from === 'environment');
    if (setting.name === 'sandbox' && value === true) {
      if (isTyped) throw belongsToHub('the sandbox cannot be used');
      return { ...one, value: false, endedBy: 'hub' };
    }
    if (setting.name === 'hubListen' && value !== undefined) {
      if (isTyped) throw belongsToHub('it cannot be a hub itself');
      return { ...one, value: undefined, endedBy: 'hub' };
    }
    if (setting.name !== 'remote' || value === undefined) return one;
    if (isTyped) throw belongsToHub('no other remote can be used');
    // With a file that cannot be read, what is owned is still that of this address; it is not asked.
    return belonging.kind === 'hub' ? { ...one, value: undefined, endedBy: 'hub' } : one;
  });
}

/** The refusal of what a machine cannot do while it belongs to a hub. */
function belongsToHub(what: string): SvcdError {
  return new SvcdError('invalid_config', `${what}: this home belongs to a hub (hub.json)`, {
    hint: 'Run "svcd hub leave" first; what came through the hub stays owned.',
  });
}

/**
 * Tells a setting as config.json has it now: whoever sets the folder of the page, or the next address of a hub, need not start svcd
 * again. One that a flag or the environment gave stays for as long as svcd runs.
 */
export function followSetting<N extends 'folder' | 'hubNextUrl'>(config: Config, name: N): () => Config[N] {
  const { home } = config;
  if (config[name] !== inFile(home, name)) return () => config[name];
  return () => inFile(home, name);
}

function inFile<N extends 'folder' | 'hubNextUrl'>(home: string, name: N): Config[N] {
  try {
    return readSetting(home, name) as Config[N];
  } catch (error) {
    // What svcd was started with goes on; the next start tells what is wrong with the file.
    if (isSvcdError(error, 'invalid_config')) return undefined;
    throw error;
  }
}
