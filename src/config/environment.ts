// What the environment says besides settings: of the terminal, of Node.js, the user's Key; and the environments of programs that
// svcd starts.

import { isLocalToken } from '../model/spender.js';
import type { Environment } from './config.js';
import { SETTINGS } from './settings.js';

/** Whether the user wants to see where an unforeseen error came from. */
export function showsStacks(env: Environment = process.env): boolean {
  return env['SVCD_DEBUG'] === '1';
}

/** Whether the user wants no colors (no-color.org), or the terminal has none. */
export function refusesColor(env: Environment = process.env): boolean {
  return (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb';
}

/** What shows this terminal: iTerm2, or tmux in between, which may swallow a picture or show it where the pane is no more. */
export function terminalKind(env: Environment = process.env): 'tmux' | 'iterm' | undefined {
  if (env['TMUX'] !== undefined) return 'tmux';
  return env['TERM_PROGRAM'] === 'iTerm.app' || env['LC_TERMINAL'] === 'iTerm2' ? 'iterm' : undefined;
}

/** Whether a machine runs this: nobody is there to be asked. */
export function isUnattended(env: Environment = process.env): boolean {
  return !['', 'false', '0'].includes(env['CI'] ?? '');
}

/** The program that the user types commands into; empty where the system does not say. */
export function userShell(env: Environment = process.env): string {
  return env['SHELL'] ?? '';
}

/** The environment of a command that svcd runs: this one's, with these variables on top. */
export function environmentWith(
  variables: Readonly<Record<string, string>>,
  env: Environment = process.env,
): Record<string, string | undefined> {
  return { ...env, ...variables };
}

/** This process's environment without svcd's settings but `kept` ones: for a daemon that has them from elsewhere. */
export function environmentWithoutSettings(kept: readonly string[] = [], env: Environment = process.env): Environment {
  const names = new Set(SETTINGS.map((setting) => setting.env).filter((name) => !kept.includes(name)));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.has(name)));
}

/** The file of further certificates that Node.js itself was told of. */
export function nodeCaFile(env: Environment = process.env): string | undefined {
  return env['NODE_EXTRA_CA_CERTS'] || undefined;
}

/** The user's Key from the environment, if one is there and it is not a token of our own. */
export function keyFromEnvironment(env: Environment = process.env): string | undefined {
  const key = env['SERVICE_API_KEY']?.trim();
  return key === undefined || key === '' || isLocalToken(key) ? undefined : key;
}

/** The token that `svcd run` gave its command for the daemon at this address, where this process is in one. */
export function tokenOfRun(url: string, env: Environment = process.env): string | undefined {
  const token = env['SERVICE_API_KEY']?.trim() ?? '';
  return isLocalToken(token) && env['SERVICE_BASE_URL'] === url ? token : undefined;
}

/**
 * Locales such as `zh_CN.UTF-8` or `zh`, the most wanted first, as gettext reads them. None in the locale C, and none for
 * a charset other than UTF-8, which is all that svcd writes: English is readable there.
 */
export function wantedLocales(env: Environment = process.env, system = systemLocale): readonly string[] {
  const locale = firstSet(env['LC_ALL'], env['LC_MESSAGES'], env['LANG']) ?? system();
  // LANGUAGE means nothing there, as for gettext.
  if (locale === undefined || /^(?:C|POSIX)(?:\.|$)/.test(locale)) return [];
  // A locale without a charset, such as zh_CN, is nearly always UTF-8 nowadays.
  const [, charset = 'UTF-8'] = /\.([^@]+)/.exec(firstSet(env['LC_ALL'], env['LC_CTYPE'], env['LANG']) ?? '') ?? [];
  if (!/^utf-?8$/i.test(charset)) return [];
  return firstSet(env['LANGUAGE'])?.split(':') ?? [locale];
}

function firstSet(...values: readonly (string | undefined)[]): string | undefined {
  return values.find((one) => one !== undefined && one !== '');
}

/** Windows has no such variables; elsewhere this would be made of them. */
function systemLocale(): string | undefined {
  return process.platform === 'win32' ? new Intl.DateTimeFormat().resolvedOptions().locale : undefined;
}
