// What every sticker file must be, whoever made it: valid against the schema, and moving to the eye.

import { createRequire } from 'node:module';

import { Ajv2020 } from 'ajv/dist/2020.js';

import { hexOf } from '../../data/catalogue/build/css-colour.js';

interface Finding {
  type: string;
  message: string;
  path: string;
}
interface Validator {
  validate(file: object, warnings?: boolean): Finding[];
}
type ValidatorClass = new (ajv: unknown, schema: unknown) => Validator;

const require = createRequire(import.meta.url);

// Read by every player, but not part of the specification yet: the version of the exporter, and what layers
// say of time stretch, start, depth and blending.
const BEYOND_THE_SPECIFICATION = /has unknown property '(?:v|ddd|sr|st|bm)'$/;

/** A check against the official schema, compiled once: the complaints about a file, as text. */
export function compileSchema(): (file: object) => string[] {
  const { LottieValidator } = require('@lottie-animation-community/lottie-specs') as {
    LottieValidator: ValidatorClass;
  };
  const schema: unknown = require('@lottie-animation-community/lottie-specs/src/data/lottie.schema.json');
  // The validator changes it, and another file of this process may need it too.
  const validator = new LottieValidator(Ajv2020, structuredClone(schema));
  return (file) =>
    validator
      .validate(file)
      .filter(({ message }) => !BEYOND_THE_SPECIFICATION.test(message))
      .map(({ path, message }) => `${path}: ${message}`);
}

interface Keyframe {
  t: number;
  s: number[];
}
interface Property {
  a: number;
  k: unknown;
}
interface Item {
  ty: string;
  it?: Item[];
  [name: string]: unknown;
}
export interface LottieFile {
  fr: number;
  ip: number;
  op: number;
  w: number;
  h: number;
  layers: { ks: Record<string, Property>; shapes: Item[]; ip: number; op: number }[];
}

/** All shape items of a file, groups included, at any depth. */
function itemsOf(file: LottieFile): Item[] {
  const deep = (item: Item): Item[] => [item, ...(item.it ?? []).flatMap(deep)];
  return file.layers.flatMap((layer) => layer.shapes.flatMap(deep));
}

function isProperty(value: unknown): value is Property {
  return typeof value === 'object' && value !== null && 'a' in value && 'k' in value;
}

/** Whether a property takes different values within the file's frames. */
function changes(property: Property, file: LottieFile): boolean {
  if (property.a !== 1) return false;
  const keys = (property.k as Keyframe[]).filter(({ t }) => t >= file.ip && t <= file.op);
  const first = JSON.stringify(keys[0]?.s);
  return keys.some(({ s }) => JSON.stringify(s) !== first);
}

/** Whether something that is painted moves: the layer's transform, a group's, or the stretch of a line. */
export function moves(file: LottieFile): boolean {
  const visible = itemsOf(file).some((item) => item.ty === 'fl' || item.ty === 'st');
  const holders = [
    ...file.layers.map((layer) => layer.ks),
    ...itemsOf(file).filter((item) => item.ty === 'tr' || item.ty === 'tm'),
  ];
  const properties = holders.flatMap((holder) => Object.values(holder).filter(isProperty));
  return visible && properties.some((property) => changes(property, file));
}

/** The colors a file paints with, as `#rrggbb`. */
function coloursOf(file: LottieFile): Set<string> {
  const painted = itemsOf(file).filter((item) => item.ty === 'fl' || item.ty === 'st');
  return new Set(painted.map((item) => hexOf((item['c'] as Property).k as number[])));
}

/** What metadata says that its file does not: one sentence each. */
export function contradictions(
  line: { width: number; height: number; aspect: number; duration: number; fps: number; color: string },
  file: LottieFile,
): string[] {
  const facts: [string, unknown, unknown][] = [
    ['width', line.width, file.w],
    ['height', line.height, file.h],
    ['aspect', line.aspect, Number((file.w / file.h).toFixed(3))],
    ['fps', line.fps, file.fr],
    ['duration', line.duration, Number(((file.op - file.ip) / file.fr).toFixed(3))],
    ['longer side', 512, Math.max(file.w, file.h)],
    ['first frame', 0, file.ip],
    ['layer to the end', file.op, file.layers[0]?.op],
    ['color of the file', true, coloursOf(file).has(line.color)],
  ];
  return facts
    .filter(([, said, found]) => said !== found)
    .map(([name, said, found]) => `${name}: ${String(said)}, but ${String(found)}`);
}
