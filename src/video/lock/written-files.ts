// What this home wrote into a folder, in a note that lies in the home. Nothing else is ever removed there: a lock, or a note in the
// folder itself, may come from anybody, and name a file that is a person's own.

import { randomBytes } from 'node:crypto';
import { appendFileSync, lstatSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesOf, LOCK_FILE, type Lock } from '../../api/lock.js';
import { sha256Hex } from '../../model/hash.js';
import { makeFolder, replaceFile } from '../../platform/files/files.js';
import { foldName } from './name-files.js';

export interface WrittenFile {
  readonly file: string;
  readonly sha256: string;
}

export interface WrittenFiles {
  /** A name that nobody has, for a file while it is written; both go away when no lock names the file at the end. */
  note(file: WrittenFile): string;
  /** Whether this home wrote it. */
  has(file: WrittenFile): boolean;
  /** Has what was written earlier go away, unless the lock names it when this is settled. */
  drop(file: WrittenFile): void;
  /** Removes what was noted, now or by a command that was killed, and none of the locks names. */
  settle(...locks: readonly (Lock | undefined)[]): void;
}

const LINE = /^(part|new|kept) ([0-9a-f]{64}) ([^/\\]+)$/;
const PART = /^\.svcd-[0-9a-f]{24}\.part$/;
type State = 'part' | 'new' | 'kept';

/** Opens the note on a folder, where only one command writes. One that cannot be kept is no harm: a file too many stays. */
export function openWrittenFiles(folder: string, home: string): WrittenFiles {
  const path = join(home, 'written', sha256Hex(realpathSync(folder)));
  const known = new Map<string, State>();
  for (const line of readNote(path).split('\n')) {
    const [, state, sha256, name] = LINE.exec(line) ?? [];
    if (name !== undefined) known.set(`${sha256} ${name}`, state as State);
  }
  const keep = (work: () => void) => {
    try {
      makeFolder(dirname(path));
      work();
    } catch {
      // The home cannot be written.
    }
  };
  const add = (state: State, sha256: string, name: string) => {
    known.set(`${sha256} ${name}`, state);
    keep(() => appendFileSync(path, `${state} ${sha256} ${name}\n`, { mode: 0o600 }));
  };
  const has = ({ sha256, file }: WrittenFile) => known.has(`${sha256} ${file}`);
  return {
    has,
    note: ({ sha256, file }) => {
      const part = `.svcd-${randomBytes(12).toString('hex')}.part`;
      add('part', sha256, part);
      if (file !== LOCK_FILE) add('new', sha256, file);
      return part;
    },
    drop: (one) => {
      if (has(one)) add('new', one.sha256, one.file);
    },
    settle: (...locks) => {
      const named = new Set(
        locks.flatMap((lock) => Object.values(lock?.assets ?? {}).flatMap(filesOf)).map(({ file }) => foldName(file)),
      );
      const before = listOf(known);
      for (const [key, state] of known) {
        const [sha256 = '', name = ''] = key.split(/ (.*)/s);
        const file = join(folder, name);
        const isThere = isFile(file);
        if (named.has(foldName(name))) known.set(key, 'kept');
        else if (state !== 'kept' || !isThere) {
          // What has other bytes by now is somebody's.
          const isOurs = state === 'part' ? PART.test(name) : isThere && sha256Hex(readFileSync(file)) === sha256;
          if (isThere && isOurs) rmSync(file);
          known.delete(key);
        }
      }
      if (known.size === 0 && before !== '') rmSync(path, { force: true });
      else if (before !== listOf(known)) keep(() => replaceFile(path, listOf(known)));
    },
  };
}

function readNote(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Nothing was written yet, or nothing can be known of it.
    return '';
  }
}

function listOf(known: ReadonlyMap<string, State>): string {
  return [...known].map(([key, state]) => `${state} ${key}\n`).join('');
}

/** Whether it is one itself: no link, and no pipe that would be waited for. */
function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
