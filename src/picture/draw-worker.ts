// What runs in the thread of draw.ts: the engine (ThorVG), for one frame of one file at a time. Sole importer of the engine.

import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { DotLottie } from '@lottiefiles/dotlottie-web';
import type { Drawing, DrawnFrame } from './draw.js';

// The engine fetches its code, from two public addresses if need be: here nothing is ever fetched.
const code = readFileSync(new URL('dotlottie-player.wasm', import.meta.url));
globalThis.fetch = async () => new Response(code, { headers: { 'content-type': 'application/wasm' } });

const canvas = { width: 1, height: 1 };
const still = {
  autoplay: false,
  useFrameInterpolation: false,
  renderConfig: { devicePixelRatio: 1, autoResize: false },
};
const engine = new DotLottie({ canvas, ...still });
const ready = new Promise<void>((resolve, reject) => {
  if (engine.isReady) resolve();
  engine.addEventListener('ready', () => resolve());
  engine.addEventListener('loadError', ({ error }) => reject(error));
});

// An engine that failed at a file fails at every other after it: it ends, and the next file gets a new one.
const fail = () => process.exit(1);
parentPort!.on(
  'message',
  (drawing: Drawing) => void draw(drawing).then((drawn) => parentPort!.postMessage(drawn, []), fail),
);

async function draw({ bytes, width, height, at }: Drawing): Promise<DrawnFrame> {
  await ready;
  Object.assign(canvas, { width, height });
  engine.load({ ...still, data: new TextDecoder().decode(bytes) });
  engine.resize();
  if (!engine.isLoaded) return { pixels: undefined, frame: 0 };
  const frame = Math.round(at * Math.max(0, engine.totalFrames - 1));
  engine.setFrame(frame);
  const drawn = engine.buffer;
  return { pixels: drawn === null ? undefined : Uint8Array.from(drawn), frame };
}
