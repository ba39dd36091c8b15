// Where svcd may be, on Node.js: the address that was given, that of the environment, the daemon of the home, the usual
// port.

import { resolve } from 'node:path';
import { findLiving, usualHome } from '../platform/files/runtime-file.js';
import type { ConnectOptions } from './client-types.js';
import { isLoopback, type Fetch, type Target } from './exchange.js';
import { checkSecret, identify, readAddress, USUAL_ADDRESS, type Place } from './locate.js';
import { LostConnection, type SvcdError } from './svcd-error.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What svcd's own tokens begin with; anything else is a Key of the service. */
export const TOKEN_PREFIX = 'svcd_';

/**
 * A search for the first place that answers, on a home if one was named; `start` brings up a daemon where none does. Its failure is told, and it is not
 * tried again. Throws LostConnection, of which nothing was sent.
 */
export function findDaemon(
  fetch: Fetch,
  places: () => readonly Place[],
  start: (() => Promise<void>) | undefined,
  home: string | undefined,
) {
  let startFailure: unknown;

  async function findFirst(): Promise<Target | LostConnection> {
    let last = new LostConnection(true, 'svcd does not run');
    for (const place of places()) {
      try {
        return await identify(fetch, place);
      } catch (error) {
        if (!(error instanceof LostConnection)) throw error;
        last = error;
      }
    }
    return last;
  }

  return async (): Promise<Target> => {
    let found = await findFirst();
    if (found instanceof LostConnection && start !== undefined && startFailure === undefined) {
      await start().catch((error: unknown) => (startFailure = error));
      found = await findFirst();
    }
    if (!(found instanceof LostConnection)) return found;
    if (startFailure === undefined) {
      if (home === undefined) throw found;
      const hint = `Start it with "svcd start --home ${home}".`;
      throw new LostConnection(true, `svcd does not run on the home ${home}`, found.cause, hint);
    }
    const { message: why, hint } = startFailure as Partial<SvcdError>;
    throw new LostConnection(true, `svcd does not run, and cannot be started: ${why}`, startFailure, hint);
  };
}

/** In the order in which they are tried. */
export function findPlaces(options: ConnectOptions, env: Environment): Place[] {
  const { SERVICE_BASE_URL: named, SERVICE_API_KEY: key } = env;
  const fromEnvironment = named ? readAddress(named, 'SERVICE_BASE_URL') : undefined;
  const given = options.baseUrl === undefined ? fromEnvironment : readAddress(options.baseUrl, 'baseUrl');
  if (given === fromEnvironment && options.token === undefined) checkSecret(key, 'SERVICE_API_KEY');
  const home = namedHome(options, env);
  const folder = home ?? homeWithoutName(env);
  const daemon = folder === undefined ? undefined : findHere(folder);
  const tokenAt = (baseUrl: string) => (pid: unknown) =>
    options.token ??
    ((baseUrl === fromEnvironment && key) || undefined) ??
    (daemon !== undefined && daemon.pid === pid && isSamePort(daemon.url, baseUrl) ? daemon.token : undefined);
  if (given !== undefined) return [{ address: given, isGiven: true, tokenFor: tokenAt(given) }];
  // What is at the usual port may be the daemon of another home.
  const usual = { address: USUAL_ADDRESS, isGiven: false, tokenFor: tokenAt(USUAL_ADDRESS) };
  const places: Place[] = home === undefined ? [usual] : [];
  if (daemon === undefined) return places;
  return [{ address: daemon.url, pid: daemon.pid, isGiven: false, tokenFor: tokenAt(daemon.url) }, ...places];
}

/** The home that somebody named, unless it is the usual one. */
export function namedHome({ home }: ConnectOptions, env: Environment): string | undefined {
  const named = home ?? env['SVCD_HOME'];
  return named && resolve(named) !== homeWithoutName(env) ? named : undefined;
}

/** Undefined for a user whom the system does not know, as in a container. */
function homeWithoutName(env: Environment): string | undefined {
  try {
    return usualHome(env);
  } catch {
    return undefined;
  }
}

/** The daemon of a home; undefined for a file that leads to another machine. */
function findHere(home: string) {
  const daemon = findLiving(home);
  try {
    const url = readAddress(daemon?.url ?? '', 'url');
    return daemon !== undefined && isLoopback(url) ? { ...daemon, url } : undefined;
  } catch {
    return undefined;
  }
}

/** Of two addresses of this machine. That the same process answers is asked besides. */
function isSamePort(one: string, other: string): boolean {
  const [a, b] = [new URL(one), new URL(other)];
  return isLoopback(one) && isLoopback(other) && a.protocol === b.protocol && a.port === b.port;
}
