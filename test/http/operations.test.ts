// The table of operations as others see it: the document in OpenAPI, the table for people, and what is really answered.

import { BaseResolver, createConfig, lintDocument, makeDocumentFromString } from '@redocly/openapi-core';
import { parse, type GenericSchema } from 'valibot';
import { describe, expect, it } from 'vitest';
import { ANSWER_HEADERS } from '../../src/api/answer-headers.js';
import { againOf, type Operation } from '../../src/api/operation.js';
import { OPERATIONS } from '../../src/api/operations.js';
import { checked } from '../support/check-answers.js';
import { expectDocTable } from '../support/doc-table.js';
import type { StartedDaemon } from '../support/start-daemon.js';
import { startPair } from '../support/start-pair.js';

const operations: readonly Operation[] = Object.values(OPERATIONS);

interface Call {
  operationId: string;
  parameters?: object[];
  responses: Record<string, { content?: object; headers?: object }>;
}

interface Document {
  openapi: string;
  paths: Record<string, Record<string, Call>>;
}

/** The document of a svcd, by the names of its operations. */
async function callsOf(svcd: StartedDaemon): Promise<Record<string, Call>> {
  const { paths } = (await (await svcd.call('/openapi.json')).json()) as Document;
  const calls = Object.values(paths).flatMap((one) => Object.values(one));
  return Object.fromEntries(calls.map((call) => [call.operationId, call]));
}

