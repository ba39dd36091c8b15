// The Lottie file of a drawing and a motion: one shape layer, whose transform is the motion and whose groups
// are the drawing's parts, front to back. Coordinates stay in the units of the drawing's box and the layer
// scales them, which keeps numbers short.

import { rgbOf } from './css-colour.js';
import { extentOf, extentOfPart, RAIN_REACH, frameFor, middleOf, type Extent, type Frame } from './frame.js';
import type { Motion, PartsMotion } from './motion.js';
import type { Contour, Point } from './outline.js';
import type { Part } from './parts.js';
import { EASES, type Pair, type Track } from './track.js';

interface Still {
  a: 0;
  k: unknown;
}
interface Keyframe {
  t: number;
  s: number[];
  h?: 1;
  o?: { x: number; y: number };
  i?: { x: number; y: number };
}
interface Moving {
  a: 1;
  k: Keyframe[];
}
type Property = Still | Moving;
type Item = Record<string, unknown>;

/** A Lottie document as the catalogue writes it; `op` is its length in frames. */
export interface Lottie {
  v: string;
  nm: string;
  fr: number;
  ip: 0;
  op: number;
  w: number;
  h: number;
  ddd: 0;
  assets: [];
  layers: Item[];
}

const still = (k: unknown): Still => ({ a: 0, k });

const rounder = (digits: number): ((value: number) => number) => {
  const factor = 10 ** digits;
  return (value) => Math.round(value * factor) / factor;
};
const round2 = rounder(2);
const round3 = rounder(3);

const writeNumber = (value: number): number[] => [value];
const writePair = (pair: Pair): number[] => pair.map(round3);
const writePercent = (pair: Pair): number[] => pair.map((share) => round2(share * 100));

/** A track as keyframes over `frames`; keys that would share a frame are pushed apart, as players want. */
function animate<V>(track: Track<V>, frames: number, write: (value: V) => number[]): Moving {
  let earlier = -1;
  const keys = track.map(([at, value, ease = 'smooth'], i): Keyframe => {
    const t = (earlier = Math.max(earlier + 1, Math.round(at * frames)));
    const key: Keyframe = { t, s: write(value).map(round3) };
    if (i === track.length - 1) return key;
    if (ease === 'hold') return { ...key, h: 1 };
    const [x1, y1, x2, y2] = EASES[ease];
    return { ...key, o: { x: x1, y: y1 }, i: { x: x2, y: y2 } };
  });
  return { a: 1, k: keys };
}

function layerTransform(motion: Motion, frame: Frame, side: number, frames: number): Record<string, Property> {
  const { move, scale, turn, opacity, shear } = motion;
  const [x, y] = frame.position;
  const step = frame.scale * side;
  const size = frame.scale * 100;
  const at = ([dx, dy]: Pair): number[] => [x + dx * step, y + dy * step].map(round2);
  return {
    a: still(frame.pivot.map(round3)),
    p: move === undefined ? still(at([0, 0])) : animate(move, frames, at),
    s:
      scale === undefined
        ? still([round2(size), round2(size)])
        : animate(scale, frames, ([sx, sy]) => [sx * size, sy * size].map(round2)),
    r: turn === undefined ? still(0) : animate(turn, frames, writeNumber),
    o: opacity === undefined ? still(100) : animate(opacity, frames, (share) => [share * 100]),
    // A shear along the axis of 90° moves the far side up and down.
    ...(shear === undefined ? {} : { sk: animate(shear, frames, writeNumber), sa: still(90) }),
  };
}

function pathItem(contour: Contour, round: (value: number) => number): Item {
  const vertices = contour.vertices.map((p) => p.map(round));
  const handles = (points: readonly Point[]): number[][] =>
    points.map((p, i) => p.map((value, axis) => round(round(value) - (vertices[i]?.[axis] ?? 0))));
  const path = { c: contour.closed, v: vertices, i: handles(contour.before), o: handles(contour.after) };
  return { ty: 'sh', ks: still(path) };
}

