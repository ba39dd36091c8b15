// The worker that makes files, asked one thing at a time.

import { askWorker } from './ask-worker.js';
import { startWorker } from '../player/start-worker.js';
import type { ExportAnswer, ExportOrder } from './messages.js';

export class FileMaker {
  private readonly worker = startWorker('export');
  private isClosed = false;
  private rejectCurrent: ((error: Error) => void) | undefined;

  /** Sends an order; bitmaps go over and are gone here. Throws what went wrong there. */
  async send(
    order: ExportOrder,
    bitmaps: readonly ImageBitmap[] = [],
  ): Promise<Exclude<ExportAnswer, { error: string }>> {
    if (this.isClosed) throw cancelled();
    const answer = await Promise.race([
      askWorker<ExportAnswer>(this.worker, order, bitmaps),
      new Promise<never>((_, reject) => {
        this.rejectCurrent = reject;
      }),
    ]);
    if ('error' in answer) throw new Error(answer.error);
    return answer;
  }

  close(): void {
    this.isClosed = true;
    this.worker.terminate();
    // What is under way there is never answered.
    this.rejectCurrent?.(cancelled());
  }
}

const cancelled = () => new DOMException('cancelled', 'AbortError');
