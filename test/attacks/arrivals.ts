// What really arrives at a server of this process, as Node itself tells it: before the gate, and whatever becomes of it.

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

export interface Arrival {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Once it is answered. */
  status?: number;
}

const START = 'http.server.request.start';
const FINISH = 'http.server.response.finish';

type Told = { request: IncomingMessage; response: ServerResponse };

/** Every request to a port from now on until the test ends, in the order they came. */
export function watchArrivals(port: number): readonly Arrival[] {
  const arrivals: Arrival[] = [];
  const known = new WeakMap<IncomingMessage, Arrival>();
  const started = (message: unknown) => {
    const { request } = message as Told;
    if (request.socket.localPort !== port) return;
    const arrival = { method: request.method ?? '', url: request.url ?? '', headers: request.headers };
    known.set(request, arrival);
    arrivals.push(arrival);
  };
  const finished = (message: unknown) => {
    const { request, response } = message as Told;
    const arrival = known.get(request);
    if (arrival !== undefined) arrival.status = response.statusCode;
  };
  subscribe(START, started);
  subscribe(FINISH, finished);
  onTestFinished(() => {
    unsubscribe(START, started);
    unsubscribe(FINISH, finished);
  });
  return arrivals;
}
