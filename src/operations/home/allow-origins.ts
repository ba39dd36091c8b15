// The list of origins whose web pages may use this daemon: it takes effect at once and is kept for the next start.

import { createRunOrigins } from '../../auth/run-origins.js';
import { createRefusedPages } from '../../http/refused-pages.js';
import { SvcdError } from '../../model/errors.js';
import type { Clock } from '../../platform/clock.js';
import type { Log } from '../../platform/log.js';
import { parseOrigin } from '../../model/web-origin.js';

export type AllowedOrigins = ReturnType<typeof createAllowedOrigins>;

/** More than a person needs; a script out of control would add without end. */
const ORIGINS_MAX = 100;

/** The list as it was kept; `keep` writes it down and may throw. */
export function createAllowedOrigins(
  kept: readonly string[],
  keep: (origins: readonly string[]) => void,
  log: Log,
  clock: Clock,
) {
  const origins = new Set(kept);
  return {
    /** Those of commands that run, and how many requests of which others were refused. */
    runs: createRunOrigins(),
    refused: createRefusedPages(clock, log),
    /** Whether pages of this origin, as a browser spells it, may use the daemon. */
    has: (origin: string): boolean => origins.has(origin),
    /** In the order they were added. */
    list: (): readonly string[] => [...origins],
    /** Adds an origin and says how it is spelled. Throws `invalid_request`, and what `keep` throws: then nothing is added. */
    add: (text: string): string => {
      const origin = parseOrigin(text);
      if (origins.has(origin)) return origin;
      if (origins.size >= ORIGINS_MAX)
        throw new SvcdError('invalid_request', `origin: at most ${ORIGINS_MAX} can be on the list`);
      keep([...origins, origin]);
      origins.add(origin);
      log.info('pages of an origin may use svcd now', { origin });
      return origin;
    },
    /** Removes one and says how it was spelled. Throws `not_found`, and what `keep` throws: it is refused all the same. */
    remove: (text: string): string => {
      const origin = parseOrigin(text);
      if (!origins.delete(origin)) throw notListed(origin);
      log.info('pages of an origin may not use svcd any more', { origin });
      keep([...origins]);
      return origin;
    },
  };
}

function notListed(origin: string): SvcdError {
  return new SvcdError('not_found', `${origin} is not on the list`, {
    hint: '"svcd config origins" lists the allowed origins.',
  });
}
