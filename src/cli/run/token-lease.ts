// The token of a command, for as long as the command runs: leased from the daemon, and leased again, the same one with
// what is left of its budget, from each daemon that comes back at the same address. The command has address and token in
// its environment, where nobody can change them.

import type { IncomingMessage } from 'node:http';
import type { DaemonStatus } from '../../api/answers.js';
import type { Report } from '../../api/report.js';
import { isSvcdError, SvcdError } from '../../model/errors.js';
import type { DeclaredOnly, Permission } from '../../model/spender.js';
import { systemClock } from '../../platform/clock.js';
import { findRuntime } from '../../platform/files/runtime-file.js';
import { isAlive } from '../../platform/files/process-alive.js';
import { sleep } from '../../platform/sleep.js';
import { readReport } from '../../video/report/report-store.js';
import { findOrStart, type FoundDaemon } from '../connection/find-or-start.js';
import { sanitize } from '../terminal/format.js';
import { gather, sendOverHttp } from '../connection/http-exchange.js';
import { printNote } from '../terminal/output.js';
import type { KeepDaemon } from '../connection/detach.js';
import {
  type Access,
  describeRemote,
  expectOk,
  findRunningDaemon,
  jsonQuestion,
  type RunningDaemon,
  send,
} from '../connection/running-daemon.js';
import { runWords } from './words.js';

export interface LeaseOptions {
  readonly only: Permission[] | undefined;
  /** The most it may spend. */
  readonly total: number | undefined;
  /** Whose pages may use svcd meanwhile. */
  readonly origins?: readonly string[] | undefined;
  /** The template that it is for. */
  readonly fence?: DeclaredOnly | undefined;
}

export interface HoldOptions extends LeaseOptions {
  /** Told of a daemon that is started again, which ends with this process. */
  readonly keep?: KeepDaemon | undefined;
}

export interface HeldLease {
  /** Of the run, as its report is told by it. */
  readonly name: string;
  readonly url: string;
  readonly token: string;
  /** Ends the token. */
  end(): Promise<LeaseEnd>;
}

export interface LeaseEnd {
  /** Of what the token was used for; undefined when there is none to be had. */
  readonly report: Report | undefined;
  /** When no daemon was there for the command, the first time first. What was asked then is in no report. */
  readonly away: readonly Absence[];
}

export interface Absence {
  /** ISO 8601. */
  readonly from: string;
  readonly ms: number;
}

const POLL_MS = 100;
const SLOW_POLL_MS = 1000;
/** For so long a return is looked for often. */
const HURRY_MS = 30_000;
/** How long a supervisor, or the user, has to start the daemon again before this command does. */
const OTHERS_FIRST_MS = 10_000;
/** The same where no service is installed that would start it. */
const NOBODY_ELSE_MS = 2000;
/** A return that takes no longer is not worth a line. */
const QUIET_MS = 1000;
const REPORT_TIMEOUT_MS = 5000;

/** Leases a token of this daemon and holds it. Throws what svcd refuses, `timeout`, and `not_running`. */
export async function holdLease(
  home: string,
  found: FoundDaemon,
  { keep, ...options }: HoldOptions,
): Promise<HeldLease> {
  const { daemon } = found;
  const { url } = daemon;
  const remote = describeRemote(daemon.status);
  let { started } = found;
  const over = new AbortController();
  const { signal } = over;
  const first = await lease(daemon, options);
  const { name, token } = first;
  let { connection } = first;
  let isHeld = true;
  const away: Absence[] = [];
  let regaining: Promise<void> | undefined;
  let gone: { readonly from: number; readonly since: number } | undefined;
  const endAbsence = () => {
    if (gone === undefined) return;
    const ms = Math.round(systemClock.monotonic() - gone.since);
    away.push({ from: new Date(gone.from).toISOString(), ms });
    gone = undefined;
  };

  const watch = () => {
    connection.once('close', () => {
      isHeld = false;
      if (signal.aborted) return;
      gone ??= { from: systemClock.now(), since: systemClock.monotonic() };
      regaining = regain().catch((error: unknown) => printNote(sanitize(`svcd: ${String(error)}`)));
    });
  };
  const resume = async (access: Access): Promise<boolean> => {
    try {
      ({ connection } = await lease(access, { resume: token, origins: options.origins }));
    } catch (error) {
      if (!isSvcdError(error, 'invalid_token')) return false;
      printNote(runWords().tokenEnded);
      endAbsence();
      return true;
    }
    if (signal.aborted) connection.destroy();
    isHeld = true;
    endAbsence();
    watch();
    return true;
  };
  /** Waits for a daemon at the same address, and starts one where nobody else does. */
  const regain = async (): Promise<void> => {
    const goneAt = performance.now();
    const say = once(printNote);
    for (let isStartable = true; !signal.aborted;) {
      const awayMs = performance.now() - goneAt;
      const running = await findRunningDaemon(home).catch(() => undefined);
      const problem = running === undefined ? undefined : findMismatch(running, url, remote);
      if (running !== undefined && problem === undefined) {
        if (await resume(running)) return say.again(runWords().isBack(url));
      } else if (problem !== undefined) {
        say(problem);
      } else {
        if (awayMs > QUIET_MS) say(runWords().isAway(url));
        if (isStartable && awayMs > (await patienceMs(home, started))) {
          isStartable = await startAgain();
          continue;
        }
      }
      await sleep(awayMs < HURRY_MS ? POLL_MS : SLOW_POLL_MS, { signal });
    }
  };
  /** Whether it may be tried again when it is gone once more. */
  const startAgain = async (): Promise<boolean> => {
    try {
      const again = await findOrStart(home, { port: new URL(url).port, ...remoteFlags(daemon.status) }, { keep });
      started ||= again.started;
      return true;
    } catch (error) {
      printNote(sanitize(runWords().notStartedAgain((error as Error).message)));
      return false;
    }
  };

  watch();
  return {
    name,
    url,
    token,
    end: async () => {
      // First: a daemon that ended before the command did is seen to be away only after a turn of the event loop.
      const report = isHeld ? await askReport(url, token, name).catch(() => undefined) : undefined;
      if (report === undefined) await sleep(0);
      over.abort();
      endAbsence();
      // Its token would count as that of another command, for which its own daemon then stays.
      if (keep !== undefined) await regaining;
      connection.destroy();
      return { report: report ?? readReport(home, name), away };
    },
  };
}

