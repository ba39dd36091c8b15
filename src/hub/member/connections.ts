// Connections to the hubs of a studio, kept between exchanges. All hubs are alike: whoever answers first is asked from then
// on, and the next one when it is away.

import { Agent } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { isSvcdError, SvcdError, systemCode } from '../../model/errors.js';
import { newSharedAbort } from '../../platform/shared-abort.js';
import { causeName } from '../../upstream/exchange-error.js';
import { connectPinned, hubAwayError } from './pinned-connection.js';

/** One connection, for one exchange at a time. */
export interface Connection {
  readonly address: string;
  readonly socket: TLSSocket;
  /** What gives node:http this connection, once and no other. */
  readonly agent: Agent;
  /** Whether an exchange went over it before: the other side may have closed it unseen. */
  readonly isUsed: boolean;
}

export type Connections = ReturnType<typeof createConnections>;

/** Within the two seconds in which a client gets its first default from a hub that is away. */
const CONNECT_TIMEOUT_MS = 1700;
/** How long one address is waited for before the next is asked beside it. */
const BESIDE_AFTER_MS = 300;
const MAX_IDLE = 8;
export const MAX_ADDRESSES = 16;

export function createConnections(first: readonly string[], pin: string) {
  let addresses = first;
  const idle: Connection[] = [];
  const open = new Set<Connection>();
  /** Addresses that were silent, or are about to end: asked when no other is left, until they take a connection again. */
  const lastResorts = new Set<string>();
  let isClosed = false;
  let [current = ''] = addresses;

  const ordered = () => {
    const weight = (address: string) => (lastResorts.has(address) ? 2 : address === current ? 0 : 1);
    return addresses.toSorted((one, other) => weight(one) - weight(other));
  };

  const isAnyLeft = () => addresses.some((address) => !lastResorts.has(address));

  function noteOpen(address: string, socket: TLSSocket): Connection {
    current = address;
    lastResorts.delete(address);
    const line = { address, socket, agent: agentOf(socket), isUsed: false };
    open.add(line);
    socket.once('close', () => forget(line));
    return line;
  }

  function forget(line: Connection): void {
    for (const one of open) if (one.socket === line.socket) open.delete(one);
    const at = idle.findIndex(({ socket }) => socket === line.socket);
    if (at !== -1) idle.splice(at, 1);
  }

  return {
    /** A connection; `fresh` for one that nothing went over. Rejects with `offline` or `hub_certificate_changed`, or the signal's reason. */
    take: async (signal: AbortSignal, fresh: boolean = false): Promise<Connection> => {
      for (let line = fresh ? undefined : idle.pop(); line !== undefined; line = idle.pop()) {
        if (line.socket.writable) return line;
      }
      const { address, socket } = await connectToOne(ordered(), pin, signal);
      if (isClosed) {
        socket.destroy();
        throw hubAwayError('svcd is stopping');
      }
      return noteOpen(address, socket);
    },
    /** Keeps it for the next exchange, or closes it where the exchange left it in the middle. */
    giveBack: (line: Connection): void => {
      const { socket, agent } = line;
      // node:http has taken the whole answer off it, and keeps it.
      const isFree = Object.values(agent.freeSockets).some((sockets) => sockets?.includes(socket) === true);
      if (!isFree || idle.length >= MAX_IDLE || lastResorts.has(line.address)) return void socket.destroy();
      idle.push({ ...line, isUsed: true });
    },
    /** An address takes requests and says nothing: what hangs on it ends now. True if another address is left to be asked. */
    condemn: (address: string): boolean => {
      lastResorts.add(address);
      for (const { address: one, socket } of open) if (one === address) socket.destroy();
      return isAnyLeft();
    },
    /** The hub at an address is about to end: what it is at goes on, and others are asked. The same answer. */
    avoid: (address: string): boolean => {
      lastResorts.add(address);
      for (const { address: one, socket } of idle) if (one === address) socket.destroy();
      return isAnyLeft();
    },
    /** The address that was asked last. */
    current: (): string => current,
    /**
     * Takes those of these addresses that answer as the hub; what answers with another certificate, or not at all, is left out.
     * Returns what is used from now on, the known ones first. Where the hub will be `next` is believed beforehand, and asked last.
     */
    learn: async (
      told: readonly string[],
      next: readonly string[],
      signal: AbortSignal,
    ): Promise<readonly string[]> => {
      const unknown = [...new Set(told)].filter((one) => isHttps(one) && !addresses.includes(one));
      const answers = await Promise.all(
        unknown.slice(0, MAX_ADDRESSES).map(async (one) => ((await isHub(one, pin, signal)) ? [one] : [])),
      );
      const later = next.filter((one) => isHttps(one) && !addresses.includes(one) && !unknown.includes(one));
      addresses = merged(addresses, [...answers.flat(), ...later], [...told, ...next]);
      return addresses;
    },
    close: (): void => {
      isClosed = true;
      for (const { socket } of open) socket.destroy();
    },
  };
}

