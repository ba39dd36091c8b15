// What draws: pictures come as files from the daemon, are drawn in a worker, and are shown as bitmaps. A word is drawn here.

import type { Cell } from '../grid/tile.js';
import { lookOf, wordOf } from '../grid/tile.js';

/** Draws the stills of cells that are in view. */
export function drawCells(cells: readonly Cell[], side: number): void {
  for (const cell of cells) {
    if (cell.tile !== undefined && lookOf(cell.tile) === 'word') drawWord(cell, side);
  }
}

/** Plays what is under the pointer; null for nothing. */
export function hoverCell(_target: EventTarget | null): void {
  // The worker plays.
}

function drawWord({ canvas, tile, element }: Cell, side: number): void {
  const scale = devicePixelRatio;
  canvas.width = canvas.height = Math.round(side * scale);
  const context = canvas.getContext('2d');
  if (context === null || tile === undefined) return;
  const word = wordOf(tile);
  const size = Math.min(side * 0.28, (side * 0.7) / Math.max(1, [...word].length));
  context.scale(scale, scale);
  context.font = `600 ${size}px system-ui, sans-serif`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillStyle = getComputedStyle(element).getPropertyValue('--ink');
  context.fillText(word, side / 2, side / 2);
}
