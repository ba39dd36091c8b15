// What common players trip over in a playable file. Each word was seen: of the file that its test makes, one of lottie-web
// (SVG, canvas), dotlottie-web and skottie fails, draws nothing, or draws another picture than the rest.

import { createByteCache } from '../platform/byte-cache.js';
import { isRecord, parseJson, type JsonBounds } from '../platform/json.js';

/** Words of `X-Svcd-Warning` about a file, in the order in which they are told. */
export const PLAYER_WARNINGS = [
  'not_checked',
  'missing_property',
  'bad_keyframes',
  'bad_path',
  'no_frames',
  'missing_asset',
  'endless_nesting',
  'deep_nesting',
  'dash_without_name',
  'dash_without_offset',
  'expressions',
  'remote_image',
  'missing_image',
  'text_without_glyphs',
  'effects',
  'layer_styles',
  'three_d',
  'luma_matte',
  'mask_mode',
  'merge_paths',
  'path_modifiers',
] as const;
export type PlayerWarning = (typeof PLAYER_WARNINGS)[number];

type Item = Record<string, unknown>;

/** So much is parsed and looked through in a few milliseconds; what is embedded in a file does not count. */
const CHECKED_BYTES = 384 * 1024;
const CHECKED_NODES = 20_000;
const EMBEDDED_MAX = 1_000;
/** Groups within groups, in levels of JSON: skottie overflows at a few hundred groups. */
const DEPTH_MAX = 400;
const REMEMBERED = 4_096;

/** Layers and shapes, and what lottie-web reads of each without looking whether it is there. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  sh: ['ks'],
  rc: ['p', 's', 'r'],
  el: ['p', 's'],
  fl: ['c', 'o'],
  st: ['c', 'o', 'w'],
  gf: ['o', 'g', 's', 'e'],
  gs: ['o', 'w', 'g', 's', 'e'],
  tm: ['s', 'e', 'o'],
  tr: ['o', 'p', 's', 'r', 'a'],
};
const [PRECOMP, SHAPES, TEXT] = [0, 4, 5];
const LAYER_NEEDS = ['ks', 'ip', 'op', 'st'];
const MODIFIERS = new Set(['op', 'zz', 'tw']);
/** Effects from here on draw; those before are controls for expressions. */
const FIRST_DRAWN_EFFECT = 20;

/** What players trip over in a playable file. */
export type PlayerCheck = (file: { bytes: Uint8Array; sha256: string }) => readonly PlayerWarning[];

/** A check that remembers its answers by digest, so that a file is looked through once. */
export function createPlayerCheck(): PlayerCheck {
  const known = createByteCache<readonly PlayerWarning[]>(REMEMBERED, 1);
  return ({ bytes, sha256 }) => {
    const earlier = known.find(sha256);
    if (earlier !== undefined) return earlier;
    const warnings = playerWarnings(bytes);
    known.put(sha256, warnings, 1);
    return warnings;
  };
}

/** The size that is read bounds what it may hold; how deep it is nested is one of the questions. */
const UNBOUNDED: JsonBounds = { depth: Infinity, tokens: Infinity };

/** What players trip over in these bytes; `not_checked` of a file that is too large to be checked in passing. */
export function playerWarnings(bytes: Uint8Array): PlayerWarning[] {
  const text = withoutEmbedded(bytes);
  const file = text === undefined ? undefined : parseJson(text, UNBOUNDED);
  if (!isRecord(file)) return ['not_checked'];
  const found = new Set<PlayerWarning>();
  checkLayers(file, found);
  walk(file, (node) => checkNode(node, found), found);
  return PLAYER_WARNINGS.filter((word) => found.has(word));
}

/** The file, what is embedded in it left out if it is large; undefined if it still is too large. */
function withoutEmbedded(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.byteLength <= CHECKED_BYTES) return bytes;
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kept: Buffer[] = [];
  let [from, size] = [0, 0];
  while (kept.length < EMBEDDED_MAX && size <= CHECKED_BYTES) {
    const start = file.indexOf('"data:', from);
    const part = file.subarray(from, start < 0 ? undefined : start + '"data:'.length);
    kept.push(part);
    size += part.length;
    if (start < 0) return size <= CHECKED_BYTES ? Buffer.concat(kept) : undefined;
    from = file.indexOf('"', start + 1);
    if (from < 0) return undefined;
  }
  return undefined;
}

/** Calls `look` for each object in the file. Without recursion: the file may be nested as deep as it is long. */
function walk(file: Item, look: (node: Item) => void, found: Set<PlayerWarning>): void {
  const open: object[] = [file];
  const depths = [0];
  let count = 0;
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    const depth = (depths.pop() ?? 0) + 1;
    if (!Array.isArray(value)) look(value as Item);
    for (const inner of Object.values(value)) {
      // Numbers, and lists of pairs of numbers, are most of a file.
      if (typeof inner !== 'object' || inner === null || isPoint(inner)) continue;
      if (Array.isArray(inner) && isPoint(inner[0])) continue;
      if (count++ === CHECKED_NODES) return void found.add('not_checked');
      if (depth > DEPTH_MAX) found.add('deep_nesting');
      else {
        depths.push(depth);
        open.push(inner);
      }
    }
  }
}

function isPoint(value: unknown): boolean {
  return Array.isArray(value) && typeof value[0] === 'number';
}

