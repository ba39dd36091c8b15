// One question to a worker, and its one answer.

/** Rejects when the worker fails. Bitmaps go over and are gone here. */
export function askWorker<T>(worker: Worker, order: object, bitmaps: readonly ImageBitmap[] = []): Promise<T> {
  const answered = new AbortController();
  const { signal } = answered;
  return new Promise<T>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<T>) => resolve(data), { signal });
    worker.addEventListener('error', () => reject(new Error('the file cannot be made')), { signal });
    worker.postMessage(order, [...bitmaps]);
  }).finally(() => answered.abort());
}
