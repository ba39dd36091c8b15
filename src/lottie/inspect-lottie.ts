// Looks through a parsed Lottie file once and notes what of the table it has: each code with its first place. Nothing in
// the file is run, and nothing is followed but the nesting of its JSON.

import { isRecord } from '../platform/json.js';
import type { Code } from './feature-table.js';
import {
  asRecord,
  carriageOf,
  filesIn,
  hasExpression,
  isZero,
  itemsIn,
  lengthOf,
  numberOf,
  type Item,
  isNoList,
} from './lottie-json.js';

export interface Found {
  count: number;
  /** Of the first, such as `layers[3].ks.o`. */
  readonly at: string;
}

export interface Inspection {
  readonly found: ReadonlyMap<Code, Found>;
  readonly layers: number;
  readonly keyframes: number;
  /** False when there are more values than were to be looked at. */
  readonly complete: boolean;
}

export interface InspectionLimits {
  /** Objects and lists, but for points. */
  readonly values: number;
  /** Layers and shapes. */
  readonly parts: number;
}

/** Groups within groups, in levels of JSON: skottie overflows at a few hundred groups. */
const DEPTH_MAX = 400;
const PLACE_MAX = 200;

/** Layers and shapes, and what lottie-web reads of each without looking whether it is there. */
const NEEDED = new Map<string, readonly string[]>([
  ['sh', ['ks']],
  ['rc', ['p', 's', 'r']],
  ['el', ['p', 's']],
  ['fl', ['c', 'o']],
  ['st', ['c', 'o', 'w']],
  ['gf', ['o', 'g', 's', 'e']],
  ['gs', ['o', 'w', 'g', 's', 'e']],
  ['tm', ['s', 'e', 'o']],
  ['tr', ['o', 'p', 's', 'r', 'a']],
]);
const SHAPE_FEATURES = new Map<string, Code>([
  ['tm', 'trim_paths'],
  ['gf', 'gradients'],
  ['gs', 'gradient_strokes'],
  ['sr', 'polystars'],
  ['rp', 'repeaters'],
  ['rd', 'rounded_corners'],
  ['mm', 'merge_paths'],
  ['op', 'offset_paths'],
  ['zz', 'zigzag'],
  ['tw', 'twist'],
  ['pb', 'pucker_bloat'],
]);
const EFFECT_FEATURES = new Map<unknown, Code>([
  [20, 'color_effects'],
  [21, 'color_effects'],
  [22, 'stroke_effect'],
  [23, 'color_effects'],
  [24, 'levels_effect'],
  [25, 'drop_shadow'],
  [28, 'matte_effect'],
  [29, 'gaussian_blur'],
  [35, 'transform_effect'],
]);
/** Effects from here on draw; those before are controls for expressions. */
const FIRST_DRAWN_EFFECT = 20;
const [PRECOMP, IMAGE, NULL, SHAPES, TEXT, SOUND] = [0, 2, 3, 4, 5, 6];
const LAYER_NEEDS = ['ks', 'ip', 'op', 'st'];

type Path = (string | number)[];
/** Notes a code at a place; more of the same code are counted. */
type Note = (code: Code, ...place: readonly (string | number)[]) => void;

/** What a file has of the table. */
export function inspectLottie(file: Item, limits: InspectionLimits): Inspection {
  const found = new Map<Code, Found>();
  const path: Path = [];
  const note: Note = (code, ...place) => {
    const earlier = found.get(code);
    if (earlier === undefined) found.set(code, { count: 1, at: placeOf([...path, ...place]) });
    else earlier.count += 1;
  };
  const layers = checkLayers(file, note);
  const { keyframes, complete } = walk(file, path, note, layers, limits);
  return { found, layers, keyframes, complete };
}

/** `layers[3].ks.o`. Names are foreign text: what is no usual one is left out. */
function placeOf(path: Path): string {
  let text = '';
  for (const step of path) {
    if (text.length > PLACE_MAX) return `${text}…`;
    if (typeof step === 'number') text += `[${step}]`;
    else text += `${text === '' ? '' : '.'}${/^\w{1,20}$/.test(step) ? step : '?'}`;
  }
  return text;
}

