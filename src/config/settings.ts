// Every setting: one row with its default, its parser and what it is. Flag, variable, name in config.json, the type of the value,
// the reference (REFERENCE.md), the schema of the file and the doctor's check follow from the row.

import { FORMS } from '../model/asset.js';
import {
  hideDatabasePassword,
  hidePassword,
  hidePath,
  oneOf,
  parseAddresses,
  parseBoolean,
  parseDatabase,
  parseFolder,
  parseListen,
  parseLocalListen,
  parsePath,
  parseProject,
  parseProxy,
  parseRemote,
  parseTimeZone,
  parseWebhook,
  type Parser,
  whole,
} from './parse-setting.js';

/** What a row says. */
interface Row<T> {
  /** The default; undefined for none, and for what the system decides. */
  readonly initial: T | undefined;
  /** The default, as a person reads it. */
  readonly fallback: string;
  readonly what: string;
  /** Parses text or a JSON value. Throws `invalid_config` with `from` in its message. */
  readonly parse: Parser<T>;
  /** How a value that holds a password is shown; as it is, if not given. */
  readonly show?: ((value: string) => string) | undefined;
}

export const DEFAULT_PORT = 7823;

/** In the order of the reference. Paths are absolute. */
const TABLE = {
  /** Absolute; settled by find-home.ts. */
  home: defineSetting<string, string>(
    '',
    parsePath,
    'Folder with everything svcd keeps.',
    "the system's data folder for svcd",
  ),
  port: defineSetting(DEFAULT_PORT, whole(0, 65_535), 'Port on 127.0.0.1 and ::1; 0 lets the system choose.'),
  /** Without a slash at its end; undefined when there is none. */
  remote: defineSetting(undefined, parseRemote, 'Base address of the service: https, or http on loopback.'),
  sandbox: defineSetting(false, parseBoolean, 'Run the embedded sandbox and use it as the remote.'),
  /** With user and password; undefined where the remote is asked directly. */
  proxy: defineSetting(
    undefined,
    parseProxy,
    'Proxy for an https remote, such as http://proxy.example.com:3128; direct for none.',
    'that of HTTPS_PROXY',
    hidePassword,
  ),
  caFile: defineSetting(
    undefined,
    parsePath,
    "File of certificates (PEM) to trust besides those of Node.js, such as a proxy's own.",
  ),
  offline: defineSetting(false, parseBoolean, 'Never contact the remote.'),
  deadlineMs: defineSetting(
    8000,
    whole(1, 600_000),
    'Milliseconds a client waits for a sticker before it gets a default.',
  ),
  imageDeadlineMs: defineSetting(
    120_000,
    whole(1, 600_000),
    'Milliseconds a client waits for an image before it gets a default.',
  ),
  settleAfterS: defineSetting(
    600,
    whole(600, 86_400),
    'Seconds until an unmoved balance proves that a purchase of unknown outcome was not charged; three times as long for an image.',
  ),
  fallback: defineSetting(true, parseBoolean, 'Serve a default for what cannot be had; false gives the error instead.'),
  whenNothingFits: defineSetting(
    'plain',
    oneOf(['plain', 'transparent', 'error']),
    'What is served when no default fits: plain (a grey one), transparent (an empty one), or error (no default).',
  ),
  maxFileBytes: defineSetting(
    32 * 1024 * 1024,
    whole(1024, 1_000_000_000),
    'Largest sticker or picture taken from the remote, in bytes.',
  ),
  form: defineSetting(
    'as-bought',
    oneOf(FORMS),
    'Form of the stickers that are served: as-bought, or safe (no code, nothing fetched from elsewhere).',
  ),
  /** Undefined for the machine's usual one. */
  project: defineSetting(
    undefined,
    parseProject,
    'Project of the hub that pays for what this machine buys.',
    "the machine's first",
  ),
  cacheLimit: defineSetting(
    undefined,
    whole(1, 1_000_000),
    'Megabytes of files from a hub that are kept here; what was not used for longest goes first.',
    'no limit',
  ),
  backgroundSync: defineSetting(
    true,
    parseBoolean,
    'Fill the library from the service in the background, by free requests; needs a Key.',
  ),
  syncShare: defineSetting(
    50,
    whole(1, 100),
    "Percent of the service's 120 requests a minute that filling the library may take.",
  ),
  /** IANA name; undefined for the system's. */
  timeZone: defineSetting(
    undefined,
    parseTimeZone,
    'Time zone that budgets count days and months in, such as Asia/Shanghai.',
    "the system's",
  ),
  trustLoopback: defineSetting(false, parseBoolean, "Let callers without a token spend the user's credits."),
  keyFile: defineSetting(
    undefined,
    parsePath,
    'File of mode 0600 that holds your Key, for machines without a keychain.',
  ),
  package: defineSetting(
    undefined,
    parsePath,
    'Template package (folder or .motion) whose service.key.json is used if there is no other Key.',
  ),
  registerProductions: defineSetting(
    'ask',
    oneOf(['ask', 'always', 'never']),
    'Tell the service which template is produced: ask (once, on a terminal), always, or never. With always each plan, apply and ' +
      'done tells it template, layout, seconds and kinds of assets. No copy, no names.',
  ),
  metrics: defineSetting(
    undefined,
    parseLocalListen,
    'Answer GET /metrics (OpenMetrics), /healthz and /readyz at this HOST:PORT; beyond loopback with the token in HOME/metrics-token.',
  ),
  webhook: defineSetting(
    undefined,
    parseWebhook,
    'Address that is told of budgets at 80 and 100 %, unknown purchases, a refused Key and a full disk; HOME/webhook-secret signs it.',
    'none',
    hidePath,
  ),
  folder: defineSetting(undefined, parseFolder, 'Folder that the page puts files into, for your editing program.'),
  /** `HOST:PORT`, of a home that is a hub. */
  hubListen: defineSetting(undefined, parseListen, 'Be a hub: let machines in at this HOST:PORT ("svcd hub start").'),
  hubPublicUrl: defineSetting(undefined, parseAddresses, 'What machines call the hub: https addresses, with commas.'),
  hubNextUrl: defineSetting(
    undefined,
    parseAddresses,
    'Where machines will find the hub next, told them beforehand ("svcd hub move").',
  ),
  hubIdentity: defineSetting(
    undefined,
    parsePath,
    "Folder of the hub's certificate and receipt key, which several hubs can share.",
    'hub in the home',
  ),
  hubTlsCert: defineSetting(undefined, parsePath, 'Certificate of the hub (PEM), in place of one that svcd makes.'),
  hubTlsKey: defineSetting(undefined, parsePath, 'Private key of that certificate (PEM).'),
  hubReceiptKey: defineSetting(undefined, parsePath, 'Private key that receipts are signed with (Ed25519, PEM).'),
  hubDatabase: defineSetting(
    undefined,
    parseDatabase,
    'PostgreSQL for the money of the hub: postgres://USER:PASSWORD@HOST:5432/NAME, several hosts with commas between.',
    'none',
    hideDatabasePassword,
  ),
  hubDatabaseOwner: defineSetting(
    undefined,
    parseDatabase,
    'The same with a user who may make its tables.',
    'none',
    hideDatabasePassword,
  ),
  hubStrictMachines: defineSetting(
    false,
    parseBoolean,
    'Be a hub at which a machine whose home runs in two places buys at the first of them alone.',
  ),
  hubAcceptAsynchronous: defineSetting(
    false,
    parseBoolean,
    'Be a hub although a standby of the database lags, so that purchases are forgotten when it is promoted.',
  ),
};

