// The sandbox: the documented service with state of its own, for trying svcd and for testing against.
// Listening on a port is left to the caller.

import * as accounts from './accounts.js';
import * as keys from './key-store.js';
import * as credits from './money/credit-account.js';
import * as ledger from './money/ledger.js';
import * as payments from './money/payments.js';
import * as templates from './templates/template-store.js';
import { Hono, type MiddlewareHandler } from 'hono';
import { SvcdError } from '../model/errors.js';
import type { Sticker } from '../model/sticker.js';
import { newSharedAbort } from '../platform/shared-abort.js';
import { controlRoutes, type ControlRoute } from './control/control-routes.js';
import type { ChooseFault } from './faults/fault-kinds.js';
import { topUpFenOf } from './money/rates.js';
import { music } from './music/music-module.js';
import { tasks } from './tasks/task-module.js';
import { FIRST_TEMPLATES } from './templates/template-designs.js';
import { createSandboxApp, allowOnly, createApp } from './sandbox-app.js';
import { openParts, type PartsOptions } from './sandbox-parts.js';
import type { SandboxEnv, SandboxModule } from './service-route.js';
import type { SandboxState } from './state/sandbox-state.js';
import { SandboxDatabase } from './state/sandbox-database.js';
import { SANDBOX_MIGRATIONS } from './state/schema.js';
import { listStickers } from './stickers/sticker-store.js';
import { CAPABILITIES } from './capability-switches.js';
import { timingSafeEqual } from 'node:crypto';
import type { Log } from '../platform/log.js';
import { VERSION } from '../platform/installation.js';
import { findBearer } from './gate.js';
import { readJsonObject } from './wire/check.js';

const OPENING_CREDITS = 1000;
/** What the document only describes, by the names that switch it on. */
const MODULES: Readonly<Record<string, SandboxModule>> = { music, tasks };
/** The catalogue, and the seed and the clock. */
const STAYING = ['seeded', 'sticker', 'word', 'placed', 'setting'];

export interface SandboxOptions extends PartsOptions {
  /** Its SQLite file, or `:memory:`. */
  file: string;
  /** Credits the main account of a new file is topped up with; an existing one keeps its own. */
  credits?: number | undefined;
  /** Opens the control surface to requests with this token. */
  controlToken?: string | undefined;
  /** What the document only describes, switched on. */
  modules?: readonly SandboxModule[] | undefined;
  /** What goes wrong, asked for each request, before the rules of the control surface. */
  faults?: ChooseFault;
}

/** A running sandbox: the app to serve, and what its owner may see and turn. */
export interface Sandbox {
  readonly app: Hono<SandboxEnv>;
  /** The main account's Key; the same for as long as the file lives. */
  readonly key: string;
  readonly seed: number;
  stickers(): Iterable<Sticker>;
  /** Changes when the stickers do. */
  readonly stamp: string;
  /** Spendable credits of the main account. */
  credits(): number;
  setCredits(credits: number): void;
  /** State of the main account's first Key. */
  setKeyState(state: keys.KeyState): void;
  /** The paid calls, oldest first. */
  charges(): credits.Charge[];
  /** Whether the ledger adds up. */
  audit(): ledger.Audit;
  /** Ends the connections that a fault holds open, so that closing does not wait for them. */
  letGo(): void;
  close(): void;
}

/**
 * Opens the sandbox, filling a new file from the catalogue. Throws `damaged`, and `invalid_argument` for another
 * seed than the file's. Must be closed.
 */
export function openSandbox(options: SandboxOptions): Sandbox {
  const db = new SandboxDatabase(options.file, SANDBOX_MIGRATIONS);
  try {
    return build(db, options);
  } catch (error) {
    db.close();
    throw error;
  }
}

function build(db: SandboxDatabase, options: SandboxOptions): Sandbox {
  const { modules = [], controlToken, credits: openingCredits = OPENING_CREDITS } = options;
  const closing = newSharedAbort();
  const more = modules.flatMap(({ capabilities }) => capabilities);
  const parts = openParts(db, options, [...CAPABILITIES, ...more]);
  const { state } = parts;
  db.transaction(() => begin(state, openingCredits));
  const service = createSandboxApp(parts, modules, {
    // The hook of a test goes first: it is asked about each request, whatever the rules say.
    chooseFault: (request) => options.faults?.(request) ?? parts.rules.choose(request),
    closing: closing.signal,
  });
  const reset = () => {
    db.transaction(() => {
      empty(state);
      begin(state, openingCredits);
    });
    state.clock.restart();
    parts.rate.clear();
    parts.images.restart();
    for (const one of [parts.rules, parts.switches]) one.reload();
  };
  const withControl = (token: string) =>
    mount(service, createControlApp(controlRoutes(parts, reset), token, parts.log));
  const main = accounts.get(state, accounts.MAIN_ACCOUNT).id;
  return {
    app: controlToken === undefined ? service : withControl(controlToken),
    key: keys.firstSecret(state.seed),
    seed: state.seed.value,
    stickers: () => listStickers(state),
    stamp: parts.catalogue.stamp,
    credits: () => credits.balance(state, main),
    setCredits: (wanted) => credits.adjust(state, main, wanted),
    setKeyState: (keyState) => keys.setState(state, main, keyState),
    charges: () => credits.charges(state),
    audit: () => ledger.audit(state),
    letGo: () => closing.abort(),
    close: () => {
      closing.abort();
      db.close();
    },
  };
}

/** Serves the control surface beside the service, out of reach of its faults, rates and journal. */
function mount(service: Hono<SandboxEnv>, control: Hono<SandboxEnv>): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>({ getPath: (request) => new URL(request.url).pathname });
  app.all('/sandbox/*', (c) => control.fetch(c.req.raw, c.env));
  app.all('*', (c) => service.fetch(c.req.raw, c.env));
  return app;
}

/** Fills an empty sandbox; does nothing to one that has an account. */
function begin(state: SandboxState, opening: number): void {
  if (accounts.find(state, accounts.MAIN_ACCOUNT) !== undefined) return;
  const main = accounts.create(state, accounts.MAIN_ACCOUNT, true);
  keys.issue(state, { account: main.id, permissions: keys.PERMISSIONS });
  // Not a gift, of which the service has none: the account begins as one that was topped up.
  if (opening > 0) payments.topUp(state, main.id, topUpFenOf(opening));
  for (const release of FIRST_TEMPLATES) templates.release(state, release);
}

/**
 * Empties everything but the catalogue, the seed and the clock, also what a module has written that is switched off
 * now: the seed begins anew, and its ids would meet the old ones. To be run in a transaction.
 */
function empty({ db }: SandboxState): void {
  db.exec('PRAGMA defer_foreign_keys = ON');
  const tables = db
    .all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .filter(({ name }) => !STAYING.includes(name));
  for (const { name } of tables) db.exec(`DELETE FROM "${name}"`);
}

/** The modules of these names. Throws `invalid_argument` for a name that is none. */
export function getSandboxModules(names: readonly string[]): SandboxModule[] {
  return names.map((name) => {
    const module = Object.hasOwn(MODULES, name) ? MODULES[name] : undefined;
    if (module !== undefined) return module;
    const known = Object.keys(MODULES).join(', ');
    throw new SvcdError('invalid_argument', `the sandbox has no module ${JSON.stringify(name)}; known: ${known}`);
  });
}

/**
 * The app of the control surface: what the owner of a sandbox may do to it. It is svcd's, not the service's; nothing of it is under
 * /api. Throws nothing; without the token every path but the status is 401.
 */
function createControlApp(routes: readonly ControlRoute[], token: string, log: Log): Hono<SandboxEnv> {
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
