// Images, the account's free calls, productions and everything else, through a real daemon and a real remote.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startPair } from '../support/start-pair.js';
import { startTestDaemon } from '../support/start-daemon.js';

const PICTURE = { prompt: '一只在月亮上唱歌的猫', size: '1536x1024' };
const PRODUCTION = {
  template: 'promo@1.2.0',
  package_sha256: 'a'.repeat(64),
  host: 'claude',
  layout: 'landscape',
  duration_s: 12.5,
  materials: ['sticker.heart'],
  stage: 'plan',
};

describe('an image', () => {
  it('is bought once for the same words and size, and its picture is served by svcd without a Key', async () => {
    const { svcd, remote } = await startPair();
    const first = await svcd.post('/api/v1/images', PICTURE);
    const answer = (await first.json()) as { url: string; width: number; height: number };
    expect([first.headers.get('x-svcd-source'), first.headers.get('x-svcd-cost')]).toEqual(['remote', '10']);
    expect(answer).toMatchObject({ width: 1536, height: 1024, requested_size: '1536x1024' });
    expect(answer.url.startsWith(svcd.url)).toBe(true);

    await remote.stop();
    const second = await svcd.post('/api/v1/images', PICTURE);
    expect([second.headers.get('x-svcd-source'), second.headers.get('x-svcd-cost')]).toEqual(['owned', '0']);
    const picture = await fetch(answer.url);
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect(pngSize(await picture.arrayBuffer())).toEqual([1536, 1024]);
  });

  it('is another one for another variant, and for a request that wants a fresh one', async () => {
    const { svcd, remote } = await startPair();
    await svcd.post('/api/v1/images', PICTURE);
    await svcd.post('/api/v1/images', PICTURE, { 'X-Svcd-Variant': '2' });
    await svcd.post('/api/v1/images', PICTURE, { 'X-Svcd-Fresh': '1' });
    await svcd.post('/api/v1/images', PICTURE, { 'X-Svcd-Variant': '2' });
    expect(remote.sandbox.charges()).toHaveLength(3);
  });

  it('is not another one because a browser with its cache switched off says so', async () => {
    const { svcd, remote } = await startPair();
    for (const how of ['no-cache', 'no-store', 'max-age=0', 'no-cache, no-store']) {
      await svcd.post('/api/v1/images', PICTURE, { 'Cache-Control': how, Pragma: 'no-cache' });
    }
    expect(remote.sandbox.charges()).toHaveLength(1);
  });

  it.each(['0', 'true', 'yes', '', '1, 1'])(
    'is not bought when it is unclear whether a fresh one is wanted: %j',
    async (value) => {
      const { svcd, remote } = await startPair();
      const answer = await svcd.post('/api/v1/images', PICTURE, { 'X-Svcd-Fresh': value });
      expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('X-Svcd-Fresh')]);
      expect(remote.sandbox.charges()).toEqual([]);
    },
  );

  it('is a default picture of the right size when it cannot be bought', async () => {
    const { svcd, remote } = await startPair();
    await remote.stop();
    const answer = await svcd.post('/api/v1/images', PICTURE);
    expect(answer.headers.get('x-svcd-reason')).toBe('offline');
    const body = (await answer.json()) as { url: string; notices: unknown[] };
    expect(body).toMatchObject({ size: '1536x1024', width: 1536, height: 1024, requested_size: '1536x1024' });
    expect(body.notices).toHaveLength(1);
    expect(pngSize(await (await fetch(body.url)).arrayBuffer())).toEqual([1536, 1024]);
  });

  it('leaves no trace of its prompt in the home', async () => {
    const { svcd } = await startPair();
    await svcd.post('/api/v1/images', PICTURE);
    await svcd.daemon.close();
    for (const file of readdirSync(svcd.home)) {
      expect(readFileSync(join(svcd.home, file)).includes('唱歌的猫')).toBe(false);
    }
  });
});

describe('me and usage', () => {
  it('are the remote’s own answers, and the last known ones with their age when it is away', async () => {
    const { svcd, remote } = await startPair();
    const live = await svcd.get('/api/v1/usage');
    expect(live.headers.get('x-svcd-source')).toBe('remote');
    const told = await live.json();
    await remote.stop();
    const recalled = await svcd.get('/api/v1/usage');
    expect(recalled.headers.get('x-svcd-source')).toBe('last-known');
    expect(recalled.headers.get('age')).toMatch(/^\d+$/);
    expect(await recalled.json()).toEqual(told);
    const never = await svcd.get('/api/v1/me');
    expect([never.status, await codeOf(never)]).toEqual([503, 'offline']);
  });

  it('are not shown to whoever brings neither token nor Key', async () => {
    const { svcd } = await startPair();
    const answer = await svcd.call('/api/v1/me');
    expect([answer.status, await codeOf(answer)]).toEqual([401, 'invalid_key']);
  });
});

