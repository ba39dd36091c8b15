// The home folder of svcd: by a flag, the environment, or the system.

import { createHash } from 'node:crypto';
import { userInfo } from 'node:os';
import { resolve, isAbsolute, join } from 'node:path';
import { usualHome } from '../platform/files/runtime-file.js';
import { requireAbsolute, requireSafeHome } from '../platform/files/safe-home.js';
import { userFolder } from '../platform/files/user-folder.js';
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
  const { XDG_DATA_HOME, LOCALAPPDATA, HOME } = process.env;
  const named = { XDG_DATA_HOME: XDG_DATA_HOME || undefined, LOCALAPPDATA: LOCALAPPDATA || undefined, HOME };
  return requireAbsolute(usualHome(named, userFolder), named);
}

/** The folder of what svcd remembers of homes outside of them; the same for every home of a user. */
function findStateFolder(): string {
  const { APPDATA, XDG_CONFIG_HOME, XDG_STATE_HOME = '', HOME = '' } = process.env;
  if (process.platform === 'darwin') return join(userFolder(), 'Library', 'Preferences', 'svcd');
  if (process.platform === 'win32') return join(APPDATA || join(userFolder(), 'AppData', 'Roaming'), 'svcd', 'Config');
  if (process.platform !== 'linux') return join(XDG_CONFIG_HOME || join(userFolder(), '.config'), 'svcd');
  // A relative path is to be ignored, by the XDG Base Directory Specification.
  if (isAbsolute(XDG_STATE_HOME)) return join(XDG_STATE_HOME, 'svcd');
  return join(isAbsolute(HOME) ? HOME : userInfo().homedir, '.local', 'state', 'svcd');
}

/**
 * Where it is written down how far the owned.db of a home once came: beside it, and outside of the home, unless the system
 * does not know the user (in a container), who has no other folder.
 */
export async function markFilesOf(home: string): Promise<{ homeFile: string; outsideFile: string | undefined }> {
  const name = createHash('sha256').update(home).digest('hex').slice(0, 32);
  const homeFile = join(home, 'owned.mark');
  try {
    return { homeFile, outsideFile: join(findStateFolder(), `owned-${name}.mark`) };
  } catch {
    return { homeFile, outsideFile: undefined };
  }
}
