// svcd doctor, by breaking the way to the remote, the Key, the keychain and the clock.

import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { describe } from 'vitest';
import { startSecretService } from '../keyring/secret-service.js';
import { startSandbox } from '../sandbox/start-sandbox.js';
import type { BrokenPlace } from '../support/break-home.js';
import { bad, type Breakage, inEnvironment, must, testBreakages, warn } from '../support/breakages.js';
import { portOf } from '../support/in-test.js';
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
  warn(
    'proxy',
    'proxy_loopback',
    'a proxy between programs and svcd',
    inEnvironment({ HTTP_PROXY: 'http://me:secret@proxy.test:3128', NO_PROXY: 'intranet' }),
  ),
  warn(
    'remote',
    'remote_none',
    'no remote',
    async (place) => void (place.blanks['ADDRESS'] = (await startSandbox()).url),
  ),
  warn('remote', 'remote_dns', 'a name that does not resolve', remoteAt('https://assets.invalid')),
  warn('remote', 'remote_refused', 'a port where nothing listens', remoteAt('http://127.0.0.1:9')),
  warn('remote', 'remote_proxy', 'a proxy that is not there', async (place) => {
    await remoteAt('https://assets.invalid')(place);
    place.env['HTTPS_PROXY'] = 'http://me:secret@127.0.0.1:9';
    // The name then does not resolve, which is another trouble.
    place.blanks['PROXY'] = 'direct';
  }),
  warn(
    'remote',
    'remote_timeout',
    'a remote that never answers',
    remoteThat(() => undefined),
  ),
  bad(
    'remote',
    'remote_foreign',
    'a web page in the place of the service',
    remoteThat((_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>log in')),
  ),
  bad(
    'remote',
    'remote_redirect',
    'a redirect in the place of the service',
    remoteThat((_, response) => void response.writeHead(302, { location: 'http://login.test/?secret=1' }).end()),
  ),
  bad(
    'remote',
    'remote_tls_untrusted',
    'a certificate that nobody trusts',
    async (place) => {
      const { url } = await startSandbox();
      const { port } = await startTlsFront(url);
      place.config({ remote: `https://localhost:${port}` });
      place.blanks['FILE'] = makeAuthority().file;
    },
    { need: OPENSSL },
  ),
  bad('remote', 'remote_tls_none', 'a service that does not speak TLS', async (place) =>
    remoteAt(`https://127.0.0.1:${await portOf(createServer())}`)(place),
  ),
  warn('remote', 'remote_offline', 'offline in the settings', async (place) =>
    place.config({ remote: (await startSandbox()).url, offline: true }),
  ),
  warn('remote', 'remote_offline', 'offline in the environment', async (place) => {
    place.config({ remote: (await startSandbox()).url });
    place.env['SVCD_OFFLINE'] = '1';
  }),
  warn('Key', 'key_none', 'no Key, where there is no keychain', withoutKey),
  warn('keychain', 'keychain_unusable', 'no keychain, where the Key is wanted from it', withoutKey),
  warn(
    'keychain',
    'keychain_unusable',
    'a keychain that is locked',
    async (place) => {
      await withoutKey(place);
      const service = await startSecretService();
      Object.assign(place.env, service.env);
      await must(place, 'svcd key set');
      await service.lock();
    },
    { need: SECRET_SERVICE },
  ),
  warn(
    'keychain',
    'keychain_unusable',
    'a keychain that hangs',
    async (place) => {
      await withoutKey(place);
      const service = await startSecretService();
      Object.assign(place.env, service.env);
      service.freeze();
    },
    { need: SECRET_SERVICE },
  ),
  bad('Key', 'key_wrong_variable', 'a Key that is refused, in the environment', async (place) => {
    place.config({ remote: (await startSandbox()).url });
    place.env['SERVICE_API_KEY'] = 'sk-sandbox-wrong-0123456789';
  }),
  bad('Key', 'key_wrong', 'a Key that is refused, in a file', async (place) => {
    const { url, sandbox } = await startSandbox();
    const keyFile = join(place.folder, 'key');
    writeFileSync(keyFile, 'sk-sandbox-wrong-0123456789\n', { mode: 0o600 });
    place.config({ remote: url, keyFile });
    place.stdin = sandbox.key;
  }),
  warn('Key', 'key_exposed', 'a Key that others can read', async (place) => {
    const { url, sandbox } = await startSandbox();
    const keyFile = join(place.folder, 'key');
    writeFileSync(keyFile, `${sandbox.key}\n`);
    chmodSync(keyFile, 0o644);
    place.config({ remote: url, package: keyFile });
  }),
  warn(
    'clock',
    'clock_off',
    'a clock that is wrong',
    async (place) => {
      const late = (_: unknown, response: Parameters<RequestListener>[1]) =>
        void response
          .writeHead(200, { 'content-type': 'application/json', date: new Date(Date.now() - 7_200_000).toUTCString() })
          .end('{"capabilities":[]}');
      await remoteThat(late)(place);
    },
    {
      byHand: ({ home, blanks }) =>
        writeFileSync(join(home, 'config.json'), JSON.stringify({ remote: blanks['ADDRESS'] })),
    },
  ),
];

async function withoutKey(place: BrokenPlace): Promise<void> {
  const { url, sandbox } = await startSandbox();
  place.config({ remote: url });
  place.stdin = sandbox.key;
  mkdirSync(join(place.folder, '.config'));
}

describe('svcd doctor', () => {
  testBreakages(BREAKAGES);
});
