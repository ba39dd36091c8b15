// Where svcd may be, on Node.js: the address that was given, that of the environment, the daemon of the home, the usual
// port. Reads runtime.json itself: the client imports nothing.

import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
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
  const runtime = findRuntime(home ?? usualHome(env));
  const tokenAt = (baseUrl: string) => (pid: unknown) =>
    options.token ??
    ((baseUrl === fromEnvironment && key) || undefined) ??
    (runtime !== undefined && runtime.pid === pid && isSamePort(runtime.url, baseUrl) ? runtime.token : undefined);
  if (given !== undefined) return [{ address: given, isGiven: true, tokenFor: tokenAt(given) }];
  // What is at the usual port may be the daemon of another home.
  const usual = { address: USUAL_ADDRESS, isGiven: false, tokenFor: tokenAt(USUAL_ADDRESS) };
  const places: Place[] = home === undefined ? [usual] : [];
  if (runtime === undefined || !isAlive(runtime.pid) || !isLoopback(runtime.url)) return places;
  return [{ address: runtime.url, pid: runtime.pid, isGiven: false, tokenFor: tokenAt(runtime.url) }, ...places];
}

/** The home that somebody named, unless it is the usual one. */
export function namedHome({ home }: ConnectOptions, env: Environment): string | undefined {
  const named = home ?? env['SVCD_HOME'];
  return named && resolve(named) !== usualHome(env) ? named : undefined;
}

interface Runtime {
  readonly pid: number;
  readonly url: string;
  readonly token: string;
}

/** The daemon that runs on a home; undefined where no file tells of one. */
function findRuntime(home: string): Runtime | undefined {
  try {
    const folder = findCopy(home) ?? home;
    const { pid, url, token } = JSON.parse(readFileSync(join(folder, 'runtime.json'), 'utf8')) as Partial<Runtime>;
    if (typeof pid !== 'number' || typeof token !== 'string' || typeof url !== 'string') return undefined;
    return { pid, token, url: readAddress(url, 'url') };
  } catch {
    return undefined;
  }
}

/** A home that cannot be written is served from a private copy (src/platform/files/home-copy.ts). */
function findCopy(home: string): string | undefined {
  const uid = process.getuid?.() ?? 0;
  const name = `home-copy-${uid}-${createHash('sha256').update(home).digest('hex').slice(0, 16)}`;
  const isOurs = (folder: string) => {
    const stat = lstatSync(folder, { throwIfNoEntry: false });
    if (stat?.isDirectory() !== true) return false;
    return process.getuid === undefined || (stat.uid === uid && (stat.mode & 0o077) === 0);
  };
  return ['/tmp', tmpdir(), '/dev/shm']
    .map((folder) => join(folder, name))
    .find((folder) => isOurs(folder) && existsSync(join(folder, 'runtime.json')));
}

/** As the package env-paths has it, without a suffix. */
function usualHome({ XDG_DATA_HOME, LOCALAPPDATA }: Environment): string {
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'svcd');
  if (process.platform === 'win32') return join(LOCALAPPDATA || join(homedir(), 'AppData', 'Local'), 'svcd', 'Data');
  return join(XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'svcd');
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It is another user's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Of two addresses of this machine. That the same process answers is asked besides. */
function isSamePort(one: string, other: string): boolean {
  const [a, b] = [new URL(one), new URL(other)];
  return isLoopback(one) && isLoopback(other) && a.protocol === b.protocol && a.port === b.port;
}
