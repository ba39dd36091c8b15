// The stills of tiles: drawn once, kept while there is room, and put into the cells that are in view. A hovered or focused
// tile plays, as the person wishes.

import type { Tile } from '../../api/tile.js';
import { afterPaint } from '../after-paint.js';
import { ApiError, pictureOf } from '../api.js';
import { type Shown, frameOf, lookOf, sayTrouble, seenOf, wordOf } from '../grid/tile.js';
import { settings } from '../store.js';
import { drawStill, fetchFile, play } from './player.js';
import { NOT_NOW, NOTHING_DRAWS } from './start-worker.js';
import { tint } from './sketch.js';

/** A still takes 4 bytes a pixel. */
const KEPT_BYTES = 64 * 1024 * 1024;
const TILE_FPS = 30;
const HOVER_MS = 120;
const DARK = '(prefers-color-scheme: dark)';
/** Of the six connections that a browser opens to svcd: a search must not wait for pictures. */
const FETCHED_AT_ONCE = 3;
/** Of the side of a tile; of the shorter side of a frame. */
const PICTURE_SHARE = 0.84;
const SKETCH_SHARE = 0.7;

const stills = new Map<string, ImageBitmap>();
let keptBytes = 0;
/** What cannot be shown: svcd has no whole file of it, it could not be drawn here, or nothing can. */
const failed = new Map<string, 'damaged' | 'undrawable' | 'nothing'>();
/** Cells that wait for a still, by its key. */
const asked = new Map<string, Set<Shown>>();
/** Stills whose file is not asked for yet. */
const queue: { readonly key: string; readonly tile: Tile }[] = [];
let fetching = 0;
let beginning: (() => void) | undefined;
/** Until the first is drawn nothing of the grid is seen. */
let side = Math.round(176 * devicePixelRatio);

let hovered: Element | null = null;
let stopPlaying: (() => void) | undefined;
let hoverTimer: ReturnType<typeof setTimeout> | undefined;

/** Draws what is in view: at once what is kept, the rest as it comes, and not before the titles are painted. `cellSide` is in CSS pixels. */
export function drawCells(cells: readonly Shown[], cellSide: number): void {
  side = Math.round(cellSide * devicePixelRatio);
  for (const cell of cells) drawCell(cell);
}

function drawCell(cell: Shown): void {
  const { tile } = cell;
  if (tile === undefined) return;
  if (cell.canvas.width !== side) cell.canvas.width = cell.canvas.height = side;
  if (lookOf(tile) === 'word') return showWord(cell, tile);
  const key = keyOf(tile);
  const still = stills.get(key);
  if (still !== undefined) {
    // Used last, forgotten last.
    stills.delete(key);
    stills.set(key, still);
    return show(cell, still, tile);
  }
  const trouble = failed.get(key);
  if (trouble !== undefined) {
    if (tile.picture !== null && trouble !== 'nothing') sayTrouble(cell, trouble);
    return showWord(cell, tile);
  }
  const waiting = asked.get(key);
  if (waiting !== undefined) return void waiting.add(cell);
  asked.set(key, new Set([cell]));
  queue.push({ key, tile });
  beginning ??= afterPaint(() => {
    beginning = undefined;
    fetchNext();
  });
}

/** Asks for the next files; for what went by meanwhile nothing is asked. */
function fetchNext(): void {
  while (fetching < FETCHED_AT_ONCE) {
    const next = queue.shift();
    if (next === undefined) return;
    if (isWanted(next.key, next.tile)) void draw(next.key, next.tile);
    else asked.delete(next.key);
  }
}

function isWanted(key: string, { preset }: Tile): boolean {
  return [...(asked.get(key) ?? [])].some(({ tile }) => tile?.preset === preset);
}

function show(cell: Shown, still: ImageBitmap, tile: Tile): void {
  paint(cell.canvas, still, tile);
  cell.element.classList.remove('blank');
}

function showWord(cell: Shown, tile: Tile): void {
  drawWord(cell.canvas, tile);
  cell.element.classList.remove('blank');
}

async function draw(key: string, tile: Tile): Promise<void> {
  const isStillWanted = () => isWanted(key, tile);
  try {
    fetching += 1;
    const file = await fetchFile(addressOf(tile)).finally(() => {
      fetching -= 1;
      fetchNext();
    });
    if (!isStillWanted()) return;
    const { bitmap } = await drawStill(file, side, { isWanted: isStillWanted });
    keep(key, bitmap);
  } catch (error) {
    // What svcd could not tell for now may be drawn later.
    if (error === NOTHING_DRAWS) failed.set(key, 'nothing');
    else if (error !== NOT_NOW && (!(error instanceof ApiError) || error.code !== 'away'))
      failed.set(key, error instanceof ApiError ? 'damaged' : 'undrawable');
  } finally {
    const waiting = asked.get(key) ?? [];
    asked.delete(key);
    for (const one of waiting) {
      if (one.tile?.preset === tile.preset && (stills.has(key) || failed.has(key))) drawCell(one);
    }
  }
}

