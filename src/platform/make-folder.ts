// Making a folder with all those above it. Node's own recursive way tries for ever where no folder can be made (/proc).

import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Makes the folder and what is missing above it, private unless told. Throws the system's error, or that a file is in its place. */
export function makeFolder(folder: string, mode = 0o700): void {
  if (existsSync(folder)) {
    if (statSync(folder).isDirectory()) return;
    throw new Error('a file is in its place');
  }
  makeFolder(dirname(folder), mode);
  mkdirSync(folder, { mode });
}
