// The images of the sandbox: colors, place and shapes that the prompt names, with the stickers it speaks of in the
// middle. The same prompt and size give the same bytes on every machine.

import { setImmediate as turn } from 'node:timers/promises';
import { dimensionsOf } from '../contract/image-request.js';
import type { CatalogueEntry } from '../catalogue/catalogue.js';
import { encodePng } from './encode-png.js';
import type { DrawImage } from './image-studio.js';
import { paintBackdrop, tint } from './picture/backdrop.js';
import { Canvas } from './picture/canvas.js';
import { drawsOf, type Draw } from './picture/draws.js';
import type { Paint } from './picture/outline.js';
import { readPrompt, type Reading, type Rgb } from './picture/read-prompt.js';
import { shapeAt } from './picture/shapes.js';
import { stickerPaints, type Place } from './picture/sticker-paints.js';

export interface Catalogue {
  /** The stickers that a prompt speaks of, the first named first. */
  choose: (prompt: string, count: number) => readonly CatalogueEntry[];
  readLottie: (from: CatalogueEntry['at']) => Promise<Uint8Array>;
}

const STICKERS_MAX = 5;
const SHAPES: Rgb = [255, 255, 255];

/** Draws with the stickers of a catalogue. Painting is done a little at a time: others get their turn in between. */
export function drawWith({ choose, readLottie }: Catalogue): DrawImage {
  return async ({ prompt, size }) => {
    const { width, height } = dimensionsOf(size);
    const [canvas, draw, reading] = [new Canvas(width, height), drawsOf(prompt), readPrompt(prompt)];
    await paint(canvas, await finish(paintBackdrop(canvas, reading, draw)));
    await turn();
    const stickers = choose(prompt, STICKERS_MAX);
    await turn();
    await paint(canvas, shapesOf(canvas, reading, stickers.length === 0, draw));
    const places = placesFor(canvas, stickers.length, draw);
    // The first is in front.
    for (const [at, { at: from }] of [...stickers.entries()].toReversed()) {
      const place = places[at];
      if (place !== undefined)
        await paint(canvas, [shadowOf(place), ...stickerPaints(await readLottie(from), place)]);
    }
    return encodePng(width, height, (y) => canvas.row(y));
  };
}

async function paint(canvas: Canvas, paints: readonly Paint[]): Promise<void> {
  for (const one of paints) await finish(canvas.fill(one));
}

/** Goes through with work that stops now and then, and gives the others their turn whenever it does. */
async function finish<T>(work: Generator<void, T>): Promise<T> {
  let step = work.next();
  for (; step.done !== true; step = work.next()) await turn();
  return step.value;
}

/** The first in the middle, the others smaller around it. */
function placesFor({ width, height }: Canvas, count: number, draw: Draw): Place[] {
  const unit = Math.min(width, height);
  const middle = { x: width / 2, y: height * 0.54, size: unit * 0.46, turn: 0 };
  const start = draw() * 0.6 + 0.5;
  const others = Array.from({ length: Math.max(0, count - 1) }, (_, i) => {
    const angle = start + (i / Math.max(1, count - 1)) * 2 * Math.PI;
    return {
      x: width / 2 + Math.cos(angle) * width * 0.36,
      y: height * 0.54 + Math.sin(angle) * height * 0.34,
      size: unit * (0.15 + draw() * 0.07),
      turn: (draw() - 0.5) * 0.5,
    };
  });
  return [middle, ...others].slice(0, count);
}

/** A stain below, so that a thing stands and does not float. */
function shadowOf({ x, y, size }: Place): Paint {
  const disc = shapeAt('circle', 0, 0, size * 0.8);
  const polygon = disc.map((value, at) => (at % 2 === 0 ? x + value : y + size * 0.53 + value * 0.14));
  return { polygons: [polygon], rule: 'nonzero', color: [0, 0, 0], opacity: 0.14 };
}

/** Shapes that the prompt names; and some of any, when it names no thing at all. */
function shapesOf(canvas: Canvas, { shapes, accents, color }: Reading, isBare: boolean, draw: Draw): Paint[] {
  const { width, height } = canvas;
  const kinds = shapes.length > 0 ? shapes : isBare ? (['circle', 'square', 'triangle'] as const) : [];
  const colors = accents.length > 0 ? accents : [SHAPES, color === undefined ? SHAPES : tint(color, -0.3)];
  return kinds.flatMap((kind) =>
    Array.from({ length: 4 }, (_, i) => {
      const size = Math.min(width, height) * (0.1 + draw() * 0.2);
      const polygon = shapeAt(kind, draw() * width, draw() * height, size, draw() * 3);
      return {
        polygons: [polygon],
        rule: 'nonzero' as const,
        color: colors[i % colors.length] ?? SHAPES,
        opacity: 0.7,
      };
    }),
  );
}
