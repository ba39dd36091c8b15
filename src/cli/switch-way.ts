// Going offline and coming back: a running daemon is told at once, and config.json remembers it for the next start.

import { findHome, settleSettings, writeSetting } from '../config/config.js';
import { prepareHome } from '../platform/home-folder.js';
import { expectOk } from './client.js';
import { exchangeOverHttp } from './http-exchange.js';
import type { Input } from './input.js';
import { findRunningDaemon, type RunningDaemon } from './running-daemon.js';

export interface Switched {
  readonly offline: boolean;
  /** Address of the daemon that was told; null when none runs. */
  readonly url: string | null;
  /** Whether the next start will see it so. */
  readonly kept: boolean;
  readonly home: string;
}

const TIMEOUT_MS = 15_000;

/** Switches the way to the remote off or on. Throws what a daemon refuses, and `home_not_writable`. */
export async function switchWay(input: Input, offline: boolean): Promise<Switched> {
  const home = await findHome({ home: input.text('home') });
  const running = await findRunningDaemon(home);
  const written = running === undefined ? write(home, offline) : await tell(running, offline);
  return { offline, url: running?.url ?? null, kept: written && (await isKept(home, offline)), home };
}

function write(home: string, offline: boolean): true {
  prepareHome(home);
  writeSetting(home, 'offline', String(offline));
  return true;
}

/** What a start without flags would take: an SVCD_OFFLINE in the environment wins over the file. */
async function isKept(home: string, offline: boolean): Promise<boolean> {
  const settled = await settleSettings({ home });
  return settled.find(({ setting }) => setting.name === 'offline')?.value === offline;
}

/** Whether the daemon, which has switched, could also write it down. */
async function tell({ url, token }: RunningDaemon, offline: boolean): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ offline });
  const request = { method: 'POST', path: '/svcd/offline', headers, body, timeoutMs: TIMEOUT_MS };
  const answer = expectOk(await exchangeOverHttp(url, request)).json() as { kept: boolean };
  return answer.kept;
}

/** The result in words; `then` says what it means. */
export function describeSwitch({ offline, url, kept }: Switched, then: string): string[] {
  const state = offline ? 'offline' : 'online';
  const next = kept ? 'and will be after a restart' : 'but the next start will not be: see "svcd config"';
  if (url !== null) return [`svcd at ${url} is ${state} now, ${next}.`, then];
  return [
    kept
      ? `svcd does not run; it will be ${state} from the next start on.`
      : `svcd does not run, and its next start will not be ${state}: see "svcd config".`,
  ];
}
