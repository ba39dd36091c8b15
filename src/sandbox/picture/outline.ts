// Shapes as the rasteriser wants them: closed polygons, whose inside is decided by their winding.

/** x, y, x, y, … of a polygon that closes by itself. */
export type Polygon = readonly number[];

/** One color on some area. */
export interface Paint {
  readonly polygons: readonly Polygon[];
  readonly rule: 'nonzero' | 'evenodd';
  /** Red, green, blue from 0 to 255. */
  readonly color: readonly [number, number, number];
  /** 0 to 1. */
  readonly opacity: number;
}

type Point = readonly [x: number, y: number];

const ROUND_STEPS = 12;

/** Points on a cubic curve after its start, near enough together for the eye at `scale`. */
export function flattenCubic(from: Point, out: Point, into: Point, to: Point, scale: number): number[] {
  const length = distance(from, out) + distance(out, into) + distance(into, to);
  const isStraight = distance(from, out) + distance(into, to) === 0;
  const steps = isStraight ? 1 : Math.min(40, Math.max(3, Math.ceil(Math.sqrt(length * scale) * 1.2)));
  const points: number[] = [];
  for (let step = 1; step <= steps; step++) {
    const t = step / steps;
    const s = 1 - t;
    const [a, b, c, d] = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t];
    points.push(
      a * from[0] + b * out[0] + c * into[0] + d * to[0],
      a * from[1] + b * out[1] + c * into[1] + d * to[1],
    );
  }
  return points;
}

/**
 * A line of this width along a course, as polygons that overlap and are filled together: a box for every stretch and
 * a disc for every bend. Corners are round whatever the drawing says: at the size of a sticker nobody sees it.
 */
export function strokePolygons(
  course: Polygon,
  closed: boolean,
  width: number,
  roundEnds: boolean,
): Polygon[] {
  const polygons: Polygon[] = [];
  const count = course.length / 2;
  const at = (i: number): Point => [course[(i % count) * 2] ?? 0, course[(i % count) * 2 + 1] ?? 0];
  const stretches = closed ? count : count - 1;
  for (let i = 0; i < stretches; i++) {
    const box = boxAlong(at(i), at(i + 1), width / 2);
    if (box !== undefined) polygons.push(box);
  }
  for (let i = 0; i < count; i++) {
    const isEnd = !closed && (i === 0 || i === count - 1);
    if (!isEnd || roundEnds) polygons.push(discAt(at(i), width / 2));
  }
  return polygons;
}

/** A disc, going round as the boxes do, so that no winding cancels another. */
export function discAt([x, y]: Point, radius: number, steps = ROUND_STEPS): Polygon {
  return Array.from({ length: steps }, (_, i) => {
    const angle = (i / steps) * 2 * Math.PI;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  }).flat();
}

function boxAlong(from: Point, to: Point, half: number): Polygon | undefined {
  const length = distance(from, to);
  if (length === 0) return undefined;
  const nx = ((to[1] - from[1]) / length) * half;
  const ny = ((from[0] - to[0]) / length) * half;
  return [
    from[0] + nx,
    from[1] + ny,
    to[0] + nx,
    to[1] + ny,
    to[0] - nx,
    to[1] - ny,
    from[0] - nx,
    from[1] - ny,
  ];
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}
