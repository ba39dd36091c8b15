// svcd's own paths about whose web pages may use it.

import type { Context, Hono } from 'hono';
import type { AllowedOrigins } from '../actions/allow-origins.js';
import { refuseMethod } from './refuse-method.js';

/** Path and method of every route about origins; the README's table is compared with it. */
export const ORIGIN_ROUTES = [
  ['GET', '/svcd/origins'],
  ['PUT', '/svcd/origins/{origin}'],
  ['DELETE', '/svcd/origins/{origin}'],
] as const;

const ORIGINS = '/svcd/origins';

/** Adds the routes about origins; all need the local token. */
export function addOriginRoutes(
  app: Hono,
  origins: AllowedOrigins,
  requireToken: (c: Context) => void,
): void {
  app.get(ORIGINS, (c) => {
    requireToken(c);
    return c.json({ origins: origins.list() });
  });
  app.all(ORIGINS, () => refuseMethod('GET, HEAD'));

  app.put(`${ORIGINS}/:origin`, (c) => {
    requireToken(c);
    return c.json({ added: origins.add(c.req.param('origin')), origins: origins.list() });
  });
  app.delete(`${ORIGINS}/:origin`, (c) => {
    requireToken(c);
    return c.json({ removed: origins.remove(c.req.param('origin')), origins: origins.list() });
  });
  app.all(`${ORIGINS}/:origin`, () => refuseMethod('PUT, DELETE'));
}
