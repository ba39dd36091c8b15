// Small files of the home folder, written in one step, so that a reader sees the old content or the new one; and folders
// with all those above them. Node's own recursive way tries for ever where no folder can be made (/proc).

import { renameSync, rmSync, writeFileSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes `text` to a new file of mode 0600 beside `path` and puts it in its place. Throws the system's error. */
export function replaceFile(path: string, text: string): void {
  const unfinished = `${path}.new`;
  // A file or link that lies there already could be readable by others, or lead elsewhere.
  rmSync(unfinished, { force: true });
  writeFileSync(unfinished, text, { mode: 0o600, flag: 'wx' });
  renameSync(unfinished, path);
}

/** Makes the folder and what is missing above it, private unless told. Throws the system's error, or that a file is in its place. */
export function makeFolder(folder: string, mode = 0o700): void {
  if (existsSync(folder)) {
    if (statSync(folder).isDirectory()) return;
    throw new Error('a file is in its place');
  }
  makeFolder(dirname(folder), mode);
  mkdirSync(folder, { mode });
}
