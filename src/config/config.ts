// Settings: flags over environment over config.json over what the home was last used with (remote and sandbox only) over
// defaults, read once into one frozen value.
// Secrets are no part of it, so that it can be printed.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SvcdError } from '../model/errors.js';
import { INSTALLATION } from '../platform/installation.js';
import { makeFolder, replaceFile } from '../platform/files/files.js';
import { FORMS, type Form } from '../model/asset.js';
import { chooseProxy } from './choose-proxy.js';
import { readConfigFile } from './config-file.js';
import { endSandbox } from './end-sandbox.js';
import { findHome } from './find-home.js';
import { readLastUsed, SANDBOX, writeLastUsed } from './last-used.js';
import { settleForMember } from './member-settings.js';
import {
  oneOf,
  parseAddresses,
  parseBoolean,
  parseDatabase,
  parseFolder,
  parseListen,
  parsePath,
  parseProject,
  parseProxy,
  parseRemote,
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
  /** Address of the proxy for this remote, with user and password; undefined where it is asked directly. */
  readonly proxy: string | undefined;
  /** Absolute path of a file with certificates that are trusted besides the usual ones. */
  readonly caFile: string | undefined;
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
  /** The project of the hub that pays for what this machine buys; undefined for the machine's usual one. */
  readonly project: string | undefined;
  /** Megabytes of what a hub can give again that are kept here; undefined for no limit. */
  readonly cacheLimit: number | undefined;
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
  /** Where machines come in (`HOST:PORT`), of a home that is a hub. */
  readonly hubListen: string | undefined;
  /** What machines call it from outside: addresses with commas between. */
  readonly hubPublicUrl: string | undefined;
  /** Absolute paths: the folder of certificate and receipt key that svcd makes, and files in their place. */
  readonly hubIdentity: string | undefined;
  readonly hubTlsCert: string | undefined;
  readonly hubTlsKey: string | undefined;
  readonly hubReceiptKey: string | undefined;
  /** Address of the PostgreSQL that holds the money of a hub, with its password. */
  readonly hubDatabase: string | undefined;
  /** The same with a user who may make tables. */
  readonly hubDatabaseOwner: string | undefined;
  /** Whether a hub starts although a standby of its database may forget purchases. */
  readonly hubAcceptAsynchronous: boolean;
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
  defineSetting(
    'proxy',
    undefined,
    parseProxy,
    'Proxy for an https remote, such as http://proxy.example.com:3128; direct for none.',
    'that of HTTPS_PROXY',
  ),
  defineSetting(
    'caFile',
    undefined,
    parsePath,
    "File of certificates (PEM) to trust besides those of Node.js, such as a proxy's own.",
  ),
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
    'project',
    undefined,
    parseProject,
    'Project of the hub that pays for what this machine buys.',
    "the machine's first",
  ),
  defineSetting(
    'cacheLimit',
    undefined,
    whole(1, 1_000_000),
    'Megabytes of files from a hub that are kept here; what was not used for longest goes first.',
    'no limit',
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
  defineSetting('hubListen', undefined, parseListen, 'Be a hub: let machines in at this HOST:PORT ("svcd hub start").'),
  defineSetting('hubPublicUrl', undefined, parseAddresses, 'What machines call the hub: https addresses, with commas.'),
  defineSetting(
    'hubIdentity',
    undefined,
    parsePath,
    "Folder of the hub's certificate and receipt key, which several hubs can share.",
    'hub in the home',
  ),
  defineSetting('hubTlsCert', undefined, parsePath, 'Certificate of the hub (PEM), in place of one that svcd makes.'),
  defineSetting('hubTlsKey', undefined, parsePath, 'Private key of that certificate (PEM).'),
  defineSetting('hubReceiptKey', undefined, parsePath, 'Private key that receipts are signed with (Ed25519, PEM).'),
  defineSetting(
    'hubDatabase',
    undefined,
    parseDatabase,
    'PostgreSQL for the money of the hub: postgres://USER:PASSWORD@HOST:5432/NAME, several hosts with commas between.',
  ),
  defineSetting('hubDatabaseOwner', undefined, parseDatabase, 'The same with a user who may make its tables.'),
  defineSetting(
    'hubAcceptAsynchronous',
    false,
    parseBoolean,
    'Be a hub although a standby of the database lags, so that purchases are forgotten when it is promoted.',
  ),
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
  const given = endSandbox<SettledSetting>(
    SETTINGS.map(
      (setting) =>
        settleGiven(setting, flags, env, file, last, home) ?? {
          setting,
          value: setting.name === 'home' ? home : setting.initial,
          from: 'default',
        },
    ),
    SOURCES,
  );
  const settled = settleForMember(home, given);
  return settled.map((one) => (one.setting.name === 'proxy' ? settleProxy(one, settled, env) : one));
}

/** The proxy for the remote that was settled, from the environment's own variables where svcd's name none. */
function settleProxy(own: SettledSetting, settled: readonly SettledSetting[], env: Environment): SettledSetting {
  const valueOf = (name: SettingName) => settled.find(({ setting }) => setting.name === name)?.value;
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