const colour = (hex: string): Still => still(rgbOf(hex).map((byte) => rounder(4)(byte / 255)));

function strokeItem({ color, opacity, width, cap, join, miterLimit, dash }: NonNullable<Part['stroke']>): Item {
  const item: Item = {
    ty: 'st',
    c: colour(color),
    o: still(round2(opacity * 100)),
    w: still(round3(width)),
    lc: cap,
    lj: join,
  };
  if (join === 1) item['ml'] = miterLimit;
  if (dash.length > 0) item['d'] = dashItems(dash);
  return item;
}

/**
 * Lottie names each length, a dash, then a gap, and ends with the offset. Each name stands once: full lottie-web makes
 * properties of them for expressions, and its canvas takes the last entry for the offset.
 */
function dashItems(lengths: readonly number[]): Item[] {
  const entries = lengths.map((length, i) => {
    const nth = i < 2 ? '' : Math.floor(i / 2) + 1;
    return { n: i % 2 === 0 ? 'd' : 'g', nm: `${i % 2 === 0 ? 'dash' : 'gap'}${nth}`, v: still(length) };
  });
  return [...entries, { n: 'o', nm: 'offset', v: still(0) }];
}

function fillItem({ color, opacity, evenOdd }: NonNullable<Part['fill']>): Item {
  return { ty: 'fl', c: colour(color), o: still(round2(opacity * 100)), r: evenOdd ? 2 : 1 };
}

function restTransform(): Item {
  return { ty: 'tr', a: still([0, 0]), p: still([0, 0]), s: still([100, 100]), r: still(0), o: still(100) };
}

/** Parts take turns to swell a little. */
function rippleTrack(turn: number): Track<Pair> {
  const start = 0.04 + turn * 0.5;
  return [
    [0, [1, 1]],
    [start, [1, 1]],
    [start + 0.14, [1.14, 1.14]],
    [start + 0.34, [1, 1]],
    [1, [1, 1]],
  ];
}

/** Parts vanish together, then come back one after another, the hindmost first. */
function assembleTrack(turn: number): Track<Pair> {
  const start = 0.22 + turn * 0.4;
  return [
    [0, [1, 1]],
    [0.06, [1, 1], 'in'],
    [0.18, [0, 0]],
    [start, [0, 0], 'out'],
    [start + 0.1, [1.12, 1.12]],
    [start + 0.17, [1, 1]],
    [1, [1, 1]],
  ];
}

/** Parts fly from the middle of the drawing to their places. */
function burstTracks(middle: Pair, own: Pair, turn: number): { p: Track<Pair>; s: Track<Pair> } {
  const start: Pair = [own[0] + (middle[0] - own[0]) * 0.8, own[1] + (middle[1] - own[1]) * 0.8];
  const end = 0.3 + turn * 0.2;
  return {
    p: [
      [0, start, 'out'],
      [end, own],
      [1, own],
    ],
    s: [
      [0, [0.6, 0.6], 'out'],
      [end, [1, 1]],
      [1, [1, 1]],
    ],
  };
}

/** Whether a part hangs below a cloud: it is low, and small beside the whole. */
function hangs(part: Part, whole: Extent): boolean {
  const own = extentOfPart(part);
  const height = whole.bottom - whole.top;
  const area = (own.right - own.left) * (own.bottom - own.top);
  const isLow = own.top > whole.top + height * 0.4 && middleOf(own)[1] > whole.top + height * 0.6;
  return isLow && area < 0.25 * height * (whole.right - whole.left);
}

/** Drops fall out of sight and grow from the cloud again, one after another. */
function rainTracks(own: Pair, reach: number, turn: number): { p: Track<Pair>; o: Track<number> } {
  const start = turn * 0.25;
  return {
    p: [
      [0, own],
      [start, own, 'in'],
      [start + 0.34, [own[0], own[1] + reach], 'hold'],
      [start + 0.38, [own[0], own[1] - reach], 'out'],
      [start + 0.7, own],
      [1, own],
    ],
    o: [
      [0, 100],
      [start, 100],
      [start + 0.34, 0, 'hold'],
      [start + 0.38, 0],
      [start + 0.7, 100],
      [1, 100],
    ],
  };
}

