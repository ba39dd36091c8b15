// Plays all that is in view, where the person wants that: as many as can be drawn in half of the time, slower if they are
// many, and nothing while the window is hidden or another has the focus.

import type { Cell } from '../grid/tile.js';
import { lookOf } from '../grid/tile.js';
import { settings } from '../store.js';
import { playInto } from './stills.js';

const MOST = 80;
/** So many move at 30 frames a second; twice as many at 15. */
const AT_FULL_RATE = 30;
const FULL_FPS = 30;

const playing = new Map<Cell, { readonly preset: string; readonly fps: number; stop(this: void): void }>();
let last: readonly Cell[] = [];
let pending = 0;
/** What the person stopped, while all the rest plays. */
const stopped = new Set<string>();

/** These cells are there; those that can be seen play, if all are to. */
export function govern(cells: readonly Cell[]): void {
  last = cells;
  if (settings.motion.peek() !== 'view' && playing.size === 0) return;
  if (pending === 0) pending = requestAnimationFrame(apply);
}

/** Stops one of all that play, or lets it play again: it never plays twice. */
export function toggleAmongAll({ tile }: Cell): void {
  if (tile === undefined) return;
  if (!stopped.delete(tile.preset)) stopped.add(tile.preset);
  govern(last);
}

function apply(): void {
  pending = 0;
  if (settings.motion.peek() !== 'view') stopped.clear();
  const isWanted = settings.motion.peek() === 'view' && isAwake();
  const seen = isWanted ? last.filter(mayPlay).slice(0, MOST) : [];
  const fps = seen.length > AT_FULL_RATE ? FULL_FPS / 2 : FULL_FPS;
  for (const [cell, one] of playing) {
    if (seen.includes(cell) && cell.tile?.preset === one.preset && one.fps === fps) continue;
    one.stop();
    playing.delete(cell);
  }
  for (const cell of seen) {
    if (cell.tile === undefined || playing.has(cell)) continue;
    playing.set(cell, { preset: cell.tile.preset, fps, stop: playInto(cell, cell.tile, fps) });
  }
}

function mayPlay({ element, tile }: Cell): boolean {
  if (tile === undefined || lookOf(tile) !== 'picture' || !element.isConnected) return false;
  if (stopped.has(tile.preset)) return false;
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

const isAwake = (): boolean => document.visibilityState === 'visible' && document.hasFocus();

for (const event of ['focus', 'blur'] as const) addEventListener(event, () => govern(last));
document.addEventListener('visibilitychange', () => govern(last));
document.addEventListener('scroll', () => govern(last), { capture: true, passive: true });
