// A Key that the service no longer takes, and a Key and a certificate that are replaced under a hub that goes on.

import { once } from 'node:events';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { expect, it } from 'vitest';
import { SvcdError } from '../../src/model/errors.js';
import { silentLog } from '../../src/platform/log.js';
import { startFaultyRemote } from '../faults/faulty-remote.js';
import { joinMachine } from '../faults/farm/machine.js';
import { CAKE } from '../sandbox/tiny-catalogue.js';
import { homeInTest, startInTest } from '../support/in-test.js';
import { refusalIn, startHub } from '../support/machine.js';
import { collect, runSvcd, spawnSvcd } from '../support/run-svcd.js';

it('a Key that the service refuses ends what waits for its turn, and the hub buys again when it is taken', async () => {
  let isRefused = true;
  let asked = 0;
  const said: string[] = [];
  const hub = await startHub({
    keyLookMs: 1500,
    pace: { limit: 4, burst: 1, windowMs: 4000 },
    log: { ...silentLog, error: (event: string) => void said.push(event) },
    remote: {
      faults: ({ path }) => {
        const isPaid = path.startsWith('/api/v1/stickers/');
        if (isPaid) asked += 1;
        const isKept = isPaid || path === '/api/v1/me';
        return isKept && isRefused ? { refuse: new SvcdError('key_disabled', 'disabled') } : undefined;
      },
    },
  });
  const { get } = await hub.machine();
  const presets = [CAKE, ...Array.from({ length: 11 }, (_, i) => `food/other-${i}`)];
  const answers = await Promise.all(presets.map((preset) => get(preset)));
  expect(answers.map((one) => refusalIn(one).code)).toEqual(presets.map(() => 'key_disabled'));
  expect(asked).toBe(1);
  expect(said.filter((event) => event.includes('refuses the Key'))).toHaveLength(1);
  isRefused = false;
  await expect.poll(async () => (await get(CAKE)).headers['x-svcd-source']).toBe('remote');
});

it('SIGHUP reads the Key and the certificate again, and does not end the hub', async () => {
  const remote = await startFaultyRemote({});
  const home = homeInTest();
  const file = join(home, 'service_key');
  writeFileSync(file, 'sk-old\n', { mode: 0o600 });
  const svcd = await startInTest(['--remote', remote.url, '--key-file', file, '--hub-listen', '127.0.0.1:0'], { home });
  const { stdout } = await runSvcd(['hub', 'invite', '--json', '--project', 'promo'], { home });
  const machine = await joinMachine((JSON.parse(stdout) as { code: string }).code, 'first');
  expect((await machine.ask('food/cake')).status).toBe(401);
  const before = await fingerprintAt(svcd.info.hub?.url ?? '');

  writeFileSync(file, `${remote.key}\n`);
  rmSync(join(home, 'hub', 'certificate.pem'));
  svcd.child.kill('SIGHUP');
  await expect.poll(() => fingerprintAt(svcd.info.hub?.url ?? '')).not.toBe(before);
  machine.close();
  await expect.poll(async () => (await machine.ask('food/cake')).status).toBe(200);
  machine.close();

  // Another key is another hub, which no machine would know again.
  const renewed = await fingerprintAt(svcd.info.hub?.url ?? '');
  for (const name of ['certificate.pem', 'private-key.pem']) rmSync(join(home, 'hub', name));
  svcd.child.kill('SIGHUP');
  await expect.poll(svcd.stderr).toContain('goes on with the certificate that it had');
  expect(await fingerprintAt(svcd.info.hub?.url ?? '')).toBe(renewed);
  expect(await svcd.end()).toBe(0);
});

it('a SIGHUP while the key file is missing, empty or half written leaves the Key that works', async () => {
  const remote = await startFaultyRemote({});
  const home = homeInTest();
  const file = join(home, 'service_key');
  writeFileSync(file, remote.key, { mode: 0o600 });
  const svcd = await startInTest(['--remote', remote.url, '--key-file', file, '--hub-listen', '127.0.0.1:0'], { home });
  const { stdout } = await runSvcd(['hub', 'invite', '--json', '--project', 'promo'], { home });
  const machine = await joinMachine((JSON.parse(stdout) as { code: string }).code, 'first');
  for (const [i, text] of [undefined, '', '{"key":"sk-'].entries()) {
    rmSync(file, { force: true });
    if (text !== undefined) writeFileSync(file, text, { mode: 0o600 });
    svcd.child.kill('SIGHUP');
    const said = () => svcd.stderr().split('goes on with the Key that it had').length - 1;
    await expect.poll(said).toBe(i + 1);
    expect((await machine.ask(`food/cake-${i}`)).status).toBe(200);
  }
  machine.close();
  expect(await svcd.end()).toBe(0);
});

it('a SIGHUP during its start does not end a hub', async () => {
  const home = homeInTest();
  const child = spawnSvcd(['start', '--sandbox', '--port', '0', '--json', '--hub-listen', '127.0.0.1:0'], { home }, [
    'ignore',
    'ignore',
    'pipe',
  ]);
  const stderr = collect(child.stderr);
  // The home is held, and nothing is served yet.
  await expect.poll(() => existsSync(join(home, 'daemon.lock')) || child.exitCode !== null).toBe(true);
  child.kill('SIGHUP');
  await expect.poll(stderr).toContain('the certificate was read again');
  child.kill('SIGTERM');
  await once(child, 'exit');
  expect(child.exitCode).toBe(0);
});

function fingerprintAt(url: string): Promise<string> {
  const { port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(port), host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()?.fingerprint256 ?? '');
      socket.destroy();
    }).on('error', reject);
  });
}
