// A service that asks to be left alone for 31 years: status and doctor say so, and "svcd offline --off" ends it without a restart.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tinyLottie } from '../sandbox/tiny-catalogue.js';
import { homeInTest, serve, startInTest } from '../support/in-test.js';
import { runHere } from '../support/run-here.js';
import { runSvcd } from '../support/run-svcd.js';

async function startStrict() {
  const state = { refuses: true };
  const url = await serve((request, response) => {
    const isSticker = request.url?.startsWith('/api/v1/stickers/') === true;
    response.setHeader('content-type', 'application/json');
    if (isSticker && state.refuses) {
      return void response.writeHead(429, { 'retry-after': '999999999' }).end('{"code":"rate_limited"}');
    }
    response.end(isSticker ? tinyLottie('cake') : '{}');
  });
  return { url, state };
}

it('a default says which kind of offline it is, and guesses no other preset while the list is not complete', async () => {
  const home = homeInTest();
  await runHere(['config', 'set', 'remote', 'http://127.0.0.1:1'], { home });
  const get = (env: Record<string, string>) =>
    runHere(['get', 'food/cak', '-o', 'x.json', '--overwrite'], {
      home,
      cwd: home,
      env: { SERVICE_API_KEY: 'sk-test', ...env },
    });
  const [away, set] = [await get({}), await get({ SVCD_OFFLINE: 'true' })];
  expect(away.stdout).toMatch(/a default .*the service cannot be reached since \d\d:\d\d\./);
  expect(set.stdout).toContain('you set svcd to offline; "svcd offline --off" ends that.');
  expect(away.stdout + set.stdout).not.toContain('id you mean');
  const none = await runHere(['get', 'food/cak', '-o', 'y.json'], { home: homeInTest(), cwd: home });
  expect(none.stdout).toContain('no service is set; "svcd config set remote https://…" sets one');
  const svcd = await startInTest(['--remote', 'http://127.0.0.1:1', '--offline'], {
    env: { SERVICE_API_KEY: 'sk-test' },
  });
  const script = `const { SERVICE_BASE_URL: url, SERVICE_API_KEY: key } = process.env;
    await fetch(url + '/api/v1/stickers/food%2Fcak', { headers: { authorization: 'Bearer ' + key } });`;
  const args = ['run', '--', process.execPath, '--input-type=module', '-e', script];
  const ran = await runSvcd(args, { home: svcd.home });
  expect(ran.stderr).toContain('1 fallback: food/cak (offline)\nOffline: you set svcd to offline;');
});

it('a Retry-After without end holds the Key back for an hour at most, and not against the will of the user', async () => {
  const { url, state } = await startStrict();
  const svcd = await startInTest(['--remote', url], { env: { SERVICE_API_KEY: 'sk-test' } });
  const run = (...args: string[]) =>
    (args[0] === 'doctor' ? runSvcd : runHere)(args, { home: svcd.home, cwd: svcd.home });

  expect((await run('get', 'food/cake', '--strict', '-o', 'x.json')).code).toBe(12);
  state.refuses = false;
  const refused = await run('get', 'food/cake', '--strict', '-o', 'x.json');
  expect([refused.code, refused.stderr]).toEqual([12, expect.stringContaining('"svcd offline --off"')]);

  const status = await run('status');
  expect(status.stdout).toMatch(/way +held back for (59 minutes|1 hour): the service asked for that/);
  const { remote } = JSON.parse((await run('status', '--json')).stdout) as { remote: { held_until: string } };
  expect(Date.parse(remote.held_until) - Date.now()).toBeLessThanOrEqual(3_600_000);
  const doctor = await run('doctor');
  expect(doctor.stdout).toMatch(/asked to be left alone until [-0-9]+ [0-9:]+ \(Retry-After\)/);
  expect(doctor.stdout).toContain('Run: svcd offline --off');

  expect((await run('online')).code).toBe(0);
  expect((await run('get', 'food/cake', '--strict', '-o', 'x.json')).code).toBe(0);
  expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({ remote: { held_until: null } });
});

it('a file that came while the sticker was bought stays as it is, and the sticker is owned', async () => {
  const home = homeInTest();
  const file = join(home, 'late.json');
  const remote = await serve((request, response) => {
    const isSticker = request.url?.startsWith('/api/v1/stickers/') === true;
    if (isSticker) writeFileSync(file, 'mine');
    response.setHeader('content-type', 'application/json');
    response.end(isSticker ? tinyLottie('cake') : '{}');
  });
  const svcd = await startInTest(['--remote', remote], { env: { SERVICE_API_KEY: 'sk-test' } });
  const get = (...args: string[]) => runHere(['get', 'a/late', '-o', file, ...args], { home: svcd.home, cwd: home });
  const first = await get();
  expect([first.code, readFileSync(file, 'utf8')]).toEqual([2, 'mine']);
  expect(first.stderr).toContain('late.json was written by others meanwhile, and stays as it is');
  expect(JSON.parse((await get('--overwrite', '--json')).stdout)).toMatchObject({ source: 'owned', cost: 0 });
});
