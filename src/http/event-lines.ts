// Events of long work as lines of JSON, while they happen, until the last of them or until their reader goes.

import { refusalOf } from '../api/refusal.js';
import type { SvcdError } from '../model/errors.js';

export interface EventLines<E extends object> {
  /** The work. What it throws is told as the last line. */
  readonly run: (tell: (event: E) => void) => Promise<unknown>;
  readonly foresee: (error: unknown) => SvcdError;
  /** Called once: the work is over, or nobody reads of it any more. */
  readonly onOver: () => void;
}

export function eventLines<E extends object>({ run, foresee, onOver }: EventLines<E>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let isOver = false;
  const leave = () => {
    isOver = true;
    onOver();
  };
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      const tell = (event: object) => {
        if (!isOver) controller.enqueue(encoder.encode(`${JSON.stringify(event)}\n`));
      };
      const end = () => {
        // A stream whose reader has gone takes no second end.
        if (isOver) return;
        leave();
        controller.close();
      };
      run(tell).then(end, (error: unknown) => {
        tell({ event: 'error', ...refusalOf(foresee(error)) });
        end();
      });
    },
    cancel: leave,
  });
}
