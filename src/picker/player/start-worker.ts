// Starts the workers that the build made, and counts the time against them. The policy of the page lets no other text become the address of a script, and
// lets one set of rules be made once.

declare const trustedTypes:
  undefined | { createPolicy(name: string, rules: object): { createScriptURL(url: string): string } };

const FILES = { draw: WORKER_FILE, export: EXPORT_WORKER_FILE };

let rules: { createScriptURL(url: string): string } | undefined;

/** A new worker: one that draws, or one that makes files. */
export function startWorker(kind: keyof typeof FILES): Worker {
  const file = FILES[kind];
  if (typeof trustedTypes === 'undefined') return new Worker(file);
  rules ??= trustedTypes.createPolicy('svcd', {
    createScriptURL: (url: string) => {
      if (Object.values(FILES).includes(url)) return url;
      throw new TypeError(`${url} is no worker of this page`);
    },
  });
  return new Worker(rules.createScriptURL(file));
}

/** A busy machine takes long to begin one, and a second one is begun once before the browser is blamed. */
const READY_MOST_MS = [20_000, 60_000];

/** The browser begins no worker that draws. */
export const NOTHING_DRAWS = new Error('this browser draws nothing here');
/** It was not drawn now, which says nothing of its file: it is no longer wanted, or the worker did not come. */
export const NOT_NOW = new Error('it was not drawn');

/** A worker that draws, once it says that it is there. Rejects with `NOTHING_DRAWS` and `NOT_NOW`. */
export async function startDrawing(): Promise<Worker> {
  for (const ms of READY_MOST_MS) {
    const worker = startWorker('draw');
    const isReady = await new Promise<boolean>((resolve, reject) => {
      const { stop } = waitAwake(ms, () => resolve(false));
      const once = { once: true };
      worker.addEventListener('message', () => (stop(), resolve(true)), once);
      worker.addEventListener('error', () => (stop(), reject(NOT_NOW)), once);
    });
    if (isReady) return worker;
    worker.terminate();
  }
  throw NOTHING_DRAWS;
}

/**
 * Time that counts against a worker is only that in which this page was awake: on a busy machine, or in a tab that sleeps, the
 * page's own clock stands still, and nobody is late.
 */
const TICK_MS = 250;

export interface AwakeTimer {
  /** Begins anew. */
  restart(this: void): void;
  stop(this: void): void;
}

const running = new Map<AwakeTimer, () => void>();
let ticking: ReturnType<typeof setInterval> | undefined;

/** Calls `onOver` once after so much time; a tick that comes late counts as one. */
export function waitAwake(ms: number, onOver: () => void): AwakeTimer {
  let left = ms;
  const timer: AwakeTimer = {
    restart: () => {
      left = ms;
    },
    stop: () => {
      running.delete(timer);
      if (running.size > 0) return;
      clearInterval(ticking);
      ticking = undefined;
    },
  };
  running.set(timer, () => {
    left -= TICK_MS;
    if (left > 0) return;
    timer.stop();
    onOver();
  });
  ticking ??= setInterval(() => {
    for (const tick of running.values()) tick();
  }, TICK_MS);
  return timer;
}
