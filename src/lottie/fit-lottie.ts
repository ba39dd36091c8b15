// Gives a Lottie file another shape: the whole animation is put into a precomposition, scaled to fit and centred on a
// canvas of the wanted aspect ratio. Nothing of it is cropped or stretched.

type Json = Record<string, unknown>;

interface Canvas {
  readonly width: number;
  readonly height: number;
}

const PRECOMP_LAYER = 0;
/** Closer than this the shapes count as the same. */
const TOLERANCE = 0.01;
/** A canvas of whole pixels is of no exact shape; on a side this long the error is under 1 %. */
const SHORT_SIDE_MIN = 64;
const ASPECT_MAX = 64;

/**
 * The file on a canvas of `aspect` (width / height, at most 64 to 1), the longer side kept where it can be; the
 * same bytes when it fits already. `bytes` must be a playable Lottie file.
 */
export function fitLottie(bytes: Uint8Array, aspect: number | undefined): Uint8Array {
  if (aspect === undefined || !(aspect > 0) || !Number.isFinite(aspect)) return bytes;
  const file = JSON.parse(new TextDecoder().decode(bytes)) as Json;
  const art = { width: Number(file['w']), height: Number(file['h']) };
  if (Math.abs(art.width / art.height / aspect - 1) < TOLERANCE) return bytes;
  return new TextEncoder().encode(JSON.stringify(fit(file, art, canvasOf(art, aspect))));
}

function canvasOf({ width, height }: Canvas, aspect: number): Canvas {
  const ratio = Math.min(ASPECT_MAX, Math.max(1 / ASPECT_MAX, aspect));
  const flat = ratio >= 1 ? ratio : 1 / ratio;
  const long = Math.max(width, height, SHORT_SIDE_MIN * flat);
  const [longSide, shortSide] = [Math.round(long), Math.round(long / flat)];
  return ratio >= 1 ? { width: longSide, height: shortSide } : { width: shortSide, height: longSide };
}

function fit(file: Json, art: Canvas, canvas: Canvas): Json {
  const assets = Array.isArray(file['assets']) ? (file['assets'] as unknown[]) : [];
  const id = freeId(assets);
  return {
    ...file,
    w: canvas.width,
    h: canvas.height,
    assets: [...assets, { id, layers: file['layers'] }],
    layers: [precompLayer(file, id, art, canvas)],
  };
}

function precompLayer({ ip, op }: Json, refId: string, art: Canvas, canvas: Canvas): Json {
  const scale = 100 * Math.min(canvas.width / art.width, canvas.height / art.height);
  return {
    ty: PRECOMP_LAYER,
    nm: 'fitted',
    refId,
    w: art.width,
    h: art.height,
    ip,
    op,
    st: 0,
    sr: 1,
    ddd: 0,
    ind: 1,
    bm: 0,
    ao: 0,
    ks: {
      o: { a: 0, k: 100 },
      r: { a: 0, k: 0 },
      p: { a: 0, k: [canvas.width / 2, canvas.height / 2, 0] },
      a: { a: 0, k: [art.width / 2, art.height / 2, 0] },
      s: { a: 0, k: [scale, scale, 100] },
    },
  };
}

/** A name that no asset of the file has; it may have been fitted before. */
function freeId(assets: readonly unknown[]): string {
  const taken = new Set(assets.map((asset) => (asset as { id?: unknown } | null)?.id));
  for (let n = 1; ; n++) if (!taken.has(`fitted-${n}`)) return `fitted-${n}`;
}
