// Ctrl+C and its relatives: the first asks politely, the second does not.

import { EXIT_CODE_OF } from './exit-codes.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
// npm forwards Ctrl+C to a child that the terminal has signalled already: one keystroke, two signals.
const SAME_KEYSTROKE_MS = 300;

/** Calls `stop` with the first signal's name; a second one ends the process at once. Returns how to end the watch. */
export function onStopSignal(stop: (signal: string) => void): () => void {
  let firstAt: number | undefined;
  const hear = (signal: string) => {
    const isFirst = firstAt === undefined;
    firstAt ??= performance.now();
    if (performance.now() - firstAt > SAME_KEYSTROKE_MS) process.exit(EXIT_CODE_OF.interrupted);
    if (isFirst) stop(signal);
  };
  for (const signal of SIGNALS) process.on(signal, hear);
  return () => SIGNALS.forEach((signal) => process.off(signal, hear));
}

/** Resolves with the first signal's name; a second one ends the process at once. */
export function watchStopSignals(): Promise<string> {
  return new Promise((resolve) => void onStopSignal(resolve));
}
