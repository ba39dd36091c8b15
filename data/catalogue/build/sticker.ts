// One sticker, from its source line to its file and metadata.

import { getArt, type Art } from './art.js';
import { chooseAnyMotion, findSuitingMotion, hashOf, type Drawing } from './choose-motion.js';
import { lottieOf, type Lottie } from './lottie.js';
import type { Motion } from './motion.js';
import { motionOf, type MotionName } from './motions.js';
import { partsOf, type Part } from './parts.js';
import { primaryColour } from './primary-colour.js';

/** What is known of a sticker before it is built; `color`, if given, was measured from a picture of the drawing. */
export interface SourceLine {
  preset: string;
  title: string;
  keywords: string[];
  set: string;
  art: string;
  concept: string;
  licence: string;
  color?: string;
}

/** A line of `stickers.jsonl` without its place in the packs; duration in seconds, aspect = width / height. */
export interface StickerLine extends SourceLine {
  color: string;
  motion: MotionName;
  width: number;
  height: number;
  aspect: number;
  duration: number;
  fps: number;
}

export interface BuiltSticker {
  line: StickerLine;
  bytes: Buffer;
  /** Whether the motion was asked for by the subject, not by the hash. */
  suits: boolean;
}

// Twins of one motion do not keep step: a wall of stickers that beat together tires the eye.
const TEMPI = [0.85, 1, 1.15, 1.3];

/** Length in frames of a motion for this preset. */
function framesFor(motion: Motion, preset: string): number {
  const tempo = TEMPI[hashOf(preset, 'tempo', TEMPI.length)] ?? 1;
  return Math.round(motion.seconds * tempo * motion.fps);
}

function drawingOf(parts: readonly Part[]): Drawing {
  const bareStrokes = parts.filter((part) => part.stroke && !part.fill).length;
  const bareFills = parts.filter((part) => part.fill && !part.stroke).length;
  return {
    parts: parts.length,
    onlyStrokes: bareStrokes === parts.length,
    layered: bareStrokes > 0 && bareFills > 0,
  };
}

function chooseMotion(source: SourceLine, parts: readonly Part[]): { name: MotionName; suits: boolean } {
  const suiting = findSuitingMotion(source);
  if (suiting !== undefined) return { name: suiting, suits: true };
  return { name: chooseAnyMotion(source, drawingOf(parts)), suits: false };
}

function lineOf(source: SourceLine, color: string, motion: MotionName, file: Lottie): StickerLine {
  const { preset, title, keywords, set, art, concept, licence } = source;
  return {
    preset,
    title,
    keywords,
    set,
    art,
    concept,
    licence,
    motion,
    width: file.w,
    height: file.h,
    aspect: Math.round((file.w / file.h) * 1000) / 1000,
    duration: Math.round((file.op / file.fr) * 1000) / 1000,
    fps: file.fr,
    color,
  };
}

/** What the maker of a sticker may decide: its motion, and a drawing that is in no package. */
export interface Wishes {
  motion?: MotionName;
  art?: Art;
}

/** Builds a sticker; throws an Error when its drawing cannot be had. */
export function buildSticker(source: SourceLine, wishes: Wishes = {}): BuiltSticker {
  const art = wishes.art ?? getArt(source.set, source.art);
  const parts = partsOf(art);
  const wanted = wishes.motion;
  const { name, suits } = wanted === undefined ? chooseMotion(source, parts) : { name: wanted, suits: true };
  const motion = motionOf(name);
  const file = lottieOf(source.preset, art, parts, motion, framesFor(motion, source.preset));
  const line = lineOf(source, primaryColour(parts, source.color), name, file);
  return { line, bytes: Buffer.from(JSON.stringify(file)), suits };
}
