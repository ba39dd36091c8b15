// What is behind the things in a picture: sky, ground, weather, in the colors that the prompt names.

import type { Canvas } from './canvas.js';
import type { Draw } from './draws.js';
import { discAt, type Paint, type Polygon } from './outline.js';
import type { Ground, Reading, Rgb, Sky, Weather } from './read-prompt.js';
import { shapeAt } from './shapes.js';

const SKIES: Record<Exclude<Sky, 'plain'>, readonly [top: Rgb, bottom: Rgb]> = {
  day: [
    [110, 184, 245],
    [214, 238, 252],
  ],
  night: [
    [10, 14, 48],
    [52, 48, 112],
  ],
  sunset: [
    [94, 74, 150],
    [255, 170, 110],
  ],
};
const GROUNDS: Record<Ground, Rgb> = {
  sea: [46, 124, 184],
  sand: [238, 210, 158],
  grass: [108, 178, 92],
  snow: [240, 246, 252],
  city: [86, 92, 112],
  floor: [214, 186, 156],
};
const CONFETTI: readonly Rgb[] = [
  [255, 107, 107],
  [255, 209, 102],
  [76, 201, 160],
  [92, 140, 255],
  [200, 120, 255],
];
const WHITE: Rgb = [255, 255, 255];
const ROWS_IN_A_TURN = 128;
/** How far down the ground begins. */
const HORIZON = 0.68;

/** Paints the sky, stopping now and then; returns the ground, and what falls and twinkles, to be painted over it. */
export function* paintBackdrop(canvas: Canvas, reading: Reading, draw: Draw): Generator<void, Paint[]> {
  const [top, bottom] = skyOf(reading, draw);
  for (let y = 0; y < canvas.height; y++) {
    canvas.fillRow(y, mix(top, bottom, y / (canvas.height - 1)));
    if (y % ROWS_IN_A_TURN === 0) yield;
  }
  return [
    ...(reading.sky === 'night' ? [moon(canvas)] : []),
    ...(reading.sky === 'sunset' || reading.sky === 'day' ? [sun(canvas, reading.sky)] : []),
    ...groundOf(canvas, reading, draw),
    ...reading.weather.flatMap((weather) => weatherOf(canvas, weather, reading, draw)),
  ];
}

/** Towards white (share > 0) or black (share < 0). */
export function tint(color: Rgb, share: number): Rgb {
  return mix(color, share > 0 ? WHITE : [0, 0, 0], Math.abs(share));
}

function skyOf({ sky, color }: Reading, draw: Draw): readonly [Rgb, Rgb] {
  if (color !== undefined)
    return [tint(color, sky === 'night' ? -0.55 : 0.12), tint(color, sky === 'night' ? -0.1 : 0.45)];
  if (sky !== 'plain') return SKIES[sky];
  const hue = draw();
  return [rgbOf(hue, 0.5, 0.78), rgbOf((hue + 0.12) % 1, 0.55, 0.9)];
}

function groundOf(canvas: Canvas, { ground, sky }: Reading, draw: Draw): Paint[] {
  if (ground === undefined) return [];
  const dark = sky === 'night' ? -0.5 : 0;
  const color = tint(GROUNDS[ground], dark);
  if (ground === 'city') return skyline(canvas, color, sky, draw);
  const nearer = tint(GROUNDS[ground], sky === 'night' ? -0.35 : ground === 'sea' ? 0.18 : 0.22);
  return [
    area(wavy(canvas, HORIZON, ground === 'sea' || ground === 'floor' ? 0 : 0.05, draw), color),
    area(wavy(canvas, HORIZON + 0.14, ground === 'floor' ? 0 : 0.03, draw), nearer),
  ];
}

/** From a wavy line down to the lower edge. */
function wavy({ width, height }: Canvas, from: number, swing: number, draw: Draw): Polygon {
  const [phase, waves] = [draw() * 6, 1 + draw() * 2];
  const line = Array.from({ length: 41 }, (_, i) => {
    const rise = Math.sin(phase + (i / 40) * waves * 2 * Math.PI) * swing;
    return [(i / 40) * width, (from + rise) * height];
  }).flat();
  return [...line, width, height, 0, height];
}

