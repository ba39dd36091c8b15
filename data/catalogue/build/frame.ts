// How large a moving drawing may be, and where it sits, so that its motion never leaves the canvas.

import type { Motion } from './motion.js';
import { samplePoints, type Point } from './outline.js';
import type { Part } from './parts.js';
import { mixNumbers, mixPairs, valueAt, type Pair } from './track.js';

/** An upright rectangle in the units of the drawing's box. */
export interface Extent {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Where the canvas puts the drawing: canvas = scale × (drawing − pivot) + position, before any motion. */
export interface Frame {
  width: number;
  height: number;
  scale: number;
  pivot: Pair;
  position: Pair;
}

/** The longer side of every canvas, in pixels. */
const CANVAS = 512;
// Kept free on each side, as a share of the longer side.
const MARGIN = 0.02;
// How far a part may grow about its own middle in the motions that move parts (see `animateParts`).
const PART_GROWTH = 1.15;
const SAMPLES = 48;

function extentOfPoints(points: readonly Point[]): Extent {
  const extent = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const [x, y] of points) {
    extent.left = Math.min(extent.left, x);
    extent.top = Math.min(extent.top, y);
    extent.right = Math.max(extent.right, x);
    extent.bottom = Math.max(extent.bottom, y);
  }
  return extent;
}

/** What one part covers, its stroke included (mitred corners are taken as round). */
export function extentOfPart(part: Part): Extent {
  const extent = extentOfPoints(samplePoints(part.contours));
  const reach = (part.stroke?.width ?? 0) / 2;
  return {
    left: extent.left - reach,
    top: extent.top - reach,
    right: extent.right + reach,
    bottom: extent.bottom + reach,
  };
}

/** What all parts cover together. */
export function extentOf(parts: readonly Part[]): Extent {
  const corners = parts.map(extentOfPart).flatMap((e): Point[] => [
    [e.left, e.top],
    [e.right, e.bottom],
  ]);
  return extentOfPoints(corners);
}

export const middleOf = (extent: Extent): Pair => [(extent.left + extent.right) / 2, (extent.top + extent.bottom) / 2];

const cross = (o: Point, a: Point, b: Point): number => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);

function halfHull(points: readonly Point[]): Point[] {
  const hull: Point[] = [];
  for (const point of points) {
    for (;;) {
      const [a, b] = [hull.at(-2), hull.at(-1)];
      if (a === undefined || b === undefined || cross(a, b, point) > 0) break;
      hull.pop();
    }
    hull.push(point);
  }
  return hull.slice(0, -1);
}

/** The outermost points: turned and sized, only they can touch an edge (monotone chain). */
function hullOf(points: readonly Point[]): Point[] {
  const sorted = points.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
  return [...halfHull(sorted), ...halfHull(sorted.toReversed())];
}

/** How far the drops of a cloud fall, in shares of the drawing's height. */
export const RAIN_REACH = 0.08;

function outermostPoints(parts: readonly Part[], growth: number): Point[] {
  const points = parts.flatMap((part) => {
    const [x, y] = middleOf(extentOfPart(part));
    const reach = (part.stroke?.width ?? 0) / 2;
    const around: Point[] = reach === 0 ? [[0, 0]] : RING.map(([a, b]) => [a * reach, b * reach]);
    return samplePoints(part.contours, 3).flatMap((p) =>
      around.map((d): Point => [x + (p[0] + d[0] - x) * growth, y + (p[1] + d[1] - y) * growth]),
    );
  });
  return hullOf(points);
}

const RING: readonly Point[] = Array.from({ length: 8 }, (_, i): Point => {
  const angle = (i * Math.PI) / 4;
  return [Math.cos(angle), Math.sin(angle)];
});

/** A drawing's point at a time of 0 to 1, as a shift from the pivot, in drawing units. */
function mover(motion: Motion, time: number, side: number): (from: Point) => Point {
  const [dx, dy] = motion.move === undefined ? [0, 0] : valueAt(motion.move, time, mixPairs);
  const [sx, sy] = motion.scale === undefined ? [1, 1] : valueAt(motion.scale, time, mixPairs);
  const turn = motion.turn === undefined ? 0 : valueAt(motion.turn, time, mixNumbers);
  const shear = motion.shear === undefined ? 0 : valueAt(motion.shear, time, mixNumbers);
  const [cos, sin] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)];
  const slope = Math.tan((shear * Math.PI) / 180);
  return ([px, py]) => {
    const x = px * sx;
    const y = py * sy + x * slope;
    return [x * cos - y * sin + dx * side, x * sin + y * cos + dy * side];
  };
}

/** All that the motion sweeps over, as shifts from the pivot in drawing units. Faded-out moments do not count. */
function sweptExtent(points: readonly Point[], motion: Motion, side: number): Extent {
  const swept: Point[] = [];
  for (let i = 0; i <= SAMPLES; i++) {
    const time = i / SAMPLES;
    if (motion.opacity !== undefined && valueAt(motion.opacity, time, mixNumbers) < 0.02) continue;
    const extent = extentOfPoints(points.map(mover(motion, time, side)));
    swept.push([extent.left, extent.top], [extent.right, extent.bottom]);
  }
  return extentOfPoints(swept);
}

const clamp = (value: number, low: number, high: number): number =>
  low > high ? (low + high) / 2 : Math.min(high, Math.max(low, value));

/** The frame for a drawing of this box and this motion: as large as drawn if it can be, else as large as fits. */
export function frameFor(box: { width: number; height: number }, parts: readonly Part[], motion: Motion): Frame {
  const side = Math.max(box.width, box.height);
  const [width, height] = [Math.round((CANVAS * box.width) / side), Math.round((CANVAS * box.height) / side)];
  const extent = extentOf(parts);
  const pivot: Pair = [
    mixNumbers(extent.left, extent.right, motion.pivot[0]),
    mixNumbers(extent.top, extent.bottom, motion.pivot[1]),
  ];
  const grows = motion.parts === 'ripple' || motion.parts === 'assemble';
  const reach = motion.parts === 'rain' ? (extent.bottom - extent.top) * RAIN_REACH : 0;
  const points = outermostPoints(parts, grows ? PART_GROWTH : 1).flatMap(([x, y]): Point[] => [
    [x - pivot[0], y - pivot[1]],
    [x - pivot[0], y - pivot[1] + reach],
  ]);
  const swept = sweptExtent(points, motion, side);
  const margin = MARGIN * CANVAS;
  const scale = Math.min(
    CANVAS / side,
    (width - 2 * margin) / (swept.right - swept.left),
    (height - 2 * margin) / (swept.bottom - swept.top),
  );
  const place = (length: number, at: number, middle: number, low: number, high: number): number =>
    clamp(length / 2 + scale * (at - middle), margin - scale * low, length - margin - scale * high);
  return {
    width,
    height,
    scale,
    pivot,
    position: [
      place(width, pivot[0], box.width / 2, swept.left, swept.right),
      place(height, pivot[1], box.height / 2, swept.top, swept.bottom),
    ],
  };
}
