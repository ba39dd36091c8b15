// The first look of a sticker of the catalogue, as areas of color: what its Lottie file draws before it moves. Reads
// the part of Lottie that the catalogue uses: one shape layer of groups with paths, fills and strokes.

import { flattenCubic, strokePolygons, type Paint, type Polygon } from './outline.js';

type Pair = readonly [number, number];

interface Path {
  c: boolean;
  v: Pair[];
  i: Pair[];
  o: Pair[];
}

interface Item {
  ty: string;
  ks?: { k: Path };
  c?: { k: number[] };
  o?: { k: number };
  w?: { k: number };
  r?: number;
  lc?: number;
  it?: Item[];
}

interface StickerFile {
  layers: { shapes: Item[] }[];
}

/** Where a sticker is put: its box of drawing units becomes this square. */
export interface Place {
  /** Middle, pixels. */
  readonly x: number;
  readonly y: number;
  /** Longer side, pixels. */
  readonly size: number;
  /** Radians. */
  readonly turn: number;
}

type Course = { points: number[]; closed: boolean };
type Move = (points: Polygon) => number[];

/** The areas of a sticker at a place, backmost first; none when nothing can be read. */
export function stickerPaints(file: Uint8Array, place: Place): Paint[] {
  const { layers } = JSON.parse(Buffer.from(file).toString('utf8')) as StickerFile;
  // Lottie paints the first group on top.
  const groups = layers.flatMap(({ shapes }) => shapes).toReversed();
  const drawn = groups.map((group) => ({ group, courses: coursesOf(group) }));
  const box = boxOf(drawn.flatMap(({ courses }) => courses.map(({ points }) => points)));
  if (box === undefined) return [];
  const scale = place.size / Math.max(box.width, box.height, Number.MIN_VALUE);
  const move = mover(box, scale, place);
  return drawn.flatMap(({ group, courses }) => paintsOf(group, courses, move, scale));
}

function paintsOf({ it = [] }: Item, courses: readonly Course[], move: Move, scale: number): Paint[] {
  return it.toReversed().flatMap((item): Paint[] => {
    if (item.ty === 'fl') return [{ ...lookOf(item), polygons: courses.map(({ points }) => move(points)) }];
    if (item.ty !== 'st') return [];
    const width = (item.w?.k ?? 1) * scale;
    const polygons = courses.flatMap(({ points, closed }) =>
      strokePolygons(move(points), closed, width, item.lc === 2),
    );
    return [{ ...lookOf(item), rule: 'nonzero', polygons }];
  });
}

function lookOf({ c, o, r }: Item): Omit<Paint, 'polygons'> {
  const [red = 0, green = 0, blue = 0] = (c?.k ?? []).map((share) => Math.round(share * 255));
  return { color: [red, green, blue], opacity: (o?.k ?? 100) / 100, rule: r === 2 ? 'evenodd' : 'nonzero' };
}

function coursesOf({ it = [] }: Item): Course[] {
  return it.flatMap(({ ty, ks }) => (ty === 'sh' && ks !== undefined ? [courseOf(ks.k)] : []));
}

function courseOf({ c: closed, v, i, o }: Path): Course {
  const start = v[0] ?? [0, 0];
  const points: number[] = [...start];
  const stretches = closed ? v.length : v.length - 1;
  for (let at = 0; at < stretches; at++) {
    const next = (at + 1) % v.length;
    const [from, to] = [v[at] ?? start, v[next] ?? start];
    // Drawing boxes are some dozen units wide and shown some hundred pixels wide.
    points.push(...flattenCubic(from, sum(from, o[at]), sum(to, i[next]), to, 8));
  }
  return { points, closed };
}

function sum(a: Pair, b: Pair = [0, 0]): Pair {
  return [a[0] + b[0], a[1] + b[1]];
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

function boxOf(courses: readonly Polygon[]): Box | undefined {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const points of courses) {
    for (let at = 0; at < points.length; at += 2) {
      left = Math.min(left, points[at] ?? left);
      right = Math.max(right, points[at] ?? right);
      top = Math.min(top, points[at + 1] ?? top);
      bottom = Math.max(bottom, points[at + 1] ?? bottom);
    }
  }
  return right > left && bottom > top ? { left, top, width: right - left, height: bottom - top } : undefined;
}

function mover({ left, top, width, height }: Box, scale: number, { x, y, turn }: Place): Move {
  const [cos, sin] = [Math.cos(turn) * scale, Math.sin(turn) * scale];
  const [midX, midY] = [left + width / 2, top + height / 2];
  return (points) => {
    const moved: number[] = [];
    for (let at = 0; at < points.length; at += 2) {
      const [dx, dy] = [(points[at] ?? 0) - midX, (points[at + 1] ?? 0) - midY];
      moved.push(x + dx * cos - dy * sin, y + dx * sin + dy * cos);
    }
    return moved;
  };
}
