// The folder that an assistant's files go into: in the working folder, wherever links lead.

import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, relative, resolve } from 'node:path';
import { SvcdError, systemCode } from '../model/errors.js';
import { putPlainFile, requireFolder } from '../video/lock/plain-folder.js';
import type { World } from './tool.js';

/** The real path of the folder, made if it is not there. Throws `no_folder`. */
export function openFolder(typed: string, { workingFolder, home }: World): string {
  return guard(typed, () => {
    const root = realpathSync(workingFolder);
    const path = resolve(root, typed);
    let there = path;
    while (lstatSync(there, { throwIfNoEntry: false }) === undefined) there = dirname(there);
    requireInside(root, realpathSync(there));
    mkdirSync(path, { recursive: true });
    return requireInside(root, requireFolder(path, home));
  });
}

/** Writes a file whose name holds its digest; never over another. Its name there. Throws `no_folder`. */
export function putFile(folder: string, name: string, bytes: Uint8Array): string {
  const nameOf = (nth: number) => (nth === 1 ? name : name.replace(/(?=\.\w+$)/, `-${nth}`));
  return guard(folder, () => basename(putPlainFile(folder, nameOf, bytes).path));
}

function requireInside(root: string, path: string): string {
  const inside = relative(root, path);
  if (inside.split(/[/\\]/)[0] !== '..' && !isAbsolute(inside)) return path;
  throw new SvcdError('no_folder', `the folder ${path} is not in the working folder ${root}`);
}

function guard<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const why = cause instanceof SvcdError ? cause.message : `${folder} cannot be used (${systemCode(cause)})`;
    throw new SvcdError('no_folder', why, { cause, hint: 'Name a folder in the working folder, as svcd-assets.' });
  }
}