function isHttps(address: string): boolean {
  return URL.canParse(address) && new URL(address).protocol === 'https:';
}

/** Whether the hub is there; the connection is not kept. */
async function isHub(address: string, pin: string, signal: AbortSignal): Promise<boolean> {
  const over = new AbortController();
  const giveUp = () => over.abort();
  const timer = setTimeout(giveUp, CONNECT_TIMEOUT_MS);
  if (signal.aborted) giveUp();
  signal.addEventListener('abort', giveUp);
  try {
    (await connectPinned(address, pin, over.signal)).destroy();
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  }
}

/** Where there are too many, those go that the hub tells no more, the latest first: those of the code stand at the front. */
function merged(known: readonly string[], fresh: readonly string[], told: readonly string[]): readonly string[] {
  const all = [...known, ...fresh];
  for (let at = known.length - 1; at > 0 && all.length > MAX_ADDRESSES; at -= 1) {
    if (!told.includes(all[at] ?? '')) all.splice(at, 1);
  }
  return all.slice(0, MAX_ADDRESSES);
}

/** The first of these that answers as the hub: each is asked when those before it failed, or have said nothing for a while. */
async function connectToOne(
  addresses: readonly string[],
  pin: string,
  signal: AbortSignal,
): Promise<{ readonly address: string; readonly socket: TLSSocket }> {
  const over = newSharedAbort();
  const giveUp = () => over.abort(signal.reason);
  if (signal.aborted) giveUp();
  signal.addEventListener('abort', giveUp);
  const timer = setTimeout(
    () => over.abort(hubAwayError(`no connection in ${CONNECT_TIMEOUT_MS} ms`)),
    CONNECT_TIMEOUT_MS,
  );
  const failures: unknown[] = [];
  const dial = async (address: string) => {
    try {
      return { address, socket: await connectPinned(address, pin, over.signal) };
    } catch (cause) {
      failures.push(cause);
      throw cause;
    }
  };
  const dialling: ReturnType<typeof dial>[] = [];
  // Each has its turn before the time is over, also where the many addresses of one hub say nothing.
  const besideAfterMs = Math.min(BESIDE_AFTER_MS, CONNECT_TIMEOUT_MS / (addresses.length + 2));
  try {
    for (const address of addresses) {
      const attempt = dial(address);
      dialling.push(attempt);
      const opened = orNothing(Promise.any(dialling));
      const first = await Promise.race([opened, orNothing(attempt), pause(besideAfterMs)]);
      if (first !== undefined) return keepOne(first, dialling);
    }
    return keepOne(await Promise.any(dialling), dialling);
  } catch {
    throw worstOf(failures, over.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
    // The others are not waited for: where nobody answers, the system would try for minutes.
    over.abort();
  }
}

/** The others that are there already are closed. */
function keepOne<T extends { readonly socket: TLSSocket }>(kept: T, dialling: readonly Promise<T>[]): T {
  for (const one of dialling) {
    void one.then(({ socket }) => socket !== kept.socket && socket.destroy()).catch(() => undefined);
  }
  return kept;
}

/** What is told of several failures: a certificate that changed is for a person to look at, the rest passes. */
function worstOf(failures: readonly unknown[], { aborted, reason }: AbortSignal): SvcdError {
  const changed = failures.find((one) => isSvcdError(one, 'hub_certificate_changed'));
  if (changed !== undefined) return changed;
  if (aborted) return reason as SvcdError;
  const [first] = failures;
  return first instanceof SvcdError ? first : hubAwayError(systemCode(first) ?? causeName(first), first);
}

function orNothing<T>(attempt: Promise<T>): Promise<T | undefined> {
  return attempt.catch(() => undefined);
}

function pause(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, ms, undefined).unref());
}

/** Over this connection alone: node:http would quietly open another. */
function agentOf(socket: TLSSocket): Agent {
  let given = false;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return Object.assign(agent, {
    createConnection: () => {
      if (given) throw Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' });
      given = true;
      return socket;
    },
  });
}
