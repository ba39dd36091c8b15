// Whether svcd runs, does not, or is too busy to answer: told apart by what its port does.

import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { findRunningDaemon } from '../../src/cli/running-daemon.js';
import { writeRuntime } from '../../src/platform/home-folder.js';
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
