// Simple shapes as polygons, centred where they are wanted.

import { discAt, flattenCubic, type Polygon } from './outline.js';
import type { Shape } from './read-prompt.js';

/** A shape whose longer side is `size`, turned by `turn` radians. */
export function shapeAt(shape: Shape, x: number, y: number, size: number, turn = 0): Polygon {
  const half = size / 2;
  switch (shape) {
    case 'circle':
      return discAt([x, y], half, 48);
    case 'square':
      return regular(x, y, half, 4, turn + Math.PI / 4);
    case 'triangle':
      return regular(x, y, half, 3, turn - Math.PI / 2);
    case 'star':
      return starAt(x, y, half, turn);
    case 'heart':
      return heartAt(x, y, half);
  }
}

function regular(x: number, y: number, radius: number, corners: number, turn: number): Polygon {
  return Array.from({ length: corners }, (_, i) => {
    const angle = turn + (i / corners) * 2 * Math.PI;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  }).flat();
}

function starAt(x: number, y: number, radius: number, turn: number): Polygon {
  return Array.from({ length: 10 }, (_, i) => {
    const reach = i % 2 === 0 ? radius : radius * 0.42;
    const angle = turn - Math.PI / 2 + (i / 10) * 2 * Math.PI;
    return [x + reach * Math.cos(angle), y + reach * Math.sin(angle)];
  }).flat();
}

function heartAt(x: number, y: number, half: number): Polygon {
  const point = (dx: number, dy: number) => [x + dx * half, y + dy * half] as const;
  const [notch, tip] = [point(0, -0.5), point(0, 0.95)];
  return [
    ...notch,
    ...flattenCubic(notch, point(0.35, -1.15), point(1.5, -0.6), point(0.9, 0.15), 1),
    ...flattenCubic(point(0.9, 0.15), point(0.6, 0.5), point(0.2, 0.75), tip, 1),
    ...flattenCubic(tip, point(-0.2, 0.75), point(-0.6, 0.5), point(-0.9, 0.15), 1),
    ...flattenCubic(point(-0.9, 0.15), point(-1.5, -0.6), point(-0.35, -1.15), notch, 1),
  ];
}
