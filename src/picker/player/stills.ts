// The stills of tiles: drawn once, kept while there is room, and put into the cells that are in view. A hovered or focused
// tile plays, as the person wishes.

import type { Tile } from '../../api/tile.js';
import { pictureOf } from '../api.js';
import { type Cell, lookOf, wordOf } from '../grid/tile.js';
import { settings } from '../store.js';
import { drawStill, fetchFile, play } from './player.js';
import { tint } from './sketch.js';

/** A still takes 4 bytes a pixel. */
const KEPT_BYTES = 64 * 1024 * 1024;
const TILE_FPS = 30;
const HOVER_MS = 120;

const stills = new Map<string, ImageBitmap>();
let keptBytes = 0;
const failed = new Set<string>();
const asked = new Set<string>();
let side = 0;

let hovered: Element | null = null;
let stopPlaying: (() => void) | undefined;
let hoverTimer: ReturnType<typeof setTimeout> | undefined;

/** Draws what is in view: at once what is kept, the rest as it comes. `cellSide` is in CSS pixels. */
export function drawCells(cells: readonly Cell[], cellSide: number): void {
  side = Math.round(cellSide * devicePixelRatio);
  for (const cell of cells) drawCell(cell);
}

function drawCell(cell: Cell): void {
  const { tile } = cell;
  if (tile === undefined) return;
  if (cell.canvas.width !== side) cell.canvas.width = cell.canvas.height = side;
  if (lookOf(tile) === 'word') return drawWord(cell.canvas, tile);
  const key = keyOf(tile);
  const still = stills.get(key);
  if (still !== undefined) {
    // Used last, forgotten last.
    stills.delete(key);
    stills.set(key, still);
    return paint(cell.canvas, still, tile);
  }
  if (failed.has(key)) return drawWord(cell.canvas, tile);
  if (!asked.has(key)) void draw(cell, tile, key);
}

async function draw(cell: Cell, tile: Tile, key: string): Promise<void> {
  asked.add(key);
  try {
    const file = await fetchFile(addressOf(tile));
    // It may have gone by meanwhile.
    if (cell.tile?.preset !== tile.preset) return;
    const { bitmap } = await drawStill(file, side);
    keep(key, bitmap);
    if (cell.tile?.preset === tile.preset) paint(cell.canvas, bitmap, tile);
  } catch {
    failed.add(key);
    if (cell.tile?.preset === tile.preset) drawWord(cell.canvas, tile);
  } finally {
    asked.delete(key);
  }
}

function keyOf(tile: Tile): string {
  return `${addressOf(tile)} ${side}`;
}

/** Where the file of what a tile shows may be fetched for nothing. */
export function addressOf({ preset, picture, sketch }: Tile): string {
  return picture === null && sketch !== null ? `/svcd/sketches/${sketch.id}` : pictureOf(preset);
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
  const inset = Math.round(canvas.width * (isSketch ? 0.2 : 0.08));
  const inner = canvas.width - 2 * inset;
  context.drawImage(still, inset, inset, inner, inner);
  if (isSketch) tint(context, getComputedStyle(canvas).color);
}

/** Paints the first word of the title. */
export function drawWord(canvas: HTMLCanvasElement, tile: Tile): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  const word = wordOf(tile);
  const { width } = canvas;
  const size = Math.min(width * 0.28, (width * 0.7) / Math.max(1, Array.from(word).length));
  context.clearRect(0, 0, width, width);
  context.font = `600 ${size}px system-ui, sans-serif`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillStyle = getComputedStyle(canvas).color;
  context.fillText(word, width / 2, width / 2);
}

/** Plays the cell that the pointer or the focus is on, after a moment; what played before stands still again. */
export function playCell(cell: Cell | undefined): void {
  const element = cell?.element ?? null;
  if (element === hovered) return;
  hovered = element;
  clearTimeout(hoverTimer);
  stopPlaying?.();
  stopPlaying = undefined;
  if (cell?.tile === undefined || lookOf(cell.tile) !== 'picture' || settings.motion.value === 'never') return;
  const { tile } = cell;
  hoverTimer = setTimeout(() => void begin(cell, tile), HOVER_MS);
}

async function begin(cell: Cell, tile: Tile): Promise<void> {
  const file = await fetchFile(addressOf(tile)).catch(() => undefined);
  if (file === undefined || hovered !== cell.element || cell.tile?.preset !== tile.preset) return;
  const stop = play(file, side, TILE_FPS, ({ bitmap }) => {
    if (cell.tile?.preset === tile.preset) paint(cell.canvas, bitmap, tile);
    bitmap.close();
  });
  stopPlaying = () => {
    stop();
    drawCell(cell);
  };
}
