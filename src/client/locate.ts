// Which svcd answers: the first of some places that does, found once and again after a connection was lost.

import { exchange, isLoopback, jsonOf, type Fetch, type Target } from './exchange.js';
import { createPatience, type Patience } from './patience.js';
import { invalidArgument, isSvcdError, LostConnection } from './svcd-error.js';

export interface Place {
  readonly baseUrl: string;
  /** The process that must answer; without one anything does that calls itself svcd. */
  readonly pid?: number | undefined;
  /** Whether the caller named it: then it is asked whatever it is. */
  readonly isGiven: boolean;
  /** The token for the process that answers there. */
  readonly tokenFor: (pid: number | undefined) => string | undefined;
}

export interface Locator {
  /** Throws LostConnection, of which nothing was sent. */
  locate(patience: Patience): Promise<Target>;
  /** What was found may be elsewhere by now. */
  forget(): void;
}

const ASK_TIMEOUT_MS = 10_000;

/** `start` brings up a svcd where none is; its failure is told, and not repeated. */
export function createLocator(fetch: Fetch, places: () => readonly Place[], start?: () => Promise<void>): Locator {
  let known: Target | undefined;
  let finding: Promise<Target> | undefined;
  let startFailure: unknown;

  async function find(): Promise<Target> {
    const first = await findFirst();
    if (first instanceof Error && start !== undefined && startFailure === undefined) {
      try {
        await start();
      } catch (error) {
        startFailure = error;
      }
      const found = await findFirst();
      if (!(found instanceof Error)) return found;
    }
    if (!(first instanceof Error)) return first;
    if (startFailure === undefined) throw first;
    const why = startFailure instanceof Error ? startFailure.message : String(startFailure);
    const hint = isSvcdError(startFailure) ? startFailure.hint : undefined;
    throw new LostConnection(true, `svcd does not run, and cannot be started: ${why}`, { cause: startFailure, hint });
  }

  async function findFirst(): Promise<Target | LostConnection> {
    let last: LostConnection | undefined;
    for (const place of places()) {
      const found = await ask(fetch, place).catch((error: unknown) => {
        if (error instanceof LostConnection) return error;
        throw error;
      });
      if (!(found instanceof LostConnection)) {
        if (found.isCertain) known = found.target;
        return found.target;
      }
      last = found;
    }
    return last ?? new LostConnection(true, 'svcd does not run');
  }

  return {
    locate: async (patience) => {
      if (known !== undefined) return known;
      finding ??= find().finally(() => (finding = undefined));
      return patience.race(finding);
    },
    forget: () => (known = undefined),
  };
}

/** An address without a slash at its end. Throws `invalid_argument`. */
export function readAddress(address: string, name: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username + url.password + url.search + url.hash) {
    throw invalidArgument(`${name} must be an address such as http://127.0.0.1:7823, got ${JSON.stringify(address)}`);
  }
  return url.href.replace(/\/+$/, '');
}

/** Asks without the token: another program may have the port by now, and must not learn it. */
async function ask(fetch: Fetch, place: Place): Promise<{ target: Target; isCertain: boolean } | LostConnection> {
  const { baseUrl, isGiven } = place;
  const anybody = { baseUrl, bearer: undefined, isSvcd: false };
  const patience = createPatience(ASK_TIMEOUT_MS, []);
  let name: unknown;
  let pid: unknown;
  let status: number | undefined;
  try {
    const answer = await exchange(fetch, anybody, { method: 'GET', path: '/svcd/status' }, patience);
    ({ status } = answer);
    ({ name, pid } = jsonOf<{ name?: unknown; pid?: unknown }>(answer, anybody));
  } catch (error) {
    // Nothing of what was to be sent has left, whatever became of this question.
    if (error instanceof LostConnection || isSvcdError(error, 'timeout')) {
      return new LostConnection(true, error.message, { cause: error.cause });
    }
    if (!isSvcdError(error)) throw error;
    ({ status } = error);
  } finally {
    patience.end();
  }
  const isSvcd = name === 'svcd' && (place.pid === undefined || pid === place.pid);
  if (!isSvcd && !isGiven) return new LostConnection(true, `what answers at ${baseUrl} is not svcd`);
  const bearer = isLoopback(baseUrl) ? place.tokenFor(isSvcd && typeof pid === 'number' ? pid : undefined) : undefined;
  // A server that is busy may be svcd.
  return { target: { baseUrl, bearer, isSvcd }, isCertain: isSvcd || (status ?? 503) < 429 };
}
