// What a template of these tests draws where the service gives nothing.

const still = (k: unknown) => ({ a: 0, k });
/** A grey disc. */
export const OWN_STICKER = new TextEncoder().encode(
  JSON.stringify({
    v: '5.7.0',
    fr: 30,
    ip: 0,
    op: 60,
    w: 256,
    h: 256,
    assets: [],
    layers: [
      {
        ty: 4,
        ks: { o: still(100), r: still(0), p: still([128, 128]), a: still([0, 0]), s: still([100, 100]) },
        shapes: [
          { ty: 'el', p: still([0, 0]), s: still([160, 160]) },
          { ty: 'fl', c: still([0.6, 0.6, 0.6]), o: still(100) },
        ],
        ip: 0,
        op: 60,
        st: 0,
      },
    ],
  }),
);
/** A grey pixel. */
export const OWN_PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGOYCQAAmwCarS5ItAAAAABJRU5ErkJggg==',
  'base64',
);
