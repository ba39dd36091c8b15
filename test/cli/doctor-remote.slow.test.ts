// svcd doctor, by breaking the way to the remote, the Key, the keychain and the clock.

import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { describe, onTestFinished } from 'vitest';
import { startSecretService } from '../keyring/secret-service.js';
import { startSandbox } from '../sandbox/start-sandbox.js';
import type { BrokenPlace } from '../support/break-home.js';
import { type Breakage, inEnvironment, must, testBreakages } from '../support/breakages.js';
import { hasProgram, type Need, SECRET_SERVICE } from '../support/requires.js';
import { makeAuthority, startTlsFront } from '../support/tls-front.js';

const OPENSSL: Need = {
  isMet: () => hasProgram('openssl'),
  advice: 'install openssl (Debian: apt-get install openssl)',
};

/** A remote that answers so; the right one is what a person would name. */
const remoteThat = (listener: RequestListener) => async (place: BrokenPlace) => {
  const server = createServer(listener);
  place.config({ remote: `http://127.0.0.1:${await portOf(server)}` });
  place.blanks['ADDRESS'] = (await startSandbox()).url;
};

const remoteAt = (remote: string) => async (place: BrokenPlace) => {
  place.config({ remote });
  place.blanks['ADDRESS'] = (await startSandbox()).url;
};

const BREAKAGES: readonly Breakage[] = [
  // The network and the remote.
  {
    what: 'a proxy between programs and svcd',
    check: 'proxy',
    code: 'proxy_loopback',
    breakIt: inEnvironment({ HTTP_PROXY: 'http://me:secret@proxy.test:3128', NO_PROXY: 'intranet' }),
  },
  {
    what: 'no remote',
    check: 'remote',
    code: 'remote_none',
    breakIt: async (place) => void (place.blanks['ADDRESS'] = (await startSandbox()).url),
  },
  {
    what: 'a name that does not resolve',
    check: 'remote',
    code: 'remote_dns',
    breakIt: remoteAt('https://assets.invalid'),
  },
  {
    what: 'a port where nothing listens',
    check: 'remote',
    code: 'remote_refused',
    breakIt: remoteAt('http://127.0.0.1:9'),
  },
  {
    what: 'a proxy that is not there',
    check: 'remote',
    code: 'remote_proxy',
    breakIt: async (place) => {
      await remoteAt('https://assets.invalid')(place);
      place.env['HTTPS_PROXY'] = 'http://me:secret@127.0.0.1:9';
      // The name then does not resolve, which is another trouble.
      place.blanks['PROXY'] = 'direct';
    },
  },
  {
    what: 'a remote that never answers',
    check: 'remote',
    code: 'remote_timeout',
    breakIt: remoteThat(() => undefined),
  },
  {
    what: 'a web page in the place of the service',
    check: 'remote',
    code: 'remote_foreign',
    bad: true,
    breakIt: remoteThat(
      (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>log in'),
    ),
  },
  {
    what: 'a redirect in the place of the service',
    check: 'remote',
    code: 'remote_redirect',
    bad: true,
    breakIt: remoteThat(
      (_, response) => void response.writeHead(302, { location: 'http://login.test/?secret=1' }).end(),
    ),
  },
  {
    what: 'a certificate that nobody trusts',
    check: 'remote',
    code: 'remote_tls_untrusted',
    bad: true,
    need: OPENSSL,
    breakIt: async (place) => {
      const { url } = await startSandbox();
      const { port } = await startTlsFront(url);
      place.config({ remote: `https://localhost:${port}` });
      place.blanks['FILE'] = makeAuthority().file;
    },
  },
  {
    what: 'a service that does not speak TLS',
    check: 'remote',
    code: 'remote_tls_none',
    bad: true,
    breakIt: async (place) => remoteAt(`https://127.0.0.1:${await portOf(createServer())}`)(place),
  },
  {
    what: 'offline in the settings',
    check: 'remote',
    code: 'remote_offline',
    breakIt: async (place) => place.config({ remote: (await startSandbox()).url, offline: true }),
  },
  {
    what: 'offline in the environment',
    check: 'remote',
    code: 'remote_offline',
    breakIt: async (place) => {
      place.config({ remote: (await startSandbox()).url });
      place.env['SVCD_OFFLINE'] = '1';
    },
  },
  {
    what: 'no Key, where there is no keychain',
    check: 'Key',
    code: 'key_none',
    breakIt: withoutKey,
  },
  {
    what: 'no keychain, where the Key is wanted from it',
    check: 'keychain',
    code: 'keychain_unusable',
    breakIt: withoutKey,
  },
  {
    what: 'a keychain that is locked',
    check: 'keychain',
    code: 'keychain_unusable',
    need: SECRET_SERVICE,
    breakIt: async (place) => {
      await withoutKey(place);
      const service = await startSecretService();
      Object.assign(place.env, service.env);
      await must(place, 'svcd key set');
      await service.lock();
    },
  },
  {
    what: 'a keychain that hangs',
    check: 'keychain',
    code: 'keychain_unusable',
    need: SECRET_SERVICE,
    breakIt: async (place) => {
      await withoutKey(place);
      const service = await startSecretService();
      Object.assign(place.env, service.env);
      service.freeze();
    },
  },
  {
    what: 'a Key that is refused, in the environment',
    check: 'Key',
    code: 'key_wrong_variable',
    bad: true,
    breakIt: async (place) => {
      place.config({ remote: (await startSandbox()).url });
      place.env['SERVICE_API_KEY'] = 'sk-sandbox-wrong-0123456789';
    },
  },
  {
    what: 'a Key that is refused, in a file',
    check: 'Key',
    code: 'key_wrong',
    bad: true,
    breakIt: async (place) => {
      const { url, sandbox } = await startSandbox();
      const keyFile = join(place.folder, 'key');
      writeFileSync(keyFile, 'sk-sandbox-wrong-0123456789\n', { mode: 0o600 });
      place.config({ remote: url, keyFile });
      place.stdin = sandbox.key;
    },
  },
  {
    what: 'a Key that others can read',
    check: 'Key',
    code: 'key_exposed',
    breakIt: async (place) => {
      const { url, sandbox } = await startSandbox();
      const keyFile = join(place.folder, 'key');
      writeFileSync(keyFile, `${sandbox.key}\n`);
      chmodSync(keyFile, 0o644);
      place.config({ remote: url, package: keyFile });
    },
  },
  {
    what: 'a clock that is wrong',
    check: 'clock',
    code: 'clock_off',
    breakIt: async (place) => {
      const late = (_: unknown, response: Parameters<RequestListener>[1]) =>
        void response
          .writeHead(200, { 'content-type': 'application/json', date: new Date(Date.now() - 7_200_000).toUTCString() })
          .end('{"capabilities":[]}');
      await remoteThat(late)(place);
    },
    byHand: ({ home, blanks }) =>
      writeFileSync(join(home, 'config.json'), JSON.stringify({ remote: blanks['ADDRESS'] })),
  },
];

async function withoutKey(place: BrokenPlace): Promise<void> {
  const { url, sandbox } = await startSandbox();
  place.config({ remote: url });
  place.stdin = sandbox.key;
  mkdirSync(join(place.folder, '.config'));
}

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

describe('svcd doctor', () => {
  testBreakages(BREAKAGES);
});
