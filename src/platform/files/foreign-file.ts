// Opens and reads files that a user named, or that lie where anybody may put one: regular files only, because a pipe may never
// begin and a device never end, and no more bytes than are wanted, whatever the file says of its size.

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { SvcdError } from '../../model/errors.js';

// A pipe without a writer would be waited for. Windows has no such bit, and no pipes among its files.
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** A file's handle and size. A folder gives `EISDIR` when it is read. Throws `invalid_argument` for a pipe or device, and the system's error. */
export function openForeignFile(file: string): { readonly fd: number; readonly size: number } {
  const fd = openSync(file, READ);
  try {
    const found = fstatSync(fd);
    if (found.isFile() || found.isDirectory()) return { fd, size: found.size };
    throw new SvcdError('invalid_argument', `${file} is a pipe or a device; save it to a file first`);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** All bytes of a file. Throws `body_too_large` before a larger one is read, and as `openForeignFile`. */
export function readForeignFile(file: string, maxBytes: number): Buffer<ArrayBuffer> {
  const { fd, size } = openForeignFile(file);
  try {
    // A file may be written to while it is read; those of /proc say 0.
    const room = Buffer.alloc(Math.min(Math.max(size, 64 * 1024), maxBytes) + 1);
    let read = 0;
    for (let more = -1; more !== 0 && read < room.length; read += more) {
      more = size > maxBytes ? 0 : readSync(fd, room, read, room.length - read, null);
    }
    if (size <= maxBytes && read < room.length) return room.subarray(0, read);
    throw new SvcdError(
      'body_too_large',
      `${file} has ${Math.max(size, read)} bytes; at most ${maxBytes} bytes are accepted`,
    );
  } finally {
    closeSync(fd);
  }
}
