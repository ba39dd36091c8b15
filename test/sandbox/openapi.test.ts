// The OpenAPI document: without fault, about every path there is, and true of what is answered.

import { BaseResolver, createConfig, lintDocument, makeDocumentFromString } from '@redocly/openapi-core';
import { parse, type GenericSchema } from 'valibot';
import { describe, expect, test } from 'vitest';
import { music } from '../../src/sandbox/music/music-module.js';
import { tasks } from '../../src/sandbox/tasks/task-module.js';
import { ANSWER_SCHEMAS, type AnswerName } from '../../src/sandbox/wire/answer-schemas.js';
import { startSandbox, type StartedSandbox } from './start-sandbox.js';

interface Call {
  'x-svcd-choice'?: boolean;
  responses: Record<string, { description: string; 'x-svcd-choice'?: boolean }>;
}

interface Document {
  paths: Record<string, Record<string, Call>>;
  components: { schemas: Record<string, { properties: Record<string, Record<string, unknown>> }> };
}

/** The fields that the service's document names, with what they may hold. */
const SHOWN = [
  ...['text', 'keywords', 'limit'].map((field) => `MatchRequest.${field}`),
  'ImageRequest.prompt',
  ...['template', 'package_sha256', 'duration_s', 'stage'].map((field) => `ProductionRequest.${field}`),
  'Capabilities.capabilities',
  ...['enabled', 'status'].map((field) => `Capabilities.capabilities.${field}`),
  'Usage.effective_credits_remaining',
  'Usage.capabilities',
  ...['enabled', 'status', 'possible_count'].map((field) => `Usage.capabilities.${field}`),
  ...['extracted_keywords', 'total', 'results', 'results.preset', 'results.file'].map(
    (field) => `MatchAnswer.${field}`,
  ),
  ...['w', 'h', 'fr', 'op', 'layers'].map((field) => `Lottie.${field}`),
  ...['size', 'width', 'height', 'requested_size'].map((field) => `Image.${field}`),
  ...['production_id', 'latest_version'].map((field) => `Production.${field}`),
  'Refusal.code',
];

type Schema = { 'x-svcd-choice'?: boolean; properties?: Record<string, Schema>; items?: Schema };

/** Every field of a schema by its path; what is inside of our choice is our choice. */
function fieldsOf(path: string, schema: Schema, within: boolean): { name: string; ours: boolean }[] {
  const ours = within || schema['x-svcd-choice'] === true;
  if (schema.items !== undefined) return fieldsOf(path, schema.items, ours);
  return Object.entries(schema.properties ?? {}).flatMap(([field, one]) => {
    const name = `${path}.${field}`;
    return [{ name, ours: ours || one['x-svcd-choice'] === true }, ...fieldsOf(name, one, ours)];
  });
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
      for (const call of Object.values(full.paths[path] ?? {})) expect(call['x-svcd-choice'], path).toBe(true);
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
    expect(SearchAnswer?.properties['results']).not.toMatchObject({ items: { properties: { preset: marked } } });
  });

  test('marks as our choice every field that the service does not show, and none that it does', async () => {
    const { schemas } = (await documentOf(await startSandbox({ modules: [music, tasks] }))).components;
    const fields = Object.entries(schemas).flatMap(([name, schema]) => fieldsOf(name, schema, false));
    const unmarked = fields.filter(({ ours }) => !ours).map(({ name }) => name);
    expect(unmarked.toSorted()).toEqual(SHOWN.toSorted());
    expect(fields.length - unmarked.length).toBeGreaterThan(50);
  });

  test('says that a match wants text or keywords, and which of the sizes and stages there are', async () => {
    const { schemas } = (await documentOf(await startSandbox())).components;
    expect(schemas['MatchRequest']).toMatchObject({ anyOf: [{ required: ['text'] }, { required: ['keywords'] }] });
    expect(schemas['ImageRequest']?.properties['size']).toMatchObject({
      enum: expect.arrayContaining(['1536x1024', '1024x1024', '1024x1536']) as string[],
    });
    expect(schemas['ProductionRequest']?.properties['stage']).toMatchObject({ enum: ['plan', 'done'] });
  });

  test('marks the codes and statuses of refusals that the service does not show', async () => {
    const { paths } = await documentOf(await startSandbox());
    const refusals = paths['/api/v1/images']?.['post']?.responses ?? {};
    const told = Object.entries(refusals).map(([status, one]) => [
      Number(status),
      one['x-svcd-choice'] === true ? 'ours' : one.description,
    ]);
    expect(Object.fromEntries(told)).toMatchObject({
      400: 'invalid_request (our code)',
      401: 'invalid_key',
      403: 'key_disabled or key_limit_exceeded (our code)',
      409: 'duplicate_request (our code)',
      413: 'ours',
      429: 'rate_limited or busy (our code)',
      502: 'ours',
      503: 'not_enabled',
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
      ['Production', await json(post('/api/v1/productions', { template: 'birthday-card@1.0.0', stage: 'plan' }))],
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
