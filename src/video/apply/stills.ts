// Pictures of one frame of a sticker, beside its file: drawn here, from the bytes that a lock names, and again when they are lost.

import type { LockedAsset, LockedStill } from '../../api/lock.js';
import { sha256Hex } from '../../model/hash.js';
import { isSvcdError } from '../../model/errors.js';
import { createDraw } from '../../picture/draw.js';
import { writePng } from '../../picture/write-png.js';
import type { LockedFolder } from '../lock/locked-folder.js';
import { nameFiles } from '../lock/name-files.js';
import type { Telling } from './asker.js';
import type { LockEntry } from './lock-entries.js';
import type { StickerForms } from './sticker-forms.js';

type Sticker = Extract<LockedAsset, { kind: 'sticker' }>;
type Shape = Pick<LockedStill, 'width' | 'height' | 'frame'>;

interface Drawn {
  readonly still: LockedStill;
  readonly bytes: Uint8Array;
}

/** What draws stills of locked stickers, until it is closed. */
function openStills(forms: StickerForms) {
  const { draw, close } = createDraw();
  /** Throws `not_drawable`. */
  const drawOne = async (asset: Sticker, file: Uint8Array, shape: Shape): Promise<Drawn> => {
    const { width, height, frame } = shape;
    const { bytes: safe } = await forms.make(file, 'safe');
    const at = Math.min(1, frame / Math.max(1, asset.frames - 1));
    const { pixels } = await draw({ bytes: Uint8Array.from(safe), width, height, at });
    const bytes = await writePng(width, height, (y) => pixels.subarray(y * width * 4, (y + 1) * width * 4), 4, true);
    const about = { what: `${asset.preset}~still`, isDefault: asset.source === 'default', extension: 'png' };
    const sha256 = sha256Hex(bytes);
    const [name = ''] = nameFiles([{ ...about, sha256 }]);
    return { still: { file: name, sha256, bytes: bytes.byteLength, width, height, frame }, bytes };
  };
  return { drawOne, close };
}

/**
 * The entries with a still of each sticker, `side` pixels at its longer side; without it those that have one keep it, and one
 * that is lost is drawn again. What cannot be drawn is told, and has none.
 */
export async function withStills(
  entries: readonly LockEntry[],
  side: number | undefined,
  folder: Pick<LockedFolder, 'has' | 'read'>,
  forms: StickerForms,
  { words, note }: Telling,
): Promise<LockEntry[]> {
  const { drawOne, close } = openStills(forms);
  const drawAll = async (entry: LockEntry): Promise<LockEntry> => {
    const { id, asset, bytes } = entry;
    if (asset.kind !== 'sticker') return entry;
    const { still: old, ...plain } = asset;
    if (side === undefined && (old === undefined || folder.has(old))) return entry;
    const shape = side === undefined ? old : shapeOf(asset, side);
    if (shape === undefined) return entry;
    try {
      const { still, bytes: picture } = await drawOne(asset, bytes ?? folder.read(asset.file), shape);
      return { ...entry, asset: { ...asset, still }, still: picture };
    } catch (error) {
      if (!isSvcdError(error, 'not_drawable')) throw error;
      note(words.noStill(id, error.message));
      return { ...entry, asset: plain };
    }
  };
  try {
    const all: LockEntry[] = [];
    // One by one: there is one thread that draws.
    for (const entry of entries) all.push(await drawAll(entry));
    return all;
  } finally {
    close();
  }
}

/** The frame in the middle, in the shape of the sticker. */
function shapeOf({ width, height, frames }: Sticker, side: number): Shape {
  const scale = side / Math.max(width, height);
  const pixels = (length: number) => Math.max(1, Math.round(length * scale));
  return { width: pixels(width), height: pixels(height), frame: Math.round((frames - 1) / 2) };
}

/** The stills of a lock as they were; undefined for each that this svcd draws otherwise. */
export async function drawAgain(
  wanted: readonly (readonly [LockedAsset, Uint8Array])[],
  forms: StickerForms,
): Promise<(Uint8Array | undefined)[]> {
  const { drawOne, close } = openStills(forms);
  const all: (Uint8Array | undefined)[] = [];
  try {
    for (const [asset, file] of wanted) {
      const shape = asset.kind === 'sticker' ? asset.still : undefined;
      const drawn = shape && (await drawOne(asset as Sticker, file, shape).catch(unlessNotDrawable));
      all.push(drawn?.still.sha256 === shape?.sha256 ? drawn?.bytes : undefined);
    }
    return all;
  } finally {
    close();
  }
}

function unlessNotDrawable(error: unknown): undefined {
  if (!isSvcdError(error, 'not_drawable')) throw error;
}
