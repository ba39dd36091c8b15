// TLS in front of a remote that speaks plain HTTP, under a name of its own, with a certificate of an authority that nobody
// knows: as a company's own service, or a proxy that reads what passes through it, would show.

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { onTestFinished } from 'vitest';

/** A name that no resolver knows (RFC 6761): only a proxy can lead to it. */
const REMOTE_NAME = 'assets.test';

export interface Authority {
  /** File with its certificate. */
  readonly file: string;
  /** Of the server, for REMOTE_NAME, `localhost` and 127.0.0.1. */
  readonly key: string;
  readonly cert: string;
}

const OPENSSL = 'openssl';
let made: Authority | undefined;

/** An authority and a certificate by it, made once by openssl. */
export function makeAuthority(): Authority {
  if (made !== undefined) return made;
  const folder = mkdtempSync(join(tmpdir(), 'svcd-authority-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const run = (...args: string[]) => execFileSync(OPENSSL, args, { cwd: folder, stdio: 'pipe' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  run('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Nobody', '-days', '2');
  run('req', ...key, '-keyout', 'key.pem', '-out', 'server.csr', '-subj', `/CN=${REMOTE_NAME}`);
  writeFileSync(join(folder, 'names'), `subjectAltName=DNS:${REMOTE_NAME},DNS:localhost,IP:127.0.0.1\n`);
  const by = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'names'];
  run('x509', '-req', '-in', 'server.csr', ...by, '-out', 'cert.pem');
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  return (made = { file: join(folder, 'ca.pem'), key: read('key.pem'), cert: read('cert.pem') });
}

export interface TlsFront {
  readonly port: number;
  /** `https://assets.test:PORT`. */
  readonly url: string;
}

/** Passes on what is in the tunnel to the server at `url`, until the test ends. A reset behind it is a reset before it. */
export async function startTlsFront(url: string): Promise<TlsFront> {
  const { key, cert } = makeAuthority();
  const open = new Set<Socket>();
  const server = createServer({ key, cert }, (client) => {
    const behind = connect(Number(new URL(url).port), '127.0.0.1');
    for (const socket of [client, behind]) open.add(socket);
    client.pipe(behind);
    behind.pipe(client);
    client.on('error', () => behind.destroy()).on('close', () => behind.destroy());
    behind.on('error', () => {
      try {
        client.resetAndDestroy();
      } catch {
        // It was closing already.
        client.destroy();
      }
    });
  });
  server.on('connection', (socket: Socket) => void open.add(socket));
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `https://${REMOTE_NAME}:${port}` };
}
