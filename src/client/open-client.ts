// The client on Node.js: finds the daemon by itself, can start it, reads the files of a lock, and may ask the service.

import { sendAgain } from './calls.js';
import type { Asset, AssetOptions, Client, ConnectOptions } from './client-types.js';
import { createClient } from './create-client.js';
import { isLoopback, type Fetch, type Target } from './exchange.js';
import { findDaemon, findPlaces, namedHome, TOKEN_PREFIX, type Environment } from './find-daemon.js';
import { checkOptions, checkSecret, createLocator, readAddress, type Locator } from './locate.js';
import { openLock, type Looked } from './locked-files.js';
import { createPatience } from './patience.js';
import { invalidArgument, LostConnection, SvcdError } from './svcd-error.js';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { realpathSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';

const START_MS = 30_000;

/** A client with the variables of an environment. Throws for options that cannot be. */
export async function openClient(options: ConnectOptions, env: Environment): Promise<Client> {
  const { lock, start = false, strict = false, otherwise = 'plain' } = options;
  if (!['plain', 'remote', 'error'].includes(otherwise)) {
    throw invalidArgument('otherwise', 'plain, remote or error', otherwise);
  }
  checkOptions(options);
  const fetch = tellingUnsent(options.fetch ?? globalThis.fetch);
  const locked = lock === undefined ? undefined : await openLock(lock, strict);
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
  const firmly = <T extends Pick<AssetOptions, 'fallback'>>(asked: T): T =>
    strict ? { ...asked, fallback: asked.fallback ?? 'error' } : asked;
  return {
    ...client,
    slot: async (slot) => {
      if (locked === undefined) throw new SvcdError('invalid_argument', 'slot needs a lock: connect({ lock })');
      return locked.slot(slot);
    },
    sticker: async (preset, asked = {}) =>
      withWarnings(await locked?.sticker(preset, firmly(asked)), () => client.sticker(preset, firmly(asked))),
    image: async (request, asked = {}) =>
      withWarnings(await locked?.image(request, firmly(asked)), () => client.image(request, firmly(asked))),
    prefetch: (request, call) => client.prefetch(firmly(request), call),
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
async function withWarnings<T extends Asset>(looked: Looked<T> | undefined, buy: () => Promise<T>): Promise<T> {
  const served = looked?.asset ?? (await buy());
  return Object.assign(served, { warnings: [...(looked?.warnings ?? []), ...served.warnings] });
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

const WAIT_MS = 20_000;
const ALREADY_RUNNING = 5;

/** The package's own program in the background; two at once end with one daemon by the home's lock. Comes back when one runs. Throws what hinders its start, and `timeout`. */
async function startDaemon(home: string | undefined, env: NodeJS.ProcessEnv): Promise<void> {
  const program = join(findPackage(env), 'bin', 'svcd.js');
  const args = [program, 'start', '--detach', '--json', ...(home === undefined ? [] : ['--home', home])];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'], windowsHide: true });
  const timer = setTimeout(() => child.kill(), WAIT_MS);
  try {
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (part: string) => (said += part));
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    if (code === 0 || code === ALREADY_RUNNING) return;
    if (signal !== null) throw new SvcdError('timeout', `svcd was not ready within ${WAIT_MS / 1000} s`);
    throw failureIn(said, code);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Beside this file; or beside the program that runs, where a bundler has put this file elsewhere or made CommonJS of it; or where
 * the svcd of the PATH is.
 */
function findPackage(env: NodeJS.ProcessEnv): string {
  const here: string | undefined = import.meta.url;
  const places = [here, join(process.cwd(), 'program.js')].filter((place) => place !== undefined);
  for (const place of places) {
    try {
      return dirname(createRequire(place).resolve('svcd/package.json'));
    } catch {
      // It is not installed there.
    }
  }
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    try {
      const program = realpathSync(join(folder, 'svcd'));
      if (basename(program) === 'svcd.js') return dirname(dirname(program));
    } catch {
      // It is not there.
    }
  }
  throw new SvcdError('not_running', `the package svcd is not installed where ${process.cwd()} finds it`, {
    hint: 'Install svcd beside the program ("npm install -D svcd"), or run "svcd start" yourself.',
  });
}

function failureIn(said: string, exitCode: number | null): SvcdError {
  const last = said.trim().split('\n').pop() ?? '';
  try {
    const { code, message, hint } = JSON.parse(last) as Record<string, string | undefined>;
    if (typeof code === 'string' && typeof message === 'string') return new SvcdError(code, message, { hint });
  } catch {
    // Not what svcd says of a failure of its own.
  }
  return new SvcdError('not_running', `"svcd start" ended with ${exitCode}: ${last}`);
}
