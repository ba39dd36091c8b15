// What a command that was killed leaves behind: files that it wrote and that no lock names (any more). Each is noted before it
// is written, and before a new lock takes the place of the one that named it; the next command removes what is noted, has the
// bytes that svcd wrote, and is in no lock. What is not noted is never removed.

import { closeSync, lstatSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { LOCK_FILE, type Lock } from '../../api/lock.js';
import { sha256Hex } from '../../model/hash.js';
import { createNew } from '../../platform/files/files.js';
import { foldName, isGivenName } from './name-files.js';

export interface WrittenFiles {
  /** To be removed, unless the lock names it when this is settled. */
  note(file: { readonly file: string; readonly sha256: string }): void;
  /** Removes what was noted, now or by a command that was killed, and `lock` does not name. */
  settle(lock: Lock | undefined): void;
  /** Lets everything stay that was noted. */
  forget(): void;
}

/** Gone whenever a command ends by itself. */
const NOTE_FILE = `.${LOCK_FILE}.written`;
const LINE = /^([0-9a-f]{64}) (.+)$/;

/** Opens the note of a folder; nobody else writes there. */
export function openWrittenFiles(folder: string): WrittenFiles {
  const path = join(folder, NOTE_FILE);
  let open: number | undefined;
  const forget = () => {
    if (open !== undefined) closeSync(open);
    open = undefined;
    rmSync(path, { force: true });
  };
  return {
    note: ({ file, sha256 }) => {
      // Never through a link that lies there.
      open ??= createNew(path);
      writeSync(open, `${sha256} ${file}\n`);
    },
    settle: (lock) => {
      const named = new Set(Object.values(lock?.assets ?? {}).map(({ file }) => foldName(file)));
      for (const line of isFile(path) ? readFileSync(path, 'utf8').split('\n') : []) {
        const [, sha256, name = ''] = LINE.exec(line) ?? [];
        if (!isGivenName(name) || named.has(foldName(name))) continue;
        const file = join(folder, name);
        if (isFile(file) && sha256Hex(readFileSync(file)) === sha256) rmSync(file, { force: true });
      }
      forget();
    },
    forget,
  };
}

/** Whether it is one itself: no link, and no pipe that would be waited for. */
function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
