// What a test has until it ends: an empty home, a daemon, a server on any port of this machine; and what a refusal looks like.

import { once } from 'node:events';
import { createServer, type RequestListener, Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, onTestFinished } from 'vitest';
import { collect, makeHome, type Outcome, type RunOptions, spawnSvcd } from './run-svcd.js';
import { startSvcd, type StartedSvcd, type StartOptions } from './start-svcd.js';

/** Gives each test of the file a home; after a test `end` is done, and its home is removed. */
export function eachHome(take: (home: string) => unknown, end: () => unknown = () => undefined): void {
  let remove: () => void;
  beforeEach(() => {
    const made = makeHome();
    ({ remove } = made);
    take(made.home);
  });
  afterEach(async () => {
    await end();
    remove();
  });
}

export function homeInTest(): string {
  const { home, remove } = makeHome();
  onTestFinished(remove);
  return home;
}

/** `svcd start` with these flags. */
export async function startInTest(flags?: readonly string[], options?: StartOptions): Promise<StartedSvcd> {
  const svcd = await startSvcd(flags, options);
  onTestFinished(svcd.stop);
  return svcd;
}

/** A command that goes on: what it says, its end, and a wait for words on stdout. It is killed with the test. */
export function beginInTest(args: readonly string[], options: RunOptions) {
  const child = spawnSvcd(args, options, ['ignore', 'pipe', 'pipe']);
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.on('close', (code, signal) => resolve(signal ?? code));
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const until = async (words: string | RegExp) => {
    while (stdout().search(words) === -1) {
      if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${stdout()}${stderr()}`);
      await sleep(20);
    }
  };
  return { child, stdout, stderr, ended, until };
}

/** Lets a server listen; its port. */
export async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    if (server instanceof HttpServer) server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** The address of a server that answers so over HTTP. */
export async function serve(listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await portOf(createServer(listener))}`;
}

/** Of a command that refuses: it says why on standard error alone. */
export function expectRefusal({ code, stdout, stderr }: Outcome, why: string | RegExp, exit = 2): void {
  expect({ code, stdout }, stderr).toEqual({ code: exit, stdout: '' });
  if (typeof why === 'string') expect(stderr).toContain(why);
  else expect(stderr).toMatch(why);
}
