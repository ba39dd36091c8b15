// Puts files that the page made into the user's folder: piece by piece, since a browser streams no upload over HTTP/1.1. A part
// lies in the folder until the last piece proves it whole.

import { createHash, type Hash } from 'node:crypto';
import { appendFileSync, closeSync, fsyncSync, openSync, rmSync } from 'node:fs';
import type { MadePiece } from '../../api/collections.js';
import { invalid } from '../../contract/json-body.js';
import { createNew } from '../../platform/files/files.js';
import {
  folderWithin,
  guard,
  newPart,
  type PlainFile,
  placePart,
  removePlainParts,
} from '../../video/lock/plain-folder.js';

interface Part {
  readonly path: string;
  readonly hash: Hash;
  bytes: number;
}

/** What each kind of file begins with, as Latin letters, from which place on. */
const BEGINNINGS: Readonly<Record<string, readonly [at: number, text: string]>> = {
  mov: [4, 'ftypqt  '],
  gif: [0, 'GIF8'],
  png: [0, '\x89PNG\r\n'],
  zip: [0, 'PK'],
};
/** Files that are on their way at once; a further one takes the place of the oldest. */
const PARTS_MAX = 4;

/** Answers where the file is once the last piece is there. Throws `invalid_request`, and as the folder does. */
export function createPutMade(usable: () => string) {
  const parts = new Map<string, Part>();
  const drop = (key: string) => {
    const part = parts.get(key);
    parts.delete(key);
    if (part !== undefined) rmSync(part.path, { force: true });
  };
  const begin = (key: string, folder: string): Part => {
    drop(key);
    const [oldest] = parts.keys();
    if (oldest !== undefined && parts.size >= PARTS_MAX) drop(oldest);
    removePlainParts(folder);
    const part = { path: newPart(folder), hash: createHash('sha256'), bytes: 0 };
    guard(folder, () => closeSync(createNew(part.path, 0o666)));
    parts.set(key, part);
    return part;
  };
  return (piece: MadePiece, bytes: Uint8Array): { readonly path: string | null; readonly there: boolean } => {
    const { file, project, sequence, offset } = piece;
    const folder = usable();
    const key = JSON.stringify([folder, project, sequence, file]);
    if (offset === 0) refuseOther(file, bytes);
    const part = offset === 0 ? begin(key, folder) : parts.get(key);
    if (part?.bytes !== offset)
      throw invalid(`offset: the next piece of this file begins at ${part?.bytes ?? 0}, got ${offset}`);
    try {
      guard(folder, () => appendFileSync(part.path, bytes));
      part.hash.update(bytes);
      part.bytes += bytes.byteLength;
      if (piece.bytes === undefined) return { path: null, there: false };
      return finish(folder, piece, part);
    } catch (error) {
      drop(key);
      throw error;
    } finally {
      if (piece.bytes !== undefined) drop(key);
    }
  };
}

function finish(folder: string, { file, project, sequence, bytes = 0, sha256 }: MadePiece, part: Part): PlainFile {
  const digest = part.hash.digest('hex');
  if (part.bytes !== bytes || digest !== sha256)
    throw invalid(`the file has ${part.bytes} bytes and the digest ${digest}, not what its last piece says`);
  return guard(folder, () => {
    const handle = openSync(part.path, 'r+');
    fsyncSync(handle);
    closeSync(handle);
    const within = [project, sequence].reduce<string>(
      (path, name) => (name === undefined ? path : folderWithin(path, name, true)),
      folder,
    );
    const nameOf = (nth: number) => (nth === 1 ? file : file.replace(/(?=\.\w+$)/u, ` ${nth}`));
    return placePart(within, nameOf, { sha256: digest, bytes }, part.path);
  });
}

/** Throws `invalid_request` for bytes that are not what the name says. */
function refuseOther(file: string, bytes: Uint8Array): void {
  const [at, begun] = BEGINNINGS[/\.(\w+)$/u.exec(file)?.[1] ?? ''] ?? [];
  if (begun === undefined)
    throw invalid(`file: must end with ${Object.keys(BEGINNINGS).join(', ')}, got ${JSON.stringify(file)}`);
  if (Buffer.from(bytes).toString('latin1', at, at! + begun.length) === begun) return;
  throw invalid(`the first bytes are none of a file that is called ${JSON.stringify(file)}`);
}
