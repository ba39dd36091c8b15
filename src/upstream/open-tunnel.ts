// A tunnel through a proxy: CONNECT on a connection to it, after which the bytes are the remote's (RFC 9110, 9.3.6). Nothing of
// a request for the remote is in it.

import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { proxyError } from './proxy-error.js';

export interface Tunnel {
  /** With user and password where it wants them. */
  readonly proxy: URL;
  /** Of the remote; the proxy resolves it. */
  readonly host: string;
  readonly port: string;
}

/** The same socket as the remote's; rejects with an SvcdError of the proxy, or with the signal's reason. */
export function openTunnel(socket: Socket, { proxy, host, port }: Tunnel, signal: AbortSignal): Promise<Socket> {
  const shown = proxy.origin;
  const target = `${host}:${port}`;
  return new Promise((resolve, reject) => {
    const end = (error: Error) => {
      signal.removeEventListener('abort', giveUp);
      socket.destroy();
      reject(error);
    };
    const giveUp = () => end(signal.reason as Error);
    signal.addEventListener('abort', giveUp);
    const asked = httpRequest({
      method: 'CONNECT',
      path: target,
      headers: { host: target, connection: 'keep-alive', 'proxy-connection': 'keep-alive', ...credentialsOf(proxy) },
      createConnection: () => socket,
    });
    asked.on('error', (cause) =>
      end(signal.aborted ? (signal.reason as Error) : proxyError(shown, 'did not open a tunnel', cause)),
    );
    asked.on('response', () => undefined);
    asked.on('connect', (answer, _socket, head: Buffer) => {
      const refusal = findRefusal(answer, target, proxy.username !== '' || proxy.password !== '');
      if (refusal !== undefined) return end(proxyError(shown, refusal));
      // The remote waits for our greeting: what comes before it is not the remote's.
      if (head.length > 0) return end(proxyError(shown, 'sent bytes of its own into the tunnel'));
      signal.removeEventListener('abort', giveUp);
      resolve(socket);
    });
    asked.end();
    if (signal.aborted) giveUp();
  });
}

/** What the proxy did in place of opening the tunnel; undefined where it opened it. */
function findRefusal({ statusCode = 0, headers }: IncomingMessage, target: string, named: boolean): string | undefined {
  if (statusCode >= 200 && statusCode < 300) return undefined;
  if (statusCode === 407) {
    const schemes = headers['proxy-authenticate'] ?? '';
    if (schemes !== '' && !/(^|,\s*)basic\b/i.test(schemes)) {
      return `wants another proof than a password (407 ${/^[\w-]*/.exec(schemes)?.[0]}); svcd knows Basic only`;
    }
    return named ? 'does not accept the user and password (407)' : 'wants a user and a password (407)';
  }
  if (statusCode >= 500) return `cannot reach ${target} (${statusCode})`;
  return `does not let svcd reach ${target} (${statusCode})`;
}

/** For the proxy alone; the remote sees nothing of it. */
function credentialsOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}
