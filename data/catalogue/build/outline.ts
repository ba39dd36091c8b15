// Geometry: any SVG shape as cubic contours in the coordinates of the drawing's own box.

import svgpath from 'svgpath';

export type Point = readonly [x: number, y: number];

/** A run of cubic curves: a vertex, the handle before it and the handle after it, all absolute. */
export interface Contour {
  closed: boolean;
  vertices: Point[];
  before: Point[];
  after: Point[];
}

type Attributes = Record<string, string | undefined>;

const num = (value: string | undefined, otherwise = 0): number => (value === undefined ? otherwise : Number(value));

function ellipseData(cx: number, cy: number, rx: number, ry: number): string {
  return `M${cx - rx} ${cy}a${rx} ${ry} 0 1 1 ${2 * rx} 0a${rx} ${ry} 0 1 1 ${-2 * rx} 0Z`;
}

function rectData(a: Attributes): string {
  const [x, y, w, h] = [num(a['x']), num(a['y']), num(a['width']), num(a['height'])];
  const rx = Math.min(num(a['rx'] ?? a['ry']), w / 2);
  const ry = Math.min(num(a['ry'] ?? a['rx']), h / 2);
  if (rx === 0 || ry === 0) return `M${x} ${y}h${w}v${h}h${-w}Z`;
  const arc = (dx: number, dy: number): string => `a${rx} ${ry} 0 0 1 ${dx} ${dy}`;
  const [across, down] = [w - 2 * rx, h - 2 * ry];
  return `M${x + rx} ${y}h${across}${arc(rx, ry)}v${down}${arc(-rx, ry)}h${-across}${arc(-rx, -ry)}v${-down}${arc(rx, -ry)}Z`;
}

/** Path data of a drawing element, or undefined when the element draws nothing itself (a group). */
export function pathDataOf(element: string, a: Attributes): string | undefined {
  if (element === 'path') return a['d'];
  if (element === 'rect') return rectData(a);
  if (element === 'circle') return ellipseData(num(a['cx']), num(a['cy']), num(a['r']), num(a['r']));
  if (element === 'ellipse') return ellipseData(num(a['cx']), num(a['cy']), num(a['rx']), num(a['ry']));
  if (element === 'line') return `M${num(a['x1'])} ${num(a['y1'])}L${num(a['x2'])} ${num(a['y2'])}`;
  return undefined;
}

function startContour(at: Point): Contour {
  return { closed: false, vertices: [at], before: [at], after: [at] };
}

function addCurve(contour: Contour, first: Point, second: Point, end: Point): void {
  contour.after[contour.after.length - 1] = first;
  contour.vertices.push(end);
  contour.before.push(second);
  contour.after.push(end);
}

const near = (a: Point | undefined, b: Point | undefined): boolean =>
  a !== undefined && b !== undefined && Math.abs(a[0] - b[0]) < 1e-4 && Math.abs(a[1] - b[1]) < 1e-4;

/** Where the last vertex is the first one again, they become one, else the join would be drawn as two ends. */
function closeContour(contour: Contour): void {
  contour.closed = true;
  const last = contour.vertices.length - 1;
  if (last < 1 || !near(contour.vertices[0], contour.vertices[last])) return;
  const handle = contour.before[last];
  if (handle !== undefined) contour.before[0] = handle;
  contour.vertices.pop();
  contour.before.pop();
  contour.after.pop();
}

const between = (a: Point, b: Point, share: number): Point => [
  a[0] + (b[0] - a[0]) * share,
  a[1] + (b[1] - a[1]) * share,
];

type Segment = readonly [string, ...number[]];

function pointsOf(segment: Segment, from: Point): Point[] {
  const [command, a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = segment;
  if (command === 'H') return [[a, from[1]]];
  if (command === 'V') return [[from[0], a]];
  if (command === 'C')
    return [
      [a, b],
      [c, d],
      [e, f],
    ];
  if (command !== 'Q') return [[a, b]];
  const [control, end]: [Point, Point] = [
    [a, b],
    [c, d],
  ];
  return [between(from, control, 2 / 3), between(end, control, 2 / 3), end];
}

/** The contours of path data after an optional SVG transform; every arc and quadratic is a cubic in the result. */
export function contoursOf(data: string, transform = ''): Contour[] {
  const contours: Contour[] = [];
  let at: Point = [0, 0];
  let current: Contour | undefined;
  const path = svgpath(data).abs().unarc().unshort().transform(transform).abs();
  path.iterate((segment) => {
    const command = segment[0];
    if (command === 'Z' || command === 'z') {
      if (current !== undefined) {
        at = current.vertices[0] ?? at;
        closeContour(current);
      }
      current = undefined;
      return;
    }
    const points = pointsOf(segment, at);
    const end = points.at(-1) ?? at;
    if (command === 'M') contours.push((current = startContour(end)));
    else {
      // After a Z without an M the pen starts where the closed contour began.
      if (current === undefined) contours.push((current = startContour(at)));
      addCurve(
        current,
        points.length === 3 ? (points[0] ?? at) : at,
        points.length === 3 ? (points[1] ?? end) : end,
        end,
      );
    }
    at = end;
  });
  return contours.filter((contour) => contour.vertices.length > 1 || contour.closed);
}

/** Points along the contours, `steps` to a curve: close enough to measure what they cover. */
export function samplePoints(contours: readonly Contour[], steps = 4): Point[] {
  return contours.flatMap((contour) => contour.vertices.flatMap((_, i) => curvePoints(contour, i, steps)));
}

function curvePoints(contour: Contour, i: number, steps: number): Point[] {
  const j = (i + 1) % contour.vertices.length;
  const [a, b, c, d] = [contour.vertices[i], contour.after[i], contour.before[j], contour.vertices[j]];
  if (!a || !b || !c || !d) return [];
  if (j === 0 && !contour.closed) return [a];
  return Array.from({ length: steps }, (_, k) => cubicAt(a, b, c, d, k / steps));
}

function cubicAt(a: Point, b: Point, c: Point, d: Point, t: number): Point {
  const u = 1 - t;
  const mix = (p: number, q: number, r: number, s: number): number =>
    u * u * u * p + 3 * u * u * t * q + 3 * u * t * t * r + t * t * t * s;
  return [mix(a[0], b[0], c[0], d[0]), mix(a[1], b[1], c[1], d[1])];
}
