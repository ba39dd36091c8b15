// Exchanges with a hub: what `createExchanger` is for the service, over connections that are kept, to whichever of its
// addresses answers. What is asked of a hub may be asked again, because it carries a name of its own; so a connection
// that turns out closed is no doubt about money, and a fresh one takes its place.

import { request as ask, type IncomingMessage } from 'node:http';
import { SvcdError } from '../../model/errors.js';
import { newSharedAbort } from '../../platform/shared-abort.js';
import { type Sleep, sleep as systemSleep } from '../../platform/sleep.js';
import { ByteBudget } from '../../upstream/byte-budget.js';
import { keyError, lateError, lostError } from '../../upstream/exchange-error.js';
import { hubAwayError } from './pinned-connection.js';
import {
  findRefusal,
  holdIfLate,
  MAX_BYTES_IN_FLIGHT,
  unreached,
  type Exchange,
  releaseAfter,
  type RemoteRequest,
  type RemoteAnswer,
} from '../../upstream/exchange.js';
import { createConnections, type Connections, type Connection } from './connections.js';
import { collect, decoded, flat, type Reading } from '../../upstream/read-answer.js';
import { namedCode } from '../../upstream/remote-error.js';
import { systemClock, type Clock } from '../../platform/clock.js';

export interface HubAccess {
  /** As `https://HOST:PORT`. */
  readonly addresses: readonly string[];
  /** SHA-256 of the public key (SPKI), base64url. */
  readonly pin: string;
  /** The machine's token; undefined before it has joined. */
  readonly token: string | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly sleep?: Sleep | undefined;
}

export interface HubExchanger {
  /** Makes one exchange; never rejects. */
  exchange(this: void, request: RemoteRequest): Promise<Exchange>;
  /** The address that was asked last. */
  address(this: void): string;
  /** Takes the addresses of a hub's other hubs that answer as it does; returns all that are used from now on. */
  learn(this: void, told: readonly string[], next?: readonly string[]): Promise<readonly string[]>;
  /** Closes every connection. */
  close(this: void): void;
}

/** What bounds one exchange, and the addresses at which a hub said meanwhile that it stops. */
interface Trying extends Reading {
  readonly stopping: Set<string>;
}

/** By this name a hub knows a wish again, however often it is sent. */
export const REQUEST_ID = 'X-Svcd-Request-Id';
export const HUB_PATH = '/svcd/hub';
const PING_MAX_BYTES = 64 * 1024;

export function createHubExchanger(access: HubAccess, budget = new ByteBudget(MAX_BYTES_IN_FLIGHT)): HubExchanger {
  const lines = createConnections(access.addresses, access.pin);
  const silent = new Set<string>();
  let isLast = false;
  const ping = createPing(access);
  const pulse = new Pulse({
    ping: ping.ask,
    onSilent: (address) => {
      silent.add(address);
      isLast = !lines.condemn(address);
    },
    sleep: access.sleep,
  });

  async function exchange(request: RemoteRequest): Promise<Exchange> {
    if (request.key !== undefined && !/^[\x21-\x7e]+$/.test(request.key)) return unreached(keyError());
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(lateError(request.timeoutMs)), request.timeoutMs);
    const holding = budget.open();
    let exchanged: Exchange | undefined;
    try {
      return (exchanged = await exchangeOver(request, { late: late.signal, holding, stopping: new Set() }));
    } finally {
      clearTimeout(timer);
      releaseAfter(holding, request, exchanged);
    }
  }

  async function exchangeOver(request: RemoteRequest, trying: Trying, fresh = !mayRepeat(request)): Promise<Exchange> {
    const line = await takeLine(lines, request, trying.late, fresh);
    if (line instanceof SvcdError) return unreached(line);
    const refusal = await findRefusal(line.socket, request, trying.late);
    if (refusal !== undefined) {
      lines.giveBack(line);
      // A kept one may close while `beforeSend` writes; that is no reason to refuse.
      return line.isUsed && !line.socket.writable ? exchangeOver(request, trying, true) : unreached(refusal);
    }
    const result = await sendOver(line, request, trying);
    if (result === undefined) return sentBefore(await exchangeOver(request, trying, true));
    if (!isStopping(result) || !mayRepeat(request) || trying.stopping.has(line.address)) return result;
    trying.stopping.add(line.address);
    return lines.avoid(line.address) ? exchangeOver(request, trying) : result;
  }

  /** Undefined where a kept connection turned out to be closed before anything came back. */
  async function sendOver(line: Connection, request: RemoteRequest, trying: Trying): Promise<Exchange | undefined> {
    const progress = { hasBegun: false };
    const whyHeld = holdIfLate(line.socket, request.findLate);
    pulse.enter(line.address);
    try {
      const answer = await send(line, access, request, trying, () => {
        progress.hasBegun = true;
        pulse.heard(line.address);
        silent.delete(line.address);
      });
      setImmediate(() => lines.giveBack(line));
      return answer;
    } catch (cause) {
      line.socket.destroy();
      const held = whyHeld();
      if (held !== undefined) return unreached(held);
      if (trying.late.aborted) return { kind: 'lost', error: trying.late.reason as SvcdError };
      if (silent.has(line.address)) return { kind: 'lost', error: silentHubError(isLast, cause) };
      if (line.isUsed && !progress.hasBegun) return undefined;
      return { kind: 'lost', error: lostError(cause, request.maxBytes) };
    } finally {
      pulse.leave(line.address);
    }
  }

  const over = newSharedAbort();
  const close = () => {
    over.abort();
    ping.close();
    lines.close();
  };
  return {
    exchange,
    address: () => lines.current(),
    learn: (told, next = []) => lines.learn(told, next, over.signal),
    close,
  };
}

