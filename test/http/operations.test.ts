// The table of operations as others see it: the document in OpenAPI, the table for people, and what is really answered.

import { BaseResolver, createConfig, lintDocument, makeDocumentFromString } from '@redocly/openapi-core';
import { parse, type GenericSchema } from 'valibot';
import { describe, expect, it } from 'vitest';
import type { Operation } from '../../src/api/operation.js';
import { OPERATIONS } from '../../src/api/operations.js';
import { expectDocTable } from '../support/doc-table.js';
import { startPair } from '../support/start-pair.js';

const operations: readonly Operation[] = Object.values(OPERATIONS);

interface Document {
  openapi: string;
  paths: Record<string, Record<string, { operationId: string; parameters?: object[] }>>;
}

describe('the OpenAPI document', () => {
  it('is linted clean, for anybody who asks', async () => {
    const { svcd } = await startPair();
    const text = await (await svcd.call('/openapi.json')).text();
    const problems = await lintDocument({
      document: makeDocumentFromString(text, '/openapi.json'),
      config: await createConfig({
        extends: ['recommended'],
        // A page comes in by a redirect.
        rules: { 'operation-2xx-response': 'off' },
      }),
      externalRefResolver: new BaseResolver(),
    });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
    expect(JSON.parse(text)).toMatchObject({ openapi: '3.1.0', servers: [{ url: svcd.url }] });
  });

  it('has every operation that can be described, and parameters as values', async () => {
    const { svcd } = await startPair();
    const { paths } = (await (await svcd.call('/openapi.json')).json()) as Document;
    const names = Object.values(paths).flatMap((one) => Object.values(one).map(({ operationId }) => operationId));
    expect(names.toSorted()).toEqual(
      Object.keys(OPERATIONS)
        .filter((name) => name !== 'passThrough')
        .toSorted(),
    );
    expect(paths['/svcd/search']?.['get']?.parameters).toEqual(
      expect.arrayContaining([
        { name: 'q', in: 'query', required: false, schema: { type: 'string', maxLength: 500 } },
        {
          name: 'limit',
          in: 'query',
          required: false,
          schema: { type: 'integer', minimum: 1, maximum: 50, default: 12 },
        },
        { name: 'owned', in: 'query', required: false, schema: { type: 'boolean' } },
      ]),
    );
  });
});