/** Looks at each object in the order of the file. */
function walk(file: Item, path: Path, note: Note, layers: number, limits: InspectionLimits) {
  let [values, parts, keyframes, complete] = [0, layers, 0, true];
  const visit = (value: object): void => {
    const isList = Array.isArray(value);
    if (!isList) {
      const node = value as Item;
      if (typeof node['ty'] === 'string') parts += 1;
      if (node['a'] === 1) keyframes += itemsIn(node['k']).length;
      checkNode(node, note);
    }
    const keys = isList ? value : Object.keys(value);
    for (let at = 0; at < keys.length && complete; at++) {
      const key = isList ? at : (keys[at] as string);
      const inner = (value as Item)[key];
      // Numbers, and lists of pairs of numbers, are most of a file.
      if (typeof inner !== 'object' || inner === null || isPoint(inner)) continue;
      if (Array.isArray(inner) && isPoint(inner[0])) continue;
      if (values++ === limits.values || parts > limits.parts) {
        if (parts > limits.parts) note('too_many_layers');
        complete = false;
      } else if (path.length >= DEPTH_MAX) note('deep_nesting');
      else {
        path.push(key);
        visit(inner);
        path.pop();
      }
    }
  };
  visit(file);
  return { keyframes, complete };
}

function isPoint(value: unknown): boolean {
  return Array.isArray(value) && typeof value[0] === 'number';
}

function checkNode(node: Item, note: Note): void {
  const { ty } = node;
  if (hasExpression(node)) note('expressions');
  if (node['a'] === 1 && 'k' in node) checkKeyframes(node['k'], note);
  for (const list of [node['it'], node['shapes']]) {
    if (Array.isArray(list) && !list.every(isRecord)) note('missing_property');
  }
  if (typeof ty !== 'string') return;
  if (NEEDED.get(ty)?.some((name) => !isRecord(node[name]))) note('missing_property');
  if (ty === 'gr' && !itemsIn(node['it']).some((item) => item['ty'] === 'tr')) note('missing_property');
  if ((ty === 'fl' || ty === 'st') && typeof asRecord(node['c'])['k'] === 'string') note('missing_property');
  if (ty === 'sh' && !hasTangents(asRecord(node['ks']))) note('bad_path');
  if (ty === 'tr' && !isZero(node['sk'])) note('skew');
  const feature = SHAPE_FEATURES.get(ty);
  if (feature !== undefined) note(feature);
  if (ty === 'st' || ty === 'gs') checkDash(itemsIn(node['d']), note);
}

/** lottie-web makes a property of each name, and its canvas takes the last entry for the offset, as skottie does. */
function checkDash(entries: readonly Item[], note: Note): void {
  if (entries.length === 0) return;
  note('dashes');
  const names = new Set(entries.map(({ nm }) => nm));
  if (names.has(undefined) || names.size < entries.length) note('dash_without_name');
  if (entries.at(-1)?.['n'] !== 'o') note('dash_without_offset');
}

/** A value that moves. lottie-web needs two keyframes, and an easing from each to the next. */
function checkKeyframes(k: unknown, note: Note): void {
  const keys = itemsIn(k);
  const eased = keys.slice(0, -1).every(({ h, i, o }) => h === 1 || (isRecord(i) && isRecord(o)));
  if (keys.length < 2 || !eased) note('bad_keyframes');
}

function hasTangents({ a, k }: Item): boolean {
  const paths = a === 1 ? itemsIn(k).flatMap(({ s }) => itemsIn(s)) : [asRecord(k)];
  return paths.every(({ v, i, o }) => [v, i, o].every((list) => lengthOf(list) === lengthOf(v) && lengthOf(v) >= 0));
}

/** What only the whole file tells: layers, what they refer to, and when they are seen. The number of layers. */
function checkLayers(file: Item, note: Note): number {
  const assets = new Map(itemsIn(file['assets']).map((asset) => [asset['id'], asset]));
  const inside = new Map<unknown, Item[]>([...assets].map(([id, asset]) => [id, itemsIn(asset['layers'])]));
  let count = checkEach(itemsIn(file['layers']), [], file, assets, note);
  itemsIn(file['assets']).forEach((asset, at) => {
    count += checkEach(itemsIn(asset['layers']), ['assets', at], file, assets, note);
  });
  for (const { asset, place } of filesIn(file)) checkImage(asset, (code) => note(code, ...place));
  const refersTo = (id: unknown) => (inside.get(id) ?? []).filter(({ ty }) => ty === PRECOMP).map(({ refId }) => refId);
  if (hasCycle([...inside.keys()], refersTo)) note('endless_nesting', 'assets');
  for (const layers of [itemsIn(file['layers']), ...inside.values()]) {
    const parents = new Map(layers.map(({ ind, parent }) => [ind, parent]));
    if (hasCycle([...parents.keys()], (ind) => [parents.get(ind)])) note('endless_nesting', 'layers');
  }
  const [first, last] = [numberOf(file['ip']), numberOf(file['op'])];
  const isSeen = ({ ip, op }: Item) => numberOf(ip) < last && numberOf(op) > first;
  if (last - first < 1 || !itemsIn(file['layers']).some(isSeen)) note('no_frames', 'layers');
  itemsIn(asRecord(file['fonts'])['list']).forEach(({ fPath }, at) => {
    if (fPath !== undefined && fPath !== '') note('remote_font', 'fonts', 'list', at);
  });
  if (isNoList(file['assets'])) note('remote_image', 'assets');
  if (isNoList(asRecord(file['fonts'])['list'])) note('remote_font', 'fonts', 'list');
  if (Object.keys(asRecord(file['slots'])).length > 0) note('slots', 'slots');
  return count;
}

