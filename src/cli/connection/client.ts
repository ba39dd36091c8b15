// Questions to svcd: to the daemon on the home, or to the same app in this process when none runs.

import { existsSync } from 'node:fs';
import { Agent } from 'node:http';
import { Readable } from 'node:stream';
import type { DaemonStatus } from '../../api/answers.js';
import { loadConfig } from '../../config/config.js';
import { tokenOfRun } from '../../config/environment.js';
import { chooseRemote, describeChange } from '../../config/remote-choice.js';
import { isSvcdError, systemCode } from '../../model/errors.js';
import { type Answer, gather, type StreamedAnswer } from './http-exchange.js';
import { openCommandLog } from './daemon-log.js';
import { EXIT_CODE_OF, onStopSignal } from '../terminal/exit-codes.js';
import { homeOption } from '../terminal/format.js';
import { watchStart } from '../terminal/progress.js';
import type { Input } from '../terminal/input.js';
import { noteOtherVersion } from './other-version.js';
import { printNote } from '../terminal/output.js';
import {
  type Access,
  expectOk,
  findRunningDaemon,
  jsonQuestion,
  type Method,
  type Question,
  type RunningDaemon,
  send,
} from './running-daemon.js';
import { openUserKey } from '../access/user-key.js';
import { connectionWords } from './words.js';
import { errorWords } from '../terminal/error-words.js';

/** What a daemon and the app in this process have in common; both are asked with the local token. */
interface Transport {
  /** An answer of any status, to be read piece by piece; the body may be a stream, too. */
  stream(method: Method, path: string, question?: Question): Promise<StreamedAnswer>;
  close(): Promise<void>;
}

export interface Client extends Transport {
  /** An answer of any status. */
  request(method: Method, path: string, question?: Question): Promise<Answer>;
  /** The JSON of an answer that is a success. Throws the refusal otherwise. */
  ask<T>(method: Method, path: string, body?: object): Promise<T>;
  /** GET /svcd/status; the check of a daemon's identity has asked for it already. */
  status(): Promise<DaemonStatus>;
}

type Needs = Pick<Input, 'home' | 'json'> & {
  /** Told whether the sandbox answers. */
  readonly answeredBy?: Input['answeredBy'];
  /** Whether the user's Key is needed, so that without a daemon the keychain is asked. */
  readonly spends?: boolean;
};

/** What may be bought by. */
const BUYS = /^\/(?:api\/v1\/(?:stickers\/(?!search)|images)|svcd\/(?:prefetch|purchases\/\d+\/retry))/;
/** Two commands at once on one home wait for each other. */
const LOCK_WAIT_MS = 5000;
/** Longer than the longest that a sticker's answer is read. */
const PURCHASE_WAIT_MS = 90_000;
/** For the command to put out what came after all. */
const ANSWER_WAIT_MS = 1000;

/** Opens a client of the home, does the work, and closes the client. */
export async function withClient<T>(needs: Needs, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await openClient(needs);
  try {
    return await work(client);
  } catch (error) {
    throw needs.answeredBy?.sandbox === true ? asSandboxError(error) : error;
  } finally {
    await client.close();
  }
}

/** The same refusal, telling a person that no real service said it. */
function asSandboxError(error: unknown): unknown {
  if (!isSvcdError(error) || error.code === 'invalid_argument') return error;
  return error.with({ hint: [error.hint ?? [], connectionWords().thisIsSandbox].flat().join('\n') });
}

async function openClient(needs: Needs): Promise<Client> {
  const home = await needs.home();
  const running = await findRunningDaemon(home);
  if (running !== undefined) return clientOf(running, needs);
  try {
    return createClient(await openInProcess(home, needs));
  } catch (error) {
    // The process that holds the home may be a daemon that was just starting.
    const started = isSvcdError(error, 'already_running') ? await findRunningDaemon(home) : undefined;
    if (started === undefined) throw error;
    return clientOf(started, needs);
  }
}