/** Whether the hub answers the same, however often it is asked: what may cost has to have a name. */
export function mayRepeat({ method, cost, headers }: Pick<RemoteRequest, 'method' | 'cost' | 'headers'>): boolean {
  if (headers?.[REQUEST_ID] !== undefined) return true;
  return cost === 'free' && (method === 'GET' || method === 'HEAD');
}

/** How a further try ended of what may have arrived before: that it finds nobody does not make that unsent. */
export function sentBefore(result: Exchange): Exchange {
  if (result.kind === 'unreached') return { kind: 'lost', error: result.error };
  return result.kind === 'answer' ? { ...result, again: true } : result;
}

/** Whether a hub that is about to end would have the same asked elsewhere, and nothing was bought by it. */
function isStopping(result: Exchange): boolean {
  if (result.kind !== 'answer' || result.status !== 503) return false;
  return result.headers['x-svcd-cost'] === '0' && namedCode(result) === 'not_running';
}

/** A connection, or why there is none. */
async function takeLine(
  lines: Connections,
  { recall }: RemoteRequest,
  late: AbortSignal,
  fresh: boolean,
): Promise<Connection | SvcdError> {
  const over = new AbortController();
  const signals = recall === undefined ? [late] : [recall, late];
  const endings = signals.map((signal) => ({ signal, end: () => over.abort(signal.reason) }));
  for (const { signal, end } of endings) {
    if (signal.aborted) end();
    signal.addEventListener('abort', end);
  }
  try {
    return await lines.take(over.signal, fresh);
  } catch (cause) {
    return cause instanceof SvcdError ? cause : hubAwayError('no connection', cause);
  } finally {
    for (const { signal, end } of endings) signal.removeEventListener('abort', end);
  }
}

/** Sends a request over a line, and reads its answer. Rejects where there is no whole one. */
async function send(
  line: Connection,
  access: HubAccess,
  request: RemoteRequest,
  reading: Reading,
  heard: () => void,
): Promise<RemoteAnswer> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const { host, hostname, port } = new URL(line.address);
    const asked = ask({
      agent: line.agent,
      host: hostname,
      port: port || 443,
      method: request.method,
      path: request.path,
      headers: { host, ...headersOf(access, request) },
      signal: reading.late,
    });
    asked.once('response', resolve);
    asked.once('error', reject);
    asked.end(request.body);
  });
  heard();
  request.onAnswer?.();
  const headers = flat(response.headersDistinct);
  const bytes = await collect(decoded(response, headers['content-encoding']), request.maxBytes, reading);
  return { kind: 'answer', status: response.statusCode ?? 0, headers, bytes, fromHub: true };
}

