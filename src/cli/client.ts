// Asking svcd: the daemon on the home, or the same app in this process when none runs.

import { Readable } from 'node:stream';
import { loadConfig, findHome, type Config, type Flags } from '../config/config.js';
import { ERROR_CODES, SvcdError, isSvcdError, systemCode, type ErrorCode } from '../model/errors.js';
import { openLog, type Log } from '../platform/log.js';
import { answerOf, exchangeOverHttp, type Answer, type Question } from './http-exchange.js';
import { streamOverHttp, type StreamedAnswer } from './http-stream.js';
import { openUserKey } from './open-user-key.js';
import { note } from './output.js';
import { findRunningDaemon, type RunningDaemon } from './running-daemon.js';

export interface Client {
  /** Asks with the local token. Answers of any status come back; see `expectOk`. */
  request(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, question?: Question): Promise<Answer>;
  /** The same for what is too large for memory: the body is sent, and the answer read, piece by piece. */
  stream(method: 'GET' | 'POST', path: string, body?: Readable): Promise<StreamedAnswer>;
  close(): Promise<void>;
}

export interface ClientNeeds {
  readonly json: boolean;
  /** Whether the user's Key is needed, so that without a daemon the keychain is worth a look. */
  readonly spends: boolean;
}

const LINES = 'application/x-ndjson';
// An image may take minutes.
const TIMEOUT_MS = 10 * 60_000;
/** Two commands at once on one home wait for each other. */
const LOCK_WAIT_MS = 5000;

/** Opens a client of the home, does the work, and closes it whatever happens. */
export async function withClient<T>(
  flags: Flags,
  needs: ClientNeeds,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = await openClient(flags, needs);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/** The answer, if it is a success. Throws the refusal it holds otherwise. */
export function expectOk(answer: Answer): Answer {
  if (answer.status >= 200 && answer.status < 300) return answer;
  const { code, message, hint } = answer.json() as { code?: string; message?: string; hint?: string };
  const known = ERROR_CODES.find((one) => one === code) ?? codeOfStatus(answer.status);
  const told = message ?? `the answer was ${answer.status} ${code ?? ''}`.trim();
  throw new SvcdError(known, told, hint === undefined ? {} : { hint });
}

async function openClient(flags: Flags, needs: ClientNeeds): Promise<Client> {
  const home = await findHome(flags);
  const running = await findRunningDaemon(home);
  if (running !== undefined) return clientOf(running);
  try {
    return await openInProcess(flags, await loadConfig(flags), needs);
  } catch (error) {
    // Whoever held the home may be a daemon that was just starting.
    const started = isSvcdError(error, 'already_running') ? await findRunningDaemon(home) : undefined;
    if (started === undefined) throw error;
    return clientOf(started);
  }
}

function clientOf({ url, token }: RunningDaemon): Client {
  return {
    request: async (method, path, { body, headers } = {}) => {
      try {
        const asked = { ...headers, authorization: `Bearer ${token}` };
        return await exchangeOverHttp(url, { method, path, body, headers: asked, timeoutMs: TIMEOUT_MS });
      } catch (error) {
        throw isSvcdError(error) ? error : broken(url, error);
      }
    },
    stream: async (method, path, body) => {
      const headers = {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': LINES }),
      };
      try {
        return await streamOverHttp(url, { method, path, headers, body, timeoutMs: TIMEOUT_MS });
      } catch (error) {
        throw isSvcdError(error) ? error : broken(url, error);
      }
    },
    close: async () => undefined,
  };
}

async function openInProcess(flags: Flags, config: Config, { json, spends }: ClientNeeds): Promise<Client> {
  const keys = openUserKey(flags);
  if (spends && !config.sandbox) await keys.refresh(false);
  const { startDaemon } = await import('../daemon/daemon.js');
  const daemon = await startDaemon(config, {
    log: troubleLog(json),
    keys,
    listens: false,
    lockWaitMs: LOCK_WAIT_MS,
  });
  const { url, token } = daemon.info;
  const own = { host: url.slice('http://'.length), authorization: `Bearer ${token}` };
  return {
    request: async (method, path, { body, headers } = {}) => {
      const asked = new Request(url + path, {
        method,
        headers: { ...headers, ...own },
        ...(body === undefined ? {} : { body }),
      });
      const answer = await daemon.fetch(asked);
      const header = (name: string) => answer.headers.get(name) ?? undefined;
      return answerOf(answer.status, header, new Uint8Array(await answer.arrayBuffer()));
    },
    stream: async (method, path, body) => {
      const lines = body === undefined ? {} : { body: Readable.toWeb(body) as ReadableStream<Uint8Array> };
      const headers = { ...own, ...(body !== undefined && { 'content-type': LINES }) };
      // A body that is not whole yet can only be sent before the answer begins.
      const init = { method, headers, ...lines, duplex: 'half' } as RequestInit;
      const { status, body: answer } = await daemon.fetch(new Request(url + path, init));
      return { status, body: answer === null ? Readable.from([]) : Readable.fromWeb(answer) };
    },
    close: () => daemon.close(),
  };
}

/** In a command that answers and ends, only trouble is worth a line. */
function troubleLog(json: boolean): Log {
  return { ...openLog(note, { json }), info: () => undefined };
}

/** Codes of the remote that are not ours are told by their status. */
function codeOfStatus(status: number): ErrorCode {
  if (status === 401 || status === 403) return 'invalid_key';
  if (status === 404) return 'not_found';
  return status < 500 ? 'invalid_request' : 'upstream_failure';
}

function broken(url: string, cause: unknown): SvcdError {
  const code = systemCode(cause) ?? 'unknown';
  return new SvcdError('not_running', `the daemon at ${url} went away before it answered (${code})`, {
    cause,
    hint: 'Start it with "svcd start", and ask again.',
  });
}
