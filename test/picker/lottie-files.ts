// Lottie files for tests of the page: a plain one, and hostile ones.

const still = {
  o: { a: 0, k: 100 },
  r: { a: 0, k: 0 },
  p: { a: 0, k: [0, 0] },
  a: { a: 0, k: [0, 0] },
  s: { a: 0, k: [100, 100] },
};
const square = { ty: 'rc', p: { a: 0, k: [50, 50] }, s: { a: 0, k: [60, 60] }, r: { a: 0, k: 0 } };
const fill = { ty: 'fl', c: { a: 0, k: [0.9, 0.2, 0.2, 1] }, o: { a: 0, k: 100 } };
const shape = {
  ty: 4,
  ip: 0,
  op: 30,
  st: 0,
  ks: still,
  shapes: [{ ty: 'gr', it: [square, fill, { ty: 'tr', ...still }] }],
};

/** A red square that stands for a second. */
export const SQUARE = { v: '5.7.0', fr: 30, ip: 0, op: 30, w: 100, h: 100, layers: [shape] };

const calling = { a: 0, k: 0, x: 'var $bm_rt = fetch("http://127.0.0.2:9/expression");' };
const picture = { id: 'far', w: 10, h: 10, u: 'http://127.0.0.2:9/', p: 'image.png', e: 0 };

export const HOSTILE = {
  broken: '{"w":100,"h":',
  endless: JSON.stringify({ ...SQUARE, op: 1e9 }),
  expression: JSON.stringify({ ...SQUARE, layers: [{ ...shape, ks: { ...still, r: calling } }] }),
  remote: JSON.stringify({ ...SQUARE, assets: [picture], layers: [{ ...shape, ty: 2, refId: 'far' }, shape] }),
  /** Each of ten compositions holds ten of the next. */
  bomb: JSON.stringify({
    ...SQUARE,
    assets: Array.from({ length: 10 }, (_, depth) => ({
      id: `c${depth}`,
      layers: Array.from({ length: 10 }, () =>
        depth === 9 ? shape : { ty: 0, refId: `c${depth + 1}`, w: 100, h: 100, ip: 0, op: 30, st: 0, ks: still },
      ),
    })),
    layers: [{ ty: 0, refId: 'c0', w: 100, h: 100, ip: 0, op: 30, st: 0, ks: still }],
  }),
  large: `{"w":100,"h":100,"layers":[],"x":"${'x'.repeat(9 * 1024 * 1024)}"}`,
};