/** The machine is known by its own token; a Key that a client of it showed goes beside that, and only with this request. */
function headersOf({ token, headers }: HubAccess, request: RemoteRequest): Record<string, string> {
  const { key, body, contentType } = request;
  return {
    accept: 'application/json, */*;q=0.5',
    'accept-encoding': 'gzip',
    ...headers,
    ...request.headers,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(key === undefined || key === token ? {} : { 'X-Svcd-Key': key }),
    ...(contentType === undefined ? {} : { 'content-type': contentType }),
    ...(body === undefined ? {} : { 'content-length': String(body.byteLength) }),
  };
}

/** Where another address is left, the request is sent there; else the hub is away. */
function silentHubError(isLast: boolean, cause: unknown): SvcdError {
  const why = 'it takes requests and answers none';
  return isLast ? hubAwayError(why, cause) : new SvcdError('upstream_failure', `a hub is away (${why})`, { cause });
}

/** Whether a hub answers anything at all, on a connection of its own. */
function createPing({ pin, token }: HubAccess) {
  const linesOf = new Map<string, Connections>();
  const request = { method: 'GET', path: HUB_PATH, cost: 'free', maxBytes: PING_MAX_BYTES } as const;
  const askOne = async (address: string, timeoutMs: number): Promise<boolean> => {
    const lines = linesOf.get(address) ?? createConnections([address], pin);
    linesOf.set(address, lines);
    const over = new AbortController();
    const timer = setTimeout(() => over.abort(lateError(timeoutMs)), timeoutMs);
    const holding = new ByteBudget(PING_MAX_BYTES).open();
    const once = async (fresh: boolean): Promise<boolean> => {
      const line = await lines.take(over.signal, fresh);
      const access = { addresses: [address], pin, token };
      try {
        await send(line, access, { ...request, timeoutMs }, { late: over.signal, holding }, () => undefined);
        setImmediate(() => lines.giveBack(line));
        return true;
      } catch {
        line.socket.destroy();
        return line.isUsed && !over.signal.aborted ? once(true) : false;
      }
    };
    try {
      return await once(false);
    } catch {
      return false;
    } finally {
      clearTimeout(timer);
      holding.release();
    }
  };
  const close = () => {
    for (const lines of linesOf.values()) lines.close();
  };
  return { ask: askOne, close };
}

export interface PulseOptions {
  /** Asks the hub at this address; whether any answer came in the time. */
  readonly ping: (address: string, timeoutMs: number) => Promise<boolean>;
  /** Told when it did not answer, nor anything else meanwhile. */
  readonly onSilent: (address: string) => void;
  readonly sleep?: Sleep | undefined;
  readonly clock?: Pick<Clock, 'monotonic'> | undefined;
}

const QUIET_MS = 500;
const ANSWER_MS = 1200;

export class Pulse {
  readonly #options: PulseOptions;
  readonly #waiting = new Map<string, number>();
  /** When anything was heard last. */
  readonly #heardAt = new Map<string, number>();
  readonly #watched = new Set<string>();

  constructor(options: PulseOptions) {
    this.#options = options;
  }

  /** A request left for this address. */
  enter(address: string): void {
    this.#waiting.set(address, (this.#waiting.get(address) ?? 0) + 1);
    if (this.#watched.has(address)) return;
    this.#watched.add(address);
    void this.#watch(address).finally(() => this.#watched.delete(address));
  }

  heard(address: string): void {
    this.#heardAt.set(address, this.#now());
  }

  /** It has its answer, or never will. */
  leave(address: string): void {
    this.#waiting.set(address, Math.max(0, (this.#waiting.get(address) ?? 0) - 1));
  }

  async #watch(address: string): Promise<void> {
    const { ping, onSilent, sleep = systemSleep } = this.#options;
    const heardAt = () => this.#heardAt.get(address) ?? -Infinity;
    // Counted from the last sign of life, not in whole steps: two of them and a question would be more than two seconds.
    for (let signAt = this.#now(); ; signAt = Math.max(signAt, heardAt())) {
      await sleep(Math.max(0, signAt + QUIET_MS - this.#now()), { ref: false });
      if (!this.#waiting.get(address)) return;
      if (heardAt() > signAt) continue;
      if (await ping(address, ANSWER_MS)) signAt = this.#now();
      else if (heardAt() <= signAt && this.#waiting.get(address)) return onSilent(address);
    }
  }

  #now(): number {
    return (this.#options.clock ?? systemClock).monotonic();
  }
}
