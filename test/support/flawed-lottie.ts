// Small Lottie files, each with one flaw that some player trips over, and their flawless neighbours.

import type { PlayerWarning } from '../../src/lottie/feature-table.js';

type Item = Record<string, unknown>;

const still = (k: unknown): Item => ({ a: 0, k });
const transform = (): Item => ({
  ty: 'tr',
  a: still([0, 0]),
  p: still([0, 0]),
  s: still([100, 100]),
  r: still(0),
  o: still(100),
});
const square = (side = 120, at = [0, 0]): Item => ({
  ty: 'rc',
  d: 1,
  s: still([side, side]),
  p: still(at),
  r: still(0),
});
const fill = (color: unknown = [0, 0.4, 1]): Item => ({ ty: 'fl', c: still(color), o: still(100), r: 1 });
const stroke = (...dash: [n: string, nm: string | undefined, length: number][]): Item => ({
  ty: 'st',
  c: still([1, 0, 0]),
  o: still(100),
  w: still(10),
  lc: 1,
  lj: 1,
  ml: 4,
  d: dash.map(([n, nm, length]) => ({ n, nm, v: still(length) })),
});
const group = (...items: unknown[]): Item => ({ ty: 'gr', it: [...items, transform()] });
const layer = (shapes: unknown[], more: Item = {}): Item => ({
  ddd: 0,
  ind: 1,
  ty: 4,
  sr: 1,
  ks: { o: still(100), r: still(0), p: still([128, 128, 0]), a: still([0, 0, 0]), s: still([100, 100, 100]) },
  ao: 0,
  shapes,
  ip: 0,
  op: 60,
  st: 0,
  bm: 0,
  ...more,
});
const file = (layers: Item[], more: Item = {}): Item => ({
  v: '5.9.0',
  fr: 30,
  ip: 0,
  op: 60,
  w: 256,
  h: 256,
  ddd: 0,
  assets: [],
  layers,
  ...more,
});
const placed = (ks: Item): Item => ({ ks: { ...(layer([])['ks'] as Item), ...ks } });
const nested = (refId: string, ty: number, more: Item = {}): Item => {
  const { shapes: _none, ...rest } = layer([]);
  return { ...rest, ty, refId, w: 256, h: 256, ...placed({ p: still([0, 0, 0]) }), ...more };
};
const inGroups = (depth: number): Item => {
  let inner = group(square(), fill());
  for (let i = 0; i < depth; i += 1) inner = group(inner);
  return inner;
};

const art = (): Item => layer([group(square(), fill())]);
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const picture = (asset: Item): Item =>
  file([nested('image', 2, placed({ s: still([10_000, 10_000, 100]) }))], {
    assets: [{ id: 'image', w: 1, h: 1, u: '', ...asset }],
  });
const words = { s: 40, f: 'Arial', t: 'HELLO', j: 0, tr: 0, lh: 48, ls: 0, fc: [1, 0, 0] };
const corners = {
  c: true,
  v: [
    [-30, -30],
    [30, -30],
    [30, 30],
    [-30, 30],
  ],
  i: [0, 0, 0, 0].map(() => [0, 0]),
  o: [0, 0, 0, 0].map(() => [0, 0]),
};
const masked = (mask: Item): Item =>
  file([
    layer([group(square(), fill())], {
      hasMask: true,
      masksProperties: [{ inv: false, mode: 'a', pt: still(corners), o: still(100), x: still(0), ...mask }],
    }),
  ]);
const eased = { i: { x: 0.7, y: 0.7 }, o: { x: 0.3, y: 0.3 } };