function checkEach(
  layers: readonly Item[],
  place: Path,
  file: Item,
  assets: ReadonlyMap<unknown, Item>,
  note: Note,
): number {
  layers.forEach((layer, at) =>
    checkLayer(layer, file, assets, (code, ...rest) => note(code, ...place, 'layers', at, ...rest)),
  );
  return layers.length;
}

function checkLayer(layer: Item, file: Item, assets: ReadonlyMap<unknown, Item>, note: Note): void {
  const { ty, refId } = layer;
  // Null layers and sounds draw nothing.
  if (ty !== NULL && ty !== SOUND && LAYER_NEEDS.some((name) => !(name in layer))) note('missing_property');
  if (ty === SHAPES && !Array.isArray(layer['shapes'])) note('missing_property');
  if (refId !== undefined && !assets.has(refId)) note('missing_asset');
  if (ty === PRECOMP) note('precompositions');
  if (ty === IMAGE) note('images');
  if (ty === TEXT) note('text');
  if (ty === TEXT && itemsIn(file['chars']).length === 0) note('text_without_glyphs', 't');
  itemsIn(layer['ef']).forEach(({ ty: effect }, at) => {
    if (numberOf(effect) >= FIRST_DRAWN_EFFECT) note(EFFECT_FEATURES.get(effect) ?? 'other_effects', 'ef', at);
  });
  if (itemsIn(layer['sy']).length > 0) note('layer_styles', 'sy');
  if (layer['ddd'] === 1) note('three_d');
  if (numberOf(layer['tt']) > 0) note(numberOf(layer['tt']) > 2 ? 'luma_matte' : 'mattes');
  if (numberOf(layer['bm']) > 0) note('blend_modes');
  if (layer['ao'] === 1) note('auto_orient');
  if (isRecord(layer['tm'])) note('time_remap', 'tm');
  if (!isZero(asRecord(layer['ks'])['sk'])) note('skew', 'ks', 'sk');
  itemsIn(layer['masksProperties']).forEach((mask, at) => {
    checkMask(mask, (code) => note(code, 'masksProperties', at));
  });
}

function checkMask({ mode, inv, x, f }: Item, note: (code: Code) => void): void {
  note('masks');
  if (mode === 'l' || mode === 'd' || mode === 'f') note('mask_blending');
  else if ((mode !== 'a' && mode !== 'n') || inv === true) note('mask_mode');
  if (!isZero(x)) note('mask_expansion');
  if (!isZero(f)) note('mask_feather');
}

/** A file that is not embedded is looked for beside the page, or on another machine. */
function checkImage(asset: Item, note: (code: Code) => void): void {
  const carriage = carriageOf(asset);
  if (carriage === 'address') note('remote_image');
  if (carriage === 'beside') note('missing_image');
  if (carriage === 'unmarked') note('unmarked_image');
}

/** Whether something comes back to itself; each is visited once. */
function hasCycle(starts: readonly unknown[], nextOf: (one: unknown) => readonly unknown[]): boolean {
  const [done, under] = [new Set<unknown>(), new Set<unknown>()];
  const open = starts.map((one) => ({ one, leave: false }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { one, leave } = next;
    if (leave) under.delete(one);
    if (leave || done.has(one)) continue;
    done.add(one);
    under.add(one);
    open.push({ one, leave: true });
    for (const inner of nextOf(one)) {
      if (inner === undefined) continue;
      if (under.has(inner)) return true;
      open.push({ one: inner, leave: false });
    }
  }
  return false;
}
