// When a call is sent again: by what it may cost, not by its method.

import type { Locator } from './locate.js';
import type { Patience } from './patience.js';
import { LostConnection, SvcdError } from './svcd-error.js';

/**
 * `free` costs nothing. `joined` may cost, and svcd joins what is under way or owns it by then. `once` may cost twice:
 * a fresh image, and anything that is paid without svcd.
 */
export type Kind = 'free' | 'joined' | 'once';

/** How often after each trouble: nothing had left (0), the connection broke (1), busy (2). */
const TIMES: Record<Kind, readonly [number, number, number]> = {
  free: [2, 2, 2],
  joined: [2, 1, 0],
  once: [2, 0, 0],
};

const PAUSES_MS = [100, 400, 1000, 2000];

/** Waits until the call may be sent again; throws its error where it may not, or no more. */
export type BeforeNext = (error: unknown, kind: Kind) => Promise<void>;

/** A svcd that answered before is waited for while it restarts; once it stayed away, no longer than another. */
export function createRetry(patience: Patience, found: Pick<Locator, 'wasThere'>): BeforeNext {
  const used: [number, number, number] = [0, 0, 0];
  let tries = 0;
  return async (error, kind) => {
    const trouble = troubleOf(error);
    const usual = PAUSES_MS[tries];
    // It may be restarting.
    const mayReturn = trouble === 0 && found.wasThere;
    if (trouble === undefined || !usual || (!mayReturn && used[trouble] >= TIMES[kind][trouble])) {
      if (mayReturn) found.wasThere = false;
      throw error;
    }
    // Half of it is chance, so that many clients do not come back at once.
    const asked = (error as SvcdError).retryAfterS;
    const pauseMs = asked === undefined ? usual * (0.5 + Math.random()) : asked * 1000;
    if (pauseMs >= patience.leftMs()) throw error;
    used[trouble]++;
    tries++;
    await patience.sleep(pauseMs);
  };
}

function troubleOf(error: unknown): 0 | 1 | 2 | undefined {
  if (error instanceof LostConnection) return error.isUnsent ? 0 : 1;
  return error instanceof SvcdError && (error.status === 429 || error.status === 503) ? 2 : undefined;
}