describe('the OpenAPI document', () => {
  it('is linted clean, for anybody who asks', async () => {
    const { svcd } = await startPair();
    const text = await (await svcd.call('/openapi.json')).text();
    const problems = await lintDocument({
      document: makeDocumentFromString(text, '/openapi.json'),
      config: await createConfig({ extends: ['recommended'] }),
      externalRefResolver: new BaseResolver(),
    });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
    expect(JSON.parse(text)).toMatchObject({ openapi: '3.1.0', servers: [{ url: svcd.url }] });
  });

  it('says of each operation who may, what it can cost, and whether it may be asked again', async () => {
    const { svcd } = await startPair();
    const calls = await callsOf(svcd);
    for (const [name, operation] of Object.entries(OPERATIONS) as [string, Operation][]) {
      if (operation.method === 'any') continue;
      expect(calls[name], name).toMatchObject({
        'x-svcd-who': operation.who,
        'x-svcd-cost': operation.cost,
        'x-svcd-again': againOf(operation),
      });
    }
    const again = (name: keyof typeof OPERATIONS) => againOf(OPERATIONS[name]);
    expect([again('searchStickers'), again('matchStickers'), again('showStatus')]).toEqual(['safe', 'safe', 'safe']);
    expect([again('downloadSticker'), again('generateImage')]).toEqual(['same-thing', 'same-thing']);
    expect([again('registerProduction'), again('addToken'), again('retryPurchase')]).toEqual([
      'never',
      'never',
      'never',
    ]);
  });

  it('describes a line of each answer that is lines, and that it is', async () => {
    const { svcd } = await startPair();
    const calls = await callsOf(svcd);
    const streams = Object.entries(OPERATIONS).filter(([, { answer }]) => answer === 'application/x-ndjson');
    expect(streams.length).toBeGreaterThanOrEqual(4);
    for (const [name] of streams) {
      expect(calls[name]?.responses['200']?.content, name).toEqual({
        'application/x-ndjson': { schema: expect.anything() as object, 'x-svcd-stream': 'lines' },
      });
    }
  });

  it('has the headers of svcd as components that answers name', async () => {
    const { svcd } = await startPair();
    const { components } = (await (await svcd.call('/openapi.json')).json()) as { components: { headers: object } };
    expect(Object.keys(components.headers)).toEqual(expect.arrayContaining(Object.keys(ANSWER_HEADERS)));
    const { downloadSticker } = await callsOf(svcd);
    const reason = { $ref: '#/components/headers/X-Svcd-Reason' };
    expect(downloadSticker?.responses['200']?.headers).toMatchObject({ 'X-Svcd-Reason': reason });
  });

  it.each(['/openapi.json', '/llms.txt'])('keeps %s, and says by an ETag that it has not changed', async (path) => {
    const { svcd } = await startPair();
    const first = await svcd.call(path);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"\w+"$/);
    expect((await svcd.call(path, { headers: { 'If-None-Match': etag } })).status).toBe(304);
    expect(await (await svcd.call(path)).text()).toBe(await first.text());
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
      [
        'planAssets',
        await svcd.post('/svcd/plan', {
          slots: [
            { id: 'a', text: '生日蛋糕' },
            { id: 'b', prompt: '蛋糕', size: '1024x1024' },
            { id: 'c', preset: 'no/such' },
          ],
        }),
      ],
      ['showFrontPage', await svcd.get('/')],
      ['showStatus', await svcd.get('/svcd/status')],
      ['listFree', await svcd.get('/svcd/owned?preset=a')],
      ['switchOffline', await svcd.post('/svcd/offline', { offline: false })],
      ['addDefault', await svcd.send('PUT', '/svcd/defaults/stickers/a', lottie)],
      ['listDefaults', await svcd.get('/svcd/defaults/stickers')],
      ['removeDefault', await svcd.send('DELETE', '/svcd/defaults/stickers/a')],
      ['listPurchases', await svcd.get('/svcd/purchases')],
      ['showPurchase', await svcd.get('/svcd/purchases/1')],
      ['showSpending', await svcd.get('/svcd/spending')],
      ['setBudget', await svcd.send('PUT', '/svcd/budget', '{"day":100}')],
      ['showLibrary', await svcd.get('/svcd/library')],
      ['pauseLibrary', await svcd.send('POST', '/svcd/library/pause')],
      ['importLibrary', await svcd.send('POST', '/svcd/library/import', '{"no":"line"}\n', lines)],
      ['importOwned', await svcd.send('POST', '/svcd/owned/import', '{"no":"line"}\n', lines)],
      ['addOwnSticker', await svcd.send('PUT', '/svcd/library/stickers/own%2Fa', own)],
      ['listOwnStickers', await svcd.get('/svcd/library/stickers')],
      ['removeOwnSticker', await svcd.send('DELETE', '/svcd/library/stickers/own%2Fa')],
      ['addOrigin', await svcd.send('PUT', '/svcd/origins/http%3A%2F%2Flocalhost%3A3000')],
      ['listOrigins', await svcd.get('/svcd/origins')],
      ['removeOrigin', await svcd.send('DELETE', '/svcd/origins/http%3A%2F%2Flocalhost%3A3000')],
      ['showKey', await svcd.get('/svcd/key')],
      ['beginRun', await svcd.post('/svcd/runs', { name: 'card' })],
      ['showReport', await svcd.get('/svcd/report')],
      ['addToken', await svcd.post('/svcd/tokens', { name: 'one' })],
      ['listTokens', await svcd.get('/svcd/tokens')],
      ['revokeToken', await svcd.send('DELETE', '/svcd/tokens/one')],
      ['openSession', await svcd.send('POST', '/svcd/session-code')],
      ['openPageCode', await svcd.send('POST', '/svcd/page-code')],
      ['rotateToken', await svcd.send('POST', '/svcd/token/rotate')],
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

describe('an answer that nobody described', () => {
  const json = (value: object, headers = {}, status = 200) =>
    new Response(JSON.stringify(value), { status, headers: { 'Content-Type': 'application/json', ...headers } });
  const lines = (...all: object[]) => {
    const text = all.map((one) => `${JSON.stringify(one)}\n\n`).join('');
    return new Response(text, { headers: { 'Content-Type': 'application/x-ndjson' } });
  };
  const library = '/svcd/library/export';

  it.each([
    ['a field is missing', 'GET', '/svcd/owned', json({ owned: [] })],
    ['a field is one too many', 'GET', '/svcd/owned', json({ owned: [], shipped: [], rented: [] })],
    ['one deep inside is', 'GET', '/svcd/purchases', json({ purchases: [{ id: 1, rented: true }] })],
    ['a value is of another kind', 'GET', '/svcd/owned', json({ owned: 'a', shipped: [] })],
    ['a header is new', 'GET', '/svcd/owned', json({ owned: [], shipped: [] }, { 'X-Svcd-New': '1' })],
    [
      'the header belongs to others',
      'GET',
      '/svcd/owned',
      json({ owned: [], shipped: [] }, { 'X-Svcd-Reason': 'late' }),
    ],
    ['the status is new', 'GET', '/svcd/owned', json({ owned: [], shipped: [] }, {}, 202)],
    ['the type is another', 'GET', '/svcd/owned', new Response('[]', { headers: { 'Content-Type': 'text/plain' } })],
    ['a refusal has no code', 'GET', '/svcd/purchases/9', json({ message: 'no' }, {}, 404)],
    ['the operation is new', 'PATCH', '/svcd/owned', json({})],
    ['the path is new', 'GET', '/svcd/rented', json({})],
    ['one of its lines is', 'GET', library, lines({ end: true, stickers: 0 }, { end: true, rented: 0 })],
  ])('fails the test that got it: %s', async (_, method, path, answer) => {
    await expect(checked(method, path, answer).then((one) => one.text())).rejects.toThrow(
      'as /openapi.json describes it',
    );
  });

  it('is told from one that is described', async () => {
    const free = { owned: ['a'], shipped: [] };
    expect(await (await checked('GET', '/svcd/owned', json(free, { 'X-Svcd-Remote': 'sandbox' }))).json()).toEqual(
      free,
    );
    const told = await checked('GET', library, lines({ synonym: 'a', finds: 'b' }, { end: true, stickers: 0 }));
    expect((await told.text()).trim().split(/\n+/)).toHaveLength(2);
    expect((await checked('GET', '/api/v1/music/search', json({ anything: 1 }))).status).toBe(200);
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
    await expectDocTable('src/http/REFERENCE.md', 'operations', [head, ...rows]);
  });

  it('lists every header of an answer', async () => {
    const rows = Object.entries(ANSWER_HEADERS).map(([name, { what }]) => [`\`${name}\``, what]);
    await expectDocTable('src/http/REFERENCE.md', 'headers', [['header of an answer', 'meaning'], ...rows]);
  });
});
