// Options that several commands share, and what they read.

import type { Options } from 'yargs';
import type { Config, Flags } from '../../config/config.js';
import { passwordsApart, type Setting, SETTINGS } from '../../config/settings.js';
import type { SandboxStartOptions } from '../../daemon/host-sandbox.js';
import { isSvcdError } from '../../model/errors.js';
import { type Permission, PERMISSIONS, USUAL_PERMISSIONS } from '../../model/spender.js';
import { switchOption, textOption } from '../command.js';
import { type Input, invalidArgument } from './input.js';
import { terminalWords, settingWords } from './words.js';

// As many digits as the reader of numbers takes.
const WHOLE_MAX = 999_999_999;
const words = terminalWords();

/** Of commands that write a file. */
export const OVERWRITE_OPTION = { overwrite: switchOption(words.overwrite) };

/** An option for every setting. */
export const SETTING_OPTIONS: Readonly<Record<string, Options>> = Object.fromEntries(
  SETTINGS.map((setting) => {
    const describe = `${settingWords().what(setting)} [${settingWords().fallback(setting)}; ${setting.env}]`;
    return [setting.flag, isSwitch(setting) ? switchOption(describe) : textOption(describe)];
  }),
);

/** The settings that were typed, by flag. Throws `invalid_argument` naming a bad value. */
export function readSettingFlags(input: Input): Flags {
  const flags: Record<string, unknown> = {};
  for (const setting of SETTINGS) {
    const value = isSwitch(setting) ? input.flag(setting.flag) : input.text(setting.flag);
    if (value === undefined) continue;
    flags[setting.flag] = value;
    check(setting, value, `--${setting.flag}`);
  }
  return flags;
}

/** Others can read the arguments of a process: this replaces them there, where a setting with a password was typed. */
export function hideTyped(flags: Flags, title: string): void {
  if (Object.keys(passwordsApart(flags).secret).length > 0) process.title = title;
}

/** Throws `invalid_argument` for a value that the setting of this flag does not take, as of `typed`. */
export function checkSetting(flag: string, value: string, typed: string): void {
  const setting = SETTINGS.find((one) => one.flag === flag);
  if (setting !== undefined) check(setting, value, typed);
}

/** Of the settings that were typed those that are paths, which are relative to the user's folder, as absolute ones. */
export function absolutePaths(typed: Flags, config: Config): Flags {
  const paths = SETTINGS.filter(({ name, flag }) => PATHS.has(name) && typed[flag] !== undefined);
  return Object.fromEntries(paths.map(({ name, flag }) => [flag, config[name]]));
}

const PATHS: ReadonlySet<string> = new Set<keyof Config>([
  'caFile',
  'keyFile',
  'package',
  'hubIdentity',
  'hubTlsCert',
  'hubTlsKey',
  'hubReceiptKey',
]);

function isSwitch({ fallback }: Setting): boolean {
  return fallback === 'true' || fallback === 'false';
}

function check(setting: Setting, value: unknown, typed: string): void {
  try {
    setting.parse(value, typed);
  } catch (cause) {
    if (!isSvcdError(cause, 'invalid_config')) throw cause;
    throw invalidArgument(cause.message, undefined, cause);
  }
}

export const SANDBOX_OPTIONS = {
  seed: textOption(words.seed),
  credits: textOption(words.credits),
  fresh: switchOption(words.fresh),
  with: textOption(words.with),
};

/** Reads them; what was not typed is undefined. Throws `invalid_argument`. */
export function readSandboxOptions(input: Input): SandboxStartOptions {
  return {
    seed: input.whole('seed', 0, WHOLE_MAX),
    credits: input.whole('credits', 0, WHOLE_MAX),
    fresh: input.flag('fresh'),
    modules: input
      .text('with')
      ?.split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  };
}

/** The same as arguments for another process. */
export function sandboxArguments({ seed, credits, fresh, modules }: SandboxStartOptions): string[] {
  return asArguments({ seed, credits, fresh, with: modules?.join(',') });
}

/** Options by name as arguments; those that are undefined are left out. */
export function asArguments(options: object): string[] {
  return Object.entries(options as Readonly<Record<string, string | number | boolean | undefined>>).flatMap(
    ([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]),
  );
}

export const ONLY_OPTION = { only: textOption(words.only(PERMISSIONS.join(', '), USUAL_PERMISSIONS.join(','))) };

/** Permissions of an option, `--only` if not told; undefined when it was not given. Throws `invalid_argument` naming the word. */
export function readOnly(input: Input, option = 'only'): Permission[] | undefined {
  const typed = input.list(option).flatMap((text) => text.split(',').map((word) => word.trim()));
  if (typed.length === 0) return undefined;
  return typed.map((word) => {
    const known = PERMISSIONS.find((one) => one === word);
    if (known !== undefined) return known;
    throw invalidArgument(words.notPermission(option, PERMISSIONS.join(', '), JSON.stringify(word)));
  });
}

/** Of what asks before it buys (terminal-input.ts). */
export const PAY_OPTIONS = {
  'max-credits': textOption(words.pay.maxCredits),
  yes: { ...switchOption(words.pay.yes), alias: 'y' },
};

/** A number of credits. Throws `invalid_argument`. */
export function readCredits(input: Input, name: string): number | undefined {
  return input.whole(name, 0, WHOLE_MAX);
}
