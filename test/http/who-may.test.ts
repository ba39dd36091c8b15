// Every operation, and who may use it: decided here a second time, so that a change of the table is noticed.

import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Operation, Who } from '../../src/api/operation.js';
import { OPERATIONS } from '../../src/api/operations.js';
import { leaseToken } from '../support/lease-token.js';
import { temporaryHome } from '../support/start-daemon.js';
import { startPair } from '../support/start-pair.js';

interface Row {
  readonly route: string;
  readonly who: Who;
  /** A request that gets as far as the question who asks. */
  readonly path?: string;
  readonly body?: object;
}

const TABLE: readonly Row[] = [
  { route: 'GET /', who: 'anybody' },
  { route: 'GET /openapi.json', who: 'anybody' },
  { route: 'GET /llms.txt', who: 'anybody' },
  // Each call of a tool is judged by what it asks (test/mcp/over-http.test.ts).
  { route: 'POST /mcp', who: 'anybody' },
  { route: 'GET /api/v1/capabilities', who: 'anybody' },
  { route: 'GET /api/v1/stickers/search', who: 'anybody', path: '/api/v1/stickers/search?q=a' },
  { route: 'POST /api/v1/stickers/match', who: 'anybody', body: { text: 'a' } },
  { route: 'GET /api/v1/stickers/{preset}', who: 'spender', path: '/api/v1/stickers/food%2Fcake' },
  { route: 'POST /api/v1/images', who: 'spender', body: { prompt: 'a', size: '1024x1024' } },
  { route: 'GET /api/v1/me', who: 'spender' },
  { route: 'GET /api/v1/usage', who: 'spender' },
  // The document accepts it without a Key.
  { route: 'POST /api/v1/productions', who: 'anybody', body: { template: 'a@1', stage: 'plan' } },
  // The remote itself refuses what needs a Key, and gets none.
  { route: 'any /api/v1/*', who: 'spender', path: '/api/v1/music' },
  { route: 'GET /svcd/files/*', who: 'spender', path: '/svcd/files/images/1.png' },
  // The address is the secret, and leads to what is there already.
  { route: 'GET /svcd/images/{address}', who: 'anybody', path: `/svcd/images/${'0'.repeat(32)}.png` },
  { route: 'GET /svcd/search', who: 'anybody', path: '/svcd/search?q=a' },
  { route: 'GET /svcd/music/{track}/{part}', who: 'spender', path: '/svcd/music/happy-piano-15/preview' },
  { route: 'POST /svcd/music/{track}/select', who: 'spender', path: '/svcd/music/happy-piano-15/select' },
  { route: 'GET /svcd/complete', who: 'anybody', path: '/svcd/complete?q=a' },
  { route: 'GET /svcd/related/{preset}', who: 'anybody', path: '/svcd/related/food%2Fcake' },
  { route: 'GET /svcd/tiles', who: 'anybody' },
  { route: 'POST /svcd/tiles/match', who: 'anybody', body: { text: 'a' } },
  { route: 'GET /svcd/tiles/{preset}', who: 'anybody', path: '/svcd/tiles/food%2Fcake' },
  { route: 'GET /svcd/sketches/{preset}', who: 'anybody', path: '/svcd/sketches/food%2Fcake' },
  { route: 'GET /svcd/pictures/{preset}', who: 'anybody', path: '/svcd/pictures/food%2Fcake' },
  { route: 'GET /svcd/summary', who: 'page' },
  { route: 'GET /svcd/health', who: 'page' },
  { route: 'GET /svcd/events', who: 'page' },
  { route: 'GET /svcd/collections', who: 'page' },
  {
    route: 'PUT /svcd/collections/{collection}',
    who: 'page',
    path: '/svcd/collections/party',
    body: { presets: ['food/cake'] },
  },
  { route: 'PUT /svcd/collections/{collection}/{preset}', who: 'page', path: '/svcd/collections/party/food%2Fcake' },
  { route: 'DELETE /svcd/collections/{collection}/{preset}', who: 'page', path: '/svcd/collections/party/food%2Fcake' },
  { route: 'DELETE /svcd/collections/{collection}', who: 'page', path: '/svcd/collections/party' },
  { route: 'GET /svcd/projects', who: 'page' },
  { route: 'GET /svcd/projects/{project}', who: 'page', path: '/svcd/projects/a' },
  {
    route: 'PUT /svcd/projects/{project}',
    who: 'page',
    path: '/svcd/projects/a',
    body: { revision: 0, content: { version: 1, name: '', script: 'a', lines: [], filters: {} } },
  },
  { route: 'GET /svcd/projects/{project}/copy', who: 'page', path: '/svcd/projects/a/copy' },
  { route: 'DELETE /svcd/projects/{project}', who: 'page', path: '/svcd/projects/a' },
  { route: 'POST /svcd/exports', who: 'page', body: { presets: ['food/cake'] } },
  { route: 'POST /svcd/folder', who: 'page', body: { presets: ['food/cake'] } },
  { route: 'POST /svcd/folder/reveal', who: 'page' },
  { route: 'POST /svcd/folder/default', who: 'page' },
  { route: 'PUT /svcd/folder/made', who: 'page', path: '/svcd/folder/made?file=a.gif&offset=0', body: {} },
  { route: 'GET /svcd/owned.zip', who: 'anybody', path: '/svcd/owned.zip?preset=default%2Fbirthday-cake' },
  { route: 'GET /svcd/picker/{file}', who: 'anybody', path: '/svcd/picker/main.js' },
  { route: 'POST /svcd/plan', who: 'anybody', body: { slots: [{ id: 'a', text: 'a' }] } },
  { route: 'GET /svcd/status', who: 'anybody' },
  { route: 'GET /svcd/owned/by-digest/{sha256}', who: 'anybody', path: `/svcd/owned/by-digest/${'0'.repeat(64)}` },
  { route: 'GET /svcd/renders/{preset}', who: 'anybody', path: '/svcd/renders/food%2Fcake' },
  { route: 'GET /svcd/sheet.png', who: 'anybody', path: '/svcd/sheet.png?preset=food%2Fcake' },
  { route: 'GET /svcd/facts/{preset}', who: 'anybody', path: '/svcd/facts/food%2Fcake' },
  { route: 'GET /svcd/owned', who: 'anybody', path: '/svcd/owned?preset=a' },
  { route: 'POST /svcd/offline', who: 'page', body: { offline: false } },
  { route: 'GET /svcd/defaults/images/{size}.png', who: 'anybody', path: '/svcd/defaults/images/1024x1024.png' },
  { route: 'GET /svcd/defaults/stickers', who: 'anybody' },
  { route: 'PUT /svcd/defaults/stickers/{preset}', who: 'page', path: '/svcd/defaults/stickers/a', body: {} },
  { route: 'DELETE /svcd/defaults/stickers/{preset}', who: 'page', path: '/svcd/defaults/stickers/a' },
  {
    route: 'POST /svcd/prefetch',
    who: 'spender',
    body: { images: [{ prompt: 'a', size: '1024x1024' }], max_credits: 10, fallback: false },
  },
  { route: 'GET /svcd/purchases', who: 'purchases' },
  { route: 'GET /svcd/purchases/{id}', who: 'purchases', path: '/svcd/purchases/9' },
  { route: 'POST /svcd/purchases/settle', who: 'page' },
  { route: 'POST /svcd/purchases/{id}/settle', who: 'page', path: '/svcd/purchases/9/settle', body: {} },
  { route: 'POST /svcd/purchases/{id}/retry', who: 'page', path: '/svcd/purchases/9/retry', body: {} },
  { route: 'GET /svcd/spending', who: 'purchases' },
  { route: 'POST /svcd/spending', who: 'page', body: { stopped: false } },
  { route: 'PUT /svcd/budget', who: 'page', body: { day: null } },
  { route: 'GET /svcd/library', who: 'anybody' },
  { route: 'POST /svcd/library/sync', who: 'owner' },
  { route: 'POST /svcd/library/pause', who: 'page' },
  { route: 'POST /svcd/library/resume', who: 'page' },
  { route: 'GET /svcd/library/export', who: 'owner' },
  { route: 'POST /svcd/library/import', who: 'owner', body: {} },
  { route: 'GET /svcd/owned/export', who: 'owner' },
  { route: 'POST /svcd/owned/import', who: 'owner', body: {} },
  { route: 'GET /svcd/library/stickers', who: 'page' },
  { route: 'PUT /svcd/library/stickers/{preset}', who: 'page', path: '/svcd/library/stickers/own%2Fa', body: {} },
  { route: 'DELETE /svcd/library/stickers/{preset}', who: 'page', path: '/svcd/library/stickers/own%2Fa' },
  { route: 'GET /svcd/origins', who: 'owner' },
  { route: 'PUT /svcd/origins/{origin}', who: 'owner', path: '/svcd/origins/http%3A%2F%2Fa.example' },
  { route: 'DELETE /svcd/origins/{origin}', who: 'owner', path: '/svcd/origins/http%3A%2F%2Fa.example' },
  { route: 'GET /svcd/key', who: 'owner' },
  { route: 'POST /svcd/key/refresh', who: 'owner' },
  { route: 'GET /svcd/tokens', who: 'owner' },
  { route: 'POST /svcd/tokens', who: 'owner', body: { name: 'another' } },
  { route: 'POST /svcd/tokens/lease', who: 'owner', body: {} },
  { route: 'POST /svcd/runs', who: 'owner', body: { name: 'card' } },
  { route: 'GET /svcd/report', who: 'run' },
  { route: 'DELETE /svcd/tokens/{name}', who: 'owner', path: '/svcd/tokens/nobody' },
  { route: 'POST /svcd/session-code', who: 'owner' },
  { route: 'POST /svcd/page-code', who: 'owner' },
  { route: 'GET /svcd/hub/status', who: 'owner' },
  { route: 'GET /svcd/hub/invites', who: 'owner' },
  { route: 'POST /svcd/hub/invites', who: 'owner', body: { projects: ['promo'] } },
  { route: 'GET /svcd/hub/machines', who: 'owner' },
  { route: 'DELETE /svcd/hub/machines/{machine}', who: 'owner', path: '/svcd/hub/machines/7' },
  { route: 'DELETE /svcd/hub/machines', who: 'owner', path: '/svcd/hub/machines?unseen_s=9' },
  { route: 'GET /svcd/hub/budgets', who: 'owner' },
  { route: 'PUT /svcd/hub/budgets', who: 'owner', body: { payer: 'project:promo', period: 'total', credits: 9 } },
  { route: 'GET /svcd/hub/purchases', who: 'owner' },
  { route: 'GET /svcd/hub/report', who: 'owner' },
  { route: 'GET /svcd/hub/audit', who: 'owner' },
  { route: 'POST /svcd/hub/warm', who: 'owner', body: { presets: ['food/cake'] } },
  { route: 'POST /svcd/hub/recover', who: 'owner' },
  // The code is the secret.
  { route: 'GET /svcd/session', who: 'anybody', path: '/svcd/session' },
  // These end what the others need, so they come last.
  { route: 'POST /svcd/token/rotate', who: 'owner' },
  { route: 'POST /svcd/stop', who: 'owner' },
];

