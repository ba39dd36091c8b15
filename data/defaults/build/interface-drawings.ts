// Original drawings of what no set of pictures has and every set of icons does: tables, lists, layers, switches.

import type { Art } from '../../catalogue/build/art.js';

const BLUE = '#2f7cf6';
const PALE = '#cfe0ff';
const INK = '#24324a';
const GREEN = '#17b35e';
const ORANGE = '#ffb020';

const rect = (x: number, y: number, width: number, height: number, fill: string, radius = 3): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}"/>`;
const disc = (x: number, y: number, radius: number, fill: string): string =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`;
const shape = (path: string, fill: string): string => `<path fill="${fill}" d="${path}"/>`;
const line = (path: string, color: string, width: number): string =>
  `<path d="${path}" fill="none" stroke="${color}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;
const square = (...parts: readonly string[]): Art => ({ body: parts.join(''), width: 64, height: 64 });

const BARS: readonly (readonly [y: number, width: number])[] = [
  [8, 52],
  [22, 36],
  [36, 46],
  [50, 28],
];
const DRUM = 'v12c0 5 10 9 22 9s22-4 22-9V';
const PINS = [16, 28, 40].flatMap((at) => [rect(at + 2, 4, 4, 56, INK, 2), rect(4, at + 2, 56, 4, INK, 2)]);
const TRAY = line('M8 44v8a6 6 0 0 0 6 6h36a6 6 0 0 0 6-6v-8', INK, 6);

export const INTERFACE_DRAWINGS: Readonly<Record<string, Art>> = {
  table: square(
    rect(4, 8, 56, 48, PALE, 6),
    rect(4, 8, 56, 14, BLUE, 6),
    line('M5 22h54M5 38h54M23 22v33M41 22v33', BLUE, 2.5),
  ),
  list: square(
    ...[14, 32, 50].map((y, i) => disc(11, y, 5, [BLUE, GREEN, ORANGE][i] ?? BLUE)),
    ...[14, 32, 50].map((y) => rect(22, y - 4, 38, 8, PALE, 4)),
  ),
  align: square(...BARS.map(([y, width], i) => rect(6, y, width, 7, i % 2 === 0 ? BLUE : '#8fb5ff', 3.5))),
  text: square(rect(4, 4, 56, 56, PALE, 12), shape('M16 16h32v11h-5l-1-5h-6v22l5 1v4H23v-4l5-1V22h-6l-1 5h-5z', INK)),
  database: square(
    shape(`M10 38${DRUM}38z`, '#1f5fd0'),
    shape(`M10 26${DRUM}26z`, BLUE),
    shape(`M10 14${DRUM}14z`, '#5b99ff'),
    '<ellipse cx="32" cy="14" rx="22" ry="9" fill="#cfe0ff"/>',
  ),
  code: square(
    rect(3, 8, 58, 48, INK, 8),
    line('M22 22 12 32l10 10M42 22l10 10-10 10', '#7cf0b5', 5),
    line('m36 18-8 28', ORANGE, 5),
  ),
  layers: square(
    shape('M32 30 60 44 32 58 4 44z', '#1f5fd0'),
    shape('M32 18 60 32 32 46 4 32z', BLUE),
    shape('M32 6 60 20 32 34 4 20z', '#8fb5ff'),
  ),
  'pie-chart': square(
    disc(32, 34, 26, BLUE),
    shape('M32 34V8a26 26 0 0 1 22.500 39z', GREEN),
    shape('M36 30V4a26 26 0 0 1 24 26z', ORANGE),
  ),
  cursor: square(
    shape('M14 8 52 30 36 34 46 52 38 56 28 38 16 49z', INK),
    line('M44 10l6-6M50 18h9M38 8V2', ORANGE, 4),
  ),
  scan: square(
    line('M6 20V12a6 6 0 0 1 6-6h8M44 6h8a6 6 0 0 1 6 6v8M58 44v8a6 6 0 0 1-6 6h-8M20 58h-8a6 6 0 0 1-6-6v-8', BLUE, 6),
    rect(12, 29, 40, 6, GREEN, 3),
  ),
  network: square(
    line('M32 16 14 46M32 16l18 30M14 48h36', '#8fb5ff', 5),
    disc(32, 14, 11, BLUE),
    disc(14, 48, 10, GREEN),
    disc(50, 48, 10, ORANGE),
  ),
  toggle: square(
    rect(3, 6, 58, 24, GREEN, 12),
    disc(48, 18, 9, '#ffffff'),
    rect(3, 36, 58, 24, '#c9d2e0', 12),
    disc(16, 48, 9, '#ffffff'),
  ),
  browser: square(
    rect(3, 8, 58, 48, PALE, 7),
    rect(3, 8, 58, 13, BLUE, 6),
    ...[11, 19, 27].map((x) => disc(x, 14.5, 3, '#ffffff')),
    rect(10, 28, 20, 20, '#8fb5ff', 4),
    rect(35, 29, 19, 5, BLUE, 2.5),
    rect(35, 40, 14, 5, BLUE, 2.5),
  ),
  cube: square(
    shape('M32 4 58 18 32 32 6 18z', '#8fb5ff'),
    shape('M6 18 32 32v28L6 46z', BLUE),
    shape('M58 18 32 32v28l26-14z', '#1f5fd0'),
  ),
  chip: square(...PINS, rect(12, 12, 40, 40, '#3a4a68', 6), rect(23, 23, 18, 18, '#7cf0b5', 3)),
  expand: square(
    line('M38 26 58 6M44 6h14v14M26 38 6 58M6 44v14h14', BLUE, 6),
    line('M26 26 6 6M6 20V6h14M38 38l20 20M44 58h14V44', '#8fb5ff', 6),
  ),
  download: square(TRAY, line('M32 6v36M18 28l14 14 14-14', BLUE, 7)),
  upload: square(TRAY, line('M32 44V8M18 22 32 8l14 14', GREEN, 7)),
  'turn-arrow': square(line('M52 58V34a16 16 0 0 0-16-16H12M26 4 12 18l14 14', BLUE, 8)),
  'user-card': square(
    rect(3, 10, 58, 44, PALE, 7),
    disc(20, 27, 7, BLUE),
    shape('M8 46a12 11 0 0 1 24 0z', BLUE),
    rect(37, 22, 18, 5, INK, 2.5),
    rect(37, 32, 18, 5, '#8fb5ff', 2.5),
    rect(37, 42, 11, 5, '#8fb5ff', 2.5),
  ),
};
