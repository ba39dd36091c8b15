// The documented service over HTTP: what happens to every request, and how a refusal looks. Each check is made where
// its facts are: gate.ts (Key, rate), the switches (enabled), wire/ (validity), the stores (existence, then limits and
// credits).

import { Hono, type Context, type MiddlewareHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { isSvcdError, SvcdError } from '../model/errors.js';
import type { Log } from '../platform/log.js';
import type { CapabilitySwitches } from './capability-switches.js';
import { sendAsFaulted, withFaults } from './faults/apply-faults.js';
import type { ChooseFault } from './faults/fault-kinds.js';
import { admit, identify, tellCredits } from './gate.js';
import { recordRequests } from './request-journal.js';
import type { SandboxParts } from './sandbox-parts.js';
import type { Route, SandboxEnv, SandboxModule } from './service-route.js';
import { serviceRoutes } from './service-routes.js';
import { refusalOf, statusOf } from './wire/status-codes.js';

/** The app of the documented service. Every refusal is `{code,message}`, with the credits header. */
export function createSandboxApp(
  parts: SandboxParts,
  modules: readonly SandboxModule[],
  { chooseFault, closing }: { chooseFault: ChooseFault; closing: AbortSignal },
): Hono<SandboxEnv> {
  const { state, rate, switches, requestsKept } = parts;
  const app = createApp(parts.log);
  app.use(identify(state), recordRequests(state, requestsKept));
  app.use(sendAsFaulted(closing), tellCredits(state), withFaults(chooseFault));
  const described = modules.flatMap((module) =>
    module.routes(parts).map((row): Route => ({ ...row, tag: module.name, choice: true })),
  );
  const routes = [...serviceRoutes(parts), ...described];
  app.get('/openapi.json', async (c) => {
    // Of no use to a render: it is loaded on the first request.
    const { openApiOf } = await import('./wire/openapi.js');
    return c.json(openApiOf(new URL(c.req.url).origin, routes));
  });
  for (const path of new Set(routes.map((row) => row.path))) {
    const rows = routes.filter((row) => row.path === path);
    const address = `/api/v1/${path.replace('{preset}', ':preset{.+}').replaceAll(/\{(\w+)\}/g, ':$1')}`;
    app.all(
      address,
      allowOnly(rows.flatMap(({ method, paid }) => (method === 'GET' && paid !== true ? ['GET', 'HEAD'] : [method]))),
    );
    for (const { method, key = 'needed', capability, respond } of rows) {
      app.on(method, address, admit(key, rate), enabled(switches, capability), respond);
    }
  }
  return app;
}

/** An app without routes that answers errors and unknown paths as refusals. */
export function createApp(log: Log): Hono<SandboxEnv> {
  // The path stays as it was sent: decoding it is a check of its own, with an answer of its own.
  const app = new Hono<SandboxEnv>({ getPath: (request) => new URL(request.url).pathname });
  app.onError((error, c) => refuse(c, error, log));
  app.notFound((c) => refuse(c, new SvcdError('not_found', 'There is nothing at this path.'), log));
  return app;
}

/** Refuses every other method, before a Key is asked for. hono shows a HEAD as such, though it routes it as GET. */
export function allowOnly(methods: readonly string[]): MiddlewareHandler<SandboxEnv> {
  return async (c, next) => {
    if (methods.includes(c.req.method)) return next();
    const allowed = methods.join(', ');
    c.header('Allow', allowed);
    throw new SvcdError('method_not_allowed', `${c.req.method} is not possible here, only ${allowed}.`);
  };
}

/** Answers a refusal; the reasons of an unforeseen error are for the log only. */
function refuse(c: Context<SandboxEnv>, thrown: Error, log: Log): Response {
  const error = isSvcdError(thrown) ? thrown : unexpected(c, thrown, log);
  c.set('code', error.code);
  if (error.retryAfterS !== undefined) c.header('Retry-After', String(error.retryAfterS));
  return c.json(refusalOf(error), statusOf(error.code) as ContentfulStatusCode);
}

function unexpected(c: Context, cause: Error, log: Log): SvcdError {
  log.error('sandbox failed', { method: c.req.method, path: c.req.path, reason: cause.message });
  return new SvcdError('internal', 'Something went wrong inside the sandbox.', { cause });
}

function enabled(switches: CapabilitySwitches, capability: string | undefined): MiddlewareHandler<SandboxEnv> {
  return async (_c, next) => {
    if (capability !== undefined) switches.require(capability);
    await next();
  };
}
