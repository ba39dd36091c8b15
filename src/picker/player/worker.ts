// Draws Lottie files in a thread of its own. A stranger's file is read and drawn here only: it can keep nothing waiting but
// this worker, which the page ends when it takes too long.

import './bare-document.js'; // oxlint-disable-line no-unassigned-import -- it must be there before lottie-web is
import lottie, { type CanvasAnimation } from 'lottie-web/build/player/lottie_light_canvas.min.js';
import { READY, type Answer, type Drawn, type Order } from './messages.js';

/** Shares of the file that are tried for a still; some files begin or end empty, or on edge. */
const TRIED = [0, 0.2, 0.4, 0.6, 0.8];
const PROBE = 32;
/** Of a frame's time, what drawing may take before fewer frames are drawn. */
const BUSY_SHARE = 0.5;

interface Scene {
  readonly canvas: OffscreenCanvas;
  readonly animation: CanvasAnimation;
  readonly drawn: Drawn;
}

interface Playing extends Scene {
  timer: ReturnType<typeof setTimeout> | undefined;
  startedAt: number;
  everyMs: number;
}

const playing = new Map<number, Playing>();
/** What is being read to be played; what is stopped meanwhile never begins. */
const opening = new Set<number>();

self.addEventListener('message', ({ data }: MessageEvent<Order>) => {
  void obey(data).catch((error: unknown) => tell({ id: data.id, error: String(error) }));
});
(self as unknown as Worker).postMessage(READY);

async function obey(order: Order): Promise<void> {
  // What waits behind another is not late.
  if (order.do !== 'stop' && order.do !== 'pause') tell({ id: order.id, began: true });
  if (order.do === 'still') {
    const scene = await open(order.file, order.side);
    const frame = order.frame ?? scene.drawn.poster;
    scene.animation.goToAndStop(frame, true);
    tellFrame(order.id, scene, frame);
    scene.animation.destroy();
    return;
  }
  if (order.do === 'open' || order.do === 'play') {
    opening.add(order.id);
    const scene = await open(order.file, order.side).catch((error: unknown) => {
      opening.delete(order.id);
      throw error;
    });
    if (!opening.delete(order.id)) return scene.animation.destroy();
    return order.do === 'play' ? begin(order.id, scene, order.mostFps) : hold(order.id, scene);
  }
  if (order.do === 'stop') opening.delete(order.id);
  const play = playing.get(order.id);
  if (play === undefined) return;
  clearTimeout(play.timer);
  if (order.do === 'seek') {
    play.animation.goToAndStop(order.frame, true);
    tellFrame(order.id, play, order.frame);
  }
  if (order.do !== 'stop') return;
  playing.delete(order.id);
  play.animation.destroy();
}

/** Keeps it to be seen frame by frame. */
function hold(id: number, scene: Scene): void {
  playing.set(id, { ...scene, timer: undefined, startedAt: 0, everyMs: 0 });
  tellFrame(id, scene, scene.drawn.poster);
}

function begin(id: number, scene: Scene, mostFps: number): void {
  const everyMs = 1000 / Math.min(mostFps, Math.max(1, scene.drawn.fps));
  const play: Playing = { ...scene, timer: undefined, startedAt: performance.now(), everyMs };
  playing.set(id, play);
  step(id, play);
}

/** Draws the frame of this moment, and the next one later; a file that is slow to draw moves at half the rate, and half again. */
function step(id: number, play: Playing): void {
  const began = performance.now();
  const { fps, frames } = play.drawn;
  const frame = (((began - play.startedAt) / 1000) * fps) % Math.max(1, frames);
  play.animation.goToAndStop(frame, true);
  tellFrame(id, play, frame);
  const took = performance.now() - began;
  if (took > play.everyMs * BUSY_SHARE) play.everyMs = Math.min(1000, play.everyMs * 2);
  play.timer = setTimeout(() => step(id, play), Math.max(1, play.everyMs - took));
}

/** Reads a file and makes it ready to be drawn into a square of so many pixels. Throws for what is no Lottie file. */
async function open(file: ArrayBuffer, side: number): Promise<Scene> {
  const data = JSON.parse(new TextDecoder().decode(file)) as { w?: unknown; h?: unknown; layers?: unknown };
  if (!Array.isArray(data.layers) || !isSize(data.w) || !isSize(data.h)) throw new Error('this is no Lottie file');
  const canvas = new OffscreenCanvas(side, side);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const animation = lottie.loadAnimation({
    renderer: 'canvas',
    loop: false,
    autoplay: false,
    animationData: data,
    rendererSettings: { context, clearCanvas: true, preserveAspectRatio: 'xMidYMid meet', dpr: 1 },
  });
  // Its size is that of the canvas. To set it again would empty the canvas of its colors, which the player would not know:
  // a sticker of one color would be black from then on.
  if (!animation.isLoaded) await loaded(animation);
  const frames = animation.totalFrames;
  const poster = fullest(animation, canvas, frames);
  const drawn = { width: data.w, height: data.h, fps: animation.frameRate, frames, poster };
  return { canvas, animation, drawn };
}

function isSize(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value < 100_000;
}

function loaded(animation: CanvasAnimation): Promise<void> {
  return new Promise((resolve, reject) => {
    animation.addEventListener('DOMLoaded', () => resolve());
    animation.addEventListener('data_failed', () => reject(new Error('the file cannot be read')));
  });
}

/** The frame, of five, that covers most. */
function fullest(animation: CanvasAnimation, canvas: OffscreenCanvas, frames: number): number {
  const probe = new OffscreenCanvas(PROBE, PROBE);
  const context = probe.getContext('2d', { willReadFrequently: true });
  if (context === null) return 0;
  let [best, most] = [0, -1];
  for (const share of TRIED) {
    const frame = Math.floor(share * frames);
    animation.goToAndStop(frame, true);
    context.clearRect(0, 0, PROBE, PROBE);
    context.drawImage(canvas, 0, 0, PROBE, PROBE);
    const { data } = context.getImageData(0, 0, PROBE, PROBE);
    let covered = 0;
    for (let i = 3; i < data.length; i += 4) covered += data[i] ?? 0;
    if (covered > most) [best, most] = [frame, covered];
  }
  return best;
}

function tellFrame(id: number, { canvas, drawn }: Scene, frame: number): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  void createImageBitmap(canvas).then((bitmap) => tell({ id, bitmap, drawn, frame }));
}

function tell(answer: Answer): void {
  const transfer = 'bitmap' in answer ? [answer.bitmap] : [];
  (self as unknown as Worker).postMessage(answer, transfer);
}