function checkNode(node: Item, found: Set<PlayerWarning>): void {
  const { ty } = node;
  if ('k' in node) checkProperty(node, found);
  for (const list of [node['it'], node['shapes']]) {
    if (Array.isArray(list) && !list.every(isRecord)) found.add('missing_property');
  }
  if (typeof ty !== 'string') return;
  if (NEEDED[ty]?.some((name) => !isRecord(node[name]))) found.add('missing_property');
  if (ty === 'gr' && !itemsIn(node['it']).some((item) => item['ty'] === 'tr')) found.add('missing_property');
  if ((ty === 'fl' || ty === 'st') && typeof asRecord(node['c'])['k'] === 'string') found.add('missing_property');
  if (ty === 'sh' && !hasTangents(asRecord(node['ks']))) found.add('bad_path');
  if (ty === 'mm') found.add('merge_paths');
  if (MODIFIERS.has(ty)) found.add('path_modifiers');
  if (ty === 'st' || ty === 'gs') checkDash(itemsIn(node['d']), found);
}

/** lottie-web makes a property of each name, and its canvas takes the last entry for the offset, as skottie does. */
function checkDash(entries: readonly Item[], found: Set<PlayerWarning>): void {
  const names = new Set(entries.map(({ nm }) => nm));
  if (names.has(undefined) || names.size < entries.length) found.add('dash_without_name');
  if (entries.length > 0 && entries.at(-1)?.['n'] !== 'o') found.add('dash_without_offset');
}

/** A value that may move. lottie-web needs two keyframes, and an easing from each to the next. */
function checkProperty({ a, k, x }: Item, found: Set<PlayerWarning>): void {
  if (typeof x === 'string') found.add('expressions');
  if (a !== 1) return;
  const keys = itemsIn(k);
  const eased = keys.slice(0, -1).every(({ h, i, o }) => h === 1 || (isRecord(i) && isRecord(o)));
  if (keys.length < 2 || !eased) found.add('bad_keyframes');
}

function hasTangents({ a, k }: Item): boolean {
  const paths = a === 1 ? itemsIn(k).flatMap(({ s }) => itemsIn(s)) : [asRecord(k)];
  return paths.every(({ v, i, o }) => [v, i, o].every((list) => lengthOf(list) === lengthOf(v) && lengthOf(v) >= 0));
}

/** What only the whole file tells: layers, what they refer to, and when they are seen. */
function checkLayers(file: Item, found: Set<PlayerWarning>): void {
  const assets = new Map(itemsIn(file['assets']).map((asset) => [asset['id'], asset]));
  const inside = new Map<unknown, Item[]>([...assets].map(([id, asset]) => [id, itemsIn(asset['layers'])]));
  const all = [itemsIn(file['layers']), ...inside.values()];
  for (const layer of all.flat()) checkLayer(layer, file, assets, found);
  const refersTo = (id: unknown) => (inside.get(id) ?? []).filter(({ ty }) => ty === PRECOMP).map(({ refId }) => refId);
  if (hasCycle([...inside.keys()], refersTo)) found.add('endless_nesting');
  for (const layers of all) {
    const parents = new Map(layers.map(({ ind, parent }) => [ind, parent]));
    if (hasCycle([...parents.keys()], (ind) => [parents.get(ind)])) found.add('endless_nesting');
  }
  const [first, last] = [numberOf(file['ip']), numberOf(file['op'])];
  const isSeen = ({ ip, op }: Item) => numberOf(ip) < last && numberOf(op) > first;
  if (last - first < 1 || !itemsIn(file['layers']).some(isSeen)) found.add('no_frames');
  for (const asset of assets.values()) checkImage(asset, found);
}

function checkLayer(layer: Item, file: Item, assets: ReadonlyMap<unknown, Item>, found: Set<PlayerWarning>): void {
  const { ty, refId } = layer;
  // Null layers (3) and sounds (6) draw nothing.
  if (ty !== 3 && ty !== 6 && LAYER_NEEDS.some((name) => !(name in layer))) found.add('missing_property');
  if (ty === SHAPES && !Array.isArray(layer['shapes'])) found.add('missing_property');
  if (refId !== undefined && !assets.has(refId)) found.add('missing_asset');
  if (ty === TEXT && itemsIn(file['chars']).length === 0) found.add('text_without_glyphs');
  if (itemsIn(layer['ef']).some((effect) => numberOf(effect['ty']) >= FIRST_DRAWN_EFFECT)) found.add('effects');
  if (itemsIn(layer['sy']).length > 0) found.add('layer_styles');
  if (layer['ddd'] === 1) found.add('three_d');
  if (numberOf(layer['tt']) > 2) found.add('luma_matte');
  const isOdd = ({ mode, inv }: Item) => (mode !== 'a' && mode !== 'n') || inv === true;
  if (itemsIn(layer['masksProperties']).some(isOdd)) found.add('mask_mode');
}

/** A file that is not embedded is looked for beside the page, or on another machine. */
function checkImage({ u, p, e }: Item, found: Set<PlayerWarning>): void {
  if (typeof p !== 'string' || (e === 1 && p.startsWith('data:'))) return;
  const address = `${typeof u === 'string' ? u : ''}${p}`;
  found.add(/^(?:[a-z][a-z\d+.-]*:)?\/\//i.test(address) ? 'remote_image' : 'missing_image');
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

function itemsIn(value: unknown): Item[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function asRecord(value: unknown): Item {
  return isRecord(value) ? value : {};
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : NaN;
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : -1;
}
