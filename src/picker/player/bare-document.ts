// What lottie-web expects of a document, for a worker that has none: canvases, and images of `data:` addresses. Nothing here
// can load anything.

interface Listening {
  readonly listeners: Map<string, (() => void)[]>;
}

const scope = self as unknown as Record<string, unknown>;

/** An image is a canvas that is filled when its address is set: only `data:` addresses are. */
function makeImage(): OffscreenCanvas & Listening {
  const canvas = new OffscreenCanvas(1, 1) as OffscreenCanvas & Listening;
  const listeners = new Map<string, (() => void)[]>();
  const tell = (event: string) => {
    for (const listener of listeners.get(event) ?? []) listener();
  };
  Object.defineProperties(canvas, {
    listeners: { value: listeners },
    addEventListener: {
      value: (event: string, listener: () => void) => listeners.set(event, [...(listeners.get(event) ?? []), listener]),
    },
    src: {
      set: (address: string) => {
        decode(canvas, address).then(
          () => tell('load'),
          () => tell('error'),
        );
      },
    },
  });
  return canvas;
}

async function decode(canvas: OffscreenCanvas, address: string): Promise<void> {
  const [, type = '', coded = ''] = /^data:(image\/(?:png|jpeg|webp|gif));base64,([\w+/=\s]+)$/.exec(address) ?? [];
  if (type === '') throw new Error('only data: images are drawn');
  const bytes = Uint8Array.from(atob(coded), (character) => character.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type }));
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  bitmap.close();
}

/** Of any other tag: something that takes children and styles, and shows nothing. */
function makeNothing(): object {
  const nothing: Record<string, unknown> = { style: {}, childNodes: [], offsetWidth: 0, clientWidth: 0 };
  nothing['appendChild'] = () => nothing;
  nothing['removeChild'] = () => nothing;
  nothing['setAttribute'] = () => undefined;
  nothing['addEventListener'] = () => undefined;
  nothing['remove'] = () => undefined;
  return nothing;
}

scope['window'] = self;
scope['document'] = {
  readyState: 'complete',
  body: makeNothing(),
  createElement: (tag: string) =>
    tag === 'canvas' ? new OffscreenCanvas(1, 1) : tag === 'img' ? makeImage() : makeNothing(),
  createElementNS: makeNothing,
  getElementsByClassName: () => [],
  getElementsByTagName: () => [],
  querySelectorAll: () => [],
  addEventListener: () => undefined,
};
