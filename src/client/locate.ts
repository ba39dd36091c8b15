// Who answers at an address, found once and again after a connection was lost.

import type { ConnectOptions } from './client-types.js';
import { exchange, isLoopback, jsonOf, type Fetch, type Target } from './exchange.js';
import { isItself, type Told } from './is-itself.js';
import { checkDeadline, createPatience, type Patience } from './patience.js';
import { invalidArgument, isSvcdError, LostConnection, SvcdError } from './svcd-error.js';

export interface Place {
  readonly address: string;
  /** The process that must answer; without one anything does that calls itself svcd. */
  readonly pid?: number | undefined;
  /** Whether the caller named it: then it is asked whatever it is. */
  readonly isGiven: boolean;
  /** The token for the process of svcd that answers there, undefined for another program. */
  readonly tokenFor: (pid: unknown) => string | undefined;
}

export interface Locator {
  /** Throws LostConnection, of which nothing was sent. */
  locate(patience: Patience): Promise<Target>;
  /** What was found may be elsewhere by now. */
  forget(): void;
  /** Whether svcd was found here when it was looked for last. */
  wasThere?: boolean | undefined;
}

/** The port spells SVCD on a telephone. */
export const USUAL_ADDRESS = 'http://127.0.0.1:7823';
const ASK_TIMEOUT_MS = 10_000;

/** However many calls wait, `find` is at work once. */
export function createLocator(find: () => Promise<Target>): Locator {
  let known: Target | undefined;
  let finding: Promise<Target> | undefined;
  const locator: Locator = {
    locate: async (patience) => {
      if (known) return known;
      finding ??= find().finally(() => (finding = undefined));
      const found = await patience.orEnd(finding);
      if (found.isSvcd !== undefined) known = found;
      locator.wasThere ||= found.isSvcd;
      return found;
    },
    forget: () => (known = undefined),
  };
  return locator;
}

/** Throws `invalid_argument` for what no call could use. */
export function checkOptions({ deadlineMs, token, remote }: ConnectOptions): void {
  checkDeadline(deadlineMs);
  checkSecret(token, 'token');
  checkSecret(remote?.key, 'remote.key');
}

/** The sentence does not tell the secret. */
export function checkSecret(secret = '', name: string): void {
  // The end of a line is cut off by fetch.
  if (!/^[ -~]*[\r\n]*$/.test(secret)) {
    throw new SvcdError('invalid_argument', `${name} has characters that cannot be sent (only ASCII can)`);
  }
}

/** An address without a slash at its end. Throws `invalid_argument`. */
export function readAddress(address: string, name: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username + url.password + url.search + url.hash) {
    throw invalidArgument(name, `an address like ${USUAL_ADDRESS}`, address);
  }
  return url.href.replace(/\/+$/, '');
}

/** Asks without the token: another program may have the port by now. Throws LostConnection, of which nothing was sent. */
export async function identify(fetch: Fetch, { address, pid, isGiven, tokenFor }: Place): Promise<Target> {
  const anybody = { address, bearer: undefined, isSvcd: false };
  const patience = createPatience(ASK_TIMEOUT_MS, []);
  let told: Told = {};
  let status = 200;
  try {
    const answer = await exchange(fetch, anybody, { path: '/svcd/status' }, patience);
    told = jsonOf(answer, anybody);
  } catch (error) {
    if (!isSvcdError(error) || error.code === 'invalid_argument') throw error;
    // Nothing of what was to be sent has left, whatever became of this question.
    if (!error.status) throw new LostConnection(true, error.message, error.cause);
    ({ status } = error);
  } finally {
    patience.end();
  }
  const isSvcd = isItself(told, pid);
  if (!isSvcd && !isGiven) throw new LostConnection(true, `what answers at ${address} is not svcd`);
  const bearer = isLoopback(address) ? tokenFor(isSvcd ? told.pid : undefined) : undefined;
  // A server that is busy may be svcd all the same.
  return { address, bearer, isSvcd: isSvcd || (status < 429 ? false : undefined) };
}
