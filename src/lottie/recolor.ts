// The same drawing in other colors: which colors a Lottie file has, which of them turn into what for a wish, and a copy in which
// they did. Pure: the same bytes, wish and named color give the same bytes. Pictures in it, effects and layer styles keep theirs.

import { colorDistance, hexOf, parseColor, type Lab } from '../model/color.js';
import { readHex, type ColorWish } from '../model/color-wish.js';
import { SvcdError } from '../model/errors.js';
import { isRecord } from '../platform/json.js';
import { requirePlayable } from './check-lottie.js';
import { asRecord, itemsIn, type Item } from './lottie-json.js';

/** Another one whenever the same wish would give other bytes. */
export const RECOLOR_VERSION = 1;

/** OKLab, in hundredths (model/color.ts). Of what is gray; of one hue; of grays; of a light target; of what looks alike. */
const [GRAY, SAME_HUE_DEGREES, GRAYS_APART, LIGHT, ALIKE] = [4, 25, 25, 80, 15];

/** The colors of a file, those that stand in most places first. */
export function colorsOf(file: Item): { readonly color: string; readonly weight: number }[] {
  const weights = new Map<string, number>();
  visit(file, (color) => void weights.set(color, (weights.get(color) ?? 0) + 1));
  return [...weights].map(([color, weight]) => ({ color, weight })).toSorted((a, b) => b.weight - a.weight);
}

/** A copy in which the listed colors are others, and nothing else is. */
export function recolor<F extends Item>(file: F, map: ReadonlyMap<string, string>): F {
  const copy = structuredClone(file);
  visit(copy, (color) => map.get(color));
  return copy;
}

/**
 * What each of these colors turns into. The main one is that nearest to `named`, the color that the library says, since shapes are
 * counted wrongly (a car has more wheels than body); else the first.
 */
export function mapOf(colors: readonly string[], wish: ColorWish, named?: string | null): ReadonlyMap<string, string> {
  if (wish.how === 'pairs') return wish.map;
  const near = parseColor(named ?? '');
  const labs = new Map(colors.map((color) => [color, parseColor(color)!]));
  const apart = (color: string) => (near === undefined ? 0 : colorDistance(labs.get(color)!, near));
  const [first] = colors.toSorted((a, b) => apart(a) - apart(b));
  if (first === undefined) return new Map();
  const [main, target] = [labs.get(first)!, parseColor(wish.to)!];
  const map = new Map([[first, wish.to]]);
  for (const [color, lab] of labs) {
    if (color === first) continue;
    // On a light target the rest could no longer be told from it.
    const vanishes = target[0] > LIGHT && colorDistance(lab, target) < ALIKE && colorDistance(lab, main) >= ALIKE;
    if (wish.how === 'all' || isShade(lab, main) || vanishes) map.set(color, hexOf(shadeOf(lab, main, target)));
  }
  return map;
}

const chromaOf = ([, a, b]: Lab): number => Math.hypot(a, b);

/** Whether it is of the hue of the main color; a gray, of about its lightness. */
function isShade(lab: Lab, main: Lab): boolean {
  if (chromaOf(lab) < GRAY && chromaOf(main) < GRAY) return Math.abs(lab[0] - main[0]) <= GRAYS_APART;
  if (chromaOf(lab) < GRAY || chromaOf(main) < GRAY) return false;
  const turn = Math.abs(Math.atan2(lab[2], lab[1]) - Math.atan2(main[2], main[1])) * (180 / Math.PI);
  return Math.min(turn, 360 - turn) <= SAME_HUE_DEGREES;
}

/** As much lighter or darker than the target as a color is than the main one; chroma fades with it. Below a light target all of it. */
function shadeOf(lab: Lab, main: Lab, target: Lab): Lab {
  const at = (offset: number): Lab => {
    const lightness = Math.max(0, Math.min(100, target[0] + offset));
    const room = offset > 0 ? 100 - target[0] : target[0];
    const chroma = room === 0 ? 1 : 1 - Math.abs(lightness - target[0]) / room;
    return [lightness, target[1] * chroma, target[2] * chroma];
  };
  const offset = lab[0] - main[0];
  const plain = at(target[0] > LIGHT ? -Math.abs(offset) : offset);
  const vanishes = target[0] > LIGHT && colorDistance(lab, main) >= ALIKE && colorDistance(plain, target) < ALIKE;
  return vanishes ? at(-Math.max(Math.abs(offset), ALIKE)) : plain;
}

type Turn = (color: string) => string | undefined | void;

