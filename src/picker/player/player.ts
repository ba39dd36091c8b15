// What draws for the page: the worker is begun when the first picture is wanted, ended when a file takes too long, and begun
// again for the rest.

import { ask, refusalIn } from '../api.js';
import { drawsNothing } from '../store.js';
import { DRAW_MOST_MS, MOST_BYTES, type Answer, type Drawn, type Order } from './messages.js';
import { type AwakeTimer, NOT_NOW, NOTHING_DRAWS, startDrawing, waitAwake } from './start-worker.js';

/** A file at which so many new workers hung, with no other to do, is given to none any more. */
const HANGS = 2;
/** An order that is not begun by then was lost by its worker, which is nobody's fault. */
const BEGIN_MOST_MS = 90_000;

export interface Frame {
  readonly bitmap: ImageBitmap;
  readonly drawn: Drawn;
  readonly frame: number;
}

/** One that plays, or the still that is drawn now. */
interface Job {
  readonly order: Extract<Order, { do: 'still' | 'play' }>;
  readonly onFrame: (frame: Frame) => void;
  readonly onFail: (error: Error) => void;
  /** Set while its worker has it. */
  timer?: AwakeTimer;
  isBegun: boolean;
}

interface Waiting {
  readonly job: Job;
  readonly isWanted: () => boolean;
}

let worker: Worker | undefined;
let isStarting = false;
let lastId = 0;
/** One still at a time: the one at whose file a worker hangs is known. */
const queue: Waiting[] = [];
const jobs = new Map<number, Job>();
/** Files that this worker was given. */
const given = new Set<ArrayBuffer>();
const hangs = new WeakMap<ArrayBuffer, number>();

export interface StillOptions {
  readonly frame?: number | undefined;
  /** Asked when its turn has come. */
  isWanted?(this: void): boolean;
}

/** Why a file is not tried. */
function refusalOf(file: ArrayBuffer): Error | undefined {
  if (file.byteLength > MOST_BYTES) return new Error('too large to be drawn here');
  if ((hangs.get(file) ?? 0) >= HANGS) return new Error('it takes too long to draw');
  return drawsNothing.value ? NOTHING_DRAWS : undefined;
}

/** The still of a file, in a square of so many device pixels. Rejects for what cannot be drawn, and with `NOT_NOW`. */
export function drawStill(
  file: ArrayBuffer,
  side: number,
  { frame, isWanted = () => true }: StillOptions = {},
): Promise<Frame> {
  const refusal = refusalOf(file);
  if (refusal !== undefined) return Promise.reject(refusal);
  return new Promise((onFrame, onFail) => {
    const order = { do: 'still' as const, id: (lastId += 1), file, side, ...(frame !== undefined && { frame }) };
    queue.push({ job: { order, onFrame, onFail, isBegun: false }, isWanted });
    next();
  });
}

/** Plays a file until the answer is called; `onFail` is told of what plays no more, whether or not it was its fault. */
export function play(
  file: ArrayBuffer,
  side: number,
  mostFps: number,
  onFrame: Job['onFrame'],
  onFail: () => void = () => undefined,
): () => void {
  if (refusalOf(file) !== undefined) {
    onFail();
    return () => undefined;
  }
  const id = (lastId += 1);
  add({ order: { do: 'play', id, file, side, mostFps }, onFrame, onFail, isBegun: false });
  return () => {
    if (take(id) !== undefined) worker?.postMessage({ do: 'stop', id } satisfies Order, []);
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
  if ([...jobs.values()].some(({ order }) => order.do === 'still')) return;
  for (let waiting = queue.shift(); waiting !== undefined; waiting = queue.shift()) {
    if (waiting.isWanted()) return add(waiting.job);
    waiting.job.onFail(NOT_NOW);
  }
}

function add(job: Job): void {
  jobs.set(job.order.id, job);
  if (worker === undefined) void start();
  else send(worker, job);
}

/** What its worker has to do no more. */
function take(id: number): Job | undefined {
  const job = jobs.get(id);
  job?.timer?.stop();
  jobs.delete(id);
  return job;
}

function send(to: Worker, job: Job): void {
  job.isBegun = false;
  job.timer = waitAwake(BEGIN_MOST_MS, giveUp);
  given.add(job.order.file);
  // A copy: the file is kept for the next time.
  to.postMessage(job.order, []);
}

/** Begins a worker, and gives it all there is to do. */
async function start(): Promise<void> {
  if (isStarting) return;
  isStarting = true;
  try {
    const made = await startDrawing();
    worker = made;
    given.clear();
    made.addEventListener('message', ({ data }: MessageEvent<Answer>) => hear(data));
    made.addEventListener('error', giveUp);
    for (const job of jobs.values()) send(made, job);
  } catch (error) {
    drawsNothing.value = error === NOTHING_DRAWS;
    for (const { job } of queue.splice(0)) job.onFail(error as Error);
    for (const id of jobs.keys()) take(id)?.onFail(error as Error);
  } finally {
    isStarting = false;
  }
}

/** A worker that shows nothing any more is ended, and what it had to do goes to another, which tells whose fault it is. */
function giveUp(): void {
  const begun = [...jobs.values()].filter(({ isBegun }) => isBegun);
  const [first] = begun;
  if (first !== undefined && jobs.size === 1 && given.size === 1) {
    const { file, id } = first.order;
    hangs.set(file, (hangs.get(file) ?? 0) + 1);
    const refusal = refusalOf(file);
    if (refusal !== undefined) take(id)?.onFail(refusal);
  } else if (begun.length > 1) {
    // Any of them: a still is tried again alone, what plays stands still.
    for (const { order } of begun) if (order.do === 'play') take(order.id)?.onFail(NOT_NOW);
  }
  worker?.terminate();
  worker = undefined;
  for (const { timer } of jobs.values()) timer?.stop();
  if (jobs.size > 0) void start();
  else next();
}

function hear(answer: Answer): void {
  const job = jobs.get(answer.id);
  if (job === undefined) {
    if ('bitmap' in answer) answer.bitmap.close();
    return;
  }
  if ('began' in answer) {
    job.isBegun = true;
    job.timer?.stop();
    job.timer = waitAwake(DRAW_MOST_MS, giveUp);
  } else if ('error' in answer) take(answer.id)?.onFail(new Error(answer.error));
  else if (job.order.do === 'play') {
    job.timer?.restart();
    job.onFrame(answer);
  } else take(answer.id)?.onFrame(answer);
  next();
}
