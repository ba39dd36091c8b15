// A contact sheet: stickers with their titles, as one picture or as pages for a printer. What stands in for a picture is
// labelled on it too.

import type { Tile } from '../../api/tile.js';
import { listTiles } from '../api.js';
import { labelOf, lookOf, wordOf } from '../grid/tile.js';
import { drawStill, fetchFile } from '../player/player.js';
import { addressOf } from '../player/stills.js';
import { words } from '../words/words.js';
import type { SheetItem } from './messages.js';
import { withMaker } from './workers.js';

/** Stickers on one sheet: beyond it a browser's canvas ends. */
export const MOST_ON_SHEET = 300;
const ON_PRINTED_PAGE = 20;
const SIDE = 240;
const PRINTED_COLUMNS = 4;
const MOST_COLUMNS = 12;

/** The stickers of a collection, in its order, as many as fit on a sheet. */
export async function tilesOf(collection: string, signal: AbortSignal): Promise<readonly Tile[]> {
  const tiles: Tile[] = [];
  for (;;) {
    const limit = Math.min(100, MOST_ON_SHEET - tiles.length);
    if (limit === 0) return tiles;
    const answer = await listTiles({ collection }, tiles.length, limit, signal);
    tiles.push(...answer.tiles);
    if (answer.tiles.length === 0 || tiles.length >= answer.total) return tiles;
  }
}

/** Draws one sheet, or one for each printed page. */
export async function drawSheets(
  tiles: readonly Tile[],
  { title, isPrinted }: { readonly title: string; readonly isPrinted: boolean },
  signal: AbortSignal,
  onProgress: (part: number) => void,
): Promise<Blob[]> {
  const shown = tiles.slice(0, MOST_ON_SHEET);
  const perPage = isPrinted ? ON_PRINTED_PAGE : MOST_ON_SHEET;
  const columns = isPrinted
    ? PRINTED_COLUMNS
    : Math.min(MOST_COLUMNS, Math.max(1, Math.ceil(Math.sqrt(shown.length * 1.3))));
  const sheets: Blob[] = [];
  for (let first = 0; first < shown.length; first += perPage) {
    const items: SheetItem[] = [];
    for (const tile of shown.slice(first, first + perPage)) {
      signal.throwIfAborted();
      items.push(await itemOf(tile));
      onProgress((first + items.length) / shown.length);
    }
    const order = { do: 'sheet', items, columns, title: first === 0 ? title : '' } as const;
    const bitmaps = items.flatMap(({ bitmap }) => bitmap ?? []);
    sheets.push(await withMaker(signal, (maker) => maker.make(order, bitmaps)));
  }
  return sheets;
}

/** What a sheet shows of a sticker; a picture that cannot be drawn is a word, and says so. */
async function itemOf(tile: Tile): Promise<SheetItem> {
  const look = lookOf(tile);
  const bitmap = look === 'word' ? undefined : await stillOf(tile);
  const isWord = bitmap === undefined;
  return {
    title: tile.title,
    note: tile.preset,
    look: isWord ? 'word' : look,
    label: words.value.label[isWord ? 'none' : labelOf(tile)],
    word: wordOf(tile),
    color: tile.color ?? '#808080',
    bitmap,
  };
}

async function stillOf(tile: Tile): Promise<ImageBitmap | undefined> {
  try {
    return (await drawStill(await fetchFile(addressOf(tile)), SIDE)).bitmap;
  } catch {
    // A file that cannot be had or drawn: the sheet says "no picture" of it.
    return undefined;
  }
}
