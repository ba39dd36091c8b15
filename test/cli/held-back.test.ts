// A service that asks to be left alone for 31 years: status and doctor say so, and "svcd offline --off" ends it without a restart.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { tinyLottie } from '../sandbox/tiny-catalogue.js';
import { runSvcd } from '../support/run-svcd.js';
import { startSvcd } from '../support/start-svcd.js';

async function startStrict() {
  const state = { refuses: true };
  const server = createServer((request, response) => {
    const isSticker = request.url?.startsWith('/api/v1/stickers/') === true;
    response.setHeader('content-type', 'application/json');
    if (isSticker && state.refuses) {
      return void response.writeHead(429, { 'retry-after': '999999999' }).end('{"code":"rate_limited"}');
    }
    response.end(isSticker ? tinyLottie('cake') : '{}');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, state };
}

it('a Retry-After without end holds the Key back for an hour at most, and not against the will of the user', async () => {
  const { url, state } = await startStrict();
  const svcd = await startSvcd(['--remote', url], { env: { SERVICE_API_KEY: 'sk-test' } });
  onTestFinished(svcd.stop);
  const run = (...args: string[]) => runSvcd(args, { home: svcd.home, cwd: svcd.home });

  expect((await run('get', 'food/cake', '--strict', '-o', 'x.json')).code).toBe(12);
  state.refuses = false;
  const refused = await run('get', 'food/cake', '--strict', '-o', 'x.json');
  expect([refused.code, refused.stderr]).toEqual([12, expect.stringContaining('"svcd offline --off"')]);

  const status = await run('status');
  expect(status.stdout).toMatch(/way +held back for (59 minutes|1 hour): the service asked for that/);
  const { remote } = JSON.parse((await run('status', '--json')).stdout) as { remote: { held_until: string } };
  expect(Date.parse(remote.held_until) - Date.now()).toBeLessThanOrEqual(3_600_000);
  const doctor = await run('doctor');
  expect(doctor.stdout).toMatch(/asked to be left alone until \S+ \(Retry-After\)/);
  expect(doctor.stdout).toContain('Run: svcd offline --off');

  expect((await run('online')).code).toBe(0);
  expect((await run('get', 'food/cake', '--strict', '-o', 'x.json')).code).toBe(0);
  expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({ remote: { held_until: null } });
});
