// Settings as options of a command.

import type { Options } from 'yargs';
import { SETTINGS, type Flags, type Setting } from '../config/config.js';
import { SvcdError, isSvcdError } from '../model/errors.js';
import type { Input } from './input.js';

/** An option for every setting. */
export const SETTING_OPTIONS: Readonly<Record<string, Options>> = Object.fromEntries(
  SETTINGS.map((setting) => [setting.flag, optionOf(setting)]),
);

/** The settings that were typed, by flag. Throws `invalid_argument` naming a value that will not do. */
export function readSettingFlags(input: Input): Flags {
  const flags: Record<string, unknown> = {};
  for (const setting of SETTINGS) {
    const value = isSwitch(setting) ? input.flag(setting.flag) : input.text(setting.flag);
    if (value === undefined) continue;
    flags[setting.flag] = value;
    check(setting, value);
  }
  return flags;
}

function optionOf(setting: Setting): Options {
  const describe = `${setting.what} [${setting.fallback}; ${setting.env}]`;
  return isSwitch(setting) ? { type: 'boolean', describe } : { type: 'string', requiresArg: true, describe };
}

function isSwitch({ fallback }: Setting): boolean {
  return fallback === 'true' || fallback === 'false';
}

function check(setting: Setting, value: unknown): void {
  try {
    setting.parse(value, `--${setting.flag}`);
  } catch (cause) {
    if (!isSvcdError(cause, 'invalid_config')) throw cause;
    throw new SvcdError('invalid_argument', cause.message, { cause });
  }
}
