// The ways out of the page for a sticker: into the folder, a file, the clipboard, a file that is made here. What was chosen
// last is what Enter does.

import { signal } from '@preact/signals';
import type { FolderAnswer } from '../../api/collections.js';
import type { Tile } from '../../api/tile.js';
import { ApiError, ask, isAborted, messageOf, pictureOf, refusalIn, sendJson } from '../api.js';
import { hasSession } from '../extras.js';
import { drawStill, fetchFile } from '../player/player.js';
import { openList, say, sayToStay, settings, summary } from '../store.js';
import { detailWords } from '../words/details.js';
import { extraWords } from '../words/extras.js';
import { words } from '../words/words.js';
import { nameOfAll, safeName } from './file-name.js';
import { lastSent } from './programs.js';

export const EXPORT_IDS = ['editor', 'mov', 'movpng', 'gif', 'apng', 'png', 'sheet', 'print'] as const;
/** The files that the page can make: each asks first how it is to be made. */
export type ExportId = (typeof EXPORT_IDS)[number];
export type WayId =
  'folder' | 'save' | 'zip' | 'preset' | 'lottie' | 'frame' | 'address' | 'command' | 'send' | ExportId;

/** What an export was asked of, while its layer is open. `collection` is where they come from, if from one. */
export interface Exporting {
  readonly id: ExportId;
  readonly tiles: readonly Tile[];
  readonly collection?: string;
  /** Whether it is made at once, as the last time. */
  readonly begins?: boolean;
}

export const exporting = signal<Exporting | undefined>(undefined);

/** Opens the layer that asks how the file is to be made. */
export function openExport(what: Exporting): void {
  exporting.value = what;
  openList('export');
}

const FRAME_SIDE = 1024;
/** Whether a file of it is there that was paid for, or costs nothing. */
const isHeld = ({ picture }: Tile): boolean => picture !== null && picture !== 'sandbox';
const some = (tiles: readonly Tile[]): boolean => tiles.length > 0;
const held = (tiles: readonly Tile[]): boolean => some(tiles) && tiles.every(isHeld);
const one = (tiles: readonly Tile[]): boolean => held(tiles) && tiles.length === 1;

interface Way {
  can(this: void, tiles: readonly Tile[]): boolean;
  /** Of a file that is made here, the layer does it. */
  run?(this: void, tiles: readonly Tile[]): Promise<void>;
}

const WAYS: Readonly<Record<WayId, Way>> = {
  folder: { can: (tiles) => held(tiles) && summary.value?.folder === true, run: intoFolder },
  save: { can: one, run: saveOne },
  zip: { can: (tiles) => held(tiles) && tiles.length > 1, run: saveZip },
  preset: { can: some, run: (tiles) => copy(linesOf(tiles)) },
  lottie: { can: one, run: async ([tile]) => copy(await textOf(tile), tile?.title) },
  frame: { can: one, run: copyFrame },
  address: { can: (tiles) => tiles.length === 1, run: ([tile]) => copy(addressOf(tile)) },
  command: { can: some, run: (tiles) => copy(tiles.map(commandOf).join('\n')) },
  // What was sent once is one click the next time.
  send: {
    can: (tiles) => held(tiles) && lastSent() !== undefined,
    run: (tiles) => Promise.resolve(openExport({ id: 'editor', tiles, begins: true })),
  },
  editor: { can: held },
  mov: { can: held },
  movpng: { can: held },
  gif: { can: held },
  apng: { can: held },
  png: { can: held },
  sheet: { can: some },
  print: { can: some },
};

export const canDo = (id: WayId, tiles: readonly Tile[]): boolean => WAYS[id].can(tiles);

/** Those that give no file of a sticker: naming one once does not change what Enter does. */
const NAMES: ReadonlySet<WayId> = new Set(['preset', 'address', 'command', 'sheet', 'print']);

/** Remembers what was done as what Enter does. */
export function keepAsUsual(id: WayId): void {
  if (!NAMES.has(id)) settings.export.value = id;
}

export function nameOfWay(id: WayId): string {
  const text = extraWords.value;
  const last = id === 'send' ? lastSent() : undefined;
  if (last === undefined) return text.ways[id];
  return text.sendTo(text.programs[last.program], `${last.side}`, `${Math.round(last.rate * 1000) / 1000}`);
}

/** What can be done with these. */
export const waysFor = (tiles: readonly Tile[]): readonly WayId[] =>
  (Object.keys(WAYS) as WayId[]).filter((id) => canDo(id, tiles));

/** Whether it is one that asks how a file is to be made. */
export const isExport = (id: WayId): id is ExportId => EXPORT_IDS.some((made) => made === id);

/** What Enter does: what was chosen last, if it can be done with these. */
export function usualOf(tiles: readonly Tile[]): WayId | undefined {
  const ways = waysFor(tiles);
  return ways.find((id) => id === settings.export.value) ?? ways[0];
}

export async function runUsual(tiles: readonly Tile[]): Promise<void> {
  const id = usualOf(tiles);
  if (id !== undefined) await run(id, tiles);
}

