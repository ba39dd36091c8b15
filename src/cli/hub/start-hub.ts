// svcd hub start: svcd start, and a listener for machines. What makes a home a hub are settings, so that a restart, a service
// and a start in the background keep them.

import type { Options } from 'yargs';
import { type Flags, loadConfig } from '../../config/config.js';
import { switchOption, textOption } from '../command.js';
import type { Input } from '../terminal/input.js';
import { checkSetting, readSettingFlags, SANDBOX_OPTIONS, SETTING_OPTIONS } from '../terminal/options.js';
import { hubWords } from './words.js';

const DEFAULT_LISTEN = '0.0.0.0:7825';
const PREFIX = 'hub-';

const words = hubWords();

/** Each stands for the setting of the same name with `hub-` before it. */
const SHORT_OPTIONS: Readonly<Record<string, Options>> = {
  listen: textOption(words.listen),
  'public-url': textOption(words.publicUrl),
  identity: textOption(words.identity),
  'tls-cert': textOption(words.tlsCert),
  'tls-key': textOption(words.tlsKey),
  'receipt-key': textOption(words.receiptKey),
  database: textOption(words.database),
  'database-owner': textOption(words.databaseOwner),
};

const plainSettings = Object.entries(SETTING_OPTIONS).map(([flag, option]): [string, Options] => [
  flag,
  // Typed as in "svcd start", they are taken too.
  flag.startsWith(PREFIX) ? { ...option, hidden: true } : option,
]);

export const HUB_START_OPTIONS: Readonly<Record<string, Options>> = {
  ...SHORT_OPTIONS,
  ...Object.fromEntries(plainSettings),
  ...SANDBOX_OPTIONS,
  'strict-machines': SETTING_OPTIONS['hub-strict-machines'] ?? {},
  detach: switchOption(words.detach),
};

export async function startHub(input: Input): Promise<void> {
  const flags = await readHubFlags(input);
  const { start } = await import('../daemon/daemon.js');
  return start(input, flags, 'svcd hub start', true);
}

/** The settings that were typed, by either name. Throws `invalid_argument` naming a bad value. */
async function readHubFlags(input: Input): Promise<Flags> {
  const flags: Record<string, unknown> = { ...readSettingFlags(input) };
  for (const name of Object.keys(SHORT_OPTIONS)) {
    const value = input.text(name);
    if (value === undefined) continue;
    checkSetting(PREFIX + name, value, `--${name}`);
    flags[PREFIX + name] = value;
  }
  if (input.flag('strict-machines') !== undefined) flags['hub-strict-machines'] = input.flag('strict-machines');
  if ((await loadConfig(flags)).hubListen === undefined) flags['hub-listen'] = DEFAULT_LISTEN;
  return flags;
}