function keyOf(tile: Tile): string {
  return `${addressOf(tile)} ${side}`;
}

/** Where the file of what a tile shows may be fetched for nothing. */
export function addressOf({ preset, picture, sketch }: Tile): string {
  return seenOf({ picture }) === null && sketch !== null ? `/svcd/sketches/${sketch.id}` : pictureOf(preset);
}

function keep(key: string, still: ImageBitmap): void {
  stills.set(key, still);
  keptBytes += 4 * still.width * still.height;
  for (const [oldest, one] of stills) {
    if (keptBytes <= KEPT_BYTES) break;
    stills.delete(oldest);
    keptBytes -= 4 * one.width * one.height;
    one.close();
  }
}

/** Paints a still as the tile shows it: a sketch in one hue. */
export function paint(canvas: HTMLCanvasElement, still: ImageBitmap, tile: Tile): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.clearRect(0, 0, canvas.width, canvas.height);
  const isSketch = lookOf(tile) === 'sketch';
  const { width, height } = frameOf(tile);
  const share = isSketch ? SKETCH_SHARE * Math.min(width, height) : PICTURE_SHARE;
  const inner = Math.round(canvas.width * share);
  const inset = Math.round((canvas.width - inner) / 2);
  context.drawImage(isSketch ? inOneHue(canvas, still) : still, inset, inset, inner, inner);
}

function inOneHue(canvas: HTMLCanvasElement, still: ImageBitmap): OffscreenCanvas {
  const { color, colorScheme } = getComputedStyle(canvas);
  const isDark = colorScheme === 'dark' || (colorScheme !== 'light' && matchMedia(DARK).matches);
  return tint(still, color, isDark ? 'dark' : 'light');
}

/** Paints the first word of the title. */
export function drawWord(canvas: HTMLCanvasElement, tile: Tile): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  const word = wordOf(tile);
  const edge = canvas.width;
  const { width, height } = frameOf(tile);
  const size = Math.min(
    edge * 0.28,
    edge * height * 0.66,
    (edge * width * 0.86) / Math.max(1, Array.from(word).length),
  );
  context.clearRect(0, 0, edge, edge);
  context.font = `600 ${size}px system-ui, sans-serif`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillStyle = getComputedStyle(canvas).color;
  context.fillText(word, edge / 2, edge / 2);
}

/** Plays the cell that the pointer or the focus is on, after a moment; what played before stands still again. */
export function playCell(cell: Shown | undefined): void {
  const element = cell?.element ?? null;
  if (element === hovered) return;
  hovered = element;
  clearTimeout(hoverTimer);
  stopPlaying?.();
  stopPlaying = undefined;
  if (cell?.tile === undefined || lookOf(cell.tile) !== 'picture' || settings.motion.value === 'never') return;
  // Where all play, this one does.
  if (settings.motion.value === 'view') return;
  const { tile } = cell;
  hoverTimer = setTimeout(() => (stopPlaying = playInto(cell, tile, TILE_FPS)), HOVER_MS);
}

/** Plays a cell now, or stops it, whatever the person wishes of motion: it was asked for. */
export function toggleCell(cell: Shown | undefined): void {
  if (cell?.tile === undefined || lookOf(cell.tile) !== 'picture') return;
  clearTimeout(hoverTimer);
  const isPlaying = stopPlaying !== undefined && hovered === cell.element;
  // Another one may have been playing, under the pointer.
  stopPlaying?.();
  hovered = cell.element;
  stopPlaying = isPlaying ? undefined : playInto(cell, cell.tile, TILE_FPS);
}

/** Plays a tile in its cell until the answer is called; then it stands still again. */
export function playInto(cell: Shown, tile: Tile, fps: number): () => void {
  let stop: (() => void) | undefined;
  let isOver = false;
  const isStill = () => cell.tile?.preset === tile.preset;
  void fetchFile(addressOf(tile)).then(
    (file) => {
      if (isOver || !isStill()) return undefined;
      stop = play(file, side, fps, ({ bitmap }) => {
        if (!isOver && isStill()) show(cell, bitmap, tile);
        bitmap.close();
      });
      return undefined;
    },
    // Its still says why it cannot be shown.
    () => undefined,
  );
  return () => {
    isOver = true;
    stop?.();
    if (cell.element.isConnected) drawCell(cell);
  };
}

// Whoever looks elsewhere sees nothing move.
const rest = () => playCell(undefined);
addEventListener('blur', rest);
document.addEventListener('visibilitychange', rest);
