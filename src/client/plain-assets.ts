// What the client itself gives where there is no svcd: a grey disc that lasts two seconds, and a grey picture.

const still = (k: unknown) => ({ a: 0, k });

/** A Lottie file of some 700 bytes. */
export function plainLottie(): Uint8Array<ArrayBuffer> {
  const ks = { o: still(100), r: still(0), p: still([256, 256, 0]), a: still([0, 0, 0]), s: still([100, 100, 100]) };
  const place = { p: still([0, 0]), a: still([0, 0]), s: still([100, 100]), r: still(0), o: still(100) };
  const it = [
    { ty: 'el', d: 1, p: still([0, 0]), s: still([320, 320]) },
    { ty: 'fl', c: still([0.8, 0.8, 0.8, 1]), o: still(100), r: 1 },
    { ty: 'tr', ...place, sk: still(0), sa: still(0) },
  ];
  const time = { ip: 0, op: 60 };
  const layer = {
    ty: 4,
    ind: 1,
    nm: 'plain',
    ...time,
    st: 0,
    sr: 1,
    ddd: 0,
    bm: 0,
    ao: 0,
    ks,
    shapes: [{ ty: 'gr', it }],
  };
  const file = { v: '5.7.0', nm: 'plain', fr: 30, ...time, w: 512, h: 512, ddd: 0, assets: [], layers: [layer] };
  return new TextEncoder().encode(JSON.stringify(file));
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const BITS = 8;
/** PNG's 8 bits of grey. */
const GREY = [BITS, 0, 0, 0, 0];
const SHADE = 0xcc;

/** A PNG of one grey. */
export async function plainPicture(width: number, height: number): Promise<Uint8Array<ArrayBuffer>> {
  const rows = new Uint8Array((width + 1) * height).fill(SHADE);
  // Each row begins with its filter: none.
  for (let row = 0; row < height; row += 1) rows[row * (width + 1)] = 0;
  const packed = new Response(new Blob([rows]).stream().pipeThrough(new CompressionStream('deflate')));
  const header = [...bigEndian(width), ...bigEndian(height), ...GREY];
  const data = new Uint8Array(await packed.arrayBuffer());
  const file = new Blob([Uint8Array.from(SIGNATURE), chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', [])]);
  return new Uint8Array(await file.arrayBuffer());
}

function chunk(name: string, data: ArrayLike<number>): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(data.length + 12);
  bytes.set(bigEndian(data.length));
  bytes.set(new TextEncoder().encode(name), 4);
  bytes.set(data, 8);
  bytes.set(bigEndian(crc32(bytes.subarray(4, -4))), data.length + 8);
  return bytes;
}

/** The checksum of the PNG specification, annex D. */
function crc32(bytes: Uint8Array): number {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < BITS; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc;
}

function bigEndian(value: number): number[] {
  return [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
}
