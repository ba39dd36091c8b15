// svcd's own paths about filling the library from the remote. Its state is for anybody on this machine; the rest
// needs the home's own token.

import type { Context, Hono } from 'hono';
import type { Harvester } from '../harvest/harvester.js';
import { parseMaxRequests } from '../api/admin-requests.js';
import { parametersOf } from './read-request.js';
import { refuseMethod } from './refuse-method.js';

/** Path and method of every route here; the README's table is compared with it. */
export const HARVEST_ROUTES = [
  ['GET', '/svcd/library'],
  ['POST', '/svcd/library/sync'],
  ['POST', '/svcd/library/pause'],
  ['POST', '/svcd/library/resume'],
] as const;

/** Adds the routes. */
export function addHarvestRoutes(app: Hono, harvester: Harvester, requireOwner: (c: Context) => void): void {
  app.get('/svcd/library', (c) => c.json(harvester.status()));
  app.all('/svcd/library', () => refuseMethod('GET, HEAD'));

  app.post('/svcd/library/sync', (c) => {
    requireOwner(c);
    const maxRequests = parseMaxRequests(parametersOf(c));
    const headers = { 'Content-Type': 'application/x-ndjson', 'Cache-Control': 'no-store' };
    return new Response(eventsOf(harvester, maxRequests), { headers });
  });
  app.all('/svcd/library/sync', () => refuseMethod('POST'));

  app.post('/svcd/library/pause', (c) => {
    requireOwner(c);
    return c.json(harvester.pause());
  });
  app.all('/svcd/library/pause', () => refuseMethod('POST'));

  app.post('/svcd/library/resume', (c) => {
    requireOwner(c);
    return c.json(harvester.resume());
  });
  app.all('/svcd/library/resume', () => refuseMethod('POST'));
}

/** A run's events as lines; who hangs up ends the run. */
function eventsOf(harvester: Harvester, maxRequests: number | undefined): ReadableStream<Uint8Array> {
  const gone = new AbortController();
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      const tell = (event: object) => {
        if (!gone.signal.aborted) controller.enqueue(encoder.encode(`${JSON.stringify(event)}\n`));
      };
      const end = () => {
        if (!gone.signal.aborted) controller.close();
      };
      harvester.sync({ maxRequests, signal: gone.signal, tell }).then(end, end);
    },
    cancel: () => gone.abort(),
  });
}
