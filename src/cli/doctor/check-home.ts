// The home folder: whether it is private, whether its databases are sound, whether its settings can be read.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig, type Config } from '../../config/config.js';
import { findDamage } from '../../platform/open-database.js';
import type { Check } from './check.js';

/** Whether anybody else can read what is in the home. */
export function checkPrivacy(home: string): Check {
  const name = 'home';
  if (!existsSync(home))
    return { name, state: 'ok', words: `${home} is not there yet; the first start makes it` };
  if (process.platform === 'win32') return { name, state: 'ok', words: home };
  const exposed = [home, ...readdirSync(home).map((file) => join(home, file))].filter(isExposed);
  // Behind a folder that is closed the rights of files do not matter.
  if (exposed[0] === home) {
    return {
      name,
      state: 'bad',
      words: `other users can look into ${home}, which holds the token and what you bought`,
      hint: `Run: chmod 700 ${home}`,
    };
  }
  return { name, state: 'ok', words: `${home} is private` };
}

/** Whether a database is sound; SQLite's own quick check. */
export function checkDatabase(home: string, file: 'owned.db' | 'library.db'): Check {
  const path = join(home, file);
  if (!existsSync(path)) return { name: file, state: 'ok', words: 'is not there yet' };
  const damage = findDamage(path);
  if (damage === undefined) return { name: file, state: 'ok', words: 'is sound' };
  const hint =
    file === 'library.db'
      ? 'It can be made again: the next start sets it aside and does so.'
      : 'It holds what you paid for and is never rebuilt. Stop svcd and put it back from a backup.';
  return { name: file, state: file === 'library.db' ? 'warn' : 'bad', words: `is damaged: ${damage}`, hint };
}

/** Whether the settings can be read. Throws `invalid_config`. */
export async function checkSettings(home: string): Promise<Check> {
  const config: Config = await loadConfig({ home });
  if (!config.trustLoopback) return { name: 'settings', state: 'ok', words: 'can be read' };
  return {
    name: 'settings',
    state: 'warn',
    words: 'let any program of any user on this machine spend your credits (trustLoopback)',
    hint: 'End it with "svcd config unset trustLoopback", or set a limit with "svcd budget set --day N".',
  };
}

function isExposed(path: string): boolean {
  return (statSync(path).mode & 0o077) !== 0;
}
