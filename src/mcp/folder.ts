// The folder that an assistant's files go into: in the working folder, wherever links lead.

import { lstatSync, mkdirSync, realpathSync, rmdirSync } from 'node:fs';
import { basename, dirname, isAbsolute, relative, resolve } from 'node:path';
import { SvcdError, systemCode } from '../model/errors.js';
import { putPlainFile, requireFolder } from '../video/lock/plain-folder.js';
import type { World } from './tool.js';

type Place = Pick<World, 'workingFolder' | 'home'>;

/** Does the work in the real path of the folder, made if it is not there, and gone again where the work fails. Throws `no_folder`. */
export async function inFolder<T>(typed: string, world: Place, work: (folder: string) => Promise<T>): Promise<T> {
  const path = placeFor(typed, world);
  const first = guard(typed, () => mkdirSync(path, { recursive: true }));
  try {
    return await work(guard(typed, () => requireFolder(path, world.home)));
  } catch (error) {
    if (first !== undefined) removeEmpty(path, first);
    throw error;
  }
}

/** Removes a folder, and those that it lies in up to `first`, while they are empty. */
function removeEmpty(folder: string, first: string): void {
  try {
    rmdirSync(folder);
    if (folder !== first) removeEmpty(dirname(folder), first);
  } catch {
    // It holds what was written.
  }
}

/** The path of a folder or file in the working folder, which may not be there yet. Throws `no_folder`. */
export function placeFor(typed: string, { workingFolder, home }: Place, what: 'folder' | 'file' = 'folder'): string {
  return guard(typed, () => {
    const root = realpathSync(workingFolder);
    let there = resolve(root, typed);
    const rest: string[] = [];
    while (lstatSync(there, { throwIfNoEntry: false }) === undefined) {
      rest.unshift(basename(there));
      there = dirname(there);
    }
    const real = requireInside(root, realpathSync(there));
    if (what === 'folder') requireFolder(real, home);
    return resolve(real, ...rest);
  });
}

/** Writes a file whose name holds its digest; never over another. Its name there. Throws `no_folder`. */
export function putFile(folder: string, name: string, bytes: Uint8Array): string {
  const nameOf = (nth: number) => (nth === 1 ? name : name.replace(/(?=\.\w+$)/, `-${nth}`));
  return guard(folder, () => {
    // A call that failed meanwhile may have removed it.
    mkdirSync(folder, { recursive: true });
    return basename(putPlainFile(folder, nameOf, bytes).path);
  });
}

function requireInside(root: string, path: string): string {
  const inside = relative(root, path);
  if (inside.split(/[/\\]/)[0] !== '..' && !isAbsolute(inside)) return path;
  throw new SvcdError('no_folder', `${path} is not in the working folder ${root}`);
}

function guard<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const why = cause instanceof SvcdError ? cause.message : `${folder} cannot be used (${systemCode(cause)})`;
    throw new SvcdError('no_folder', why, { cause, hint: 'Name a folder in the working folder, as svcd-assets.' });
  }
}
