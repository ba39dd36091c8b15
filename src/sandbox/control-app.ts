// The control surface: what the owner of a sandbox may do to it, under /sandbox, with a token of its own. It is
// svcd's, not the service's; nothing of it is under /api.

import { timingSafeEqual } from 'node:crypto';
import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { SvcdError } from '../model/errors.js';
import type { Log } from '../platform/log.js';
import { VERSION } from '../platform/version.js';
import { accountRoutes, type AccountRooms } from './control-accounts.js';
import { moneyRoutes, type MoneyRooms } from './control-money.js';
import { playRoutes, type PlayRooms } from './control-play.js';
import { templateRoutes, type TemplateRooms } from './control-templates.js';
import type { SandboxEnv } from './gate.js';
import { allowOnly, refuse } from './sandbox-app.js';

export interface ControlRooms extends AccountRooms, MoneyRooms, TemplateRooms, PlayRooms {
  log: Log;
}

/** What a route of the control surface answers with: JSON. */
export type ControlAnswer = (c: Context<SandboxEnv>) => unknown;

/** Method, path and answer. */
export type ControlRoute = readonly [
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
  path: string,
  answer: ControlAnswer,
];

/** The app of the control surface. Throws nothing; without the token every path but the status is 401. */
export function createControlApp(rooms: ControlRooms, token: string): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>({ getPath: (request) => new URL(request.url).pathname });
  app.onError((error, c) => refuse(c, error, rooms.log));
  app.notFound((c) => refuse(c, new SvcdError('not_found', 'There is nothing at this path.'), rooms.log));
  // Without the token, so that a client can see who is there before it shows it.
  app.get('/sandbox/status', (c) => c.json({ name: 'svcd-sandbox', version: VERSION, pid: process.pid }));
  app.use(requireToken(token));
  const routes = [
    ...accountRoutes(rooms),
    ...moneyRoutes(rooms),
    ...templateRoutes(rooms),
    ...playRoutes(rooms),
  ];
  for (const [path, answers] of byPath(routes)) {
    const allowed = answers.map(([method]) => method);
    for (const [method, , answer] of answers) app.on(method, path, async (c) => c.json(await answer(c)));
    app.all(path, allowOnly(allowed));
  }
  return app;
}

function requireToken(token: string): MiddlewareHandler<SandboxEnv> {
  return async (c, next) => {
    const shown = /^Bearer +(\S+) *$/i.exec(c.req.header('Authorization') ?? '')?.[1] ?? '';
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

function byPath(routes: readonly ControlRoute[]): Map<string, ControlRoute[]> {
  const paths = new Map<string, ControlRoute[]>();
  for (const route of routes) paths.set(route[1], [...(paths.get(route[1]) ?? []), route]);
  return paths;
}
