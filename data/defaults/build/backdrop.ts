// The default picture: a calm sky over three soft hills, so plain that text over it stays readable.

import { encodePng, type Rgb } from './png.js';

const SKY: readonly [Rgb, Rgb] = [
  [214, 226, 243],
  [250, 240, 232],
];
const HILLS: readonly Rgb[] = [
  [196, 210, 226],
  [172, 191, 211],
  [148, 171, 195],
];
const SUN: Rgb = [255, 249, 240];
const SKY_STEPS = 64;

const mix = (a: Rgb, b: Rgb, share: number): Rgb => [
  Math.round(a[0] + (b[0] - a[0]) * share),
  Math.round(a[1] + (b[1] - a[1]) * share),
  Math.round(a[2] + (b[2] - a[2]) * share),
];

const sky = Array.from({ length: SKY_STEPS }, (_, i) => mix(SKY[0], SKY[1], i / (SKY_STEPS - 1)));
// After the sky in the palette: the hills, then the sun.
const HILL = SKY_STEPS;
const SUN_INDEX = HILL + HILLS.length;
const palette: readonly Rgb[] = [...sky, ...HILLS, SUN];

/** A parabola's arch stands in for a sine: it gives the same bytes on every machine. */
function arch(phase: number): number {
  const t = phase - Math.floor(phase);
  const rising = t < 0.5;
  const u = (rising ? t : t - 0.5) * 2;
  return (rising ? 1 : -1) * 4 * u * (1 - u);
}

function hillTop(hill: number, x: number): number {
  return 0.62 + hill * 0.12 + 0.045 * arch(x * (0.7 + hill * 0.25) + hill * 0.37);
}

/** A PNG file of exactly `width` × `height` pixels, the same bytes every time. */
export function drawBackdrop(width: number, height: number): Buffer {
  const radius = Math.min(width, height) * 0.09;
  return encodePng(width, height, palette, (px, py) => {
    const [x, y] = [px / width, py / height];
    for (let hill = HILLS.length - 1; hill >= 0; hill--) if (y > hillTop(hill, x)) return HILL + hill;
    const [dx, dy] = [px - width * 0.7, py - height * 0.3];
    if (dx * dx + dy * dy < radius * radius) return SUN_INDEX;
    return Math.min(SKY_STEPS - 1, Math.floor((y / 0.75) * SKY_STEPS));
  });
}
