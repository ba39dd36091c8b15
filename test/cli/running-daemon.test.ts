// Whether svcd runs, does not, or is too busy to answer: told apart by what its port does.

import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { clientOfMany } from '../../src/cli/connection/client.js';
import { askDaemon, findRunningDaemon, type RunningDaemon } from '../../src/cli/connection/running-daemon.js';
import { findLiving, writeRuntime } from '../../src/platform/files/runtime-file.js';
import { runSvcd } from '../support/run-svcd.js';
import { startTestDaemon, temporaryHome } from '../support/start-daemon.js';

/** A home whose daemon, by its file, is this process behind a port that treats every connection so. */
async function homeBehind(treat: (socket: Socket, count: number) => void): Promise<string> {
  let count = 0;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    treat(socket, ++count);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const home = temporaryHome();
  const { port } = server.address() as AddressInfo;
  writeRuntime(home, { pid: process.pid, url: `http://127.0.0.1:${port}`, token: 'svcd_x' });
  return home;
}

it.each<[string, (socket: Socket) => void]>([
  ['at once', (socket) => socket.resetAndDestroy()],
  ['with the request', (socket) => socket.once('data', () => socket.destroy())],
])('a daemon that closes every connection %s is busy, and not one that does not run', async (_what, treat) => {
  await expect(findRunningDaemon(await homeBehind(treat))).rejects.toMatchObject({
    code: 'busy',
    message: expect.stringContaining('runs and is too busy') as string,
  });
});

it('a daemon that closes a connection or two is asked again', async () => {
  const status = JSON.stringify({ name: 'svcd', pid: process.pid });
  const home = await homeBehind((socket, count) => {
    if (count <= 2) socket.resetAndDestroy();
    else socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${status.length}\r\n\r\n${status}`));
  });
  expect(await findRunningDaemon(home)).toMatchObject({ pid: process.pid });
});

it('a port that nobody listens on, or another program does, is no daemon', async () => {
  const svcd = await startTestDaemon();
  await svcd.daemon.close();
  writeRuntime(svcd.home, { pid: process.pid, url: svcd.url, token: 'svcd_x' });
  expect(await findRunningDaemon(svcd.home)).toBeUndefined();
  const other = await homeBehind((socket) => void socket.end('220 mail.example ESMTP\r\n'));
  expect(await findRunningDaemon(other)).toBeUndefined();
});

it.each([
  ['another svcd', { name: 'svcd', pid: process.pid + 1 }],
  ['another program of this process', { name: 'svcd-sandbox', pid: process.pid }],
])('%s that has the port by now is not told the token', async (_what, told) => {
  const status = JSON.stringify(told);
  const heard: string[] = [];
  const home = await homeBehind((socket) => {
    socket.on('data', (part) => heard.push(part.toString()));
    socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${status.length}\r\n\r\n${status}`));
  });
  expect(await findRunningDaemon(home)).toBeUndefined();
  expect(heard.join('')).toMatch(/^GET \/svcd\/status/);
  expect(heard.join('')).not.toMatch(/svcd_x|authorization/i);
});

/** The home of a daemon that says who it is, and treats every other request so. */
function homeThatAnswers(treat: (socket: Socket) => void): Promise<string> {
  const status = JSON.stringify({ name: 'svcd', pid: process.pid, remote: { sandbox: true } });
  return homeBehind((socket) =>
    socket.once('data', (head) => {
      if (!head.toString().startsWith('GET /svcd/status')) return treat(socket);
      socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${status.length}\r\n\r\n${status}`);
    }),
  );
}

const LINES = 'HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n';

it.each<[string, (socket: Socket) => void]>([
  ['before its answer', (socket) => socket.resetAndDestroy()],
  ['in its answer', (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{', () => socket.destroy())],
  [
    'between lines',
    (socket) => socket.write(`${LINES}3\r\n{}\n\r\n`, () => setTimeout(() => socket.resetAndDestroy(), 50)),
  ],
])('a daemon that is killed %s does not run, and what it bought is kept', async (_what, treat) => {
  const home = await homeThatAnswers(treat);
  const daemon = (await findRunningDaemon(home)) as RunningDaemon;
  await expect(askDaemon(daemon, 'GET', '/svcd/usage')).rejects.toMatchObject({
    code: 'not_running',
    message: expect.stringContaining(daemon.url) as string,
    hint: expect.stringMatching(/kept.+"svcd purchases".+[Rr]un the same command again/s) as string,
  });
});

it('a command whose answer breaks off ends with 4 and a sentence', async () => {
  const home = await homeThatAnswers((socket) =>
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"purchases":', () => socket.destroy()),
  );
  const { code, stderr } = await runSvcd(['purchases'], { home });
  expect(stderr).toMatch(/^svcd: the daemon at http:\S+ went away in the middle of its answer/);
  expect(code).toBe(4);
});

it('a client of many keeps the connection of what only reads, and asks again by a new one if it was just closed', async () => {
  const seen: number[] = [];
  const home = await homeBehind((socket, count) =>
    socket.on('data', () => {
      seen.push(count);
      // The third request over the first connection is not answered.
      if (seen.length === 3) socket.destroy();
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
    }),
  );
  const reach = () => Promise.resolve(findLiving(home) as { url: string; token: string });
  const client = clientOfMany({ reach, forget: () => undefined });
  for (let nth = 0; nth < 3; nth++) expect(await client.ask('GET', '/svcd/search?q=a')).toEqual({});
  expect(seen).toEqual([1, 1, 1, 2]);
  await client.ask('GET', '/api/v1/stickers/food%2Fcake');
  expect(seen.at(-1)).toBe(3);
});
