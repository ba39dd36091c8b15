// What draws for the page: the worker is begun when the first picture is wanted, ended when a file takes too long, and begun
// again for the rest.

import { ask, refusalIn } from '../api.js';
import { MOST_BYTES, type Answer, type Drawn, type Order } from './messages.js';
import { startWorker } from './start-worker.js';

/** A file that is not drawn by then is not drawn at all. */
const MOST_MS = 2000;
/** What plays may be slow, and many play at once. */
const PLAY_MOST_MS = 5000;
const TOO_LONG = 'it takes too long to draw';

export interface Frame {
  readonly bitmap: ImageBitmap;
  readonly drawn: Drawn;
  readonly frame: number;
}

interface Waiting {
  readonly order: Extract<Order, { do: 'still' }>;
  readonly isWanted: () => boolean;
  readonly resolve: (frame: Frame) => void;
  readonly reject: (error: Error) => void;
}

interface Player {
  readonly file: ArrayBuffer;
  readonly onFrame: (frame: Frame) => void;
  readonly onFail: () => void;
  /** Comes up when there was no frame for too long. */
  timer: ReturnType<typeof setTimeout>;
}

let worker: Worker | undefined;
let lastId = 0;
/** One still at a time: the one at whose file a worker hangs is known. */
const queue: Waiting[] = [];
let current: { readonly waiting: Waiting; readonly timer: ReturnType<typeof setTimeout> } | undefined;
const players = new Map<number, Player>();
/** Files at which a worker hung: no other one is given to them. */
const hung = new WeakSet<ArrayBuffer>();

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
  if (hung.has(file)) return Promise.reject(new Error(TOO_LONG));
  return new Promise((resolve, reject) => {
    const order = { do: 'still' as const, id: (lastId += 1), file, side, ...(frame !== undefined && { frame }) };
    queue.push({ order, isWanted, resolve, reject });
    next();
  });
}

/** Plays a file until the answer is called; `onFail` is told of what cannot be drawn. */
export function play(
  file: ArrayBuffer,
  side: number,
  mostFps: number,
  onFrame: Player['onFrame'],
  onFail: Player['onFail'] = () => undefined,
): () => void {
  if (file.byteLength > MOST_BYTES || hung.has(file)) {
    onFail();
    return () => undefined;
  }
  const id = (lastId += 1);
  players.set(id, { file, onFrame, onFail, timer: setTimeout(() => giveUpPlay(id), PLAY_MOST_MS) });
  send({ do: 'play', id, file, side, mostFps });
  return () => {
    if (forget(id) !== undefined) send({ do: 'stop', id });
  };
}

function forget(id: number): Player | undefined {
  const player = players.get(id);
  clearTimeout(player?.timer);
  players.delete(id);
  return player;
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

/** Ends the worker, and with it all that plays. */
function end(): void {
  worker?.terminate();
  worker = undefined;
  for (const id of players.keys()) forget(id)?.onFail();
}

/** A file that keeps the worker busy ends it; what else it was to draw goes to a new one. */
function giveUp(waiting: Waiting): void {
  current = undefined;
  // It may be one that plays: then this one is tried alone.
  if (players.size > 0) queue.unshift(waiting);
  else {
    hung.add(waiting.order.file);
    waiting.reject(new Error(TOO_LONG));
  }
  end();
  next();
}

/** One that plays and shows no frame any more; it is not played again. */
function giveUpPlay(id: number): void {
  const player = players.get(id);
  if (player === undefined) return;
  if (players.size === 1) hung.add(player.file);
  if (current !== undefined) {
    clearTimeout(current.timer);
    queue.unshift(current.waiting);
    current = undefined;
  }
  end();
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
    if ('error' in answer) return forget(answer.id)?.onFail();
    clearTimeout(player.timer);
    player.timer = setTimeout(() => giveUpPlay(answer.id), PLAY_MOST_MS);
    return player.onFrame(answer);
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
