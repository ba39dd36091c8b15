// Makes a file of each of several stickers, numbered as the lines of a script or as they were chosen, and puts them into the
// person's folder or into one download.

import type { Told } from '../../api/operation.js';
import type { madeSchema } from '../../api/collections.js';
import type { Tile } from '../../api/tile.js';
import { askJson, messageOf } from '../api.js';
import { choices, matched } from '../copy.js';
import { hasSession } from '../extras.js';
import { fetchFile } from '../player/player.js';
import { addressOf } from '../player/stills.js';
import { project } from '../project.js';
import { extraWords } from '../words/extras.js';
import { number } from '../words/words.js';
import { nameOfAll, safeName } from './file-name.js';
import {
  ExportLimit,
  isMov,
  type MadeFile,
  makeMoving,
  MOST_FILE_BYTES,
  MOST_FRAMES,
  type MovingOptions,
  zipFiles,
} from './make-moving.js';
import { noteExport, saveFile } from './ways.js';

/** How far it is: files that are done, their bytes, and the part of all. */
export interface Progress {
  readonly part: number;
  readonly done: number;
  readonly bytes: number;
}

export interface FilesMade {
  /** Of the download, or of the folder. */
  readonly name: string;
  readonly bytes: number;
  readonly count: number;
}

/** A browser may be elsewhere: only one that was let in puts files into the folder, and it must be able to prove them. */
export const canPut = (): boolean => hasSession() && isSecureContext;

/** Beyond the numbers of a script's lines, those of the choice go on. */
export function numbersOf(tiles: readonly Tile[]): readonly string[] {
  const lines = new Map<string, number>();
  for (const [index, { preset }] of choices.value) if (!lines.has(preset)) lines.set(preset, index + 1);
  let last = Math.max(0, ...tiles.map(({ preset }) => lines.get(preset) ?? 0));
  if (last === 0 && tiles.length < 2) return tiles.map(() => '');
  const all = tiles.map(({ preset }) => lines.get(preset) ?? (last += 1));
  const digits = Math.max(2, `${Math.max(...all)}`.length);
  return all.map((one) => `${`${one}`.padStart(digits, '0')}-`);
}

/** The folder of the script that these belong to: called like it, or as it begins. */
export function folderOf(tiles: readonly Tile[]): string | undefined {
  const isChosen = (preset: string) => [...choices.value.values()].some((one) => one.preset === preset);
  if (!tiles.some(({ preset }) => isChosen(preset))) return undefined;
  const begun = Array.from(matched.value?.text.trim() ?? '').slice(0, 20);
  return safeName(project.value?.name || begun.join(''));
}

/** Makes them; into the folder each as soon as it is made. Throws `ExportLimit`, `ApiError`, and what an abort throws. */
export async function makeFiles(
  tiles: readonly Tile[],
  options: MovingOptions,
  to: { readonly isFolder: boolean; readonly isNumbered: boolean },
  signal: AbortSignal,
  progress: (now: Progress) => void,
): Promise<FilesMade> {
  const { kind } = options;
  const within = folderOf(tiles);
  const numbers = to.isNumbered ? numbersOf(tiles) : [];
  const files: MadeFile[] = [];
  let [bytes, path] = [0, ''];
  for (const [done, tile] of tiles.entries()) {
    const file = await fetchFile(addressOf(tile));
    const tell = (part: number) => progress({ part: (done + part) / tiles.length, done, bytes });
    const made = await makeMoving(file, (numbers[done] ?? '') + safeName(tile.title), options, signal, tell);
    bytes += made.reduce((sum, { blob }) => sum + blob.size, 0);
    if (to.isFolder) for (const one of made) path = await putMade(one, within, signal);
    else if (bytes > MOST_FILE_BYTES) throw new ExportLimit('bytes', bytes);
    else files.push(...made);
    noteExport([tile.preset]);
  }
  const count = tiles.length;
  if (to.isFolder)
    return { name: path.replace(kind === 'png' ? /([\\/][^\\/]+){2}$/u : /[\\/][^\\/]+$/u, ''), bytes, count };
  const [first] = files;
  if (first === undefined) throw new Error(extraWords.value.nothingChosen);
  const what = kind === 'png' && count === 1 ? '' : ` ${isMov(kind) ? 'mov' : kind}`;
  const saved = kind === 'png' || count > 1 ? await zipFiles(files, `${nameOfAll(tiles)}${what}.zip`, signal) : first;
  saveFile(saved.blob, saved.name);
  return { name: saved.name, bytes, count };
}

const PIECE_BYTES = 4 * 1024 * 1024;

/** Puts a file into the folder, in pieces; the last one proves it. Answers its path. Throws `ApiError`. */
async function putMade({ name, blob }: MadeFile, within: string | undefined, signal: AbortSignal): Promise<string> {
  const [file = '', sequence] = name.split('/').toReversed();
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer()));
  const sha256 = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  for (let offset = 0; ; offset += PIECE_BYTES) {
    const isLast = offset + PIECE_BYTES >= blob.size;
    const query = new URLSearchParams({
      file,
      offset: `${offset}`,
      ...(within !== undefined && { project: within }),
      ...(sequence !== undefined && { sequence }),
      ...(isLast && { bytes: `${blob.size}`, sha256 }),
    });
    const body = blob.slice(offset, offset + PIECE_BYTES);
    const answer = await askJson<Told<typeof madeSchema>>(`/svcd/folder/made?${query}`, {
      method: 'PUT',
      body,
      signal,
    });
    if (isLast) return answer.path ?? '';
  }
}

/** Why no file was made, in the person's language. */
export function reasonOf(error: unknown): string {
  const text = extraWords.value;
  if (!(error instanceof ExportLimit)) return messageOf(error);
  return error.limit === 'bytes' ? text.tooManyBytes : text.tooManyFrames(number(error.count), number(MOST_FRAMES));
}
