// The control surface: what the owner of a sandbox may do to it, under /sandbox, with a token of its own. It is
// svcd's, not the service's; nothing of it is under /api.

import { timingSafeEqual } from 'node:crypto';
import type { Hono, MiddlewareHandler } from 'hono';
import { SvcdError } from '../../model/errors.js';
import type { Log } from '../../platform/log.js';
import { VERSION } from '../../platform/installation.js';
import { findBearer } from '../gate.js';
import { allowOnly, createApp } from '../sandbox-app.js';
import type { SandboxEnv } from '../service-route.js';
import { readJsonObject } from '../wire/check.js';
import type { ControlRoute } from './control-routes.js';

/** The app of the control surface. Throws nothing; without the token every path but the status is 401. */
export function createControlApp(routes: readonly ControlRoute[], token: string, log: Log): Hono<SandboxEnv> {
  const app = createApp(log);
  // Without the token, so that a client can see who is there before it shows it.
  app.get('/sandbox/status', (c) => c.json({ name: 'svcd-sandbox', version: VERSION, pid: process.pid }));
  app.use(requireToken(token));
  for (const [method, path, answer] of routes) {
    app.on(method, `/sandbox/${path}`, async (c) => {
      const param = (name: string) => decodeURIComponent(c.req.param(name) ?? '');
      const body = () => readJsonObject(c.req.raw);
      return c.json(await answer({ param, query: c.req.query(), body }));
    });
  }
  for (const path of new Set(routes.map(([, one]) => one))) {
    const methods = routes.filter(([, one]) => one === path).map(([method]) => method);
    app.all(`/sandbox/${path}`, allowOnly(methods));
  }
  return app;
}

function requireToken(token: string): MiddlewareHandler<SandboxEnv> {
  return async (c, next) => {
    const shown = findBearer(c.req.header('Authorization')) ?? '';
    if (!isSame(shown, token)) {
      throw new SvcdError('invalid_token', "The sandbox's control token is missing or wrong.", {
        hint: 'It is in sandbox-runtime.json in the home folder; behind svcd under "sandbox" in runtime.json.',
      });
    }
    await next();
  };
}

function isSame(shown: string, token: string): boolean {
  const [a, b] = [Buffer.from(shown), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}