/** A file, or several, for each word; `not_checked` is about size alone. */
export const FLAWED: Readonly<Record<Exclude<PlayerWarning, 'not_checked'>, readonly Item[]>> = {
  missing_property: [
    file([layer([{ ty: 'gr', it: [square(), fill()] }])]),
    file([{ ...art(), ks: undefined }]),
    file([{ ...art(), st: undefined }]),
    file([layer([group(square(), null, fill())])]),
    file([layer([group(square(), fill('#ff0000'))])]),
    file([layer([group({ ...square(), r: undefined }, fill())])]),
  ],
  bad_keyframes: [
    file([layer([group(square(), fill())], placed({ p: { a: 1, k: [{ t: 0, s: [128, 128, 0] }] } }))]),
    file([
      layer(
        [group(square(), fill())],
        placed({
          p: {
            a: 1,
            k: [
              { t: 0, s: [100, 100, 0] },
              { t: 60, s: [150, 150, 0] },
            ],
          },
        }),
      ),
    ]),
  ],
  bad_path: [
    file([
      layer([
        group(
          {
            ty: 'sh',
            ks: still({
              c: true,
              v: [
                [-50, -50],
                [50, -50],
                [50, 50],
              ],
            }),
          },
          fill(),
        ),
      ]),
    ]),
  ],
  no_frames: [file([{ ...art(), ip: 70, op: 90 }])],
  missing_asset: [file([nested('nowhere', 0), art()]), file([nested('nowhere', 2)])],
  endless_nesting: [
    file([layer([group(square(), fill())], { parent: 1 })]),
    file([nested('loop', 0)], { assets: [{ id: 'loop', layers: [art(), nested('loop', 0, { ind: 2 })] }] }),
  ],
  deep_nesting: [file([layer([inGroups(1_200)])])],
  dash_without_name: [
    file([layer([group(square(), stroke(['d', undefined, 20], ['g', undefined, 5], ['o', undefined, 0]))])]),
    file([
      layer([
        group(
          square(),
          stroke(['d', 'dash', 20], ['g', 'gap', 5], ['d', 'dash', 2], ['g', 'gap2', 5], ['o', 'offset', 0]),
        ),
      ]),
    ]),
  ],
  dash_without_offset: [file([layer([group(square(), stroke(['d', 'dash', 20], ['g', 'gap', 5]))])])],
  expressions: [
    file([layer([group(square(), fill())], placed({ r: { a: 0, k: 0, x: 'var $bm_rt; $bm_rt = 45;' } }))]),
    file([layer([group(square(), fill())], placed({ r: { a: 0, k: 0, x: 'var $bm_rt; $bm_rt = nothing.here;' } }))]),
  ],
  remote_image: [picture({ u: 'http://127.0.0.1:9/', p: 'a.png', e: 0 })],
  missing_image: [picture({ u: 'images/', p: 'a.png', e: 0 }), picture({ p: PIXEL, e: 0 })],
  text_without_glyphs: [
    file([{ ...art(), ty: 5, t: { d: { k: [{ s: words, t: 0 }] }, p: {}, m: { g: 1, a: still([0, 0]) }, a: [] } }], {
      fonts: { list: [{ fName: 'Arial', fFamily: 'Arial', fStyle: 'Regular', ascent: 70 }] },
    }),
  ],
  effects: [
    file([
      layer([group(square(), fill())], {
        ef: [
          {
            ty: 29,
            nm: 'Blur',
            np: 5,
            en: 1,
            ef: [
              { ty: 0, v: still(40) },
              { ty: 7, v: still(1) },
              { ty: 7, v: still(0) },
            ],
          },
        ],
      }),
    ]),
  ],
  layer_styles: [
    file([
      layer([group(square(), fill())], {
        sy: [{ ty: 1, c: still([0, 0, 0, 1]), o: still(75), a: still(120), s: still(10), d: still(30), ch: still(0) }],
      }),
    ]),
  ],
  three_d: [
    file(
      [
        layer([group(square(), fill())], {
          ddd: 1,
          ...placed({ r: undefined, rx: still(60), ry: still(0), rz: still(0), or: still([0, 0, 0]) }),
        }),
      ],
      { ddd: 1 },
    ),
  ],
  luma_matte: [
    file([layer([group(square(60), fill([1, 1, 1]))], { td: 1 }), layer([group(square(), fill())], { ind: 2, tt: 3 })]),
  ],
  mask_mode: [masked({ mode: 's' }), masked({ inv: true })],
  merge_paths: [file([layer([group(square(120, [-20, -20]), square(120, [20, 20]), { ty: 'mm', mm: 5 }, fill())])])],
  path_modifiers: [
    file([layer([group(square(), { ty: 'zz', s: still(10), r: still(5), pt: still(1) }, fill())])]),
    file([layer([group(square(), { ty: 'op', a: still(20), lj: 1, ml: still(4) }, fill())])]),
  ],
};

/** What looks like a flaw and is none: each player draws the same. */
export const FLAWLESS: readonly Item[] = [
  file([art()]),
  file([layer([group(square(), fill(), stroke(['d', 'dash', 20], ['g', 'gap', 5], ['o', 'offset', 0]))])]),
  picture({ p: PIXEL, e: 1 }),
  file([nested('part', 0)], { assets: [{ id: 'part', layers: [art()] }] }),
  file([layer([group(square(), fill())], { parent: 7 })]),
  file([{ ...art(), ind: undefined }]),
  file([layer([inGroups(50)])]),
  masked({}),
  file([
    layer(
      [group(square(), fill())],
      placed({
        p: {
          a: 1,
          k: [
            { t: 0, s: [100, 100, 0], ...eased },
            { t: 30, s: [120, 120, 0], h: 1 },
            { t: 60, s: [150, 150, 0] },
          ],
        },
      }),
    ),
  ]),
  file([layer([group(square(), fill())], { ef: [{ ty: 5, nm: 'Slider', en: 1, ef: [{ ty: 0, v: still(1) }] }] })]),
];