function skyline({ width, height }: Canvas, color: Rgb, sky: Sky, draw: Draw): Paint[] {
  const houses = Array.from({ length: 14 }, (_, i) => {
    const top = (0.4 + draw() * 0.32) * height;
    return { left: (i / 14) * width, right: ((i + 0.86) / 14) * width, top };
  });
  const windows = houses.flatMap(({ left, right, top }) =>
    Array.from({ length: 10 }, () => {
      const [x, y] = [
        left + (0.1 + draw() * 0.7) * (right - left),
        top + (0.05 + draw() * 0.9) * (height - top),
      ];
      return box(x, y, x + width * 0.008, y + width * 0.011);
    }),
  );
  return [
    { ...area(houses[0] ? box(0, height * 0.9, width, height) : [], color) },
    { ...area([], color), polygons: houses.map(({ left, right, top }) => box(left, top, right, height)) },
    { ...area([], sky === 'night' ? [255, 222, 120] : tint(color, 0.5)), polygons: windows },
  ];
}

function weatherOf(canvas: Canvas, weather: Weather, { accents }: Reading, draw: Draw): Paint[] {
  const { width, height } = canvas;
  const unit = Math.min(width, height) / 100;
  const spots = (count: number, down = 1) =>
    Array.from({ length: count }, () => ({ x: draw() * width, y: draw() * height * down, size: draw() }));
  switch (weather) {
    case 'stars':
      return [
        many(
          spots(90, 0.7).map(({ x, y, size }) => discAt([x, y], unit * (0.12 + size * 0.35), 8)),
          WHITE,
          0.9,
        ),
      ];
    case 'snow':
      return [
        many(
          spots(120).map(({ x, y, size }) => discAt([x, y], unit * (0.3 + size * 0.7))),
          WHITE,
          0.85,
        ),
      ];
    case 'rain':
      return [
        many(
          spots(140).map(({ x, y, size }) => [
            x,
            y,
            x + unit * 0.3,
            y,
            x - unit * (1 + size),
            y + unit * (4 + size * 3),
          ]),
          [190, 215, 240],
          0.7,
        ),
      ];
    case 'hearts':
      return [
        many(
          spots(22).map(({ x, y, size }) => shapeAt('heart', x, y, unit * (2 + size * 4))),
          [244, 92, 124],
          0.55,
        ),
      ];
    case 'confetti':
      return [...accents, ...CONFETTI].map((color) =>
        many(
          spots(16).map(({ x, y, size }) =>
            shapeAt(size > 0.5 ? 'square' : 'circle', x, y, unit * (1 + size * 1.4), size * 9),
          ),
          color,
          0.9,
        ),
      );
  }
}

function moon({ width, height }: Canvas): Paint {
  return area(discAt([width * 0.82, height * 0.2], Math.min(width, height) * 0.075, 48), [250, 240, 205]);
}

function sun({ width, height }: Canvas, sky: Sky): Paint {
  const [x, y] = sky === 'sunset' ? [0.5, 0.6] : [0.84, 0.18];
  return area(discAt([width * x, height * y], Math.min(width, height) * 0.1, 48), [255, 226, 130]);
}

function area(polygon: Polygon, color: Rgb): Paint {
  return many([polygon], color, 1);
}

function many(polygons: readonly Polygon[], color: Rgb, opacity: number): Paint {
  return { polygons, rule: 'nonzero', color, opacity };
}

function box(left: number, top: number, right: number, bottom: number): Polygon {
  return [left, top, right, top, right, bottom, left, bottom];
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const part = (at: 0 | 1 | 2) => Math.round(from[at] + (to[at] - from[at]) * share);
  return [part(0), part(1), part(2)];
}

function rgbOf(hue: number, saturation: number, lightness: number): Rgb {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const part = (offset: number) => {
    const k = (offset + hue * 12) % 12;
    return Math.round(255 * (lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [part(0), part(8), part(4)];
}
