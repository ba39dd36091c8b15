// A code for what a page may do only with a person at a terminal: raise a budget, let spending go on, call a purchase free. `svcd open --code` prints
// it, so whoever has a page's session without the home has none. One at a time, in memory alone, as a digest.

import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { SvcdError } from '../model/errors.js';
import type { Clock } from '../platform/clock.js';
import type { Caller } from './authorization.js';

export interface PageCodes {
  /** A new code, in place of the one before. */
  open(): string;
  /** Uses up the code that a page shows. Throws `needs_code` for a page without the right one; any other caller needs none. */
  demand(caller: Pick<Caller, 'isPage'>, shown: string | undefined): void;
}

/** Seconds that a code is valid. */
export const PAGE_CODE_LIFE_S = 120;
const TRIES = 5;
const DIGITS = 8;

export function createPageCodes(clock: Clock): PageCodes {
  let open: { readonly digest: Buffer; readonly until: number; triesLeft: number } | undefined;
  return {
    open: () => {
      const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
      open = { digest: digestOf(code), until: clock.monotonic() + PAGE_CODE_LIFE_S * 1000, triesLeft: TRIES };
      return code;
    },
    demand: ({ isPage }, shown) => {
      if (!isPage) return;
      if (shown === undefined)
        throw needsCode(
          'a page needs a code to raise a budget, to let spending go on, or to say that a purchase was free',
        );
      if (open !== undefined && open.until < clock.monotonic()) open = undefined;
      const isRight = open !== undefined && timingSafeEqual(open.digest, digestOf(shown));
      if (open !== undefined) open.triesLeft -= 1;
      if (isRight || open?.triesLeft === 0) open = undefined;
      if (!isRight) throw needsCode(`this code is wrong, or was used, replaced or tried ${TRIES} times, or is too old`);
    },
  };
}

/** People type it in groups. */
function digestOf(code: string): Buffer {
  return createHash('sha256').update(code.replaceAll(/[\s-]/g, '')).digest();
}

function needsCode(message: string): SvcdError {
  return new SvcdError('needs_code', message, {
    hint: 'Run "svcd open --code" in a terminal, and type what it prints.',
  });
}
