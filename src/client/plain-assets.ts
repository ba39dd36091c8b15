// What the client itself gives where there is no svcd: a grey disc for two seconds, and a grey picture.

/** A Lottie file of some 400 bytes; a player takes what a transform leaves out as the usual. */
export function plainLottie(): Uint8Array<ArrayBuffer> {
  const still = (k: unknown) => ({ a: 0, k });
  const shapes = [
    { ty: 'el', p: still([256, 256]), s: still([320, 320]) },
    { ty: 'fl', c: still([0.8, 0.8, 0.8, 1]), o: still(100), r: 1 },
  ];
  const time = { ip: 0, op: 60 };
  const layer = { ty: 4, ind: 1, ...time, st: 0, ks: {}, shapes };
  const file = { v: '5.7.0', fr: 30, ...time, w: 512, h: 512, assets: [], layers: [layer] };
  return new TextEncoder().encode(JSON.stringify(file));
}

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mM4AwAAzgDNee7qPQAAAABJRU5ErkJggg==';

/** A PNG of one grey pixel, to be drawn at any size. */
export function plainPicture(): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(PIXEL), (one) => one.charCodeAt(0));
}
