// The first budget as a person meets it: said when a Key is stored and when svcd starts, changed by one command.

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { beginInTest, eachHome, serve, startInTest } from '../support/in-test.js';
import { runHere } from '../support/run-here.js';

const KEY = 'sk-real-0123456789-abcd';
const WORDS =
  'svcd spends at most 100 credits a day with this home\'s first Key; "svcd budget set --day N" changes that';
const SERVICE = 'https://assets.example.com';

let home: string;
eachHome((fresh) => (home = fresh));

const run = (args: readonly string[], env: Record<string, string> = {}, stdin = '') =>
  runHere(args, { home, env: { SVCD_OFFLINE: 'true', ...env }, stdin });
const storeKey = (...more: string[]) => run(['key', 'set', '--key-file', join(home, 'k'), ...more], {}, KEY);

async function dayLimit(env: Record<string, string> = {}): Promise<number | null | undefined> {
  const { stdout } = await run(['budget', '--json'], env);
  const { budgets } = JSON.parse(stdout) as { budgets: { period: string; limit: number | null }[] };
  return budgets.find(({ period }) => period === 'day')?.limit;
}

/** A service that sells every sticker, and every image. */
async function startRemote(): Promise<string> {
  const lottie = JSON.stringify({ v: '5.7.0', fr: 30, ip: 0, op: 30, w: 9, h: 9, layers: [{ ty: 4 }] });
  return serve((request, response) => {
    request.resume();
    if (request.url?.endsWith('.png') === true)
      return void response.setHeader('content-type', 'image/png').end('a picture');
    response.setHeader('content-type', 'application/json');
    const image = { url: `http://${request.headers.host}/api/v1/images/1.png`, size: '1024x1024' };
    if (request.method === 'POST') response.end(JSON.stringify({ ...image, width: 1024, height: 1024 }));
    else response.end(request.url?.startsWith('/api/v1/stickers/') === true ? lottie : '{}');
  });
}

describe('svcd key set', () => {
  it('of the first Key says the budget, which holds at once and can be removed for good', async () => {
    await run(['config', 'set', 'remote', SERVICE]);
    expect((await storeKey()).stdout).toContain(WORDS);
    expect(await dayLimit()).toBe(100);
    expect(JSON.parse((await storeKey('--json')).stdout)).toMatchObject({ first_budget: null });
    await run(['budget', 'set', '--day', 'none']);
    expect((await storeKey()).stdout).not.toContain('budget');
    expect(await dayLimit()).toBeNull();
  });

  it('gives it to the service the Key is for, though the home uses the sandbox', async () => {
    const sandbox = await startInTest(['--sandbox'], { home });
    const { stdout } = await storeKey('--remote', SERVICE);
    expect(stdout).toContain(WORDS);
    expect(stdout).toContain(`This home uses the sandbox. To use the service: "svcd config set remote ${SERVICE}"`);
    expect(await dayLimit()).toBeNull();
    await sandbox.end();
    expect(await dayLimit({ SVCD_REMOTE: SERVICE })).toBe(100);
  });

  it('says it before there is a remote, and the first remote has it', async () => {
    expect((await storeKey()).stdout).toContain(WORDS);
    await startInTest(['--remote', SERVICE, '--offline'], { home });
    expect(await dayLimit()).toBe(100);
  });
});

describe('a Key from the environment', () => {
  it('brings the budget before it spends: the 101st credit of a day is refused, with the command', async () => {
    const remote = await startRemote();
    const svcd = await startInTest(['--remote', remote], { home, env: { SERVICE_API_KEY: KEY } });
    const headers = { Authorization: `Bearer ${svcd.info.token}`, 'X-Svcd-Fallback': 'off' };
    const get = (n: number) => fetch(`${svcd.info.url}/api/v1/stickers/s${n}`, { headers });
    // Ten credits each: a hundred stickers would wait for the pace of a minute.
    for (let n = 0; n < 10; n++) {
      const body = JSON.stringify({ prompt: `fox ${n}`, size: '1024x1024' });
      const init = { method: 'POST', body, headers: { ...headers, 'Content-Type': 'application/json' } };
      const image = await fetch(`${svcd.info.url}/api/v1/images`, init);
      expect([image.status, image.headers.get('x-svcd-cost')]).toEqual([200, '10']);
    }
    const refused = await get(100);
    expect(refused.status).toBe(402);
    expect(await refused.json()).toMatchObject({
      code: 'budget',
      hint: expect.stringContaining('svcd budget set --day N'),
    });
    const spoken = await run(['get', 's101', '-o', join(home, 'x.json')]);
    expect(spoken.stdout).toContain('svcd budget set --day N');
    await run(['budget', 'set', '--day', '200']);
    expect((await get(100)).status).toBe(200);
  });

  it('is told with its budget by the banner', async () => {
    const env = { SERVICE_API_KEY: KEY, SVCD_REMOTE: SERVICE, SVCD_OFFLINE: 'true' };
    const { stdout, until } = beginInTest(['start', '--port', '0'], { home, env });
    await until('token show');
    expect(stdout()).toMatch(/budget +at most 100 credits a day\. ".*budget set --day N" changes it/);
  });

  it("brings none when it is a sandbox's, whose money is not real", async () => {
    const remote = await startRemote();
    await startInTest(['--remote', remote], { home, env: { SERVICE_API_KEY: 'sk-sandbox-0123456789' } });
    expect(await dayLimit()).toBeNull();
  });
});
