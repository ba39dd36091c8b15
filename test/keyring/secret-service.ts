// A Secret Service of one's own: a session bus and gnome-keyring in a folder that is gone afterwards. Nothing of
// the user's own keyring is touched.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { runCommand } from '../support/run-command.js';

/** A test that was killed takes what it started with it. */
const WITH_TEST = ['--pdeathsig', 'KILL'];

export interface SecretService {
  /** Variables by which a program finds it. */
  readonly env: Readonly<Record<string, string>>;
  /** Ends the keyring daemon and starts it again, locked. */
  lock(): Promise<void>;
  /** Stops the keyring daemon in its tracks, as a hang does. */
  freeze(): void;
  /** Ends the keyring daemon; the bus stays. */
  end(): Promise<void>;
  /** Starts it again after `end`, unlocked. */
  unlock(): Promise<void>;
}

/** An unlocked and empty keyring on a bus, both gone after the test. */
export async function startSecretService(): Promise<SecretService> {
  const folder = mkdtempSync(join(tmpdir(), 'svcd-keyring-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const bus = await startBus(folder);
  let keyring = await startKeyring(bus, 'unlocked');
  onTestFinished(() => void keyring.kill('SIGKILL'));
  const end = async () => {
    const ended = once(keyring, 'exit');
    keyring.kill('SIGTERM');
    await ended;
  };
  return {
    env: bus,
    end,
    freeze: () => void keyring.kill('SIGSTOP'),
    lock: async () => {
      await end();
      keyring = await startKeyring(bus, 'locked');
    },
    unlock: async () => {
      keyring = await startKeyring(bus, 'unlocked');
    },
  };
}

/** A bus that nobody offers a keyring on. */
export async function startEmptyBus(): Promise<Readonly<Record<string, string>>> {
  const folder = mkdtempSync(join(tmpdir(), 'svcd-bus-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return startBus(folder);
}

async function startBus(folder: string): Promise<Readonly<Record<string, string>>> {
  const places = {
    XDG_DATA_HOME: join(folder, 'data'),
    XDG_CACHE_HOME: join(folder, 'cache'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_RUNTIME_DIR: folder,
  };
  mkdirSync(places.XDG_DATA_HOME);
  // No folder of services: the system's own would start a keyring by itself when one is asked for.
  writeFileSync(
    join(folder, 'bus.conf'),
    `<busconfig>
       <type>session</type>
       <listen>unix:path=${folder}/bus</listen>
       <policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy>
     </busconfig>`,
  );
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, ...places };
  const args = [`--config-file=${folder}/bus.conf`, '--nofork', '--nopidfile', '--print-address=1'];
  const bus = spawn('setpriv', [...WITH_TEST, 'dbus-daemon', ...args], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void bus.kill('SIGKILL'));
  const [address] = (await once(bus.stdout, 'data')) as [Buffer];
  return { ...places, DBUS_SESSION_BUS_ADDRESS: address.toString().trim() };
}

async function startKeyring(bus: Readonly<Record<string, string>>, how: 'locked' | 'unlocked'): Promise<ChildProcess> {
  const unlock = how === 'unlocked' ? ['--unlock'] : [];
  const args = ['--foreground', '--components=secrets', ...unlock];
  const env = { PATH: process.env['PATH'], ...bus };
  const keyring = spawn('setpriv', [...WITH_TEST, 'gnome-keyring-daemon', ...args], {
    env,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  keyring.stdin.end('the password of this keyring\n');
  await waitForName(env);
  return keyring;
}

async function waitForName(env: NodeJS.ProcessEnv): Promise<void> {
  const question = ['--session', '--print-reply', '--dest=org.freedesktop.DBus', '/'];
  const args = [...question, 'org.freedesktop.DBus.NameHasOwner', 'string:org.freedesktop.secrets'];
  for (let tries = 0; tries < 200; tries++) {
    const { stdout } = await runCommand('dbus-send', args, env);
    if (stdout.includes('boolean true')) return;
    await sleep(50);
  }
  throw new Error('no Secret Service came up');
}