/**
 * How long after it went away a daemon is left to others: one that this command started and that was killed not at
 * all; one that somebody stopped is started again only by the command that had started it.
 */
async function patienceMs(home: string, started: boolean): Promise<number> {
  const pid = findRuntime(home)?.pid ?? null;
  if (pid === null) return started ? OTHERS_FIRST_MS : Infinity;
  if (isAlive(pid)) return Infinity;
  if (started) return 0;
  const { findService } = await import('../service/systems.js');
  const found = await findService(home).catch(() => undefined);
  return found?.installed === 'no' ? NOBODY_ELSE_MS : OTHERS_FIRST_MS;
}

/** Why a daemon on the home is not the one that the command may go on with. */
function findMismatch(
  running: Access & { readonly status: DaemonStatus },
  url: string,
  remote: string,
): string | undefined {
  if (running.url !== url) return runWords().otherAddress(running.url, url, new URL(url).port);
  const now = describeRemote(running.status);
  if (now === remote) return undefined;
  return runWords().otherRemote(now, remote);
}

/** What makes a daemon one of the same remote. */
export function remoteFlags({ remote }: DaemonStatus): Record<string, string | boolean> {
  const offline = remote.forced ? { offline: true } : {};
  if (remote.sandbox) return { sandbox: true, ...offline };
  return remote.address === null ? { sandbox: false } : { sandbox: false, remote: remote.address, ...offline };
}

/**
 * A token for the life of this process: leased by the first `reach`, and again, with what is left of its budget, from each daemon
 * that comes later. `reach` tells where svcd is, started if none runs; it throws like `findOrStart`, and `not_permitted`.
 */
export function lastingLease(home: string, options: LeaseOptions) {
  let first: { readonly token: string; readonly daemon: RunningDaemon } | undefined;
  type Held = Access & { readonly daemon: RunningDaemon; readonly connection: IncomingMessage };
  let held: Held | undefined;
  let finding: Promise<Held> | undefined;
  const find = async (): Promise<Held> => {
    const flags =
      first === undefined ? {} : { port: new URL(first.daemon.url).port, ...remoteFlags(first.daemon.status) };
    const { daemon } = await findOrStart(home, flags);
    const [now, before] = [describeRemote(daemon.status), describeRemote((first?.daemon ?? daemon).status)];
    if (now !== before) throw new SvcdError('not_permitted', runWords().otherRemote(now, before));
    const { token, connection } = await lease(daemon, first === undefined ? options : { resume: first.token });
    first ??= { token, daemon };
    held = { url: daemon.url, daemon, token, connection };
    return held;
  };
  // While the lease is open, so is the daemon that gave it.
  const reach = async (): Promise<Held> => {
    if (held?.connection.destroyed === false) return held;
    return (finding ??= find().finally(() => (finding = undefined)));
  };
  return {
    reach,
    /** A second token, of the same daemon alone, that may spend `total`. */
    beside: async (total: number) => {
      const { url, daemon } = await reach();
      const { token, connection } = await lease(daemon, { ...options, total });
      return { reach: async () => ({ url, token }), forget: () => void connection.destroy() };
    },
    forget: () => void held?.connection.destroy(),
  };
}

type Resuming = Pick<LeaseOptions, 'origins'> & { readonly resume: string };

/**
 * A token that svcd ends when the connection closes; the system closes that however this process ends, by kill -9 too.
 * Throws what svcd refuses, `timeout`, and `not_running` when it goes away.
 */
async function lease(daemon: Access, options: LeaseOptions | Resuming) {
  const answer = await send(daemon, 'POST', '/svcd/tokens/lease', jsonQuestion(options));
  if (answer.status !== 200) expectOk(await gather(answer));
  const connection = answer.body as IncomingMessage;
  connection.setTimeout(0);
  const { name, token } = JSON.parse(await firstLine(connection)) as { name: string; token: string };
  // Later lines only show that svcd still runs; an error is followed by "close".
  connection.on('error', () => undefined);
  connection.resume();
  return { name, token, connection };
}

function firstLine(answer: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const hear = (part: Buffer) => {
      text += part.toString();
      if (!text.includes('\n')) return;
      answer.off('data', hear);
      resolve(text.split('\n', 1)[0] ?? '');
    };
    answer.on('data', hear);
    // After the line, this is how a lease ends.
    answer.on('error', reject);
    answer.on('close', () => reject(new SvcdError('not_running', runWords().noToken)));
  });
}

async function askReport(url: string, token: string, name: string): Promise<Report> {
  const headers = { authorization: `Bearer ${token}` };
  const exchange = { method: 'GET', path: `/svcd/report?run=${name}`, headers, timeoutMs: REPORT_TIMEOUT_MS };
  return expectOk(await gather(await sendOverHttp(url, exchange))).json() as Report;
}

/** Says each line once; `again` says one more, if anything was said. */
function once(print: (line: string) => void) {
  const said = new Set<string>();
  const say = (line: string) => {
    if (!said.has(line)) print(line);
    said.add(line);
  };
  return Object.assign(say, { again: (line: string) => void (said.size > 0 && print(line)) });
}
