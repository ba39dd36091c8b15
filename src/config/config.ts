// Settings: flags over environment over config.json over what the home was last used with (remote and sandbox only) over
// defaults, read once into one frozen value.
// The only reader of process.env. Secrets are no part of it, so that it can be printed.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SvcdError, systemCode } from '../model/errors.js';
import { INSTALLATION } from '../platform/installation.js';
import { makeFolder, replaceFile } from '../platform/files.js';
import { requireAbsolute, requireSafeHome } from '../platform/safe-home.js';
import { isLocalToken } from '../model/spender.js';
import { FORMS, type Form } from '../model/verdict.js';
import { readLastUsed, SANDBOX, writeLastUsed } from './last-used.js';
import {
  oneOf,
  parseBoolean,
  parseFolder,
  parsePath,
  parseRemote,
  parseText,
  parseTimeZone,
  type Parser,
  whole,
} from './parse-setting.js';

const NOTHING_FITS = ['plain', 'transparent', 'error'] as const;
export type WhenNothingFits = (typeof NOTHING_FITS)[number];
const REGISTER = ['ask', 'always', 'never'] as const;
export type RegisterProductions = (typeof REGISTER)[number];

export interface Config {
  /** Absolute path of the home folder. */
  readonly home: string;
  /** TCP port on loopback; 0 lets the system choose. */
  readonly port: number;
  /** Base address of the remote, without a slash at its end; undefined when there is none. */
  readonly remote: string | undefined;
  /** Run the embedded sandbox and use it as the remote. */
  readonly sandbox: boolean;
  /** Never contact the remote. */
  readonly offline: boolean;
  /** How long a client waits for a sticker before it gets a default. */
  readonly deadlineMs: number;
  /** The same for an image. */
  readonly imageDeadlineMs: number;
  /** Whether a default may stand in for what cannot be had. */
  readonly fallback: boolean;
  /** What is served when no default fits. */
  readonly whenNothingFits: WhenNothingFits;
  /** The largest file taken from the remote, in bytes. */
  readonly maxFileBytes: number;
  /** In which form stickers are served where a request does not say. */
  readonly form: Form;
  /** Whether the library fills itself from the remote in the background. */
  readonly backgroundSync: boolean;
  /** Percent of the service's requests a minute that filling the library may take. */
  readonly syncShare: number;
  /** Where the user's days begin and end (IANA name); undefined for the system's time zone. */
  readonly timeZone: string | undefined;
  /** Let callers without a token spend. */
  readonly trustLoopback: boolean;
  /** Absolute path of a private file with the user's Key. */
  readonly keyFile: string | undefined;
  /** Absolute path of a template package whose Key may be used. */
  readonly package: string | undefined;
  /** Whether the service is told which template is produced. */
  readonly registerProductions: RegisterProductions;
  /** Absolute path of the folder that the page puts files into. */
  readonly folder: string | undefined;
}

type SettingName = keyof Config;

export interface Setting {
  readonly name: SettingName;
  /** Command-line flag, without dashes. */
  readonly flag: string;
  readonly env: string;
  /** Name in config.json; undefined for what cannot stand there. */
  readonly file: string | undefined;
  /** The default; undefined for none, and for what the system decides. */
  readonly initial: Config[SettingName] | undefined;
  /** The default, as a person reads it. */
  readonly fallback: string;
  readonly what: string;
  /** Parses text or a JSON value. Throws `invalid_config` with `from` in its message. */
  readonly parse: Parser<Config[SettingName]>;
}

export const DEFAULT_PORT = 7823;

