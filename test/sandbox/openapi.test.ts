// The OpenAPI document: without fault, about every path there is, and true of what is answered.

import { BaseResolver, createConfig, lintDocument, makeDocumentFromString } from '@redocly/openapi-core';
import { parse, type GenericSchema } from 'valibot';
import { describe, expect, test } from 'vitest';
import { music } from '../../src/sandbox/music/music-module.js';
import { tasks } from '../../src/sandbox/tasks/task-module.js';
import { ANSWER_SCHEMAS, type AnswerName } from '../../src/wire/answer-schemas.js';
import { startSandbox, type StartedSandbox } from './start-sandbox.js';

interface Document {
  paths: Record<string, Record<string, { 'x-svcd-choice'?: boolean }>>;
  components: { schemas: Record<string, { properties: Record<string, Record<string, unknown>> }> };
}

const IMAGE = { prompt: '蛋糕', size: '1024x1024' };

describe('the OpenAPI document', () => {
  test.each([
    ['the documented service', []],
    ['all that is described too', [music, tasks]],
  ])('of %s is linted clean', async (_, modules) => {
    const { url } = await startSandbox({ modules });
    const text = await (await fetch(`${url}/openapi.json`)).text();
    const problems = await lintDocument({
      document: makeDocumentFromString(text, '/openapi.json'),
      config: await createConfig({ extends: ['recommended'] }),
      externalRefResolver: new BaseResolver(),
    });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  test('speaks of music and tasks only where they are switched on, and marks them as our choice', async () => {
    const plain = await documentOf(await startSandbox());
    const full = await documentOf(await startSandbox({ modules: [music, tasks] }));
    expect(Object.keys(plain.paths).filter((path) => /music|tasks|quotes/.test(path))).toEqual([]);
    const extra = Object.keys(full.paths).filter((path) => !(path in plain.paths));
    expect(extra.length).toBeGreaterThan(8);
    for (const path of extra) {
      for (const call of Object.values(full.paths[path] ?? {}))
        expect(call['x-svcd-choice'], path).toBe(true);
    }
  });

  test('names paths that answer: none is 404 for want of a route', async () => {
    const started = await startSandbox({ modules: [music, tasks] });
    for (const path of Object.keys((await documentOf(started)).paths)) {
      const real = path.replaceAll(/\{\w+\}/g, 'x');
      expect((await fetch(started.url + real, { method: 'DELETE' })).status, path).toBe(405);
    }
  });

  test('has the limits that requests are checked by, and says what is our choice', async () => {
    const { MatchRequest, SearchAnswer } = (await documentOf(await startSandbox())).components.schemas;
    expect(MatchRequest?.properties).toMatchObject({
      text: { maxLength: 2000 },
      keywords: { maxItems: 20, items: { maxLength: 64 } },
      limit: { minimum: 1, maximum: 50, default: 12 },
    });
    const marked = { 'x-svcd-choice': true };
    expect(SearchAnswer?.properties['results']).toMatchObject({ items: { properties: { title: marked } } });
    expect(SearchAnswer?.properties['results']).not.toMatchObject({
      items: { properties: { preset: marked } },
    });
  });

  test('is true of what is answered', async () => {
    const { call, post } = await startSandbox({ modules: [music, tasks] });
    const json = async (answer: Promise<Response>) => (await answer).json() as Promise<never>;
    const quote = await json(post('/api/v1/quotes', { capability: 'images.generate', input: IMAGE }));
    const answers: [AnswerName, unknown][] = [
      ['Me', await json(call('/api/v1/me'))],
      ['Usage', await json(call('/api/v1/usage'))],
      ['Capabilities', await json(call('/api/v1/capabilities'))],
      ['SearchAnswer', await json(call('/api/v1/stickers/search?q=蛋糕'))],
      ['MatchAnswer', await json(post('/api/v1/stickers/match', { text: '生日蛋糕' }))],
      ['Lottie', await json(call('/api/v1/stickers/food%2Fcake'))],
      ['Image', await json(post('/api/v1/images', IMAGE))],
      [
        'Production',
        await json(post('/api/v1/productions', { template: 'birthday-card@1.0.0', stage: 'plan' })),
      ],
      ['Refusal', await json(call('/api/v1/stickers/none'))],
      ['Tracks', await json(call('/api/v1/music/search'))],
      ['Asset', await json(post('/api/v1/music/tracks/happy-piano-15/select', {}))],
      ['Quote', quote],
      ['Task', await json(post('/api/v1/tasks', { quote_id: quote['quote_id'] }))],
    ];
    for (const [name, body] of answers) {
      // Parsing drops what the schema does not know: nothing may be lost.
      expect(parse(ANSWER_SCHEMAS[name] as GenericSchema, body), name).toEqual(body);
    }
  });
});

async function documentOf({ url }: StartedSandbox): Promise<Document> {
  return (await (await fetch(`${url}/openapi.json`)).json()) as Document;
}
