// A sidecar: svcd on a home that has joined a hub, as a process of its own.

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeMembership } from '../../../src/config/membership.js';
import { stickerPath } from '../../../src/model/sticker.js';
import { collect, makeHome, spawnSvcd } from '../../support/run-svcd.js';
import { firstLine, isRunning } from './hub.js';
import { membershipFor } from './machine.js';

export interface Sidecar {
  readonly name: string;
  readonly home: string;
  isUp(): boolean;
  start(): Promise<void>;
  end(signal?: NodeJS.Signals): Promise<void>;
  /** Rejects with a TypeError when it is killed meanwhile. */
  call(path: string, init?: Pick<RequestInit, 'signal'>): Promise<Response>;
  ask(preset: string, signal?: AbortSignal): Promise<Response>;
  said(): string;
  remove(): Promise<void>;
}

/** Joins with the code of an invite, and starts. */
export async function startSidecar(name: string, code: string, flags: readonly string[] = []): Promise<Sidecar> {
  const { home, remove } = makeHome();
  writeMembership(home, await membershipFor(code, name));
  let child: ChildProcess | undefined;
  let said = (): string => '';
  let info = { url: '', token: '' };
  const end: Sidecar['end'] = async (signal = 'SIGTERM') => {
    if (child === undefined || !isRunning(child)) return;
    const closed = once(child, 'close');
    child.kill(signal);
    await closed;
  };
  const call: Sidecar['call'] = (path, init = {}) =>
    fetch(info.url + path, { ...init, headers: { Authorization: `Bearer ${info.token}` } });
  const sidecar: Sidecar = {
    name,
    home,
    isUp: () => child !== undefined && isRunning(child),
    start: async () => {
      child = spawnSvcd(['start', '--json', '--port', '0', ...flags], { home }, ['ignore', 'pipe', 'pipe']);
      said = collect(child.stderr);
      info = await firstLine(child, collect(child.stdout), said);
    },
    end,
    call,
    ask: (preset, signal) => call(stickerPath(preset), signal === undefined ? {} : { signal }),
    said: () => said(),
    remove: async () => {
      await end('SIGKILL');
      remove();
    },
  };
  await sidecar.start();
  return sidecar;
}

/** Whether the true thing was given, and will be there for everybody. */
export function isTrue({ ok, headers }: Response): boolean {
  if (headers.get('x-svcd-warning')?.includes('not_kept') === true) return false;
  return ok && ['remote', 'owned'].includes(headers.get('x-svcd-source') ?? '');
}
