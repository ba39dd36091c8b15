// Small files of the home folder: written in one step, so that a reader sees the old content or the new one.

import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** Writes `text` to a new file of mode 0600 beside `path` and puts it in its place. Throws the system's error. */
export function replaceFile(path: string, text: string): void {
  const unfinished = `${path}.new`;
  // A file or link that lies there already could be readable by others, or lead elsewhere.
  rmSync(unfinished, { force: true });
  writeFileSync(unfinished, text, { mode: 0o600, flag: 'wx' });
  renameSync(unfinished, path);
}
