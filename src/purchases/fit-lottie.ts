// Giving a Lottie file another shape: the whole animation is put into a precomposition, scaled to fit and
// centred on a canvas of the wanted aspect ratio. Nothing of it is cropped or stretched.

type Json = Record<string, unknown>;

const PRECOMP_LAYER = 0;
const PRECOMP_ID = 'svcd-fitted';
/** Closer than this the shapes count as the same. */
const TOLERANCE = 0.01;

/** The file on a canvas of `aspect` (width / height), the longer side kept; the same bytes when it fits already. */
export function fitLottie(bytes: Uint8Array, aspect: number | undefined): Uint8Array {
  if (aspect === undefined || !(aspect > 0) || !Number.isFinite(aspect)) return bytes;
  const file = JSON.parse(new TextDecoder().decode(bytes)) as Json;
  const [width, height] = [Number(file['w']), Number(file['h'])];
  if (Math.abs(width / height / aspect - 1) < TOLERANCE) return bytes;
  return new TextEncoder().encode(JSON.stringify(fit(file, width, height, aspect)));
}

function fit(file: Json, width: number, height: number, aspect: number): Json {
  const side = Math.max(width, height);
  const w = Math.max(1, Math.round(aspect >= 1 ? side : side * aspect));
  const h = Math.max(1, Math.round(aspect >= 1 ? side / aspect : side));
  const scale = 100 * Math.min(w / width, h / height);
  const assets = Array.isArray(file['assets']) ? (file['assets'] as unknown[]) : [];
  return {
    ...file,
    w,
    h,
    assets: [...assets, { id: PRECOMP_ID, layers: file['layers'] }],
    layers: [
      {
        ty: PRECOMP_LAYER,
        nm: 'fitted',
        refId: PRECOMP_ID,
        w: width,
        h: height,
        ip: file['ip'],
        op: file['op'],
        st: 0,
        sr: 1,
        ddd: 0,
        ind: 1,
        bm: 0,
        ao: 0,
        ks: {
          o: { a: 0, k: 100 },
          r: { a: 0, k: 0 },
          p: { a: 0, k: [w / 2, h / 2, 0] },
          a: { a: 0, k: [width / 2, height / 2, 0] },
          s: { a: 0, k: [scale, scale, 100] },
        },
      },
    ],
  };
}