type SettingName = keyof typeof TABLE;
/** The values of all settings; undefined where one without a default is not set. */
export type SettingValues = { readonly [N in SettingName]: (typeof TABLE)[N] extends Row<infer T> ? T : never };
export type SettingValue = SettingValues[SettingName];

export interface Setting extends Row<SettingValue> {
  readonly name: SettingName;
  /** Command-line flag, without dashes. */
  readonly flag: string;
  readonly env: string;
  /** Name in config.json; undefined for what cannot stand there. */
  readonly file: string | undefined;
}

/** Every setting, in the order of the reference. */
export const SETTINGS: readonly Setting[] = Object.entries<Row<SettingValue>>(TABLE).map(([name, row]) => {
  const words = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return {
    name: name as SettingName,
    flag: words,
    env: `SVCD_${words.replaceAll('-', '_').toUpperCase()}`,
    // The home is where the file lies.
    file: name === 'home' ? undefined : name,
    ...row,
  };
});

/** `fallback` describes a default that is no plain value. */
function defineSetting<T, I extends T | undefined>(
  initial: I,
  parse: Parser<T>,
  what: string,
  fallback = initial === undefined ? 'none' : String(initial),
  show?: Row<T>['show'],
): Row<I extends undefined ? T | undefined : T> {
  return { initial, fallback, what, parse, show };
}

/** A value as it may be shown: a proxy without user and password, a database without its password. */
export function shownValue<T>({
  setting,
  value,
}: {
  readonly setting: Pick<Setting, 'show'>;
  readonly value: T;
}): T | string {
  return value === undefined || setting.show === undefined ? value : setting.show(String(value));
}

/** Typed settings without those that hold a password; these as variables, which no other user can read. */
export function passwordsApart(flags: Readonly<Record<string, unknown>>): {
  readonly open: Readonly<Record<string, unknown>>;
  readonly secret: Readonly<Record<string, string>>;
} {
  const hidden = SETTINGS.filter((setting) => {
    const value = flags[setting.flag];
    return typeof value === 'string' && shownValue({ setting, value }) !== value;
  });
  const names = new Set(hidden.map(({ flag }) => flag));
  return {
    open: Object.fromEntries(Object.entries(flags).filter(([name]) => !names.has(name))),
    secret: Object.fromEntries(hidden.map(({ flag, env }) => [env, String(flags[flag])])),
  };
}