describe('an operation', () => {
  it('refuses every method that its path does not have, naming those it has', async () => {
    const { svcd } = await startPair();
    for (const path of new Set(operations.map((one) => one.path))) {
      const methods = operations.filter((one) => one.path === path).map(({ method }) => method);
      const real = path.replace('{size}.png', '1024x1024.png').replace(/\{\w+\}|\*/g, 'x');
      const answer = await svcd.call(real, { method: 'OPTIONS' });
      expect(answer.status, path).toBe(405);
      const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
      const passed = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
      expect(answer.headers.get('allow'), path).toBe((methods[0] === 'any' ? passed : allowed).join(', '));
    }
  });

  it('answers what the table says', async () => {
    const { svcd } = await startPair();
    const cake = '/api/v1/stickers/food%2Fcake';
    await svcd.get(cake);
    const lottie = await (await svcd.get(cake)).text();
    const own = JSON.stringify({ title: 'mine', keywords: ['cake'], lottie });
    const json = { 'Content-Type': 'application/json' };
    const bearer = { Authorization: `Bearer ${svcd.token}` };
    const send = (method: string, path: string, body: string, headers: Record<string, string> = json) =>
      svcd.call(path, { method, body, headers: { ...bearer, ...headers } });
    await svcd.post('/svcd/tokens', { name: 'another' });
    const lines = { 'Content-Type': 'application/x-ndjson' };
    const answers: [keyof typeof OPERATIONS, Response][] = [
      ['listCapabilities', await svcd.get('/api/v1/capabilities')],
      ['searchStickers', await svcd.get('/api/v1/stickers/search?q=蛋糕')],
      ['matchStickers', await svcd.post('/api/v1/stickers/match', { text: '生日蛋糕' })],
      ['downloadSticker', await svcd.get(cake)],
      ['generateImage', await svcd.post('/api/v1/images', { prompt: '蛋糕', size: '1024x1024' })],
      ['showAccount', await svcd.get('/api/v1/me')],
      ['showUsage', await svcd.get('/api/v1/usage')],
      ['registerProduction', await svcd.post('/api/v1/productions', { template: 'card@1.0.0', stage: 'plan' })],
      ['findStickers', await svcd.get('/svcd/search?q=蛋糕')],
      ['completeWord', await svcd.get('/svcd/complete?q=生')],
      ['listRelated', await svcd.get('/svcd/related/food%2Fcake')],
      ['showFrontPage', await svcd.get('/')],
      ['showStatus', await svcd.get('/svcd/status')],
      ['listFree', await svcd.get('/svcd/owned?preset=a')],
      ['switchOffline', await svcd.post('/svcd/offline', { offline: false })],
      ['addDefault', await send('PUT', '/svcd/defaults/stickers/a', lottie)],
      ['listDefaults', await svcd.get('/svcd/defaults/stickers')],
      ['removeDefault', await send('DELETE', '/svcd/defaults/stickers/a', '', {})],
      ['listPurchases', await svcd.get('/svcd/purchases')],
      ['showPurchase', await svcd.get('/svcd/purchases/1')],
      ['showSpending', await svcd.get('/svcd/spending')],
      ['setBudget', await send('PUT', '/svcd/budget', '{"day":100}')],
      ['showLibrary', await svcd.get('/svcd/library')],
      ['pauseLibrary', await send('POST', '/svcd/library/pause', '', {})],
      ['importLibrary', await send('POST', '/svcd/library/import', '{"no":"line"}\n', lines)],
      ['importOwned', await send('POST', '/svcd/owned/import', '{"no":"line"}\n', lines)],
      ['addOwnSticker', await send('PUT', '/svcd/library/stickers/own%2Fa', own)],
      ['listOwnStickers', await svcd.get('/svcd/library/stickers')],
      ['removeOwnSticker', await send('DELETE', '/svcd/library/stickers/own%2Fa', '', {})],
      ['addOrigin', await send('PUT', '/svcd/origins/http%3A%2F%2Flocalhost%3A3000', '', {})],
      ['listOrigins', await svcd.get('/svcd/origins')],
      ['removeOrigin', await send('DELETE', '/svcd/origins/http%3A%2F%2Flocalhost%3A3000', '', {})],
      ['showKey', await svcd.get('/svcd/key')],
      ['beginRun', await svcd.post('/svcd/runs', { name: 'card' })],
      ['showReport', await svcd.get('/svcd/report')],
      ['addToken', await svcd.post('/svcd/tokens', { name: 'one' })],
      ['listTokens', await svcd.get('/svcd/tokens')],
      ['revokeToken', await send('DELETE', '/svcd/tokens/one', '', {})],
      ['openSession', await send('POST', '/svcd/session-code', '', {})],
      ['rotateToken', await send('POST', '/svcd/token/rotate', '', {})],
    ];
    for (const [name, answer] of answers) {
      const { status = 200, answer: schema }: Operation = OPERATIONS[name];
      const body: unknown = await answer.json();
      expect(answer.status, `${name}: ${JSON.stringify(body)}`).toBe(status);
      // Parsing drops what the schema does not know: nothing may be lost.
      expect(parse(schema as GenericSchema, body), name).toEqual(body);
    }
  });
});

describe('the README of http', () => {
  it('lists every operation', async () => {
    const rows = operations.map(({ method, path, what, who, need, cost, repeatable }) => [
      method,
      `\`${path}\``,
      need === undefined ? who : `${who} (${[need].flat().join(', ')})`,
      String(cost),
      repeatable ? 'yes' : 'no',
      what,
    ]);
    const head = ['method', 'path', 'who may', 'at most', 'again', 'what'];
    await expectDocTable('src/http/README.md', 'operations', [head, ...rows]);
  });
});
