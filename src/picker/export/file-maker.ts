// The worker that makes files, asked one thing at a time.

import { startWorker } from '../player/start-worker.js';
import type { ExportAnswer, ExportOrder } from './messages.js';

export class FileMaker {
  private readonly worker = startWorker('export');
  private rejectCurrent: ((error: Error) => void) | undefined;

  /** Sends an order; bitmaps go over and are gone here. Throws what went wrong there. */
  async send(
    order: ExportOrder,
    bitmaps: readonly ImageBitmap[] = [],
  ): Promise<Exclude<ExportAnswer, { error: string }>> {
    const answer = await new Promise<ExportAnswer>((resolve, reject) => {
      this.rejectCurrent = reject;
      this.worker.onmessage = ({ data }: MessageEvent<ExportAnswer>) => resolve(data);
      this.worker.onerror = () => reject(new Error('the file cannot be made'));
      this.worker.postMessage(order, [...bitmaps]);
    });
    if ('error' in answer) throw new Error(answer.error);
    return answer;
  }

  close(): void {
    this.worker.terminate();
    this.rejectCurrent?.(new DOMException('cancelled', 'AbortError'));
  }
}
