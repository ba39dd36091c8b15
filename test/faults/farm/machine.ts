// A machine without a daemon: what a sidecar says to a hub, over TLS, and nothing else. Hundreds of them fit into one test.

import { createHash, randomUUID, X509Certificate } from 'node:crypto';
import { Agent, request } from 'node:https';
import type { TLSSocket } from 'node:tls';
import type { JoinAnswer } from '../../../src/api/hub.js';
import type { Membership } from '../../../src/config/membership.js';
import { readCode } from '../../../src/hub/register/invite-code.js';
import { stickerPath } from '../../../src/model/sticker.js';

export interface Given {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
}

export interface Asking {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs?: number;
}

export interface Machine {
  readonly token: string;
  readonly id: number;
  /** Rejects when the connection ends before the answer does. */
  call(path: string, asking?: Asking): Promise<Given>;
  /** A sticker, as a sidecar asks for it; `requestId` for the same wish once more. */
  ask(preset: string, options?: AskOptions): Promise<Given>;
  close(): void;
}

export interface AskOptions {
  readonly requestId?: string;
  readonly deadlineMs?: number;
  readonly allowRepay?: boolean;
  readonly project?: string;
  readonly timeoutMs?: number;
}

const PATIENCE_MS = 120_000;

/** Lets a machine in by the code of an invite. `addresses`: in place of those of the code, such as a proxy's. */
export async function joinMachine(code: string, name: string, addresses?: readonly string[]): Promise<Machine> {
  const line = openLine(addresses?.[0] ?? readCode(code).addresses[0] ?? '', readCode(code).pin);
  const { token, machine } = await letIn(line, code, name);
  return machineAt(line, token, machine.id);
}

/** What `svcd join` writes into a home, without its process. */
export async function membershipFor(code: string, name: string): Promise<Membership> {
  const { addresses, pin } = readCode(code);
  const line = openLine(addresses[0] ?? '', pin);
  const { sandbox, ...told } = await letIn(line, code, name);
  line.agent.destroy();
  return { ...told, hub_sandbox: sandbox, user: null, joined_at: new Date().toISOString() };
}

async function letIn(line: Line, code: string, name: string): Promise<JoinAnswer> {
  const answer = await line.call('/svcd/hub/join', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ secret: readCode(code).secret, machine_name: name }),
  });
  if (answer.status !== 201) throw new Error(`${name} could not join: ${answer.status} ${answer.bytes.toString()}`);
  return JSON.parse(answer.bytes.toString()) as JoinAnswer;
}

/** The same machine at another hub. */
export function machineWith(code: string, address: string, { token, id }: Pick<Machine, 'token' | 'id'>): Machine {
  return machineAt(openLine(address, readCode(code).pin), token, id);
}

function machineAt(line: Line, token: string, id: number): Machine {
  const call: Machine['call'] = (path, asking = {}) =>
    line.call(path, { ...asking, headers: { Authorization: `Bearer ${token}`, ...asking.headers } });
  return {
    token,
    id,
    call,
    ask: (preset, { requestId = randomUUID(), deadlineMs, allowRepay = false, project, timeoutMs } = {}) =>
      call(stickerPath(preset), {
        ...(timeoutMs !== undefined && { timeoutMs }),
        headers: {
          'X-Svcd-Request-Id': requestId,
          'X-Svcd-Fallback': 'off',
          ...(deadlineMs !== undefined && { 'X-Svcd-Deadline-Ms': String(deadlineMs) }),
          ...(allowRepay && { 'X-Svcd-Allow-Repay': '1' }),
          ...(project !== undefined && { 'X-Svcd-Project': project }),
        },
      }),
    close: () => line.agent.destroy(),
  };
}

interface Line {
  readonly agent: Agent;
  call(path: string, asking: Asking): Promise<Given>;
}

function openLine(address: string, pin: string): Line {
  // The name is none that a certificate speaks for: the key is what counts.
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false, minVersion: 'TLSv1.3' });
  return {
    agent,
    call: function call(path, asking): Promise<Given> {
      const { method = 'GET', headers = {}, body, timeoutMs = PATIENCE_MS } = asking;
      return new Promise((resolve, reject) => {
        const asked = request(new URL(path, address), { agent, method, headers, timeout: timeoutMs });
        asked.on('socket', (socket) => {
          const check = () => {
            const { raw } = (socket as TLSSocket).getPeerCertificate();
            if (raw !== undefined && pinOf(raw) !== pin) socket.destroy(new Error('this is another hub'));
          };
          if ((socket as TLSSocket).encrypted && !socket.connecting) check();
          else socket.once('secureConnect', check);
        });
        asked.on('response', (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const { statusCode: status = 0, headers: told } = response;
            resolve({ status, headers: told, bytes: Buffer.concat(chunks) });
          });
        });
        asked.on('timeout', () => asked.destroy(new Error('no answer')));
        asked.on('error', (error) => {
          // The hub closed a kept connection just then; a request to a hub may always be repeated.
          if (asked.reusedSocket && isReset(error)) resolve(call(path, asking));
          else reject(error);
        });
        asked.end(body);
      });
    },
  };
}

function isReset(error: Error): boolean {
  return 'code' in error && error.code === 'ECONNRESET';
}

function pinOf(certificate: Buffer): string {
  const { publicKey } = new X509Certificate(certificate);
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
}

/** Whether it is the true thing, and the hub keeps it. */
export function isTrue({ status, headers }: Given): boolean {
  return status === 200 && ['remote', 'owned'].includes(String(headers['x-svcd-source']));
}

/** The same as `fetch` gives it. */
export function asResponse({ status, headers, bytes }: Given): Response {
  const told = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  );
  return new Response(status === 204 || status === 304 ? null : new Uint8Array(bytes), { status, headers: told });
}