/** Every setting, in the order of its README. */
export const SETTINGS: readonly Setting[] = [
  defineSetting(
    'home',
    undefined,
    parsePath,
    'Folder with everything svcd keeps.',
    "the system's data folder for svcd",
  ),
  defineSetting('port', DEFAULT_PORT, whole(0, 65_535), 'Port on 127.0.0.1 and ::1; 0 lets the system choose.'),
  defineSetting('remote', undefined, parseRemote, 'Base address of the service: https, or http on loopback.'),
  defineSetting('sandbox', false, parseBoolean, 'Run the embedded sandbox and use it as the remote.'),
  defineSetting('offline', false, parseBoolean, 'Never contact the remote.'),
  defineSetting(
    'deadlineMs',
    8000,
    whole(1, 600_000),
    'Milliseconds a client waits for a sticker before it gets a default.',
  ),
  defineSetting(
    'imageDeadlineMs',
    120_000,
    whole(1, 600_000),
    'Milliseconds a client waits for an image before it gets a default.',
  ),
  defineSetting(
    'fallback',
    true,
    parseBoolean,
    'Serve a default for what cannot be had; false gives the error instead.',
  ),
  defineSetting(
    'whenNothingFits',
    'plain',
    oneOf(NOTHING_FITS),
    'What is served when no default fits: plain (a grey one), transparent (an empty one), or error (no default).',
  ),
  defineSetting(
    'maxFileBytes',
    32 * 1024 * 1024,
    whole(1024, 1_000_000_000),
    'Largest sticker or picture taken from the remote, in bytes.',
  ),
  defineSetting(
    'form',
    'as-bought',
    oneOf(FORMS),
    'Form of the stickers that are served: as-bought, or safe (no code, nothing fetched from elsewhere).',
  ),
  defineSetting(
    'backgroundSync',
    true,
    parseBoolean,
    'Fill the library from the service in the background, by free requests; needs a Key.',
  ),
  defineSetting(
    'syncShare',
    50,
    whole(1, 100),
    "Percent of the service's 120 requests a minute that filling the library may take.",
  ),
  defineSetting(
    'timeZone',
    undefined,
    parseTimeZone,
    'Time zone that budgets count days and months in, such as Asia/Shanghai.',
    "the system's",
  ),
  defineSetting('trustLoopback', false, parseBoolean, "Let callers without a token spend the user's credits."),
  defineSetting(
    'keyFile',
    undefined,
    parsePath,
    'File of mode 0600 that holds your Key, for machines without a keychain.',
  ),
  defineSetting(
    'package',
    undefined,
    parsePath,
    'Template package (folder or .motion) whose service.key.json is used if there is no other Key.',
  ),
  defineSetting(
    'registerProductions',
    'ask',
    oneOf(REGISTER),
    'Tell the service which template is produced: ask (once, on a terminal), always, or never.',
  ),
  defineSetting('folder', undefined, parseFolder, 'Folder that the page puts files into, for your editing program.'),
];

/** Flag, variable and name in the file follow from the name; `shown` describes a default that is no plain value. */
function defineSetting<Name extends SettingName>(
  name: Name,
  initial: Config[Name] | undefined,
  parse: Parser<Config[Name]>,
  what: string,
  shown = initial === undefined ? 'none' : String(initial),
): Setting {
  const words = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return {
    name,
    flag: words,
    env: `SVCD_${words.replaceAll('-', '_').toUpperCase()}`,
    // The home is where the file lies.
    file: name === 'home' ? undefined : name,
    initial,
    fallback: shown,
    what,
    parse,
  };
}

/** Values of flags by their name; undefined where a flag was not given. */
export type Flags = Readonly<Record<string, unknown>>;
export type Environment = Readonly<Record<string, string | undefined>>;

