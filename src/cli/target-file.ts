// The file an answer is written to: there as a whole or not at all, and tried before anything is paid.

import {
  closeSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { SvcdError, systemCode } from '../model/errors.js';

export interface TargetFile {
  /** Puts the bytes in place. Throws `invalid_argument`. */
  commit(bytes: Uint8Array): void;
  /** Leaves everything as it was. Does nothing after a commit. */
  abandon(): void;
}

/** Opens a way to replace a file. Throws `invalid_argument` when it cannot be written. */
export function openTargetFile(file: string): TargetFile {
  // Through links, and never by renaming over a device: "-o /dev/null" must leave it one.
  const place = findPlace(file);
  const part = place.replaceable ? `${place.path}.${process.pid}.part` : place.path;
  const handle = guard(file, () => openSync(part, place.replaceable ? 'wx' : 'w'));
  let open = true;
  return {
    commit: (bytes) => {
      guard(file, () => {
        for (let at = 0; at < bytes.byteLength;) at += writeSync(handle, bytes, at);
        if (!place.replaceable) return;
        fsyncSync(handle);
        renameSync(part, place.path);
        open = false;
      });
    },
    abandon: () => {
      closeSync(handle);
      if (open && place.replaceable) rmSync(part, { force: true });
    },
  };
}

function findPlace(file: string): { path: string; replaceable: boolean } {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return { path: file, replaceable: true };
  return { path: realpathSync(file), replaceable: found.isFile() };
}

function guard<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new SvcdError('invalid_argument', `${file} cannot be written (${systemCode(cause) ?? 'unknown'})`, {
      cause,
    });
  }
}