describe('capabilities', () => {
  it('are the remote’s, kept for five minutes of the clock', async () => {
    let now = 0;
    let asked = 0;
    const clock = { now: () => now, monotonic: () => now };
    const faults = () => {
      asked++;
      return undefined;
    };
    const { svcd } = await startPair({ clock, remote: { faults } });
    await svcd.call('/api/v1/capabilities');
    await svcd.call('/api/v1/capabilities');
    expect(asked).toBe(1);
    now += 5 * 60_000;
    await svcd.call('/api/v1/capabilities');
    expect(asked).toBe(2);
  });

  it('are the documented ones when nothing is configured, with only the local ones enabled', async () => {
    const svcd = await startTestDaemon();
    const { capabilities } = (await (await svcd.call('/api/v1/capabilities')).json()) as {
      capabilities: { id: string; enabled: boolean }[];
    };
    const enabled = capabilities.filter((one) => one.enabled).map(({ id }) => id);
    expect(enabled).toEqual(['stickers.search', 'stickers.match', 'productions.register']);
  });
});

describe('a production', () => {
  it('is passed on', async () => {
    const { svcd } = await startPair();
    const answer = await svcd.call('/api/v1/productions', {
      method: 'POST',
      body: JSON.stringify(PRODUCTION),
      headers: { 'Content-Type': 'application/json' },
    });
    expect(await answer.json()).toMatchObject({ production_id: expect.any(String) as unknown });
  });

  it('is skipped without harm when the remote is away', async () => {
    const { svcd, remote } = await startPair();
    await remote.stop();
    const answer = await svcd.post('/api/v1/productions', PRODUCTION);
    expect([answer.status, answer.headers.get('x-svcd-reason')]).toEqual([200, 'offline']);
    expect(await answer.json()).toMatchObject({ notices: [], tips: [] });
  });

  it.each([
    ['an eighth field', { ...PRODUCTION, user: 'x' }],
    ['a path as host', { ...PRODUCTION, host: '/home/somebody' }],
    ['free text as template', { ...PRODUCTION, template: 'my nice video' }],
  ])('with %s is refused here and reaches nobody', async (_what, body) => {
    let asked = 0;
    const faults = () => {
      asked++;
      return undefined;
    };
    const { svcd } = await startPair({ remote: { faults } });
    const answer = await svcd.post('/api/v1/productions', body);
    expect([answer.status, await codeOf(answer)]).toEqual([400, 'invalid_request']);
    expect(asked).toBe(0);
  });
});

describe('any other path of the service', () => {
  it('is passed through with the remote’s own status', async () => {
    const { svcd } = await startPair();
    const answer = await svcd.get('/api/v1/music/search?q=happy');
    expect([answer.status, answer.headers.get('x-svcd-source')]).toEqual([404, 'remote']);
  });

  it('is 503 offline when there is no remote', async () => {
    const svcd = await startTestDaemon();
    const answer = await svcd.get('/api/v1/music/search');
    expect([answer.status, await codeOf(answer)]).toEqual([503, 'offline']);
  });
});

describe('forced offline', () => {
  it('sends nothing to the remote', async () => {
    let asked = 0;
    const faults = () => {
      asked++;
      return undefined;
    };
    const { svcd } = await startPair({ flags: { offline: true }, remote: { faults } });
    expect((await svcd.get('/api/v1/stickers/food%2Fcake')).headers.get('x-svcd-reason')).toBe('offline');
    expect((await svcd.get('/api/v1/me')).status).toBe(503);
    expect(asked).toBe(0);
  });
});

async function codeOf(answer: Response): Promise<unknown> {
  return ((await answer.json()) as { code: unknown }).code;
}

/** Width and height in the header of a PNG. */
function pngSize(bytes: ArrayBuffer): [number, number] {
  const view = new DataView(bytes);
  expect(view.getUint32(0)).toBe(0x89504e47);
  return [view.getUint32(16), view.getUint32(20)];
}
