// Requests of one connection, one at a time and with everybody else's in between. Node hands over all that one packet holds in
// one go: a few sockets with a thousand requests each would keep every other client waiting for seconds.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

interface Turn {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** How many requests may wait behind the one that is answered; a client that sends more ahead is cut off. */
const MAX_AHEAD = 32;

/** A handler that begins a request when the one before it on the same connection has its answer. */
export function takeTurns(handler: Handler): Handler {
  const waiting = new WeakMap<Socket, Turn[]>();

  const begin = (socket: Socket, { request, response }: Turn): void => {
    response.once('close', () => setImmediate(next, socket));
    handler(request, response);
  };
  const next = (socket: Socket): void => {
    const turn = waiting.get(socket)?.shift();
    // What a client that is gone had asked for is not worked off.
    if (turn === undefined || socket.destroyed) waiting.delete(socket);
    else begin(socket, turn);
  };

  return (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return;
    const queue = waiting.get(socket);
    if (queue === undefined) {
      waiting.set(socket, []);
      begin(socket, { request, response });
    } else if (queue.push({ request, response }) > MAX_AHEAD) socket.destroy();
  };
}
