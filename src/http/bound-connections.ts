// Bounds how many connections a server holds at once. When there are more, those that have opened and not yet asked
// anything are closed first, the oldest before the others. A connection with a request is never closed for that.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Bounds a server to `max` connections, of which at most half may still owe their first request. */
export function boundConnections(server: Server, max: number): void {
  const silent = new Set<Socket>();
  server.maxConnections = max;
  server.on('connection', (socket: Socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
    if (silent.size > max / 2) for (const oldest of silent) return void oldest.destroy();
  });
  server.on('request', ({ socket }) => silent.delete(socket));
  // Only asking clients are left then: those that keep a connection without using it must open another.
  server.on('drop', () => server.closeIdleConnections());
}
