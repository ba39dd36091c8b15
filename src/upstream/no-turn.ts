// Why a request does not leave although it had its turn here: the rate of its Key is used up by others who share it. It waits
// and tries again, as after a refusal for now, but nothing was asked of the remote.

import { SvcdError } from '../model/errors.js';
import type { Exchange } from './exchange.js';

class NoTurn extends Error {
  readonly waitMs: number;

  constructor(waitMs: number) {
    super(`no turn for ${waitMs} ms`);
    this.name = 'NoTurn';
    this.waitMs = waitMs;
  }
}

/** The error of a `beforeSend` that has no turn; there may be one after so long. */
export function noTurn(waitMs: number): SvcdError {
  return new SvcdError('rate_limited', 'the service allows no more requests for this Key at the moment', {
    retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)),
    cause: new NoTurn(waitMs),
  });
}

/** For how long there is no turn, by the error of a `beforeSend`; undefined for any other one. */
export function noTurnForMs(error: unknown): number | undefined {
  const cause = error instanceof SvcdError ? error.cause : undefined;
  return cause instanceof NoTurn ? cause.waitMs : undefined;
}

/** The same of how an exchange ended. */
export function waitForTurnMs(result: Exchange): number | undefined {
  return result.kind === 'unreached' ? noTurnForMs(result.error) : undefined;
}
