// The files that the page can make, for whichever menu lists them. What makes them is loaded when one is chosen.

import { signal } from '@preact/signals';
import type { Tile } from '../../api/tile.js';
import { openList } from '../store.js';

const EXPORT_IDS = ['gif', 'apng', 'png', 'sheet', 'print'] as const;
export type ExportId = (typeof EXPORT_IDS)[number];

export interface Exporter {
  /** The key of its name and of what is said of it, in `extraWords.exports`. */
  readonly id: ExportId;
  /** `one` sticker whose file is there; `owned`, one or more of these; `several`, one or more of any. */
  readonly needs: 'one' | 'several' | 'owned';
  run(this: void, tiles: readonly Tile[]): void;
}

/** What an export was asked of, while its layer is open. `collection` is where they come from, if from one. */
export interface Exporting {
  readonly id: ExportId;
  readonly tiles: readonly Tile[];
  readonly collection?: string;
}

export const exporting = signal<Exporting | undefined>(undefined);

/** Opens the layer that asks how the file is to be made. */
export function openExport(what: Exporting): void {
  exporting.value = what;
  openList('export');
}

const NEEDS = { gif: 'owned', apng: 'owned', png: 'one', sheet: 'several', print: 'several' } as const;

export const EXPORTERS: readonly Exporter[] = EXPORT_IDS.map((id) => ({
  id,
  needs: NEEDS[id],
  run: (tiles) => openExport({ id, tiles }),
}));

/** Whether a file of it is there that was paid for, or costs nothing. */
const isHeld = ({ picture }: Tile): boolean => picture !== null && picture !== 'sandbox';

export function canExport({ needs }: Exporter, tiles: readonly Tile[]): boolean {
  if (needs === 'several') return tiles.length > 0;
  return tiles.length > 0 && tiles.every(isHeld) && (needs === 'owned' || tiles.length === 1);
}
