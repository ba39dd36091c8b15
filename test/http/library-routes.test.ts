// svcd's own paths for carrying: who may, in what form, and how slowly.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startTestDaemon, type StartedDaemon } from '../support/start-daemon.js';
import { exchangeRaw, head, openRaw, parseAnswer } from '../support/raw-socket.js';

const LIMITS = { headersTimeoutMs: 150, requestTimeoutMs: 150, checkEveryMs: 20 };
const LINE = '{"preset":"winter/snowman","title":"堆雪人"}\n';

function importHead({ url, token }: StartedDaemon, bearer = token): string {
  return head(
    'POST /svcd/library/import HTTP/1.1',
    `Host: ${new URL(url).host}`,
    `Authorization: Bearer ${bearer}`,
    'Content-Type: application/x-ndjson',
    `Content-Length: ${Buffer.byteLength(LINE)}`,
    'Connection: close',
  );
}

it.each([
  ['GET', '/svcd/library/export'],
  ['POST', '/svcd/library/import'],
  ['GET', '/svcd/owned/export'],
  ['POST', '/svcd/owned/import'],
])('needs the local token: %s %s', async (method, path) => {
  const svcd = await startTestDaemon();
  const answer = await svcd.call(path, { method, headers: { 'Content-Type': 'application/x-ndjson' } });
  expect([answer.status, await answer.json()]).toMatchObject([401, { code: 'invalid_token' }]);
  expect((await svcd.call(path, { method: 'DELETE' })).status).toBe(405);
});

it('takes no other type than lines of JSON', async () => {
  const svcd = await startTestDaemon();
  expect((await svcd.post('/svcd/library/import', LINE)).status).toBe(415);
  expect((await svcd.post('/svcd/owned/import', LINE)).status).toBe(415);
});

it('waits for a slow import of whoever has the token, longer than for other requests', async () => {
  const svcd = await startTestDaemon({ connectionLimits: LIMITS });
  const port = Number(new URL(svcd.url).port);
  const { socket, closed } = openRaw(port);
  const bytes = Buffer.from(LINE);
  socket.write(importHead(svcd));
  for (let at = 0; at < bytes.length; at += 8) {
    await sleep(100);
    socket.write(bytes.subarray(at, at + 8));
  }
  const { status, body } = parseAnswer(await closed);
  expect([status, JSON.parse(body)]).toMatchObject([200, { added: 1, bad: 0 }]);
});

it('waits for nobody else', async () => {
  const portOf = ({ url }: StartedDaemon) => Number(new URL(url).port);
  // With the time that a busy machine needs: nobody waits for the body.
  const patient = await startTestDaemon();
  expect(parseAnswer(await exchangeRaw(portOf(patient), importHead(patient, 'svcd_wrong'))).status).toBe(401);
  const svcd = await startTestDaemon({ connectionLimits: LIMITS });
  const slow = importHead(svcd).replace('/svcd/library/import', '/svcd/offline').replace('x-ndjson', 'json');
  expect(parseAnswer(await exchangeRaw(portOf(svcd), slow)).status).toBe(408);
});
