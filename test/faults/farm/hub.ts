// A hub as a process of its own, which can be killed, held and started again at the same address.

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../support/free-port.js';
import { collect, makeHome, runSvcd, spawnSvcd, type RunOptions } from '../../support/run-svcd.js';

export interface HubLine {
  /** Where machines find it. */
  readonly url: string;
  readonly pid: number;
  readonly home: string;
  readonly local: { readonly url: string; readonly token: string };
}

export interface HubOptions {
  /** The service. */
  readonly remote: string;
  readonly key: string;
  readonly database?: string;
  readonly home?: string;
  /** Where certificate and receipt key lie that several hubs share. */
  readonly identity?: string;
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** In place of this clone's program. */
  readonly program?: string;
  /** A program with its arguments that runs it. */
  readonly through?: readonly string[];
}

export interface Hub {
  readonly home: string;
  readonly port: number;
  readonly database: string | undefined;
  /** Its first line, of the latest start. */
  readonly line: HubLine;
  isUp(): boolean;
  /** What the latest one said on stderr. */
  said(): string;
  start(more?: Partial<Pick<HubOptions, 'env' | 'through' | 'flags'>>): Promise<void>;
  /** Ends it by a signal and waits for that. */
  end(signal?: NodeJS.Signals): Promise<void>;
  /** Resolves when it has ended by itself. */
  ended(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** A request to its loopback, with the token of its home. */
  own(method: string, path: string, body?: object): Promise<Response>;
  /** Resolves when it tells machines of so many hubs. */
  knows(hubs: number): Promise<void>;
  invite(project: string, flags?: readonly string[]): Promise<string>;
  remove(): Promise<void>;
}

/** Each looks for others every five seconds. */
const KNOWN_TRIES = 300;

/** Starts one. Rejects with what it said when it does not come up. */
export async function startHub(options: HubOptions): Promise<Hub> {
  const made = options.home === undefined ? makeHome() : undefined;
  const home = options.home ?? made?.home ?? '';
  const port = await freePort();
  let child: ChildProcess | undefined;
  let line: HubLine | undefined;
  let said = (): string => '';

  const start: Hub['start'] = async (more = {}) => {
    const flags = [
      '--listen',
      `127.0.0.1:${port}`,
      '--port',
      '0',
      '--remote',
      options.remote,
      ...(options.database === undefined ? [] : ['--database', options.database]),
      ...(options.identity === undefined ? [] : ['--identity', options.identity]),
      ...(options.flags ?? []),
      ...(more.flags ?? []),
    ];
    const run: RunOptions = {
      home,
      env: { SERVICE_API_KEY: options.key, ...options.env, ...more.env },
      ...(options.program !== undefined && { program: options.program }),
      ...((more.through ?? options.through) !== undefined && { through: more.through ?? options.through ?? [] }),
    };
    const started = spawnSvcd(['hub', 'start', '--json', ...flags], run, ['ignore', 'pipe', 'pipe']);
    child = started;
    const out = collect(started.stdout);
    said = collect(started.stderr);
    line = await firstLine(started, out, said);
    // A home's first budget is for people who try it.
    await hub.own('PUT', '/svcd/budget', { day: null, month: null });
  };
  const end: Hub['end'] = async (signal = 'SIGTERM') => {
    if (child === undefined || !isRunning(child)) return;
    const closed = once(child, 'close');
    // Held processes take no other signal in order.
    if (signal !== 'SIGKILL') child.kill('SIGCONT');
    child.kill(signal);
    await closed;
  };
  const told = () => {
    if (line === undefined) throw new Error('this hub was never up');
    return line;
  };
  const hub: Hub = {
    home,
    port,
    database: options.database,
    get line() {
      return told();
    },
    isUp: () => child !== undefined && isRunning(child),
    said: () => said(),
    start,
    end,
    ended: async () => {
      if (child !== undefined && isRunning(child)) await once(child, 'close');
    },
    signal: (signal) => void child?.kill(signal),
    own: (method, path, body) =>
      fetch(told().local.url + path, {
        method,
        headers: { Authorization: `Bearer ${told().local.token}`, 'Content-Type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    knows: async (hubs) => {
      for (let tries = 0; tries < KNOWN_TRIES; tries++) {
        const answer = await hub.own('GET', '/svcd/hub/status');
        if (((await answer.json()) as { addresses: string[] }).addresses.length >= hubs) return;
        await sleep(100);
      }
      throw new Error(`this hub knows fewer than ${hubs} hubs`);
    },
    invite: async (project, flags = []) => {
      const { code, stdout, stderr } = await runSvcd(
        ['hub', 'invite', '--home', home, '--project', project, '--json', ...flags],
        { home },
      );
      if (code !== 0) throw new Error(`svcd hub invite ended with ${code}: ${stderr}`);
      return (JSON.parse(stdout) as { code: string }).code;
    },
    remove: async () => {
      await end('SIGKILL');
      made?.remove();
    },
  };
  try {
    await start();
  } catch (error) {
    await hub.remove();
    throw error;
  }
  return hub;
}

export function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

/** The first line that a process says, as JSON. */
export async function firstLine<T>(child: ChildProcess, out: () => string, said: () => string): Promise<T> {
  const closed = once(child, 'close').then(() => true);
  while (!out().includes('\n')) {
    const isOver = await Promise.race([closed, child.stdout ? once(child.stdout, 'data').then(() => false) : closed]);
    if (isOver && !out().includes('\n')) throw new Error(`it ended with ${child.exitCode} and said: ${said()}${out()}`);
  }
  return JSON.parse(out().split('\n', 1)[0] ?? '') as T;
}
