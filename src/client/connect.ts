// The client on Node.js: finds the daemon by itself, can start it, and reads the files of a lock.

import { createClient } from './create-client.js';
import type { Client, ConnectOptions } from './client-types.js';
import { isLoopback, type Target } from './exchange.js';
import { findPlaces, TOKEN_PREFIX, type Environment } from './find-daemon.js';
import { createLocator, readAddress } from './locate.js';
import { openLock } from './locked-files.js';
import { createPatience } from './patience.js';
import { startDaemon } from './start-daemon.js';
import { invalidArgument, LostConnection } from './svcd-error.js';

export type * from './client-types.js';
export { isSvcdError, SvcdError } from './svcd-error.js';

const START_MS = 30_000;

/** A client of svcd. Throws for options that cannot be; that svcd is not there is told by the calls. */
export async function connect(options: ConnectOptions = {}): Promise<Client> {
  return connectWith(options, process.env);
}

/** The same with the variables of an environment. */
export async function connectWith(options: ConnectOptions, env: Environment): Promise<Client> {
  const { fetch = globalThis.fetch, lock, start = false, otherwise = 'plain' } = options;
  if (!['plain', 'remote', 'error'].includes(otherwise)) {
    throw invalidArgument(`otherwise must be plain, remote or error, got ${JSON.stringify(otherwise)}`);
  }
  const places = () => findPlaces(options, env);
  // An address that is none is told now.
  places();
  const isStarted = start && options.baseUrl === undefined && !env['SERVICE_BASE_URL'];
  const locator = createLocator(fetch, places, isStarted ? () => startDaemon(options.home) : undefined);
  const locked = lock === undefined ? undefined : await openLock(lock);
  const service = otherwise === 'remote' ? findService(options, env) : undefined;
  // With a lock it may never be needed.
  if (isStarted && locked === undefined) await bringUp(locator);
  return createClient({ options, fetch, locator, service, locked });
}

/** Its failure is told by the calls that need it. */
async function bringUp(locator: ReturnType<typeof createLocator>): Promise<void> {
  const patience = createPatience(START_MS, []);
  try {
    await locator.locate(patience);
  } catch (error) {
    if (!(error instanceof LostConnection)) throw error;
  } finally {
    patience.end();
  }
}

/** The service, and the Key that goes there: never a token of svcd's, and never in clear text to another machine. */
function findService({ remote }: ConnectOptions, env: Environment): Target {
  const { SERVICE_BASE_URL: named, SERVICE_API_KEY: held } = env;
  const address = remote?.baseUrl ?? (named && !isLoopback(readAddress(named, 'SERVICE_BASE_URL')) ? named : undefined);
  if (address === undefined) {
    throw invalidArgument("otherwise: 'remote' needs the address of the service: give remote: { baseUrl, key }");
  }
  const baseUrl = readAddress(address, 'remote.baseUrl');
  if (!baseUrl.startsWith('https:') && !isLoopback(baseUrl)) {
    throw invalidArgument(`remote.baseUrl must begin with https:// (http:// only on this machine), got ${address}`);
  }
  const isItsKey = named === undefined || named === '' || readAddress(named, 'SERVICE_BASE_URL') === baseUrl;
  const key = remote?.key ?? (isItsKey ? held : undefined);
  return { baseUrl, bearer: key?.startsWith(TOKEN_PREFIX) === true ? undefined : key, isSvcd: false };
}
