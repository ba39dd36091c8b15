// A connection to the remote, ready for the first byte: TCP, and TLS where the address says https, through a proxy where one
// is set. Made here and not by undici, whose connect timeout is coarse by half a second and whose request begins with the
// connection, so that there would be no moment in which a purchase can be written down as sent.

import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, createSecureContext, type ConnectionOptions } from 'node:tls';
import { proxyError } from './exchange-error.js';

/** Opens a connection; rejects with the system's error, with an SvcdError of the proxy, or with the signal's reason as soon as that aborts. */
export interface OpenConnection {
  (base: URL, signal: AbortSignal): Promise<Socket>;
  /** The proxy it goes through, as it may be shown. */
  readonly proxy?: string | undefined;
}

/** How the remote is reached. */
export interface Way {
  /** Address of a proxy, with user and password where it wants them. */
  readonly proxy?: string | undefined;
  /** All the certificates of authorities to trust, in place of those that Node.js trusts. */
  readonly certificates?: readonly string[] | undefined;
}

/**
 * What opens TCP connections, or TLS ones whose certificate was verified. Through a proxy nothing but the name and port of the
 * remote, and the proxy's own password, leave before the tunnel is open and the remote has shown its certificate.
 */
export function createConnector({ proxy, certificates }: Way = {}): OpenConnection {
  const trust = certificates && { secureContext: createSecureContext({ ca: [...certificates] }) };
  const dial = (base: URL, signal: AbortSignal) =>
    base.protocol === 'https:'
      ? untilOpen(
          dialTls(base, { host: hostOf(base), port: Number(base.port || 443), ...trust }),
          'secureConnect',
          signal,
        )
      : untilOpen(connectTcp({ host: hostOf(base), port: Number(base.port || 80), noDelay: true }), 'connect', signal);
  if (proxy === undefined) return dial;
  const url = new URL(proxy);
  const through = async (base: URL, signal: AbortSignal) => {
    const reached = await dial(url, signal).catch((cause: unknown) => {
      throw signal.aborted ? signal.reason : proxyError(url.origin, 'cannot be reached', cause);
    });
    const tunnel = await openTunnel(reached, url, base, signal);
    const secured = dialTls(base, { socket: tunnel, ...trust });
    secured.once('close', () => tunnel.destroy());
    return untilOpen(secured, 'secureConnect', signal);
  };
  return Object.assign(through, { proxy: url.origin });
}

/** A direct one, which trusts whom Node.js trusts. */
export const openConnection: OpenConnection = createConnector();

function untilOpen(socket: Socket, opened: 'connect' | 'secureConnect', signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      socket.destroy();
      reject(signal.reason as Error);
    };
    // Stays for good: between here and the request nothing else listens, and an error must not end the process.
    socket.on('error', (error) => {
      signal.removeEventListener('abort', giveUp);
      reject(error);
    });
    if (signal.aborted) return giveUp();
    signal.addEventListener('abort', giveUp);
    socket.once(opened, () => {
      signal.removeEventListener('abort', giveUp);
      resolve(socket);
    });
  });
}

function dialTls(base: URL, options: ConnectionOptions): Socket {
  const host = hostOf(base);
  return connectTls({
    // Also where the socket is there already: it is the name that the certificate must have.
    host,
    ALPNProtocols: ['http/1.1'],
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...options,
  }).setNoDelay(true);
}

/** The host as the resolver wants it: an IPv6 address without its brackets. */
function hostOf(base: URL): string {
  return base.hostname.replace(/^\[|\]$/g, '');
}

/**
 * A tunnel to the remote: CONNECT on a connection to the proxy, after which the bytes are the remote's (RFC 9110, 9.3.6). Nothing
 * of a request for the remote is in it, and the proxy resolves its name. Rejects with an SvcdError of the proxy, or with the
 * signal's reason.
 */
function openTunnel(socket: Socket, proxy: URL, base: URL, signal: AbortSignal): Promise<Socket> {
  const shown = proxy.origin;
  const target = `${base.hostname}:${base.port || '443'}`;
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
