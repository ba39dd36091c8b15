// A connection to the remote, ready for the first byte: TCP, and TLS where the address says https, through a proxy where one
// is set. Made here and not by undici, whose connect timeout is coarse by half a second and whose request begins with the
// connection, so that there would be no moment in which a purchase can be written down as sent.

import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, createSecureContext, type ConnectionOptions } from 'node:tls';
import { openTunnel } from './open-tunnel.js';
import { proxyError } from './proxy-error.js';

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
      : untilOpen(dialTcp(base), 'connect', signal);
  if (proxy === undefined) return dial;
  const url = new URL(proxy);
  const through = async (base: URL, signal: AbortSignal) => {
    const reached = await dial(url, signal).catch((cause: unknown) => {
      throw signal.aborted ? signal.reason : proxyError(url.origin, 'cannot be reached', cause);
    });
    const tunnel = await openTunnel(reached, { proxy: url, host: base.hostname, port: base.port || '443' }, signal);
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

function dialTcp(base: URL): Socket {
  return connectTcp({ host: hostOf(base), port: Number(base.port || 80), noDelay: true });
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
