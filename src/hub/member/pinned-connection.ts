// A connection to a hub: TLS 1.3 with whoever holds the private key of the certificate that this machine joined, named by the
// digest of its public key. No authority is asked, so a hub needs none, and none can stand in for it.

import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { SvcdError } from '../../model/errors.js';
import { pinOf } from '../register/identity.js';

/** Rejects with the system's error, with `hub_certificate_changed`, or with the signal's reason as soon as that aborts. */
export function connectPinned(address: string, pin: string, signal: AbortSignal): Promise<TLSSocket> {
  const base = new URL(address);
  const host = base.hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    const socket = connect({
      host,
      port: Number(base.port || 443),
      minVersion: 'TLSv1.3',
      ALPNProtocols: ['http/1.1'],
      // The pin is stricter than any authority.
      rejectUnauthorized: false,
      ...(isIP(host) === 0 ? { servername: host } : {}),
    });
    socket.setNoDelay(true);
    const giveUp = () => fail(signal.reason as Error);
    const fail = (error: Error) => {
      signal.removeEventListener('abort', giveUp);
      socket.destroy();
      reject(error);
    };
    // Stays for good: an error while nobody asks must not end the process.
    socket.on('error', fail);
    signal.addEventListener('abort', giveUp);
    socket.once('close', () => fail(new Error('closed')));
    socket.once('secureConnect', () => {
      signal.removeEventListener('abort', giveUp);
      const certificate = socket.getPeerX509Certificate();
      if (certificate !== undefined && pinOf(certificate) === pin) resolve(socket);
      else fail(certificateError(address));
    });
  });
}

/** None of a hub's addresses answers; `why` is for people. */
export function hubAwayError(why: string, cause?: unknown): SvcdError {
  return new SvcdError('offline', `the hub cannot be reached (${why})`, { cause });
}

/** What answers there is not the hub that this machine joined, or it has a new certificate: not one byte was sent. */
function certificateError(address: string): SvcdError {
  return new SvcdError(
    'hub_certificate_changed',
    `the hub at ${address} shows another certificate than the one this machine joined; nothing was sent to it`,
    {
      hint: 'Ask who looks after the hub. If it has a new certificate: "svcd hub leave", then "svcd hub join CODE" with a new code.',
    },
  );
}
