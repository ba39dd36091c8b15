// Other colors: nothing but colors changes, only those that are named, wherever colors stand; and which turn for a wish.

import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openCatalogue } from '../../src/catalogue/catalogue.js';
import { colorsOf, mapOf, recolor, recolorBytes } from '../../src/lottie/recolor.js';
import { colorDistance, hexOf, parseColor } from '../../src/model/color.js';
import { readWish, type ColorWish } from '../../src/model/color-wish.js';

type File = Parameters<typeof colorsOf>[0];

const RED = [1, 0, 0, 0.5];
const still = (k: unknown) => ({ a: 0, k });
const keyed = (...colors: readonly (readonly number[])[]) => ({
  a: 1,
  k: colors.map((s, t) => ({ t, s, e: colors[t + 1] ?? s, i: { x: 0.5, y: 0.5 } })),
});

/** A file with one color, or two, at each place where colors stand; and numbers like them where none do. */
function fileOf(one: readonly number[], other: readonly number[]): File {
  const group = [
    { ty: 'fl', c: still([...one, 0.5]), o: still(1) },
    { ty: 'st', c: keyed(one, other), w: still(1) },
    { ty: 'gf', g: { p: 2, k: still([0, ...one, 1, ...other, 0, 0.5, 1, 1]) }, s: still([1, 0, 0]) },
    { ty: 'gs', g: { p: 1, k: keyed([0, ...one], [0, ...other]) } },
    { ty: 'fl', c: { sid: 'paint' } },
    { ty: 'rc', p: still([1, 0, 0]), s: still([...one]) },
  ];
  return {
    v: '5.7.4',
    w: 8,
    h: 8,
    fr: 30,
    ip: 0,
    op: 30,
    slots: { paint: { p: still([...one]) }, place: { p: still([...one]) } },
    assets: [
      { id: 'a', layers: [{ ty: 1, sc: '#FF0000', ef: [{ ef: [{ ty: 2, v: still([...one]) }] }] }] },
      { id: 'b', p: 'a.png', c: still([...one]) },
    ],
    layers: [
      {
        ty: 4,
        ks: { p: still([1, 0, 0]) },
        shapes: [
          { ty: 'gr', it: group },
          { ty: 'fl', c: still(RED) },
        ],
      },
      { ty: 5, t: { d: { k: [{ t: 0, s: { fc: [...one], sc: [...other] } }] }, a: [{ a: { fc: still([...one]) } }] } },
    ],
  };
}

const channel = fc.integer({ min: 0, max: 255 }).map((byte) => byte / 255);
const color = fc.tuple(channel, channel, channel);
const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

/** The values of a file with the path that leads there. */
function leaves(value: unknown, path = ''): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([name, inner]) => leaves(inner, `${path}.${name}`));
}
const COLORED = /\.(?:c|g)\.|\.(?:fc|sc)\b|\.slots\.paint/;

/** What must be so of any file and map. */
function check(file: File, map: ReadonlyMap<string, string>): void {
  const before = structuredClone(file);
  const turned = recolor(file, map);
  expect(file).toEqual(before);
  expect(recolor(file, new Map())).toEqual(file);
  const [was, is] = [leaves(file), leaves(turned)];
  expect(is.map(([path]) => path)).toEqual(was.map(([path]) => path));
  for (const [at, [path, value]] of was.entries()) {
    if (value !== is[at]?.[1]) expect(path).toMatch(COLORED);
  }
  const counts = new Map<string, number>();
  for (const { color: one, weight } of colorsOf(file)) {
    const to = map.get(one) ?? one;
    counts.set(to, (counts.get(to) ?? 0) + weight);
  }
  expect(new Map(colorsOf(turned).map(({ color: one, weight }) => [one, weight]))).toEqual(counts);
}

const wish = (text: string): ColorWish => readWish(text)!;
const of = { preset: 'a/b', wish: wish('#00f') };

