// A failure of the remote without a word of its own reaches no client as a raw 500, whatever was asked.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { stickerPath } from '../../src/model/sticker.js';
import { endOf } from '../support/at-file-end.js';
import { startTestDaemon, type StartedDaemon } from '../support/start-daemon.js';

const STRICT = { 'X-Svcd-Fallback': 'off' };
const CAT = { prompt: 'a cat', size: '1024x1024' };

async function startBefore(status: number, body: string, untilFileEnds = false): Promise<StartedDaemon> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  endOf(untilFileEnds)(() => {
    server.close();
    server.closeAllConnections();
  });
  const remote = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return startTestDaemon({ userKey: 'sk-user', flags: { remote }, untilFileEnds });
}

const ASKS: [string, (svcd: StartedDaemon) => Promise<Response>][] = [
  ['a sticker', (svcd) => svcd.get(stickerPath('food/cake'), STRICT)],
  ['an image', (svcd) => svcd.post('/api/v1/images', CAT, STRICT)],
  ['the account', (svcd) => svcd.get('/api/v1/me')],
  ['the usage', (svcd) => svcd.get('/api/v1/usage')],
  ['what passes through', (svcd) => svcd.get('/api/v1/music/search?q=calm')],
  ['what is sent through', (svcd) => svcd.post('/api/v1/tasks', {})],
  ['a picture', (svcd) => svcd.get('/api/v1/images/1.png')],
];

describe.each([
  ['without a body', 500, ''],
  ['of something between', 500, '<h1>Internal Server Error</h1>'],
  ['in JSON without a code', 500, '{"error":"boom"}'],
  ['with a code that speaks of svcd', 500, '{"code":"internal"}'],
  ['of a gateway', 502, '<h1>Bad gateway</h1>'],
])('a failure of the remote %s', (_what, status, body) => {
  let shared: Promise<StartedDaemon> | undefined;

  it.each(ASKS)('is 502 upstream_failure to a client that wants %s', async (_wanted, ask) => {
    const answer = await ask(await (shared ??= startBefore(status, body, true)));
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([502, 'upstream_failure']);
  });

  it('is a default, the library, or the documented list where there is one', async () => {
    const svcd = await startBefore(status, body);
    const sticker = await svcd.get(stickerPath('food/cake'));
    expect([sticker.status, sticker.headers.get('x-svcd-source')]).toEqual([200, 'default']);
    const image = await svcd.post('/api/v1/images', CAT);
    expect([image.status, image.headers.get('x-svcd-source')]).toEqual([200, 'default']);
    for (const path of ['/api/v1/stickers/search?q=cake', '/api/v1/capabilities']) {
      expect((await svcd.get(path)).status).toBe(200);
    }
    expect((await svcd.post('/api/v1/stickers/match', { text: 'cake' })).status).toBe(200);
  });
});

it('a failure that the service names passes through as it is', async () => {
  const svcd = await startBefore(503, '{"code":"not_enabled","message":"not yet"}');
  const answer = await svcd.get('/api/v1/music/search?q=calm');
  expect([answer.status, await answer.json()]).toEqual([503, { code: 'not_enabled', message: 'not yet' }]);
});
