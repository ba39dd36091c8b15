// Where it is written down how far a home once came: beside its owned.db, and in the user's folder for state.

import { createHash } from 'node:crypto';
import { userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';

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
