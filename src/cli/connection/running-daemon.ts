// The daemon that runs on a home, if one does, and questions to it.

import { join } from 'node:path';
import type { DaemonStatus } from '../../api/answers.js';
import { loadConfig } from '../../config/config.js';
import { SANDBOX } from '../../config/last-used.js';
import { chooseRemote } from '../../config/remote-choice.js';
import { isItself } from '../../client/is-itself.js';
import { ERROR_CODES, type ErrorCode, isSvcdError, SvcdError, systemCode } from '../../model/errors.js';
import { isStopped } from '../../platform/files/find-process.js';
import { findLiving, findRuntime } from '../../platform/files/runtime-file.js';
import { sleep } from '../../platform/sleep.js';
import { sanitize } from '../terminal/format.js';
import { type Answer, type Exchange, gather, sendOverHttp, type StreamedAnswer } from './http-exchange.js';
import { noteOtherVersion } from './other-version.js';
import { findLost } from './silent-daemon.js';
import { connectionWords } from './words.js';

/** Where to ask, and the token to ask with. */
export interface Access {
  readonly url: string;
  readonly token: string;
}

export interface RunningDaemon extends Access {
  readonly pid: number;
  /** Its answer to the check of its identity. */
  readonly status: DaemonStatus;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Question = Pick<Exchange, 'headers' | 'body' | 'agent'>;

export const JSON_TYPE = { 'content-type': 'application/json' };

const PING_TIMEOUT_MS = 10_000;
// An image may take minutes.
const TIMEOUT_MS = 10 * 60_000;

// A connection that makes way for others is closed without an answer; the next one may be luckier.
const TRIES = 5;
const AGAIN_AFTER_MS = 100;

/**
 * The daemon on this home; undefined when none runs, even if runtime.json names one. Throws `timeout` when one runs
 * and does not answer, at once when it is paused, `busy` when it closes every connection without an answer.
 */
export async function findRunningDaemon(home: string, timeoutMs = PING_TIMEOUT_MS): Promise<RunningDaemon | undefined> {
  const living = findLiving(home);
  if (living === undefined) return undefined;
  const { pid, url, token } = living;
  if (isStopped(pid)) {
    throw new SvcdError('timeout', connectionWords().isPaused(pid), { hint: connectionWords().isPausedHint(pid) });
  }
  const status = await findStatus(url, '/svcd/status', 'svcd', timeoutMs);
  return status && isItself(status, pid) ? { url, pid, token, status: status as DaemonStatus } : undefined;
}

/** The same. Throws `not_running` when there is none. */
export async function getRunningDaemon(home: string): Promise<RunningDaemon> {
  const running = await findRunningDaemon(home);
  if (running !== undefined) {
    noteOtherVersion(running.status);
    return running;
  }
  const lost = findLost(home);
  if (lost !== undefined) {
    throw new SvcdError('not_running', connectionWords().isLost(lost, join(home, 'runtime.json')), {
      hint: connectionWords().isLostHint,
    });
  }
  // That it does not run is the answer, whatever the settings are like.
  const choice = await chooseRemote({ home }).catch(() => undefined);
  const words = connectionWords();
  const { hub } = findRuntime(home) ?? {};
  const hint = hub === undefined ? words.startIt(choice?.remote === SANDBOX) : words.startHub(sanitize(hub.url));
  throw new SvcdError('not_running', words.doesNotRun(home), { hint });
}

/**
 * The public status of a server at this address that calls itself `name`, if there is one. Asked without a token:
 * another program may have the port now, and must not learn the token. Throws `timeout` and `busy`.
 */
export async function findStatus(
  url: string,
  path: string,
  name: string,
  timeoutMs = PING_TIMEOUT_MS,
): Promise<{ readonly name?: string; readonly pid?: number } | undefined> {
  for (let tries = 1; ; tries++) {
    try {
      const status = (await readPublic(url, path, timeoutMs)) as { name?: string; pid?: number } | null;
      return status?.name === name ? status : undefined;
    } catch (error) {
      if (isSvcdError(error, 'timeout')) throw error;
      // Connection refused, or a program that does not speak HTTP and JSON.
      if (!CUT_OFF.has(systemCode(error) ?? '')) return undefined;
      if (tries === TRIES) throw tooBusy(name, url, error);
      await sleep(AGAIN_AFTER_MS);
    }
  }
}

/** A server is there, and ended the connection. */
const CUT_OFF: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

function tooBusy(name: string, url: string, cause: unknown): SvcdError {
  const words = connectionWords();
  return new SvcdError('busy', words.tooBusy(name, url, TRIES), { cause, hint: words.tooBusyHint });
}

/** The JSON of a public page. Throws the refusal, `timeout`, and the system's error when the connection fails. */
async function readPublic(url: string, path: string, timeoutMs = PING_TIMEOUT_MS): Promise<unknown> {
  const exchange = { method: 'GET', path, timeoutMs };
  return expectOk(await gather(await sendOverHttp(url, exchange))).json();
}

/** Sends a request with the token. Throws `timeout` and `not_running`; so does the body, when the daemon goes away. */
export async function send(
  { url, token }: Access,
  method: Method,
  path: string,
  question: Question = {},
): Promise<StreamedAnswer> {
  const headers = { ...question.headers, authorization: `Bearer ${token}` };
  try {
    const answer = await sendOverHttp(url, { ...question, method, path, headers, timeoutMs: TIMEOUT_MS });
    const destroy = answer.body.destroy.bind(answer.body);
    // Node.js ends the body so, with an error of its own, when the connection is gone before the whole of it has come.
    answer.body.destroy = (error) => destroy(error && asGone(error, (code) => connectionWords().wentAway(url, code)));
    return answer;
  } catch (error) {
    throw asGone(error, (code) => connectionWords().closedUnanswered(url, code));
  }
}

function asGone(cause: unknown, inWords: (code: string) => string): SvcdError {
  if (isSvcdError(cause)) return cause;
  const hint = connectionWords().askAgain;
  return new SvcdError('not_running', inWords(systemCode(cause) ?? 'unknown'), { cause, hint });
}

/** Asks with the token and returns the JSON of the answer. Throws the refusal, `timeout` and `not_running`. */
export async function askDaemon<T>(access: Access, method: Method, path: string, body?: object): Promise<T> {
  return expectOk(await gather(await send(access, method, path, jsonQuestion(body)))).json() as T;
}

/** Whether the home is set to be a hub, or one runs on it that was started so by its options alone. */
export async function isHub(home: string): Promise<boolean> {
  if ((await loadConfig({ home })).hubListen !== undefined) return true;
  const running = await findRunningDaemon(home);
  if (running === undefined) return false;
  return askDaemon(running, 'GET', '/svcd/hub/status').then(
    () => true,
    () => false,
  );
}

/** A body as JSON; fields that are undefined are left out. */
export function jsonQuestion(body: object | undefined): Question {
  return body === undefined ? {} : { body: JSON.stringify(body), headers: JSON_TYPE };
}

/** The answer, if it is a success. Throws the refusal it holds otherwise. */
export function expectOk(answer: Answer): Answer {
  if (answer.status >= 200 && answer.status < 300) return answer;
  const { code, message, hint } = answer.json() as { code?: string; message?: string; hint?: string };
  const known = ERROR_CODES.find((one) => one === code) ?? codeOfStatus(answer.status);
  const words = message ?? connectionWords().answerWas(answer.status, code ?? '');
  throw new SvcdError(known, words, { hint });
}

/** `the sandbox`, the remote's address, or that there is none: each has purchases and budgets of its own. */
export function describeRemote({ remote }: DaemonStatus): string {
  const { sandbox, none } = connectionWords().remotes;
  return remote.sandbox ? sandbox : sanitize(remote.address ?? none);
}

/** The same for programs: `sandbox`, the address, or `none`. */
export function remoteOf({ remote }: DaemonStatus): string {
  return remote.sandbox ? SANDBOX : (remote.address ?? 'none');
}

/** The remote has codes that svcd does not; their status tells what they mean. */
function codeOfStatus(status: number): ErrorCode {
  if (status === 401 || status === 403) return 'invalid_key';
  if (status === 404) return 'not_found';
  return status < 500 ? 'invalid_request' : 'upstream_failure';
}