/** Does it, and says what was done or why not. */
export async function run(id: WayId, tiles: readonly Tile[]): Promise<void> {
  if (isExport(id)) return openExport({ id, tiles });
  try {
    await WAYS[id].run?.(tiles);
    if (id !== 'send' && tiles.every(isHeld)) noteExport(tiles.map(({ preset }) => preset));
  } catch (error) {
    // The person left the system's dialog.
    if (isAborted(error)) return say(detailWords.value.notSaved);
    const hint = error instanceof ApiError && error.hint !== undefined ? ` ${error.hint}` : '';
    sayToStay(words.value.failed(`${messageOf(error)}${hint}`));
  }
}

/** A word for any shell: one with another character than these is quoted. */
export const quoteShell = (word: string): string =>
  /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

const linesOf = (tiles: readonly Tile[]): string => tiles.map(({ preset }) => preset).join('\n');
const addressOf = (tile: Tile | undefined): string => `${location.origin}/#${encodeURIComponent(tile?.preset ?? '')}`;
const commandOf = ({ preset }: Tile): string => `svcd get ${quoteShell(preset)}`;

async function textOf(tile: Tile | undefined): Promise<string> {
  return tile === undefined ? '' : new TextDecoder().decode(await fetchFile(pictureOf(tile.preset)));
}

async function copy(text: string, shown = text): Promise<void> {
  await navigator.clipboard.writeText(text).catch(() => {
    throw new Error(words.value.notCopied);
  });
  say(words.value.copied(shown.length > 80 ? `${shown.slice(0, 80)} …` : shown));
}

interface SaveTarget {
  createWritable(): Promise<{ write(data: Blob): Promise<void>; close(): Promise<void> }>;
}
type SavePicker = (options: { suggestedName: string; types: readonly object[] }) => Promise<SaveTarget>;

/** Asks where to, if the browser can; else the browser's own folder of downloads. */
async function saveAs(name: string, type: string, ending: string, read: () => Promise<Blob>): Promise<void> {
  const { showSaveFilePicker: pick } = window as { showSaveFilePicker?: SavePicker };
  // Asked first: the browser forgets the click while a file is read.
  const target = await pick
    ?.call(window, { suggestedName: name, types: [{ accept: { [type]: [ending] } }] })
    .catch((error: unknown) => {
      // It has forgotten the click already, where this part of the page took long to load: it is downloaded as elsewhere.
      if (error instanceof DOMException && error.name === 'SecurityError') return undefined;
      throw error;
    });
  if (target === undefined) saveFile(await read(), name);
  else {
    const writer = await target.createWritable();
    await writer.write(await read());
    await writer.close();
  }
  say(words.value.saved(name));
}

async function saveOne([tile]: readonly Tile[]): Promise<void> {
  if (tile === undefined) return;
  const type = 'application/json';
  const read = async () => new Blob([await fetchFile(pictureOf(tile.preset))], { type });
  await saveAs(`${safeName(tile.title)}.json`, type, '.json', read);
}

async function saveZip(tiles: readonly Tile[]): Promise<void> {
  const query = new URLSearchParams(tiles.map(({ preset }) => ['preset', preset]));
  await saveAs(`${nameOfAll(tiles)}.zip`, 'application/zip', '.zip', async () => {
    const answer = await ask(`/svcd/owned.zip?${query}`);
    if (!answer.ok) throw await refusalIn(answer);
    return answer.blob();
  });
}

async function intoFolder(tiles: readonly Tile[]): Promise<void> {
  const { files, failed } = await sendJson<FolderAnswer>('POST', '/svcd/folder', {
    presets: tiles.map(({ preset }) => preset),
  });
  const [wrong] = failed;
  if (wrong !== undefined) throw new ApiError(wrong.code, wrong.message);
  const paths = files.map(({ path }) => path).join('\n');
  // They are there, whatever the browser thinks of its clipboard.
  const isCopied = await navigator.clipboard.writeText(paths).then(
    () => true,
    () => false,
  );
  say(isCopied ? words.value.inFolder(paths) : words.value.inFolderOnly(paths));
}

/** The frame that the large player stands at, or the fullest. */
let shownFrame: { readonly preset: string; readonly frame: number } | undefined;
export function noteFrame(preset: string, frame: number): void {
  shownFrame = { preset, frame };
}

async function copyFrame([tile]: readonly Tile[]): Promise<void> {
  if (tile === undefined) return;
  const at = shownFrame?.preset === tile.preset ? shownFrame.frame : undefined;
  const { bitmap, drawn } = await drawStill(await fetchFile(pictureOf(tile.preset)), FRAME_SIDE, { frame: at });
  const scale = FRAME_SIDE / Math.max(drawn.width, drawn.height);
  const [width, height] = [Math.round(drawn.width * scale), Math.round(drawn.height * scale)];
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d')?.drawImage(bitmap, (width - FRAME_SIDE) / 2, (height - FRAME_SIDE) / 2);
  bitmap.close();
  const png = await canvas.convertToBlob({ type: 'image/png' });
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]).catch(() => {
    throw new Error(words.value.notCopied);
  });
  say(words.value.copied(`${tile.title}.png`));
}

/** The browser reads the file after the click. */
const KEPT_MS = 60_000;

export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}

/** For the list of what was used last, which belongs to a session. */
export function noteExport(presets: readonly string[]): void {
  if (!hasSession()) return;
  sendJson('POST', '/svcd/exports', { presets }).catch((error: unknown) => sayToStay(String(error)));
}
