// Who comes to the machines' port and is no machine: a browser, a program that speaks no TLS or an old one, one that writes
// bytes or wants what is the owner's. Each gets a sentence; nothing is spent, nothing is lost.

import { get as plainGet } from 'node:http';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HubStatus } from '../../src/api/hub.js';
import { CAKE } from '../sandbox/tiny-catalogue.js';
import { askHub, refusalIn, startHub, type StartedHub } from '../support/machine.js';
import { exchangeRaw, openRaw } from '../support/raw-socket.js';

const STICKER = `/api/v1/stickers/${encodeURIComponent(CAKE)}`;

function overPlainHttp(hub: StartedHub): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    plainGet(hub.machinesUrl.replace('https:', 'http:'), { agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    }).on('error', reject);
  });
}

describe('a browser at the port of machines', () => {
  it.each([
    { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36' },
    { Origin: 'https://evil.example' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Mode': 'navigate' },
    { Cookie: 'a=b' },
  ])('is refused in a sentence, also with a token: %o', async (headers) => {
    const hub = await startHub();
    const { ask } = await hub.machine();
    for (const path of ['/', STICKER, '/svcd/hub']) {
      const { status, text } = await ask(path, { headers });
      expect(refusalIn({ status, text })).toMatchObject({ status: 403, code: 'for_machines' });
    }
    expect(hub.remote.sandbox.charges()).toEqual([]);
  });

  it('is refused in the same sentence where it speaks no TLS', async () => {
    const hub = await startHub();
    expect(refusalIn(await overPlainHttp(hub))).toMatchObject({ status: 403, code: 'for_machines' });
  });

  it('is told from the fetch of Node.js, which a renderer without svcd uses', async () => {
    const hub = await startHub();
    const { ask } = await hub.machine();
    expect(await ask('/svcd/hub', { headers: { 'Sec-Fetch-Mode': 'cors', 'User-Agent': 'node' } })).toMatchObject({
      status: 200,
    });
  });
});

describe('a machine that wants more', () => {
  it.each([
    '/',
    '/svcd/status',
    '/svcd/tokens',
    '/svcd/hub/machines',
    '/svcd/hub/invites',
    '/svcd/stop',
    '/openapi.json',
  ])('finds nothing at %s', async (path) => {
    const hub = await startHub();
    const { ask } = await hub.machine();
    expect(refusalIn(await ask(path))).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('writes no bytes, whatever it sends', async () => {
    const hub = await startHub();
    const { ask, get } = await hub.machine();
    const body = '{"v":"5.0.0","layers":[]}';
    const put = await ask(STICKER, { method: 'PUT', body, headers: { 'Content-Type': 'application/json' } });
    expect(refusalIn(put)).toMatchObject({ status: 405, code: 'method_not_allowed' });
    const post = await ask('/svcd/owned/import', { method: 'POST', body });
    expect(refusalIn(post)).toMatchObject({ status: 404, code: 'not_found' });
    const line = JSON.stringify({ scope: hub.remote.url, item: `sticker:${CAKE}`, content_type: 'application/json' });
    const headers = { 'Content-Type': 'application/x-ndjson' };
    const returned = await ask('/svcd/hub/returned', { method: 'POST', body: `${line}\n`, headers });
    expect(JSON.parse(returned.text)).toMatchObject({ added: 0, bad: 1 });
    expect(refusalIn(await askHub(hub.machinesUrl, '/svcd/hub/returned'))).toMatchObject({ code: 'not_a_machine' });
    expect(await get(CAKE)).toMatchObject({ status: 200, headers: { 'x-svcd-source': 'remote' } });
  });

  it('does not see the Key of the hub, and its own is used and forgotten', async () => {
    const hub = await startHub({ userKey: undefined });
    const { ask, get } = await hub.machine();
    expect(refusalIn(await get(CAKE))).toMatchObject({ status: 403, code: 'hub_without_key' });
    const own = { 'X-Svcd-Key': hub.remote.sandbox.key };
    expect(await get(CAKE, own)).toMatchObject({ status: 200, headers: { 'x-svcd-cost': '1' } });
    // Its account pays, so that the budgets of the hub's count nothing.
    const { spent } = (await (await hub.get('/svcd/hub/status')).json()) as HubStatus;
    expect(spent).toEqual({ day: 0, month: 0 });
    expect(await (await hub.get('/svcd/hub/purchases')).json()).toMatchObject({
      purchases: [{ cost: 1, payers: ['machine:1'], machine: { name: 'render-1' } }],
    });
    expect(await (await hub.get('/svcd/hub/audit')).json()).toMatchObject({ right: true, charged: 1 });
    expect(
      refusalIn(
        await ask('/api/v1/images', {
          method: 'POST',
          body: { prompt: 'x', size: '1024x1024' },
          headers: { 'X-Svcd-Fallback': 'off' },
        }),
      ),
    ).toMatchObject({ code: 'hub_without_key' });
  });
});

describe('the listener', () => {
  it('speaks TLS 1.3 and nothing older', async () => {
    const hub = await startHub();
    const { hostname, port } = new URL(hub.machinesUrl);
    const failed = await new Promise<string>((resolve) => {
      const socket = connect({ host: hostname, port: Number(port), maxVersion: 'TLSv1.2', rejectUnauthorized: false });
      socket.once('secureConnect', () => resolve('connected')).once('error', (error) => resolve(error.message));
    });
    expect(failed).toMatch(/alert protocol version|protocol version/);
  });

  it('outlives bytes that are no TLS and connections that say nothing', async () => {
    const hub = await startHub({ connectionLimits: { headersTimeoutMs: 200 } });
    const port = Number(new URL(hub.machinesUrl).port);
    const silent = openRaw(port);
    await Promise.all([silent.closed, exchangeRaw(port, '\u0016\u0003\u0001garbage garbage garbage garbage')]);
    const { ask } = await hub.machine();
    expect(await ask('/svcd/hub')).toMatchObject({ status: 200 });
  });

  it('answers others while one address keeps many silent connections open, and that one too', async () => {
    const hub = await startHub({ connectionLimits: { maxConnections: 50, headersTimeoutMs: 60_000 } });
    const port = Number(new URL(hub.machinesUrl).port);
    const open = new Set<Socket>();
    const from = (localAddress: string) => {
      const socket = connectTcp({ host: '127.0.0.1', port, localAddress });
      open.add(socket.on('error', () => undefined).on('close', () => open.delete(socket)));
      // Half of them begin a handshake and leave it.
      if (open.size % 2 === 0) socket.write('\u0016');
      onTestFinished(() => void socket.destroy());
    };
    for (let i = 0; i < 300; i++) from('127.0.0.2');
    await expect.poll(() => open.size).toBe(10);
    for (let i = 0; i < 100; i++) from(`127.0.0.${10 + i}`);
    await expect.poll(() => open.size).toBe(50);
    const { ask } = await hub.machine();
    expect(await ask('/svcd/hub')).toMatchObject({ status: 200 });
    for (let i = 0; i < 20; i++) from('127.0.0.1');
    expect(await ask('/svcd/hub')).toMatchObject({ status: 200 });
  });

  it('refuses a wrong join in words', async () => {
    const hub = await startHub();
    const bodies = [{}, { secret: 1, machine_name: 'a' }, { secret: 'x', machine_name: '' }];
    for (const body of bodies) {
      const { status, text } = await askHub(hub.machinesUrl, '/svcd/hub/join', { method: 'POST', body });
      expect(refusalIn({ status, text })).toMatchObject({ status: 400, code: 'invalid_request' });
    }
  });
});