/** A setting with its value and where that comes from. */
export interface SettledSetting {
  readonly setting: Setting;
  readonly value: Config[SettingName];
  readonly from: (typeof SOURCES)[number];
  /** Set of a sandbox that is off because a remote is named further up. */
  readonly endedBy?: 'remote';
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
  return endSandbox(
    SETTINGS.map(
      (setting) =>
        settleGiven(setting, flags, env, file, last, home) ?? {
          setting,
          value: setting.name === 'home' ? home : setting.initial,
          from: 'default',
        },
    ),
  );
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

function lastUsedIn(home: string): Flags {
  const last = readLastUsed(home);
  return last === SANDBOX ? { sandbox: true } : { remote: last };
}

/** The home folder; reads no other setting. Throws `invalid_config` for an empty --home, and for one that is not safe. */
export async function findHome(flags: Flags = {}, env: Environment = process.env): Promise<string> {
  const home = await nameHome(flags, env);
  requireSafeHome(home);
  return home;
}

async function nameHome(flags: Flags, env: Environment): Promise<string> {
  if (flags['home'] !== undefined) return resolve(parseText(flags['home'], '--home'));
  const fromEnv = env['SVCD_HOME'];
  if (fromEnv !== undefined && fromEnv !== '') return resolve(requireAbsolute(fromEnv, { SVCD_HOME: fromEnv }));
  const { default: envPaths } = await import('env-paths');
  // As it reads them itself.
  const { XDG_DATA_HOME, LOCALAPPDATA, HOME } = process.env;
  const named = { XDG_DATA_HOME: XDG_DATA_HOME || undefined, LOCALAPPDATA: LOCALAPPDATA || undefined, HOME };
  return requireAbsolute(envPaths('svcd', { suffix: '' }).data, named);
}

/** The folder of what svcd remembers of homes outside of them; the same for every home of a user. */
async function findStateFolder(): Promise<string> {
  if (process.platform !== 'linux') {
    const { default: envPaths } = await import('env-paths');
    return envPaths('svcd', { suffix: '' }).config;
  }
  // A relative path is to be ignored, by the XDG Base Directory Specification; env-paths would use it.
  const { XDG_STATE_HOME = '', HOME = '' } = process.env;
  if (isAbsolute(XDG_STATE_HOME)) return join(XDG_STATE_HOME, 'svcd');
  return join(isAbsolute(HOME) ? HOME : userInfo().homedir, '.local', 'state', 'svcd');
}

/** Where it is written down how far the owned.db of a home once came: beside it, and outside of the home. */
export async function markFilesOf(home: string): Promise<{ homeFile: string; outsideFile: string }> {
  const name = createHash('sha256').update(home).digest('hex').slice(0, 32);
  return { homeFile: join(home, 'owned.mark'), outsideFile: join(await findStateFolder(), `owned-${name}.mark`) };
}

/** Whether the user wants to see where an unforeseen error came from. */
export function showsStacks(env: Environment = process.env): boolean {
  return env['SVCD_DEBUG'] === '1';
}

/** Whether the user wants no colors (no-color.org), or the terminal has none. */
export function refusesColor(env: Environment = process.env): boolean {
  return (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb';
}

/** The environment of a command that svcd runs: this one's, with these variables on top. */
export function environmentWith(
  variables: Readonly<Record<string, string>>,
  env: Environment = process.env,
): Record<string, string | undefined> {
  return { ...env, ...variables };
}

/** The user's Key from the environment, if one is there and it is not a token of our own. */
export function keyFromEnvironment(env: Environment = process.env): string | undefined {
  const key = env['SERVICE_API_KEY']?.trim();
  return key === undefined || key === '' || isLocalToken(key) ? undefined : key;
}

/** Writes one setting to config.json, or removes it when `value` is undefined. Throws `invalid_config`. */
export function writeSetting(home: string, name: string, value: string | undefined): void {
  const setting = SETTINGS.find((one) => one.file === name);
  if (setting?.file === undefined) {
    const known = SETTINGS.flatMap((one) => one.file ?? []).join(', ');
    throw new SvcdError('invalid_config', `there is no setting ${name}; known are ${known}`);
  }
  const file = { ...readConfigFile(home) };
  if (value === undefined) delete file[setting.file];
  else file[setting.file] = setting.parse(value, `config set ${name}`);
  makeFolder(home);
  const path = join(home, 'config.json');
  replaceFile(path, `${JSON.stringify(file, null, 2)}\n`);
  // The user's word from now on: a removal of it must not bring back what was used before.
  const isRemote = setting.name === 'remote' || setting.name === 'sandbox';
  if (value !== undefined && isRemote && readLastUsed(home) !== undefined) writeLastUsed(home, undefined);
}

/** Where the files shipped with svcd are. */
export const DATA_FOLDER = fileURLToPath(new URL('data', INSTALLATION));

/** What config.json says of a setting now, checked. Throws `invalid_config`. */
export function readSetting(home: string, name: SettingName): unknown {
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

function readConfigFile(home: string): Record<string, unknown> {
  const path = join(home, 'config.json');
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    const code = systemCode(cause);
    if (code === 'ENOENT' || code === 'ENOTDIR') return {};
    throw new SvcdError('invalid_config', `${path} cannot be read (${code ?? 'unknown'})`, { cause });
  }
  const value = parseFile(text, path);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new SvcdError('invalid_config', `${path} must hold a JSON object`);
}

function parseFile(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SvcdError('invalid_config', `${path} is not valid JSON`, { cause });
  }
}
