// Whose program is at the other end of a connection, also of one that is half closed: a link is for one user alone.

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { userAtOtherEnd } from '../../src/auth/peer-user.js';

it.runIf(process.platform === 'linux')('is told of a connection whose other end has said all', async () => {
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true });
  onTestFinished(() => void client.destroy());
  const [socket] = (await once(server, 'connection')) as [Socket];
  onTestFinished(() => void socket.destroy());
  expect(await userAtOtherEnd(socket)).toBe(process.getuid?.());
  client.end();
  socket.resume();
  await once(socket, 'end');
  expect(await userAtOtherEnd(socket)).toBe(process.getuid?.());
});
