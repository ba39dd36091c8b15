// Who is calling, and may they: the Key, its state, its rate, and the credits header on every answer.
// What a caller gets, and what it costs, is decided behind it.

import type { MiddlewareHandler } from 'hono';
import { SvcdError } from '../model/errors.js';
import { findBySecret, type Key } from './key-store.js';
import { effective } from './money/credit-account.js';
import type { RateLimit } from './rate-limit.js';
import type { KeyRule, SandboxEnv } from './service-route.js';
import type { SandboxState } from './state/sandbox-state.js';

export const CREDITS_HEADER = 'X-Service-Credits-Remaining';

type Gate = MiddlewareHandler<SandboxEnv>;

/** Looks the presented Key up once, for all that follows. */
export function identify(state: SandboxState): Gate {
  return async (c, next) => {
    const header = c.req.header('Authorization');
    const secret = findBearer(header);
    const key = secret === undefined ? undefined : findBySecret(state, secret);
    c.set('bearer', { sent: header !== undefined, key });
    await next();
  };
}

/** Lets a request pass, with its Key in `caller`, by the rule. Throws `invalid_key`, `key_disabled`, `rate_limited`. */
export function admit(rule: KeyRule, rate: RateLimit): Gate {
  return async (c, next) => {
    const key = acceptedKey(rule, c.get('bearer'));
    if (key !== undefined) {
      c.set('caller', key);
      requireTurn(rate, key);
    }
    await next();
  };
}

/**
 * Puts the credits header on every answer, errors too. It tells what the presented Key can spend: 0 for none,
 * for a wrong one and for a disabled one (our choice), because a balance is for its owner and because the
 * document wants the header on every response.
 */
export function tellCredits(state: SandboxState): Gate {
  return async (c, next) => {
    await next();
    const { key } = c.get('bearer');
    const left = key?.state === 'active' ? effective(state, key) : 0;
    c.set('left', left);
    c.header(CREDITS_HEADER, String(left));
  };
}

/** The secret of an `Authorization: Bearer` header; undefined without one. */
export function findBearer(header: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
}

function acceptedKey(rule: KeyRule, { sent, key }: SandboxEnv['Variables']['bearer']): Key | undefined {
  if (key?.state === 'active') return key;
  if (rule === 'ignored' || (!sent && rule === 'optional')) return undefined;
  if (key?.state === 'disabled') throw new SvcdError('key_disabled', 'This Key was disabled by its owner.');
  // What a revoked Key gets is not shown; our choice: it is as if it had never been.
  throw new SvcdError(
    'invalid_key',
    sent ? 'The Key is not valid.' : 'No Key was sent: use "Authorization: Bearer <API_KEY>".',
  );
}

function requireTurn(rate: RateLimit, key: Key): void {
  const waitMs = rate.take(key.id);
  if (waitMs === 0) return;
  const retryAfterS = Math.max(1, Math.ceil(waitMs / 1000));
  throw new SvcdError('rate_limited', `Too many requests with this Key; wait ${retryAfterS} s.`, {
    retryAfterS,
  });
}
