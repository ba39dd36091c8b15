// A connection to the remote, ready for the first byte: TCP, and TLS where the address says https. Made here and not by
// undici, whose connect timeout is coarse by half a second and whose request begins with the connection, so that there
// would be no moment in which a purchase can be written down as sent.

import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** Opens a connection; rejects with the system's error, or with the signal's reason as soon as that aborts. */
export type OpenConnection = (base: URL, signal: AbortSignal) => Promise<Socket>;

/** Opens a TCP connection, or a TLS one whose certificate was verified. */
export const openConnection: OpenConnection = (base, signal) =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    const secure = base.protocol === 'https:';
    const socket = secure ? dialTls(base) : dialTcp(base);
    const giveUp = () => {
      socket.destroy();
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', giveUp);
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      signal.removeEventListener('abort', giveUp);
      resolve(socket);
    });
    // Stays for good: between here and the request nothing else listens, and an error must not end the process.
    socket.on('error', (error) => {
      signal.removeEventListener('abort', giveUp);
      reject(error);
    });
  });

function dialTcp(base: URL): Socket {
  return connectTcp({ host: hostOf(base), port: Number(base.port || 80), noDelay: true });
}

function dialTls(base: URL): Socket {
  const host = hostOf(base);
  return connectTls({
    host,
    port: Number(base.port || 443),
    ALPNProtocols: ['http/1.1'],
    ...(isIP(host) === 0 ? { servername: host } : {}),
  }).setNoDelay(true);
}

/** The host as the resolver wants it: an IPv6 address without its brackets. */
function hostOf(base: URL): string {
  return base.hostname.replace(/^\[|\]$/g, '');
}
