// The home folder of svcd: by a flag, the environment, or the system.

import { createHash } from 'node:crypto';
import { userInfo } from 'node:os';
import { resolve, isAbsolute, join } from 'node:path';
import { requireAbsolute, requireSafeHome } from '../platform/files/safe-home.js';
import { parseText } from './parse-setting.js';

type Values = Readonly<Record<string, unknown>>;

/** The home folder; reads no other setting. Throws `invalid_config` for an empty --home, and for one that is not safe. */
export async function findHome(
  flags: Values = {},
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<string> {
  const home = await nameHome(flags, env);
  requireSafeHome(home);
  return home;
}

/** Whether svcd uses this home where a command line and the environment name none. */
export async function isUsualHome(home: string): Promise<boolean> {
  return home === (await nameHome({}, {}).catch(() => undefined));
}

/** The home folder, whether it is safe or not: for who only looks. */
export async function nameHome(
  flags: Values = {},
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<string> {
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
