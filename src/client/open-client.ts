// The client on Node.js: finds the daemon by itself, can start it, reads the files of a lock, and may ask the service.

import { sendAgain } from './calls.js';
import type { Asset, Client, ConnectOptions } from './client-types.js';
import { createClient } from './create-client.js';
import { isLoopback, type Fetch, type Target } from './exchange.js';
import { findDaemon, findPlaces, namedHome, TOKEN_PREFIX, type Environment } from './find-daemon.js';
import { checkOptions, checkSecret, createLocator, readAddress, type Locator } from './locate.js';
import { openLock, type Looked } from './locked-files.js';
import { createPatience } from './patience.js';
import { startDaemon } from './start-daemon.js';
import { invalidArgument, LostConnection, SvcdError } from './svcd-error.js';

const START_MS = 30_000;

/** A client with the variables of an environment. Throws for options that cannot be. */
export async function openClient(options: ConnectOptions, env: Environment): Promise<Client> {
  const { lock, start = false, otherwise = 'plain' } = options;
  if (!['plain', 'remote', 'error'].includes(otherwise)) {
    throw invalidArgument('otherwise', 'plain, remote or error', otherwise);
  }
  checkOptions(options);
  const fetch = tellingUnsent(options.fetch ?? globalThis.fetch);
  const locked = lock === undefined ? undefined : await openLock(lock);
  // An address that is none is told now, and one that was given is not of a daemon that could be started.
  const isGiven = findPlaces(options, env).some((place) => place.isGiven);
  const isStarted = start && !isGiven;
  const starting = isStarted ? () => startDaemon(options.home, env) : undefined;
  const home = isGiven ? undefined : namedHome(options, env);
  const locator = createLocator(findDaemon(fetch, () => findPlaces(options, env), starting, home));
  const askService = otherwise === 'remote' ? serviceOf(findService(options, env)) : undefined;
  // With a lock it may never be needed.
  if (isStarted && locked === undefined) await bringUp(locator);
  const client = createClient({ options, fetch, locator, askService });
  if (locked === undefined) return client;
  return {
    ...client,
    sticker: async (preset, asked) =>
      withWarnings(await locked.sticker(preset, asked), () => client.sticker(preset, asked)),
    image: async (request, asked) =>
      withWarnings(await locked.image(request, asked), () => client.image(request, asked)),
  };
}

/** Tells where Node.js says that there was no connection at all; a page is never told. */
function tellingUnsent(fetch: Fetch): Fetch {
  return async (url, init) => {
    try {
      return await fetch(url, init);
    } catch (error) {
      const cause = (error as Error | undefined)?.cause ?? error;
      if (!neverLeft(cause)) throw error;
      throw new LostConnection(true, `nothing answers at ${new URL(url).origin}`, cause);
    }
  };
}

function neverLeft(cause: unknown): boolean {
  const { code, syscall, errors } = Object(cause) as { code?: unknown; syscall?: unknown; errors?: unknown[] };
  // One for each address of a name.
  if (errors !== undefined) return errors.every(neverLeft);
  return syscall === 'connect' || syscall === 'getaddrinfo' || code === 'UND_ERR_CONNECT_TIMEOUT';
}

/** What is locked, or else what stands for it, with why other files of the lock did not serve. */
async function withWarnings<T extends Asset>({ asset, warnings }: Looked<T>, buy: () => Promise<T>): Promise<T> {
  const served = asset ?? (await buy());
  return Object.assign(served, { warnings: [...warnings, ...served.warnings] });
}

/** Its failure is told by the calls that need it. */
async function bringUp(locator: Locator): Promise<void> {
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
  const named = env['SERVICE_BASE_URL'] ? readAddress(env['SERVICE_BASE_URL'], 'SERVICE_BASE_URL') : undefined;
  const given = remote === undefined ? undefined : readAddress(remote.baseUrl, 'remote.baseUrl');
  // On this machine that is svcd itself.
  const baseUrl = given ?? (named !== undefined && !isLoopback(named) ? named : undefined);
  if (baseUrl === undefined) {
    throw new SvcdError('invalid_argument', "otherwise: 'remote' needs the address of the service", {
      hint: 'Give remote: { baseUrl, key }.',
    });
  }
  if (!baseUrl.startsWith('https:') && !isLoopback(baseUrl)) {
    throw invalidArgument('remote.baseUrl', 'https:// (http:// only on this machine)', baseUrl);
  }
  const key = remote?.key ?? (named === undefined || named === baseUrl ? env['SERVICE_API_KEY'] : undefined);
  checkSecret(key, 'SERVICE_API_KEY');
  return { address: baseUrl, bearer: key?.startsWith(TOKEN_PREFIX) === true ? undefined : key, isSvcd: false };
}

/** Work with the service itself, where nothing paid is sent twice. */
function serviceOf(service: Target) {
  const locator: Locator = { locate: async () => service, forget: () => undefined };
  return async <T>(patience: Parameters<typeof sendAgain>[1], work: (target: Target) => Promise<T>): Promise<T> => {
    try {
      return await sendAgain(locator, patience, () => 'once', work);
    } catch (error) {
      if (!(error instanceof LostConnection)) throw error;
      throw new SvcdError('offline', error.message, { cause: error.cause });
    }
  };
}
