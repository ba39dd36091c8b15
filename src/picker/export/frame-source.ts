// The frames of one Lottie file, drawn in a worker of their own: tiles are drawn meanwhile, and a file that hangs ends it
// alone.

import { MOST_BYTES, type Answer, type Drawn } from '../player/messages.js';
import { startWorker } from '../player/start-worker.js';

/** A file that is not read by then, or a frame that is not drawn, ends the export. */
const MOST_MS = 5000;

export class FrameSource {
  private readonly worker = startWorker('draw');
  private readonly file: ArrayBuffer;

  constructor(file: ArrayBuffer) {
    this.file = file;
  }

  /** Reads the file, to be drawn in a square of so many pixels. Throws for what cannot be drawn. */
  async open(side: number): Promise<Drawn> {
    if (this.file.byteLength > MOST_BYTES) throw new Error('too large to be drawn here');
    const { bitmap, drawn } = await this.ask({ do: 'open', id: 1, file: this.file, side });
    bitmap.close();
    return drawn;
  }

  async frame(at: number): Promise<ImageBitmap> {
    return (await this.ask({ do: 'seek', id: 1, frame: at })).bitmap;
  }

  close(): void {
    this.worker.terminate();
  }

  private ask(order: object): Promise<Extract<Answer, { bitmap: ImageBitmap }>> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('it takes too long to draw')), MOST_MS);
      this.worker.onmessage = ({ data }: MessageEvent<Answer>) => {
        clearTimeout(timer);
        if ('bitmap' in data) resolve(data);
        else reject(new Error(data.error));
      };
      this.worker.onerror = () => {
        clearTimeout(timer);
        reject(new Error('it cannot be drawn'));
      };
      this.worker.postMessage(order);
    });
  }
}