function clientOf(running: RunningDaemon, { answeredBy }: Needs): Client {
  if (answeredBy !== undefined) answeredBy.sandbox = running.status.remote.sandbox;
  noteOtherVersion(running.status);
  // In a command of `svcd run` its own token pays: within its budget, and told in its report.
  const run = tokenOfRun(running.url);
  const payer = run === undefined ? running : { url: running.url, token: run };
  const stream: Transport['stream'] = (method, path, question) =>
    send(BUYS.test(path) ? payer : running, method, path, question);
  return createClient({ stream, close: async () => undefined }, running.status);
}

/** A client of whichever daemon `reach` gives for each request; one of which nothing left is sent once more. */
export function clientOfMany({ reach, forget }: { reach: () => Promise<Access>; forget: () => void }): Client {
  const agent = new Agent({ keepAlive: true });
  const stream: Transport['stream'] = async (method, path, asked) => {
    const question = [method, path, { ...asked, ...(method === 'GET' && !BUYS.test(path) && { agent }) }] as const;
    try {
      return await send(await reach(), ...question);
    } catch (error) {
      if (!isSvcdError(error, 'not_running') || systemCode(error.cause) !== 'ECONNREFUSED') throw error;
      forget();
      return send(await reach(), ...question);
    }
  };
  return createClient({ stream, close: async () => undefined });
}

function createClient(transport: Transport, status?: DaemonStatus): Client {
  const request: Client['request'] = async (method, path, question) =>
    gather(await transport.stream(method, path, question));
  const ask = async <T>(method: Method, path: string, body?: object) =>
    expectOk(await request(method, path, jsonQuestion(body))).json() as T;
  return { ...transport, request, ask, status: async () => status ?? ask('GET', '/svcd/status') };
}

async function openInProcess(home: string, { json, spends = false, answeredBy }: Needs): Promise<Transport> {
  // A name that was mistyped would be an empty home without a word.
  const isNew = homeOption() !== '' && !existsSync(home);
  const settings = await loadConfig({ home });
  // The command waits for what it sent before it ends, so its answer may as well be what came of it.
  const config = spends ? { ...settings, deadlineMs: Math.max(settings.deadlineMs, PURCHASE_WAIT_MS) } : settings;
  const commandLog = openCommandLog(json);
  const { log } = commandLog;
  describeChange(await chooseRemote({ home }))
    .map(errorWords().translated)
    .forEach((line) => log.warn(line));
  const keys = openUserKey({ home }, config.remote);
  if (answeredBy !== undefined) answeredBy.sandbox = config.sandbox;
  if (spends && !config.sandbox) await keys.refresh(false);
  const { startDaemon } = await import('../../daemon/daemon.js');
  const { watch, end } = watchStart(json);
  const daemon = await startDaemon(config, {
    log,
    watcher: commandLog,
    watch,
    keys,
    listens: false,
    lockWaitMs: LOCK_WAIT_MS,
  }).finally(end);
  if (isNew && !json) printNote(connectionWords().newHome(home));
  const { url, token } = daemon.info;
  const stopListening = onStopSignal(() => {
    printNote(connectionWords().interrupted);
    process.exitCode = EXIT_CODE_OF.interrupted;
    void daemon.close().finally(() => setTimeout(() => process.exit(EXIT_CODE_OF.interrupted), ANSWER_WAIT_MS).unref());
  });
  const own = { host: url.slice('http://'.length), authorization: `Bearer ${token}` };
  return {
    stream: async (method, path, { headers, body } = {}) => {
      const sent = body instanceof Readable ? Readable.toWeb(body) : body;
      // Without `duplex` a body that is a stream is refused.
      const init = { method, headers: { ...headers, ...own }, body: sent, duplex: 'half' } as RequestInit;
      const answer = await daemon.fetch(new Request(url + path, init));
      return {
        status: answer.status,
        header: (name) => answer.headers.get(name) ?? undefined,
        body: answer.body === null ? Readable.from([]) : Readable.fromWeb(answer.body),
      };
    },
    close: async () => {
      await daemon.close();
      stopListening();
    },
  };
}
