// A drawing as a list of painted parts, back to front: outlines, fill, stroke. Everything SVG lets a part
// inherit (colours, opacity, transforms of groups) is resolved here, so that no later step knows of SVG.

import { parseSync, type INode } from 'svgson';

import type { Art } from './art.js';
import { parseColour } from './css-colour.js';
import { contoursOf, pathDataOf, type Contour } from './outline.js';

interface Fill {
  color: string;
  opacity: number;
  evenOdd: boolean;
}
interface Stroke {
  color: string;
  opacity: number;
  width: number;
  cap: 1 | 2 | 3;
  join: 1 | 2 | 3;
  miterLimit: number;
  dash: number[];
}
/** One painted element; colours are `#rrggbb`, opacities 0 to 1, lengths in the units of the drawing's box. */
export interface Part {
  contours: Contour[];
  fill: Fill | undefined;
  stroke: Stroke | undefined;
}

type Style = Record<string, string | undefined>;

const INHERITED = [
  'fill',
  'fill-opacity',
  'fill-rule',
  'stroke',
  'stroke-opacity',
  'stroke-width',
  'stroke-linecap',
  'stroke-linejoin',
  'stroke-miterlimit',
  'stroke-dasharray',
];
const CAPS: Record<string, 1 | 2 | 3> = { butt: 1, round: 2, square: 3 };
const JOINS: Record<string, 1 | 2 | 3> = { miter: 1, round: 2, bevel: 3 };

// What is too faint to see would only weigh; IconPark has guide boxes at 1 %.
const FAINT = 0.02;

function inheritStyle(style: Style, node: INode): Style {
  const own = node.attributes;
  const next: Style = { ...style };
  for (const name of INHERITED) if (own[name] !== undefined) next[name] = own[name];
  // A group's opacity is carried by its members: the art never overlaps within a faint group.
  next['opacity'] = String(Number(style['opacity'] ?? 1) * Number(own['opacity'] ?? 1));
  next['transform'] = `${style['transform'] ?? ''} ${own['transform'] ?? ''}`.trim();
  return next;
}

function fillOf(style: Style): Fill | undefined {
  const color = parseColour(style['fill'] ?? 'black');
  const opacity = Number(style['opacity'] ?? 1) * Number(style['fill-opacity'] ?? 1);
  if (color === undefined || opacity < FAINT) return undefined;
  return { color, opacity, evenOdd: style['fill-rule'] === 'evenodd' };
}

function strokeOf(style: Style): Stroke | undefined {
  const color = parseColour(style['stroke'] ?? 'none');
  const opacity = Number(style['opacity'] ?? 1) * Number(style['stroke-opacity'] ?? 1);
  const width = Number(style['stroke-width'] ?? 1);
  if (color === undefined || opacity < FAINT || width === 0) return undefined;
  return {
    color,
    opacity,
    width,
    cap: CAPS[style['stroke-linecap'] ?? 'butt'] ?? 1,
    join: JOINS[style['stroke-linejoin'] ?? 'miter'] ?? 1,
    miterLimit: Number(style['stroke-miterlimit'] ?? 4),
    dash: (style['stroke-dasharray'] ?? '').split(/[ ,]+/).filter(Boolean).map(Number),
  };
}

function collect(node: INode, inherited: Style, into: Part[]): void {
  const style = inheritStyle(inherited, node);
  const data = pathDataOf(node.name, node.attributes);
  if (data !== undefined) {
    const [fill, stroke] = [fillOf(style), strokeOf(style)];
    // Every transform in the art is rigid (turns and mirrors), so stroke widths stay as they are.
    if (fill || stroke) into.push({ contours: contoursOf(data, style['transform']), fill, stroke });
  }
  for (const child of node.children) collect(child, style, into);
}

/** The painted parts of a drawing, back to front; throws an Error for elements that are not plain shapes. */
export function partsOf(art: Art): Part[] {
  if (/<(?:mask|clipPath|linearGradient|radialGradient|use|image|text|filter)\b/.test(art.body)) {
    throw new Error('The drawing is not made of plain shapes');
  }
  const parts: Part[] = [];
  collect(parseSync(`<svg>${art.body}</svg>`), {}, parts);
  return parts.filter((part) => part.contours.length > 0);
}
