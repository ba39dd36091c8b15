// A machine without svcd on it: it joins a hub by a code and asks it over TLS, as a sidecar does.

import { request as httpsRequest } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { X509Certificate } from 'node:crypto';
import type { InviteAnswer, JoinAnswer } from '../../src/api/hub.js';
import { readCode } from '../../src/hub/register/invite-code.js';
import { pinOf } from '../../src/hub/register/identity.js';
import type { StartedSandbox } from '../sandbox/start-sandbox.js';
import type { StartedDaemon } from './start-daemon.js';
import { startPair, type PairOptions } from './start-pair.js';

export interface MachineAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly protocol: string | null;
}

export interface MachineRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | object;
  /** Of the certificate, which must be this one. */
  readonly pin?: string;
}

/** One request over TLS on a connection of its own. Rejects where the certificate is another. */
export function askHub(url: string, path: string, options: MachineRequest = {}): Promise<MachineAnswer> {
  const { method = 'GET', headers = {}, body, pin } = options;
  const json = typeof body === 'object' ? { 'Content-Type': 'application/json' } : {};
  return new Promise((resolve, reject) => {
    const asked = httpsRequest(
      new URL(path, url),
      { method, headers: { ...json, ...headers }, agent: false, rejectUnauthorized: false },
      (answer) => {
        let text = '';
        const protocol = (answer.socket as TLSSocket).getProtocol();
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.on('end', () => {
          const told = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
          const { statusCode: status = 0 } = answer;
          resolve({ status, headers: Object.fromEntries(told) as Record<string, string>, text, protocol });
        });
      },
    );
    asked.on('secureConnect', () => undefined).on('error', reject);
    asked.on('socket', (socket) =>
      socket.once('secureConnect', () => {
        const raw = (socket as TLSSocket).getPeerX509Certificate()?.raw;
        if (pin !== undefined && (raw === undefined || pinOf(new X509Certificate(raw)) !== pin)) {
          asked.destroy(new Error('another certificate'));
        }
      }),
    );
    asked.end(typeof body === 'object' ? JSON.stringify(body) : body);
  });
}

export interface StartedHub extends StartedDaemon {
  /** The service. */
  readonly remote: StartedSandbox;
  /** Where machines come in. */
  readonly machinesUrl: string;
  readonly invite: (body?: object) => Promise<InviteAnswer>;
  /** A machine that joined by an invite like this. */
  readonly machine: (body?: object, name?: string) => Promise<Machine>;
}

export interface Machine {
  readonly joined: JoinAnswer;
  readonly ask: (path: string, options?: MachineRequest) => Promise<MachineAnswer>;
  /** Downloads a sticker, on no terms but these headers; never a default. */
  readonly get: (preset: string, headers?: Readonly<Record<string, string>>) => Promise<MachineAnswer>;
}

/** A hub in front of a sandbox that runs beside it. */
export async function startHub({ flags = {}, ...options }: PairOptions = {}): Promise<StartedHub> {
  const { svcd: daemon, remote } = await startPair({ ...options, flags: { 'hub-listen': '127.0.0.1:0', ...flags } });
  const machinesUrl = daemon.daemon.info.hub?.url ?? '';
  const invite = async (body: object = {}) => {
    const answer = await daemon.post('/svcd/hub/invites', { projects: ['promo'], ...body });
    if (answer.status !== 201) throw new Error(await answer.text());
    return (await answer.json()) as InviteAnswer;
  };
  const machine = async (body: object = {}, name = 'render-1') => {
    const { secret, pin, addresses } = readCode((await invite(body)).code);
    const url = addresses[0] ?? '';
    const answer = await askHub(url, '/svcd/hub/join', { method: 'POST', body: { secret, machine_name: name }, pin });
    if (answer.status !== 201) throw new Error(answer.text);
    return machineOf(url, JSON.parse(answer.text) as JoinAnswer);
  };
  return { ...daemon, remote, machinesUrl, invite, machine };
}

export function machineOf(url: string, joined: JoinAnswer): Machine {
  const ask: Machine['ask'] = (path, options = {}) => {
    const headers = { Authorization: `Bearer ${joined.token}`, ...options.headers };
    return askHub(url, path, { ...options, headers, pin: joined.pin });
  };
  const get: Machine['get'] = (preset, headers = {}) =>
    ask(`/api/v1/stickers/${encodeURIComponent(preset)}`, { headers: { 'X-Svcd-Fallback': 'off', ...headers } });
  return { joined, ask, get };
}

/** Code and sentence of a refusal. */
export function refusalIn({ status, text }: Pick<MachineAnswer, 'status' | 'text'>) {
  return { status, ...(JSON.parse(text) as { code: string; message: string; hint?: string }) };
}