/** Shows each color of a file, and puts what is answered in its place. */
function visit(file: Item, turn: Turn): void {
  // Until then shapes had bytes for colors.
  const scale = isBefore(file['v'], [4, 1, 9]) ? 255 : 1;
  const slots = asRecord(file['slots']);
  const slotOf = (given: unknown): unknown => {
    const { sid } = asRecord(given);
    return typeof sid === 'string' && Object.hasOwn(slots, sid) ? asRecord(slots[sid])['p'] : undefined;
  };
  /** One slot may be the value of several. */
  const seen = new Set<unknown>();
  const property = (given: unknown, turnList: (list: unknown[]) => void) => {
    for (const one of [given, slotOf(given)].filter(isRecord)) {
      const { k } = one;
      if (seen.has(one) || !Array.isArray(k)) continue;
      seen.add(one);
      const keys = itemsIn(k);
      if (keys.length === 0) turnList(k);
      for (const list of keys.flatMap(({ s, e }) => [s, e])) if (Array.isArray(list)) turnList(list);
    }
  };
  const single = (given: unknown, most = 1) => property(given, (list) => turnIn(list, 0, most, turn));
  for (const layer of [file, ...itemsIn(file['assets'])].flatMap(({ layers }) => itemsIn(layers))) {
    const { ty, sc, t } = layer;
    const solid = ty === 1 && typeof sc === 'string' && sc.length > 4 ? readHex(sc) : undefined;
    if (solid !== undefined) layer['sc'] = turn(solid) ?? sc;
    if (ty === 5) {
      const { d, a } = asRecord(t);
      for (const { s } of [d, slotOf(d)].flatMap((one) => itemsIn(asRecord(one)['k']))) {
        for (const list of [asRecord(s)['fc'], asRecord(s)['sc']]) {
          if (Array.isArray(list) && !seen.has(list)) turnIn(list, 0, 1, turn);
          seen.add(list);
        }
      }
      for (const { fc, sc: stroke } of itemsIn(a).map((one) => asRecord(one['a'])))
        [fc, stroke].forEach((one) => single(one));
    }
    const shapes = itemsIn(layer['shapes']);
    for (const shape of shapes) {
      const { ty: kind, c, g, it } = shape;
      shapes.push(...itemsIn(it));
      if (kind === 'fl' || kind === 'st') single(c, scale);
      if (kind !== 'gf' && kind !== 'gs') continue;
      // Place, red, green and blue of each stop; then those of the alpha.
      const { p, k } = asRecord(g);
      property(k, (list) => {
        for (let at = 0; at < Math.min(Number(p), list.length / 4); at += 1) turnIn(list, 4 * at + 1, 1, turn);
      });
    }
  }
}

/** Turns the color that stands in a list from there on, whose channels go to `most`. */
function turnIn(list: unknown[], from: number, most: number, turn: Turn): void {
  const channels = list.slice(from, from + 3);
  if (channels.length < 3 || channels.some((one) => typeof one !== 'number' || !Number.isFinite(one))) return;
  const byteOf = (channel: unknown) => Math.round(Math.max(0, Math.min(1, (channel as number) / most)) * 255);
  const color = `#${channels.map((one) => byteOf(one).toString(16).padStart(2, '0')).join('')}`;
  const to = turn(color);
  if (to === undefined || to === color) return;
  for (const i of [0, 1, 2]) {
    const byte = Number.parseInt(to.slice(1 + 2 * i, 3 + 2 * i), 16);
    list[from + i] = Math.round((byte / 255) * most * 10_000) / 10_000;
  }
}

function isBefore(version: unknown, [major, minor, patch]: readonly [number, number, number]): boolean {
  if (typeof version !== 'string') return false;
  const [a = 0, b = 0, c = 0] = version.split('.').map(Number);
  return a < major || (a === major && (b < minor || (b === minor && c < patch)));
}

/** Which colors are wanted, of what. */
export interface Coloring extends Licensed {
  readonly wish: ColorWish;
  /** The sticker's main color, as the library says it. */
  readonly color?: string | null | undefined;
}

interface Licensed {
  readonly preset: string;
  readonly licence?: string | undefined;
}

/** Throws `invalid_request` where a licence forbids changed copies (ND). */
export function requireChangeable({ preset, licence }: Licensed): void {
  if (licence === undefined || !/(?:^|[^a-z])nd(?![a-z])|no[- ]?deriv/i.test(licence)) return;
  throw new SvcdError(
    'invalid_request',
    `${JSON.stringify(preset)} is under ${licence}, which forbids changed copies: it keeps its colors`,
    { hint: 'Ask for it without a color.' },
  );
}

/** The file in other colors. Throws `invalid_request` for what is no Lottie file, and where it has no color that was named. */
export function recolorBytes(bytes: Uint8Array, of: Coloring): Uint8Array<ArrayBuffer> {
  requireChangeable(of);
  const file = requirePlayable(bytes);
  const colors = colorsOf(file).map(({ color }) => color);
  const map = mapOf(colors, of.wish, of.color);
  const strange = [...map.keys()].filter((color) => !colors.includes(color));
  if (colors.length > 0 && strange.length === 0) return new TextEncoder().encode(JSON.stringify(recolor(file, map)));
  const what = colors.length === 0 ? 'has no color that can be changed' : `has no ${strange.join(', ')}`;
  throw new SvcdError('invalid_request', `color: ${JSON.stringify(of.preset)} ${what}`, {
    hint:
      colors.length === 0
        ? 'Ask for it without a color.'
        : `Its colors are ${colors.slice(0, COLORS_NAMED).join(', ')}.`,
  });
}

const COLORS_NAMED = 20;
