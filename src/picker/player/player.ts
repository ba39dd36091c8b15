// What draws for the page: the worker is begun when the first picture is wanted, ended when a file takes too long, and begun
// again for the rest.

import { ask, refusalIn } from '../api.js';
import { MOST_BYTES, type Answer, type Drawn, type Order } from './messages.js';
import { startWorker } from './start-worker.js';

/** A file that is not drawn by then is not drawn at all. */
const MOST_MS = 2000;

export interface Frame {
  readonly bitmap: ImageBitmap;
  readonly drawn: Drawn;
  readonly frame: number;
}

interface Waiting {
  readonly order: Order;
  readonly isWanted: () => boolean;
  readonly resolve: (frame: Frame) => void;
  readonly reject: (error: Error) => void;
}

interface Player {
  readonly onFrame: (frame: Frame) => void;
}

let worker: Worker | undefined;
let lastId = 0;
/** One still at a time: the one at whose file a worker hangs is known. */
const queue: Waiting[] = [];
let current: { readonly waiting: Waiting; readonly timer: ReturnType<typeof setTimeout> } | undefined;
const players = new Map<number, Player>();

export interface StillOptions {
  readonly frame?: number | undefined;
  /** Asked when its turn has come. */
  isWanted?(this: void): boolean;
}

/** What is no longer wanted when its turn comes rejects with this. */
export const NOT_WANTED = new Error('it is no longer wanted');

/** The still of a file, in a square of so many device pixels. Rejects for what cannot be drawn. */
export function drawStill(
  file: ArrayBuffer,
  side: number,
  { frame, isWanted = () => true }: StillOptions = {},
): Promise<Frame> {
  if (file.byteLength > MOST_BYTES) return Promise.reject(new Error('too large to be drawn here'));
  return new Promise((resolve, reject) => {
    const order: Order = { do: 'still', id: (lastId += 1), file, side, ...(frame !== undefined && { frame }) };
    queue.push({ order, isWanted, resolve, reject });
    next();
  });
}

/** Plays a file until the answer is called. */
export function play(file: ArrayBuffer, side: number, mostFps: number, onFrame: Player['onFrame']): () => void {
  if (file.byteLength > MOST_BYTES) return () => undefined;
  const id = (lastId += 1);
  players.set(id, { onFrame });
  send({ do: 'play', id, file, side, mostFps });
  return () => {
    if (players.delete(id)) send({ do: 'stop', id });
  };
}

const files = new Map<string, Promise<ArrayBuffer>>();
const KEPT_FILES = 40;

/** A file that may be looked at, by its address; of late ones it is kept. */
export function fetchFile(address: string): Promise<ArrayBuffer> {
  const known = files.get(address);
  if (known !== undefined) return known;
  const file = ask(address).then(async (answer) => {
    if (!answer.ok) throw await refusalIn(answer);
    return answer.arrayBuffer();
  });
  files.set(address, file);
  file.catch(() => files.delete(address));
  const [oldest] = files.keys();
  if (files.size > KEPT_FILES && oldest !== undefined) files.delete(oldest);
  return file;
}

function next(): void {
  if (current !== undefined) return;
  let waiting = queue.shift();
  while (waiting?.isWanted() === false) {
    waiting.reject(NOT_WANTED);
    waiting = queue.shift();
  }
  if (waiting === undefined) return;
  const held = waiting;
  current = { waiting, timer: setTimeout(() => giveUp(held), MOST_MS) };
  send(waiting.order);
}

/** A file that keeps the worker busy ends it; what else it was to draw goes to a new one. */
function giveUp({ reject }: Waiting): void {
  worker?.terminate();
  worker = undefined;
  current = undefined;
  players.clear();
  reject(new Error('it takes too long to draw'));
  next();
}

function send(order: Order): void {
  worker ??= begin();
  // A copy: the file is kept for the next time.
  worker.postMessage(order, []);
}

function begin(): Worker {
  const made = startWorker('draw');
  made.addEventListener('message', ({ data }: MessageEvent<Answer>) => hear(data));
  made.addEventListener('error', () => {
    if (current !== undefined) giveUp(current.waiting);
  });
  return made;
}

function hear(answer: Answer): void {
  const player = players.get(answer.id);
  if (player !== undefined) {
    if ('bitmap' in answer) player.onFrame(answer);
    return;
  }
  if (current?.waiting.order.id !== answer.id) {
    if ('bitmap' in answer) answer.bitmap.close();
    return;
  }
  clearTimeout(current.timer);
  const { resolve, reject } = current.waiting;
  current = undefined;
  if ('bitmap' in answer) resolve(answer);
  else reject(new Error(answer.error));
  next();
}
