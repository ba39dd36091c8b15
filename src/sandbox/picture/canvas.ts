// Pixels, and filling polygons into them: scan lines in quarters of a pixel, exact along each line. Our own, because
// what draws vectors for Node is a native binary of 4 to 30 MB or a tenth as fast, and this is for play money.

import type { Paint, Polygon } from './outline.js';

const BYTES_PER_PIXEL = 3;
/** Scan lines in a row of pixels. */
const LINES = 4;
/** Edges crossed and pixels blended, of one paint or of many small ones: some 10 ms before the code is compiled, then 0.2. */
const WORK_IN_A_TURN = 5000;

interface Edge {
  readonly top: number;
  readonly bottom: number;
  /** x at y = 0, and how it moves with y. */
  readonly x0: number;
  readonly slope: number;
  readonly direction: 1 | -1;
}

/** An RGB picture. */
export class Canvas {
  readonly width: number;
  readonly height: number;
  readonly #pixels: Uint8Array;
  /** How much of each pixel of the current row is covered; one longer, for the end of the last span. */
  readonly #cover: Float32Array;
  /** Crossings of the current line. Kept, because a picture has a hundred thousand lines. */
  readonly #places: number[] = [];
  readonly #directions: number[] = [];
  #worked = 0;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.#pixels = new Uint8Array(width * height * BYTES_PER_PIXEL);
    this.#cover = new Float32Array(width + 1);
  }

  /** The bytes of a row. */
  row(y: number): Uint8Array {
    const stride = this.width * BYTES_PER_PIXEL;
    return this.#pixels.subarray(y * stride, (y + 1) * stride);
  }

  /** Gives a whole row one color. */
  fillRow(y: number, color: Paint['color']): void {
    const row = this.row(y);
    row.set(color);
    for (let done = BYTES_PER_PIXEL; done < row.length; done *= 2) row.copyWithin(done, 0, done);
  }

  /** Paints an area over what is there, and stops now and then so that others can have their turn. */
  *fill({ polygons, rule, color, opacity }: Paint): Generator<void> {
    const edges = edgesOf(polygons).toSorted((a, b) => a.top - b.top);
    const first = Math.max(0, Math.floor(edges[0]?.top ?? this.height));
    const bottom = edges.reduce((max, edge) => Math.max(max, edge.bottom), 0);
    const last = Math.min(this.height, Math.ceil(bottom));
    let active: Edge[] = [];
    let next = 0;
    for (let y = first; y < last; y++) {
      active = active.filter((edge) => edge.bottom > y);
      for (let edge = edges[next]; edge !== undefined && edge.top < y + 1; edge = edges[++next])
        active.push(edge);
      const [from, to] = this.#coverRow(active, y, rule);
      this.#blend(y, from, to, color, opacity);
      this.#worked += active.length * LINES + Math.max(0, to - from);
      if (this.#worked < WORK_IN_A_TURN) continue;
      this.#worked = 0;
      yield;
    }
  }

  #coverRow(active: readonly Edge[], y: number, rule: Paint['rule']): [from: number, to: number] {
    let [from, to] = [this.width, 0];
    const [places, directions] = [this.#places, this.#directions];
    for (let line = 0; line < LINES; line++) {
      const count = this.#cross(active, y + (line + 0.5) / LINES);
      let winding = 0;
      for (let at = 0; at < count - 1; at++) {
        winding += rule === 'nonzero' ? directions[at]! : 1;
        const isInside = rule === 'nonzero' ? winding !== 0 : winding % 2 === 1;
        const [left, right] = [Math.max(0, places[at]!), Math.min(this.width, places[at + 1]!)];
        if (!isInside || right <= left) continue;
        this.#coverSpan(left, right);
        from = Math.min(from, Math.floor(left));
        to = Math.max(to, Math.ceil(right));
      }
    }
    return [from, to];
  }

  /** Where a line crosses the edges, from left to right; returns how often. */
  #cross(active: readonly Edge[], line: number): number {
    let count = 0;
    for (const { top, bottom, x0, slope, direction } of active) {
      if (top > line || line >= bottom) continue;
      const x = x0 + slope * line;
      let at = count++;
      for (; at > 0 && this.#places[at - 1]! > x; at--) {
        this.#places[at] = this.#places[at - 1]!;
        this.#directions[at] = this.#directions[at - 1]!;
      }
      this.#places[at] = x;
      this.#directions[at] = direction;
    }
    return count;
  }

  #coverSpan(left: number, right: number): void {
    const [first, last] = [Math.floor(left), Math.floor(right)];
    const share = 1 / LINES;
    if (first === last) {
      this.#add(first, (right - left) * share);
      return;
    }
    this.#add(first, (first + 1 - left) * share);
    for (let x = first + 1; x < last; x++) this.#add(x, share);
    this.#add(last, (right - last) * share);
  }

  #add(x: number, share: number): void {
    this.#cover[x]! += share;
  }

  #blend(y: number, from: number, to: number, color: Paint['color'], opacity: number): void {
    const row = this.row(y);
    for (let x = from; x < to; x++) {
      const share = Math.min(1, this.#cover[x]!) * opacity;
      if (share === 0) continue;
      for (let channel = 0; channel < BYTES_PER_PIXEL; channel++) {
        const at = x * BYTES_PER_PIXEL + channel;
        const below = row[at]!;
        row[at] = Math.round(below + (color[channel]! - below) * share);
      }
    }
    this.#cover.fill(0, Math.min(from, to), to + 1);
  }
}

function edgesOf(polygons: readonly Polygon[]): Edge[] {
  const edges: Edge[] = [];
  for (const polygon of polygons) {
    const count = polygon.length;
    for (let at = 0; at < count; at += 2) {
      const edge = edgeBetween(
        polygon[at] ?? 0,
        polygon[at + 1] ?? 0,
        polygon[(at + 2) % count] ?? 0,
        polygon[(at + 3) % count] ?? 0,
      );
      if (edge !== undefined) edges.push(edge);
    }
  }
  return edges;
}

function edgeBetween(x1: number, y1: number, x2: number, y2: number): Edge | undefined {
  if (y1 === y2) return undefined;
  const slope = (x2 - x1) / (y2 - y1);
  const x0 = x1 - slope * y1;
  return { top: Math.min(y1, y2), bottom: Math.max(y1, y2), x0, slope, direction: y1 < y2 ? 1 : -1 };
}
