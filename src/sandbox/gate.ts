// Who is calling, and may they: the Key, its state, its rate, and the credits header on every answer.
// What a caller gets, and what it costs, is decided behind it.

import type { Context, MiddlewareHandler } from 'hono';
import { SvcdError } from '../errors.js';
import type { Account } from './account.js';
import type { RateWindow } from './rate-window.js';

export const CREDITS_HEADER = 'X-Service-Credits-Remaining';

export type SandboxEnv = { Variables: { caller?: Account } };

/** `needed`: 401 without a Key. `optional`: a Key that is sent must be valid. `ignored`: a bad one is no Key. */
export type KeyRule = 'needed' | 'optional' | 'ignored';

/** Lets a request pass, with its account in `caller`, by the rule. Throws `invalid_key`, `key_disabled`, `rate_limited`. */
export function admit(rule: KeyRule, account: Account, rate: RateWindow): MiddlewareHandler<SandboxEnv> {
  return async (c, next) => {
    if (isKnown(rule, account, c)) {
      c.set('caller', account);
      pace(rate);
    }
    await next();
  };
}

/**
 * Puts the credits header on every answer, errors too. It tells what the presented Key can spend: 0 for none,
 * for a wrong one and for a disabled one (our choice), because a balance is for its owner and because the
 * document wants the header on every response.
 */
export const tellCredits: MiddlewareHandler<SandboxEnv> = async (c, next) => {
  await next();
  c.header(CREDITS_HEADER, String(c.get('caller')?.credits() ?? 0));
};

function isKnown(rule: KeyRule, account: Account, c: Context): boolean {
  const header = c.req.header('Authorization');
  if (header === undefined && rule !== 'needed') return false;
  const secret = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
  const state = secret === undefined ? undefined : account.findKeyState(secret);
  if (state === 'active') return true;
  if (rule === 'ignored') return false;
  throw state === 'disabled'
    ? new SvcdError('key_disabled', 'This Key was disabled by its owner.')
    : new SvcdError(
        'invalid_key',
        header === undefined
          ? 'No Key was sent: use "Authorization: Bearer <API_KEY>".'
          : 'The Key is not valid.',
      );
}

function pace(rate: RateWindow): void {
  const waitMs = rate.take();
  if (waitMs === 0) return;
  const retryAfterS = Math.max(1, Math.ceil(waitMs / 1000));
  throw new SvcdError('rate_limited', `Too many requests with this Key; wait ${retryAfterS} s.`, {
    retryAfterS,
  });
}