function partTransform(part: Part, kind: PartsMotion, turn: number, whole: Extent, frames: number): Item {
  const [own, middle] = [middleOf(extentOfPart(part)), middleOf(whole)];
  const item: Item = { ...restTransform(), a: still(writePair(own)), p: still(writePair(own)) };
  if (kind === 'ripple') item['s'] = animate(rippleTrack(turn), frames, writePercent);
  if (kind === 'assemble') item['s'] = animate(assembleTrack(turn), frames, writePercent);
  if (kind === 'rain' && hangs(part, whole)) {
    const tracks = rainTracks(own, (whole.bottom - whole.top) * RAIN_REACH, turn);
    item['p'] = animate(tracks.p, frames, writePair);
    item['o'] = animate(tracks.o, frames, writeNumber);
  }
  if (kind === 'burst') {
    const tracks = burstTracks(middle, own, turn);
    item['p'] = animate(tracks.p, frames, writePair);
    item['s'] = animate(tracks.s, frames, writePercent);
  }
  return item;
}

/** Lines are taken away along their course, then drawn again, the hindmost first. */
function trimItem(turn: number, frames: number): Item {
  const start = 0.36 + turn * 0.2;
  const from: Track<number> = [
    [0, 0],
    [0.06, 0, 'in'],
    [0.32, 100, 'hold'],
    [0.34, 0],
    [1, 0],
  ];
  const to: Track<number> = [
    [0, 100, 'hold'],
    [0.33, 0],
    [start, 0],
    [start + 0.34, 100],
    [1, 100],
  ];
  return {
    ty: 'tm',
    s: animate(from, frames, writeNumber),
    e: animate(to, frames, writeNumber),
    o: still(0),
    m: 1,
  };
}

function groupItem(part: Part, round: (value: number) => number, extra: Item[], transform: Item): Item {
  const items: Item[] = part.contours.map((contour) => pathItem(contour, round));
  items.push(...extra);
  if (part.stroke) items.push(strokeItem(part.stroke));
  if (part.fill) items.push(fillItem(part.fill));
  return { ty: 'gr', it: [...items, transform] };
}

function groupsOf(parts: readonly Part[], motion: Motion, side: number, frames: number): Item[] {
  const whole = extentOf(parts);
  // A small box is enlarged more, so it needs a digit more for the same tenth of a pixel.
  const round = rounder(side < 24 ? 3 : 2);
  const kind = motion.parts;
  const groups = parts.map((part, i) => {
    const turn = parts.length < 2 ? 0 : i / (parts.length - 1);
    const extra = kind === 'draw' ? [trimItem(turn, frames)] : [];
    const moves = kind !== undefined && kind !== 'draw';
    const transform = moves ? partTransform(part, kind, turn, whole, frames) : restTransform();
    return groupItem(part, round, extra, transform);
  });
  // SVG paints the last element on top, Lottie the first.
  return groups.toReversed();
}

/** The Lottie file of a drawing, named `name`, moving in `motion` for `frames` frames. */
export function lottieOf(
  name: string,
  box: { width: number; height: number },
  parts: readonly Part[],
  motion: Motion,
  frames: number,
): Lottie {
  const frame = frameFor(box, parts, motion);
  const side = Math.max(box.width, box.height);
  const layer: Item = {
    ddd: 0,
    ind: 1,
    ty: 4,
    nm: 'art',
    sr: 1,
    ks: layerTransform(motion, frame, side, frames),
    ao: 0,
    shapes: groupsOf(parts, motion, side, frames),
    ip: 0,
    op: frames,
    st: 0,
    bm: 0,
  };
  const size = { w: frame.width, h: frame.height };
  return {
    v: '5.7.0',
    nm: name,
    fr: motion.fps,
    ip: 0,
    op: frames,
    ...size,
    ddd: 0,
    assets: [],
    layers: [layer],
  };
}
