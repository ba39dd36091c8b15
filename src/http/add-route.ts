// One path, one method: how most routes are added to an app.

import type { Context, Hono } from 'hono';
import { refuseMethod } from './refuse-method.js';

export type Handler = (c: Context) => Response | Promise<Response>;

/**
 * Answers one method of a path (GET answers HEAD too) and refuses every other. One handler for both, because
 * hono calls a path's only handler directly and chains two in promises.
 */
export function addRoute(app: Hono, method: 'GET' | 'POST', path: string, handle: Handler): void {
  const methods = method === 'GET' ? ['GET', 'HEAD'] : [method];
  app.all(path, (c) => (methods.includes(c.req.method) ? handle(c) : refuseMethod(methods.join(', '))));
}
