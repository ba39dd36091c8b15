// The one colour a sticker is known by. It is always a colour of the file itself.

import { rgbOf } from './css-colour.js';
import { extentOfPart } from './frame.js';
import { samplePoints, type Point } from './outline.js';
import type { Part } from './parts.js';

// Beyond this distance (of 441) a measured colour is a blend of edges, not a colour of the drawing.
const NEAR = 60;

/** Distance of two `#rrggbb` colours, 0 to 441. */
function colourDistance(a: string, b: string): number {
  const [p, q] = [rgbOf(a), rgbOf(b)];
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

function polygonArea(points: readonly Point[]): number {
  let twice = 0;
  points.forEach((p, i) => {
    const q = points[(i + 1) % points.length] ?? p;
    twice += p[0] * q[1] - q[0] * p[1];
  });
  return Math.abs(twice) / 2;
}

function polylineLength(points: readonly Point[]): number {
  return points.reduce((sum, p, i) => {
    const q = points[i - 1];
    return q === undefined ? sum : sum + Math.hypot(p[0] - q[0], p[1] - q[1]);
  }, 0);
}

const vividness = (hex: string): number => {
  const rgb = rgbOf(hex);
  return (Math.max(...rgb) - Math.min(...rgb)) / 255;
};

/** Roughly how much of each colour there is, in drawing units squared; what covers what is not asked. */
export function colourAmounts(parts: readonly Part[]): Map<string, number> {
  const amounts = new Map<string, number>();
  const add = (color: string, amount: number): void => {
    amounts.set(color, (amounts.get(color) ?? 0) + amount);
  };
  for (const part of parts) {
    const runs = part.contours.map((contour) => samplePoints([contour]));
    const extent = extentOfPart(part);
    const box = (extent.right - extent.left) * (extent.bottom - extent.top);
    const area = runs.reduce((sum, run) => sum + polygonArea(run), 0);
    if (part.fill) add(part.fill.color, Math.min(box, area) * part.fill.opacity);
    const length = runs.reduce((sum, run) => sum + polylineLength(run), 0);
    if (part.stroke) add(part.stroke.color, length * part.stroke.width * part.stroke.opacity);
  }
  return amounts;
}

const weigh = ([color, amount]: [string, number]): number => amount * (0.15 + vividness(color));

/** The colour of the drawing that was measured from its picture, or its most plentiful vivid one. */
export function primaryColour(parts: readonly Part[], measured: string | undefined): string {
  const amounts = [...colourAmounts(parts)];
  const nearest = amounts
    .map(([color]) => color)
    .toSorted((a, b) => colourDistance(a, measured ?? a) - colourDistance(b, measured ?? b))[0];
  if (nearest !== undefined && measured !== undefined && colourDistance(nearest, measured) <= NEAR) return nearest;
  const best = amounts.toSorted((a, b) => weigh(b) - weigh(a) || (a[0] < b[0] ? -1 : 1))[0];
  if (best === undefined) throw new Error('A drawing without colours');
  return best[0];
}