interface Refusal {
  readonly code: string;
}

describe('the table of operations', () => {
  it('lets those in whom this test has decided on, and has no operation without a decision', () => {
    const operations: readonly Operation[] = Object.values(OPERATIONS);
    const listed = operations.map(({ method, path, who }) => `${method} ${path}: ${who}`);
    expect(listed.toSorted()).toEqual(TABLE.map(({ route, who }) => `${route}: ${who}`).toSorted());
  });

  it('says of what costs credits who may spend them, and how many', () => {
    const operations: readonly Operation[] = Object.values(OPERATIONS);
    const costly = operations.filter(({ cost }) => cost !== 0);
    expect(costly.map(({ path, cost }) => [path, cost])).toEqual([
      ['/api/v1/stickers/{preset}', 1],
      ['/api/v1/images', 10],
      ['/api/v1/*', 'unknown'],
      ['/svcd/files/*', 'unknown'],
      ['/svcd/prefetch', 2000],
      ['/svcd/purchases/{id}/retry', 1],
      ['/svcd/hub/warm', 'unknown'],
    ]);
    expect(costly.filter(({ who }) => !['spender', 'page', 'owner'].includes(who))).toEqual([]);
  });
});

describe('a route', () => {
  it('is for nobody but those whom the table names', async () => {
    // A folder of videos is made in it.
    vi.stubEnv('HOME', temporaryHome());
    onTestFinished(() => void vi.unstubAllEnvs());
    const { svcd, remote } = await startPair();
    const make = async (name: string, only: string[]) => {
      const answer = await svcd.post('/svcd/tokens', { name, only });
      return ((await answer.json()) as { token: string }).token;
    };
    const reader = await make('reader', ['purchases']);
    const buyer = await make('buyer', ['stickers']);
    const callers = {
      nobody: {},
      stranger: { Authorization: 'Bearer svcd_0000000000000000000000000000000' },
      reader: { Authorization: `Bearer ${reader}` },
      buyer: { Authorization: `Bearer ${buyer}` },
    };
    const told = [];
    for (const row of TABLE) {
      const [method = '', path = ''] = row.route.replace('any ', 'GET ').split(' ');
      const ask = async (headers: Record<string, string>) => {
        const json = row.body === undefined ? {} : { 'Content-Type': 'application/json' };
        const body = row.body === undefined ? {} : { body: JSON.stringify(row.body) };
        const strict = { 'X-Svcd-Fallback': 'off' };
        const init = { method, headers: { ...strict, ...json, ...headers }, ...body };
        return (await svcd.call(row.path ?? path, { ...init, redirect: 'manual' })).status;
      };
      if (row.who === 'anybody') continue;
      const statuses = {
        nobody: await ask(callers.nobody),
        stranger: await ask(callers.stranger),
        reader: await ask(callers.reader),
        ...(row.path === '/api/v1/stickers/food%2Fcake' ? {} : { buyer: await ask(callers.buyer) }),
      };
      told.push([row.route, ...Object.values(statuses)]);
      // Nobody's request to a path we do not know reaches the remote without a Key, and is refused there.
      expect([401, 403, 404], row.route).toContain(statuses.nobody);
      expect(statuses.stranger, row.route).toBe(401);
      if (row.who === 'purchases') expect([200, 404], row.route).toContain(statuses.reader);
      else expect(statuses.reader, row.route).toBe(403);
      expect(statuses.buyer ?? 403, row.route).toBe(403);
    }
    expect(told.length).toBeGreaterThan(15);
    expect(remote.sandbox.charges()).toEqual([]);
    // The same with the home's own token, except where it would end the daemon.
    for (const row of TABLE.filter(({ who }) => who === 'owner' || who === 'page')) {
      if (row.route.endsWith('/stop') || row.route.endsWith('/rotate') || row.route.endsWith('/lease')) continue;
      const [method = '', path = ''] = row.route.split(' ');
      const json = row.body === undefined ? {} : { 'Content-Type': 'application/json' };
      const body = row.body === undefined ? {} : { body: JSON.stringify(row.body) };
      const headers = { Authorization: `Bearer ${svcd.token}`, ...json };
      const { status } = await svcd.call(row.path ?? path, { method, headers, ...body });
      expect([401, 403], row.route).not.toContain(status);
    }
  });

  it('that is not free is 403 not_declared for a token fenced to a template that declares nothing', async () => {
    const { svcd, remote } = await startPair();
    const fence = { template: 'plain-captions@1.0.0', declares: [] };
    const { token } = await leaseToken(svcd, { only: [], fence });
    for (const row of TABLE) {
      const [method = '', path = ''] = row.route.replace('any ', 'GET ').split(' ');
      const json = row.body === undefined ? {} : { 'Content-Type': 'application/json' };
      const body = row.body === undefined ? {} : { body: JSON.stringify(row.body) };
      const headers = { Authorization: `Bearer ${token}`, ...json };
      // A default would be served where the request allows it: a render has to be told all the same.
      const answer = await svcd.call(row.path ?? path, { method, headers, redirect: 'manual', ...body });
      const text = await answer.text();
      if (row.who === 'anybody') {
        // The documents name the code.
        if (answer.status >= 400) expect(text, row.route).not.toContain('not_declared');
        continue;
      }
      // Its own run's report is for it.
      if (row.who === 'run') expect(answer.status, row.route).toBe(200);
      else expect([answer.status, (JSON.parse(text) as Refusal).code], row.route).toEqual([403, 'not_declared']);
    }
    expect(remote.sandbox.charges()).toEqual([]);
  });
});
