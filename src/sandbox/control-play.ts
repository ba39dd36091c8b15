// Everything else on the control surface: time, switches, faults, the request journal, beginning anew.

import type { Context } from 'hono';
import { SvcdError } from '../model/errors.js';
import { parseControl, parseFaultRule } from './control-requests.js';
import type { CapabilitySwitches } from './capability-switches.js';
import { numberIn } from './control-accounts.js';
import type { ControlRoute } from './control-app.js';
import type { FaultRules, KeptRule } from './fault-rules.js';
import { readJsonObject } from './read-body.js';
import type { RequestJournal, RequestQuery } from './request-journal.js';
import type { SandboxClock } from './sandbox-clock.js';
import type { Seed } from './seed.js';

export interface PlayRooms {
  clock: SandboxClock;
  seed: Seed;
  rules: FaultRules;
  switches: CapabilitySwitches;
  requests: RequestJournal;
  /** Begins anew with the same seed. */
  reset: () => void;
}

const LISTED = 50;
const LISTED_MAX = 10_000;

/** Routes about how the sandbox behaves. */
export function playRoutes(rooms: PlayRooms): ControlRoute[] {
  const { clock, seed, rules, switches, requests, reset } = rooms;
  return [
    ['GET', '/sandbox/clock', () => viewClock(clock)],
    ['POST', '/sandbox/clock', async (c) => moveClock(clock, await readJsonObject(c.req.raw))],
    ['GET', '/sandbox/capabilities', () => ({ capabilities: switches.list() })],
    [
      'PUT',
      '/sandbox/capabilities/:id',
      async (c) => {
        const { enabled } = parseControl('capability', await readJsonObject(c.req.raw));
        return switches.set(c.req.param('id') ?? '', enabled);
      },
    ],
    ['GET', '/sandbox/faults', () => ({ seed: seed.value, faults: rules.list().map(viewRule) })],
    [
      'POST',
      '/sandbox/faults',
      async (c) => viewRule(rules.add(parseFaultRule(await readJsonObject(c.req.raw)))),
    ],
    ['DELETE', '/sandbox/faults', () => clearFaults(rules)],
    ['DELETE', '/sandbox/faults/:id', (c) => clearFaults(rules, numberIn(c, 'id'))],
    ['GET', '/sandbox/requests', (c) => ({ requests: requests.list(queryIn(c)).map(viewRequest) })],
    [
      'POST',
      '/sandbox/reset',
      () => {
        reset();
        return { seed: seed.value, ...viewClock(clock) };
      },
    ],
  ];
}

function viewClock(clock: SandboxClock) {
  return { now: new Date(clock.now()).toISOString(), ahead_ms: clock.aheadMs };
}

function moveClock(clock: SandboxClock, body: Record<string, unknown>) {
  const move = parseControl('clock', body);
  clock.advance('to' in move ? Date.parse(move.to) - clock.now() : move.advance_ms);
  return viewClock(clock);
}

function viewRule({ id, rule, seen, fired }: KeptRule) {
  return { id, ...rule, seen, fired };
}

function clearFaults(rules: FaultRules, id?: number) {
  const before = rules.list().length;
  rules.clear(id);
  return { removed: before - rules.list().length };
}

function queryIn(c: Context): RequestQuery {
  const limit = c.req.query('limit') ?? String(LISTED);
  if (/^\d{1,5}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= LISTED_MAX) {
    return { limit: Number(limit), account: c.req.query('account'), path: c.req.query('path') };
  }
  throw new SvcdError('invalid_request', `limit: must be a whole number from 1 to ${LISTED_MAX}`);
}

function viewRequest({ at, ...request }: ReturnType<RequestJournal['list']>[number]) {
  return { ...request, at: new Date(at).toISOString() };
}
