// Where this system keeps a person's videos.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { userFolder } from './user-folder.js';

const KEY = String.raw`HKCU\Software\Microsoft\Windows\CurrentVersion\Explorer\Shell Folders`;

/** Its path, whether it is there or not. Throws `invalid_config` for a user whom the system does not know. */
export async function videosFolder(): Promise<string> {
  const user = userFolder();
  if (process.platform === 'darwin') return join(user, 'Movies');
  const told = process.platform === 'win32' ? await fromRegistry() : fromUserDirs(user);
  return told ?? join(user, 'Videos');
}

/** The known folder of Windows, which may lie on another disk. */
async function fromRegistry(): Promise<string | undefined> {
  const asked = await promisify(execFile)('reg', ['query', KEY, '/v', 'My Video']).catch(() => undefined);
  return /REG_SZ\s+(.+?)\s*$/m.exec(asked?.stdout ?? '')?.[1];
}

/** As xdg-user-dirs notes it: `XDG_VIDEOS_DIR="$HOME/视频"`. */
function fromUserDirs(user: string): string | undefined {
  try {
    const lines = readFileSync(join(user, '.config', 'user-dirs.dirs'), 'utf8');
    const [, below, whole] = /^XDG_VIDEOS_DIR="(?:\$HOME\/([^"]+)|(\/[^"]+))"/m.exec(lines) ?? [];
    return below === undefined ? whole : join(user, below);
  } catch {
    return undefined;
  }
}
