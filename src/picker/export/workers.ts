// The two workers of an export: one draws the frames of a Lottie file, the other makes files. Tiles are drawn meanwhile, and a
// file that hangs ends its own worker alone.

import { DRAW_MOST_MS, MOST_BYTES, type Answer, type Drawn, type Order } from '../player/messages.js';
import { type AwakeTimer, NOT_NOW, startDrawing, startWorker, waitAwake } from '../player/start-worker.js';
import type { ExportAnswer, ExportOrder } from './messages.js';

type Frame = Extract<Answer, { bitmap: ImageBitmap }>;

/** One question to a worker, until `hear` has its answer. Rejects when the worker fails. Bitmaps go over and are gone here. */
function askWorker<R>(
  worker: Worker,
  order: object,
  bitmaps: readonly ImageBitmap[],
  hear: (data: never, resolve: (answer: R) => void, reject: (error: Error) => void) => void,
): Promise<R> {
  const answered = new AbortController();
  const { signal } = answered;
  return new Promise<R>((resolve, reject) => {
    worker.addEventListener('message', ({ data }) => hear(data as never, resolve, reject), { signal });
    worker.addEventListener('error', () => reject(new Error('the file cannot be made')), { signal });
    worker.postMessage(order, [...bitmaps]);
  }).finally(() => answered.abort());
}

/** Draws the frames of one file. */
export class FrameSource {
  private worker: Worker | undefined;
  private readonly file: ArrayBuffer;

  constructor(file: ArrayBuffer) {
    this.file = file;
  }

  /** Reads the file, to be drawn in a square of so many pixels. Throws for what cannot be drawn. */
  async open(side: number): Promise<Drawn> {
    if (this.file.byteLength > MOST_BYTES) throw new Error('too large to be drawn here');
    this.worker = await startDrawing();
    const { bitmap, drawn } = await this.ask({ do: 'open', id: 1, file: this.file, side });
    bitmap.close();
    return drawn;
  }

  async frame(at: number): Promise<ImageBitmap> {
    return (await this.ask({ do: 'seek', id: 1, frame: at })).bitmap;
  }

  close(): void {
    this.worker?.terminate();
  }

  private ask(order: Order): Promise<Frame> {
    const { worker } = this;
    if (worker === undefined) return Promise.reject(NOT_NOW);
    let timer: AwakeTimer | undefined;
    return askWorker<Frame>(worker, order, [], (data: Answer, resolve, reject) => {
      if ('error' in data) reject(new Error(data.error));
      else if ('bitmap' in data) resolve(data);
      else timer = waitAwake(DRAW_MOST_MS, () => reject(new Error('it takes too long to draw')));
    }).finally(() => timer?.stop());
  }
}

/** Makes files, asked one thing at a time. */
export class FileMaker {
  private readonly worker = startWorker('export');
  private readonly over = new AbortController();

  /** Sends what is not the last order of a file; bitmaps go over and are gone here. Answers how large the file is by now. */
  async send(order: ExportOrder, bitmaps: readonly ImageBitmap[] = []): Promise<number> {
    const answer = await this.ask(order, bitmaps);
    return 'bytes' in answer ? answer.bytes : 0;
  }

  /** Sends the order that makes a file. Throws what went wrong there. */
  async make(order: ExportOrder, bitmaps: readonly ImageBitmap[] = []): Promise<Blob> {
    const answer = await this.ask(order, bitmaps);
    if (!('file' in answer)) throw new Error('the file cannot be made');
    return answer.file;
  }

  /** The same of an order that makes several. */
  async makeAll(order: ExportOrder): Promise<readonly Blob[]> {
    const answer = await this.ask(order, []);
    if (!('files' in answer)) throw new Error('the file cannot be made');
    return answer.files;
  }

  close(): void {
    this.over.abort();
    this.worker.terminate();
  }

  private async ask(order: ExportOrder, bitmaps: readonly ImageBitmap[]) {
    const { signal } = this.over;
    signal.throwIfAborted();
    // What is under way in a worker that was ended is never answered.
    const ended = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
    const asked = askWorker<ExportAnswer>(this.worker, order, bitmaps, (data, resolve) => resolve(data));
    const answer = await Promise.race([asked, ended]);
    if ('error' in answer) throw new Error(answer.error);
    return answer;
  }
}

/** Has a worker make files for something; it ends with it, or when that is aborted. */
export async function withMaker<T>(signal: AbortSignal, work: (maker: FileMaker) => Promise<T>): Promise<T> {
  const maker = new FileMaker();
  const stop = () => maker.close();
  signal.addEventListener('abort', stop);
  try {
    return await work(maker);
  } finally {
    signal.removeEventListener('abort', stop);
    maker.close();
  }
}
