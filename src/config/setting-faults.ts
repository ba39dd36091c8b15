// What is wrong with the settings, all of it at once: loadConfig stops at the first. And the variables of the environment
// that svcd looks at without them being settings.

import { join } from 'node:path';
import { isSvcdError, type SvcdError } from '../model/errors.js';
import { readConfigFile } from './json-file.js';
import type { Environment } from './config.js';
import { SETTINGS } from './settings.js';
import { readLastUsed } from './last-used.js';
import { readOrigins } from './origins-file.js';

export interface SettingFault {
  /** A file that cannot be used as a whole, a name that is no setting, or a value that is none of its setting. */
  readonly kind: 'file' | 'name' | 'value';
  readonly where: 'file' | 'environment';
  /** Path, name in config.json, or variable. */
  readonly name: string;
  readonly message: string;
}

/** Variables of svcd that are no settings. */
const OTHER_VARIABLES = new Set(['SVCD_DEBUG']);

/** Everything in config.json, the environment, last-used.json and origins.json that svcd does not take. Never throws. */
export function findSettingFaults(home: string, env: Environment = process.env): SettingFault[] {
  const variables = Object.entries(env).filter(([, value]) => value !== undefined && value !== '');
  return [
    ...unusable(join(home, 'config.json'), () => void readConfigFile(home)),
    ...unusable(join(home, 'last-used.json'), () => void readLastUsed(home)),
    ...unusable(join(home, 'origins.json'), () => void readOrigins(home)),
    ...Object.entries(contentOf(home)).flatMap(([name, value]): SettingFault[] => {
      if (name === '$schema') return [];
      const setting = SETTINGS.find(({ file }) => file === name);
      if (setting === undefined) return [{ kind: 'name', where: 'file', name, message: name }];
      return wrongValue('file', name, () => setting.parse(value, `${name} in ${join(home, 'config.json')}`));
    }),
    ...variables.flatMap(([name, value]): SettingFault[] => {
      const setting = SETTINGS.find((one) => one.env === name);
      if (setting !== undefined) return wrongValue('environment', name, () => setting.parse(value, name));
      if (!name.startsWith('SVCD_') || OTHER_VARIABLES.has(name)) return [];
      return [{ kind: 'name', where: 'environment', name, message: name }];
    }),
  ];
}

function contentOf(home: string): Readonly<Record<string, unknown>> {
  try {
    return readConfigFile(home);
  } catch {
    // It is told as a whole.
    return {};
  }
}

function unusable(name: string, read: () => void): SettingFault[] {
  const error = errorOf(read);
  return error === undefined ? [] : [{ kind: 'file', where: 'file', name, message: error.message }];
}

function wrongValue(where: SettingFault['where'], name: string, parse: () => unknown): SettingFault[] {
  const error = errorOf(parse);
  return error === undefined ? [] : [{ kind: 'value', where, name, message: error.message }];
}

function errorOf(work: () => unknown): SvcdError | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (isSvcdError(error, 'invalid_config')) return error;
    throw error;
  }
}

/** The folders in which a shell looks for a program, in their order. */
export function programFolders(env: Environment = process.env): readonly string[] {
  const separator = process.platform === 'win32' ? ';' : ':';
  return (env['PATH'] ?? '').split(separator).filter((folder) => folder !== '');
}

export interface NamedProxy {
  readonly variable: string;
  /** As it was set: it may hold a password. */
  readonly address: string;
}

export interface Proxies {
  readonly named: readonly NamedProxy[];
  /** What is asked without them. */
  readonly exceptions: readonly string[];
}

/** The proxies that programs read from the environment. */
export function findProxies(env: Environment = process.env): Proxies {
  const named = Object.entries(env).flatMap(([variable, address = '']) =>
    /^(?:https?|all)_proxy$/i.test(variable) && address.trim() !== '' ? [{ variable, address: address.trim() }] : [],
  );
  const listed = (env['no_proxy'] || env['NO_PROXY'] || '').split(/[\s,]+/);
  return { named, exceptions: listed.filter((one) => one !== '') };
}