describe('recoloring', () => {
  it('changes nothing but the colors that are named, still and keyed, in gradients, slots, solids and text', () => {
    const all = colorsOf(fileOf([0, 1, 0], [0, 0, 1]));
    expect(all).toEqual([
      { color: '#0000ff', weight: 8 },
      { color: '#00ff00', weight: 7 },
      { color: '#ff0000', weight: 2 },
    ]);
    fc.assert(
      fc.property(color, color, hex, hex, (one, other, to, third) => {
        const file = fileOf(one, other);
        const [first, second] = colorsOf(file);
        check(file, new Map([[first!.color, to]]));
        check(
          file,
          new Map([
            [first!.color, to],
            [(second ?? first)!.color, third],
          ]),
        );
      }),
    );
  });

  it('is of bytes in files from before 4.1.9', () => {
    const old = {
      ...fileOf([0, 0, 0], [0, 0, 0]),
      v: '4.1.8',
      layers: [{ ty: 4, shapes: [{ ty: 'fl', c: still([255, 0, 0, 1]) }] }],
    };
    expect(recolor(old, new Map([['#ff0000', '#0080ff']])).layers[0]?.shapes[0]?.c.k).toEqual([0, 128, 255, 1]);
  });

  it('is the same bytes for the same question, refused where there is no such color, and by name where a licence says ND', () => {
    const bytes = new TextEncoder().encode(JSON.stringify(fileOf([0, 1, 0], [0, 0, 1])));
    expect(recolorBytes(bytes, of)).toEqual(recolorBytes(bytes, of));
    expect(() => recolorBytes(bytes, { ...of, wish: wish('#123=#fff') })).toThrow('"a/b" has no #112233');
    for (const licence of ['CC-BY-ND-4.0', 'CC BY-NC-ND 3.0', 'No Derivatives']) {
      expect(() => recolorBytes(bytes, { ...of, licence })).toThrow(`"a/b" is under ${licence}`);
    }
    for (const licence of ['MIT', 'unknown', 'CC-BY-4.0', 'LicenseRef-Andy']) recolorBytes(bytes, { ...of, licence });
  });
});

describe('a wish', () => {
  it('is read in each of its forms, and in no other', () => {
    expect(wish('#E5484D')).toEqual({ how: 'main', to: '#e5484d' });
    expect(wish('all=f00')).toEqual({ how: 'all', to: '#ff0000' });
    expect(wish('#333=#fff, 000=#e5484d')).toEqual({
      how: 'pairs',
      map: new Map([
        ['#333333', '#ffffff'],
        ['#000000', '#e5484d'],
      ]),
    });
    for (const text of [
      '',
      'red',
      '#12',
      '#333=',
      'all=',
      'main=#fff',
      '#333=#fff,#333=#000',
      '#333=#fff=#000',
      '#333,#444',
    ]) {
      expect([text, readWish(text)]).toEqual([text, undefined]);
    }
  });

  it('turns the main color, which the library names, with its shades; the rest stays', () => {
    const car = ['#333333', '#e02020', '#f06060', '#7a0f0f', '#ffffff'];
    const map = mapOf(car, wish('#0060ff'), '#e01010');
    expect([...map.keys()].toSorted()).toEqual(['#7a0f0f', '#e02020', '#f06060']);
    expect(map.get('#e02020')).toBe('#0060ff');
    const lightness = (one: string) => parseColor(map.get(one)!)![0];
    expect(lightness('#7a0f0f')).toBeLessThan(lightness('#e02020'));
    expect(lightness('#f06060')).toBeGreaterThan(lightness('#e02020'));
    // Without a name the one in most places is the main one.
    expect(mapOf(car, wish('#0060ff')).get('#333333')).toBe('#0060ff');
  });

  it('tells colors apart on a light target as before', () => {
    for (const text of ['all=#ffffff', '#ffffff', 'all=#fff3b0']) {
      const map = mapOf(['#222222', '#ffffff'], wish(text));
      const [ink, paper] = ['#222222', '#ffffff'].map((one) => parseColor(map.get(one) ?? one)!);
      expect([text, colorDistance(ink!, paper!) >= 14.5]).toEqual([text, true]);
    }
  });

  it('has every color back from OKLab', () => {
    fc.assert(fc.property(hex, (one) => hexOf(parseColor(one)!) === one));
  });
});

const isWhole = process.env['SVCD_ALL_STICKERS'] === '1';
describe(`${isWhole ? 'every' : 'each hundredth'} sticker of the sandbox`, () => {
  it('turns as it should', { timeout: 1_200_000 }, async () => {
    const catalogue = openCatalogue(fileURLToPath(new URL('../../data/catalogue', import.meta.url)));
    for (const { at } of [...catalogue.entries()].filter((_, nth) => isWhole || nth % 100 === 0)) {
      const bytes = await catalogue.readLottie(at);
      const file = JSON.parse(new TextDecoder().decode(bytes)) as File;
      const colors = colorsOf(file).map((one) => one.color);
      expect(colors.length).toBeGreaterThan(0);
      for (const text of ['#e5484d', 'all=#ffe066']) check(file, mapOf(colors, wish(text)));
    }
  });
});
