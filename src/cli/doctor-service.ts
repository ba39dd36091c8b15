// The daemon and what it talks to: its port, the service, the Key, the keychain. Asks the daemon that runs, or the same
// app in this process. Nothing here costs a credit.

import { createServer } from 'node:net';
import type { DaemonStatus } from '../api/answers.js';
import { createKeychain } from '../auth/keychain.js';
import { keychainReport, type KeychainReport, type KeyReport } from '../auth/user-key.js';
import { loadConfig } from '../config/config.js';
import { isSvcdError, systemCode } from '../model/errors.js';
import { type Client, withClient } from './client.js';
import { bad, ok, warn, type Check } from './doctor-system.js';
import type { Input } from './input.js';
import { findRunningDaemon, findStatus } from './running-daemon.js';
import { describeKeySource } from './user-key.js';

/** Whether a daemon runs on the home and answers. Throws `timeout` when it hangs. */
export async function checkDaemon(home: string): Promise<Check> {
  const running = await findRunningDaemon(home);
  if (running === undefined) {
    return warn('daemon', 'does not run', 'Start it with "svcd start".');
  }
  const { url, pid, status } = running;
  return ok('daemon', `svcd ${status.version} answers at ${url} (process ${pid})`);
}

/** Whether the port is the daemon's, or free for it. */
export async function checkPort(home: string): Promise<Check> {
  const name = 'port';
  const running = await findRunningDaemon(home);
  if (running !== undefined) return ok(name, `${new URL(running.url).port} is svcd's`);
  const { port } = await loadConfig({ home });
  const code = await tryPort(port);
  if (code === undefined) return ok(name, port === 0 ? 'any that is free' : `${port} is free`);
  const other = code === 'EADDRINUSE' ? await findOther(port) : undefined;
  if (other !== undefined) {
    return bad(
      name,
      `${port} is that of another svcd (process ${other.pid}), on another home or of another user`,
      'End that one, or take another port: "svcd config set port N".',
    );
  }
  return bad(
    name,
    `${port} cannot be listened on (${code})`,
    'End the other program, or take another port: "svcd config set port N".',
  );
}

/** The svcd that answers at a port, whichever home it has; undefined for another program, or none that answers. */
async function findOther(port: number) {
  return findStatus(`http://127.0.0.1:${port}`, '/svcd/status', 'svcd').catch(() => undefined);
}

/** The remote, the Key and the keychain, with one client. Nothing where the home keeps svcd from starting. */
export async function checkService(input: Input): Promise<Check[]> {
  try {
    return await withClient(input, async (client) => {
      const report = await client.ask<KeyReport>('POST', '/svcd/key/refresh');
      return [await checkRemote(client), checkKey(report), checkKeychain(report, await findKeychain(report))];
    });
  } catch (error) {
    // The check of the home says it.
    if (isSvcdError(error, 'home_not_writable')) return [];
    throw error;
  }
}

async function checkRemote(client: Client): Promise<Check> {
  const name = 'remote';
  const answer = await client.request('GET', '/api/v1/capabilities');
  // Not the status of before: the request may have shown that the remote is away.
  const { remote } = await client.ask<DaemonStatus>('GET', '/svcd/status');
  if (remote.address === null) {
    const hint = 'Name one with "svcd config set remote https://…", or try "svcd start --sandbox".';
    return warn(name, 'none is configured', hint);
  }
  const via = remote.proxy === null ? '' : ` through the proxy ${remote.proxy}`;
  const called = remote.sandbox ? `the sandbox at ${remote.address}` : `${remote.address}${via}`;
  if (!remote.offline && remote.held_until !== null) {
    const words = `${called} asked to be left alone until ${remote.held_until} (Retry-After)`;
    return warn(name, words, '"svcd online" asks it again at once.');
  }
  if (!remote.offline && answer.header('x-svcd-source') === 'remote') {
    return ok(name, `${called} answers`);
  }
  const words = `${called} is not reached: ${remote.why ?? 'it did not answer'}`;
  const hint = remote.forced ? '"svcd online" ends it.' : 'svcd finds the way back by itself; look at the network.';
  return warn(name, words, hint);
}

function checkKey({ source, last_four: lastFour, account, warnings }: KeyReport): Check {
  const name = 'Key';
  const [warning] = warnings;
  if (warning !== undefined) return { name, state: 'warn', words: warning };
  if (source !== 'none') return ok(name, `ends in ${lastFour}, ${describeKeySource(source)}`);
  if (account === null) return ok(name, 'none, and none is needed without a remote');
  return warn(name, 'none: nothing can be bought', 'Store one with "svcd key set".');
}

/** The sandbox needs no keychain, so the daemon did not ask it. */
async function findKeychain({ keychain }: KeyReport): Promise<KeychainReport> {
  return keychain.state === 'not_asked' ? keychainReport(await createKeychain().find('no remote')) : keychain;
}

function checkKeychain({ source }: KeyReport, { state, words, hint }: KeychainReport): Check {
  const fine = state === 'found' || state === 'empty' || source !== 'none';
  const check = { name: 'keychain', state: fine ? 'ok' : 'warn', words } as const;
  // With a Key from elsewhere, the hint is followed already.
  return hint === null || fine ? check : { ...check, hint };
}

/** The system's code for why a port cannot be listened on; undefined when it can. */
function tryPort(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on('error', (error) => resolve(systemCode(error) ?? 'unknown'));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(undefined)));
  });
}
