// The OpenAPI document of the service, made from the schemas that check requests and answers. What the service's
// document leaves open, and we chose, carries `x-svcd-choice: true`.

import { toJsonSchema, type ConversionConfig } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import type { ErrorCode } from '../model/errors.js';
import { ANSWER_SCHEMAS, type AnswerName } from './answer-schemas.js';
import { imageRequestSchema } from '../contract/image-request.js';
import { LIMIT_DEFAULT, LIMIT_MAX, QUERY_MAX } from '../contract/limits.js';
import { matchRequestSchema } from '../contract/match-request.js';
import { MOODS, PURPOSES, STYLES } from './music/music-query.js';
import { refusalChoice, withChoices } from './openapi-choices.js';
import { productionRequestSchema } from '../contract/production-request.js';
import { STATUS_OF } from '../api/refusal.js';
import { quoteRequestSchema, taskRequestSchema } from './tasks/task-request.js';

export type Extra = 'music' | 'tasks';
type Json = Record<string, unknown>;

interface Call {
  readonly id: string;
  readonly summary: string;
  readonly tag: string;
  readonly parameters?: readonly Json[];
  readonly body?: string;
  readonly answer: AnswerName | 'png' | 'wav' | Json;
  readonly status?: number;
  readonly errors: readonly ErrorCode[];
  readonly key?: 'none' | 'optional';
  /** Whether path or payload is our choice. */
  readonly choice?: boolean;
}

const REQUEST_SCHEMAS: Readonly<Record<string, GenericSchema>> = {
  MatchRequest: matchRequestSchema,
  ImageRequest: imageRequestSchema,
  ProductionRequest: productionRequestSchema,
  QuoteRequest: quoteRequestSchema,
  TaskRequest: taskRequestSchema,
};

const KEYED: readonly ErrorCode[] = ['invalid_key', 'key_disabled', 'rate_limited'];
const BODY: readonly ErrorCode[] = ['invalid_request', 'body_too_large', 'unsupported_media_type'];
const MONEY: readonly ErrorCode[] = ['insufficient_credits', 'key_limit_exceeded', 'not_enabled'];
const MUSIC: readonly ErrorCode[] = [...KEYED, 'permission_missing', 'not_enabled'];

const whole = (name: string, schema: Json, more: Json = {}): Json => ({
  name,
  in: 'query',
  schema: { type: 'integer', minimum: 1, ...schema },
  ...more,
});
const word = (name: string, values: readonly string[]): Json => ({
  name,
  in: 'query',
  schema: { type: 'string', enum: values },
});
const inPath = (name: string): Json => ({ name, in: 'path', required: true, schema: { type: 'string' } });

const CALLS: Readonly<Record<string, Readonly<Record<string, Call>>>> = {
  '/api/v1/me': {
    get: { id: 'getMe', summary: 'Current Key and balance', tag: 'account', answer: 'Me', errors: KEYED },
  },
  '/api/v1/capabilities': {
    get: {
      id: 'listCapabilities',
      summary: 'All capabilities and their status',
      tag: 'account',
      answer: 'Capabilities',
      errors: ['rate_limited'],
      key: 'none',
    },
  },
  '/api/v1/usage': {
    get: {
      id: 'getUsage',
      summary: 'Effective credits and possible calls',
      tag: 'account',
      answer: 'Usage',
      errors: KEYED,
    },
  },
  '/api/v1/stickers/search': {
    get: {
      id: 'searchStickers',
      summary: 'Search stickers by text, free',
      tag: 'stickers',
      parameters: [
        {
          name: 'q',
          in: 'query',
          required: true,
          schema: { type: 'string', minLength: 1, maxLength: QUERY_MAX, 'x-svcd-choice': true },
        },
        whole('limit', { maximum: LIMIT_MAX, default: LIMIT_DEFAULT, 'x-svcd-choice': true }),
      ],
      answer: 'SearchAnswer',
      errors: [...KEYED, 'invalid_request'],
    },
  },
  '/api/v1/stickers/match': {
    post: {
      id: 'matchStickers',
      summary: 'Match stickers to copy or keywords, free',
      tag: 'stickers',
      body: 'MatchRequest',
      answer: 'MatchAnswer',
      errors: [...KEYED, ...BODY],
    },
  },
  '/api/v1/stickers/{preset}': {
    get: {
      id: 'downloadSticker',
      summary: 'Download a sticker, 1 credit',
      tag: 'stickers',
      parameters: [inPath('preset')],
      answer: 'Lottie',
      errors: [...KEYED, ...MONEY, 'unknown_preset'],
    },
  },
  '/api/v1/images': {
    post: {
      id: 'generateImage',
      summary: 'Generate an image, 10 credits once it is saved',
      tag: 'images',
      body: 'ImageRequest',
      answer: 'Image',
      errors: [...KEYED, ...BODY, ...MONEY, 'duplicate_request', 'busy', 'upstream_failure', 'timeout'],
    },
  },
  '/api/v1/images/{name}': {
    get: {
      id: 'downloadImage',
      summary: 'A generated image, free',
      tag: 'images',
      parameters: [inPath('name')],
      answer: 'png',
      errors: [...KEYED, 'not_found'],
      choice: true,
    },
  },
  '/api/v1/productions': {
    post: {
      id: 'registerProduction',
      summary: 'Register a template production, free',
      tag: 'productions',
      body: 'ProductionRequest',
      answer: 'Production',
      errors: [...KEYED, ...BODY],
      key: 'optional',
    },
  },
};

const track = [inPath('track')];
const EXTRAS: Readonly<Record<Extra, typeof CALLS>> = {
  music: {
    '/api/v1/music/search': {
      get: {
        id: 'searchMusic',
        summary: 'Candidate tracks, free',
        tag: 'music',
        parameters: [
          word('purpose', PURPOSES),
          word('mood', MOODS),
          word('style', STYLES),
          whole('duration', { maximum: 600 }),
          whole('limit', { maximum: LIMIT_MAX, default: LIMIT_DEFAULT }),
        ],
        answer: 'Tracks',
        errors: [...MUSIC, 'invalid_request'],
        choice: true,
      },
    },
    '/api/v1/music/tracks/{track}/preview': {
      get: musicCall('previewTrack', 'The beginning of a track, free', 'wav'),
    },
    '/api/v1/music/tracks/{track}/file': { get: musicCall('downloadTrack', 'A whole track, free', 'wav') },
    '/api/v1/music/tracks/{track}/select': {
      post: musicCall('selectTrack', 'Select a track into the private assets, free', 'Asset'),
    },
    '/api/v1/assets': {
      get: {
        id: 'listAssets',
        summary: 'Private assets',
        tag: 'music',
        answer: objectOf('assets', 'Asset'),
        errors: MUSIC,
        choice: true,
      },
    },
  },
  tasks: {
    '/api/v1/providers': {
      get: {
        id: 'listProviders',
        summary: 'Who generates, and what a new one still waits for',
        tag: 'tasks',
        answer: { type: 'object', properties: { providers: { type: 'array', items: { type: 'object' } } } },
        errors: KEYED,
        choice: true,
      },
    },
    '/api/v1/quotes': {
      post: {
        id: 'quote',
        summary: 'What a generation will cost',
        tag: 'tasks',
        body: 'QuoteRequest',
        answer: 'Quote',
        status: 201,
        errors: [...KEYED, ...BODY, 'not_enabled'],
        choice: true,
      },
    },
    '/api/v1/tasks': {
      get: {
        id: 'listTasks',
        summary: 'The tasks of the account, the newest first',
        tag: 'tasks',
        answer: objectOf('tasks', 'Task'),
        errors: KEYED,
        choice: true,
      },
      post: {
        id: 'acceptQuote',
        summary: 'Accept a quote; the same quote is always the same task',
        tag: 'tasks',
        body: 'TaskRequest',
        answer: 'Task',
        status: 202,
        errors: [...KEYED, ...BODY, 'not_found', 'not_enabled'],
        choice: true,
      },
    },
    '/api/v1/tasks/{task}': { get: taskCall('getTask', 'A task', 'Task') },
    '/api/v1/tasks/{task}/receipt': {
      get: taskCall('getReceipt', 'What a task was charged', 'Receipt'),
    },
  },
};

/** The document, for a service at `origin` with these described parts switched on. */
export function openApiOf(options: { origin: string; version: string; extras: readonly Extra[] }): Json {
  const { origin, version, extras } = options;
  const calls = Object.assign({}, CALLS, ...extras.map((extra) => EXTRAS[extra])) as typeof CALLS;
  const schemas = { ...REQUEST_SCHEMAS, ...ANSWER_SCHEMAS };
  const text = JSON.stringify(calls);
  const used = Object.entries(schemas).filter(([name]) => name === 'Refusal' || text.includes(`${name}"`));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Asset API for video templates',
      version,
      description:
        'As the sandbox of svcd serves it. What the document of the service does not show, and svcd chose, is marked `x-svcd-choice`.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: origin }],
    security: [{ key: [] }],
    tags: [...new Set(Object.values(calls).flatMap((one) => Object.values(one).map(({ tag }) => tag)))].map(
      (name) => ({ name, description: `About ${name}.` }),
    ),
    paths: Object.fromEntries(Object.entries(calls).map(([path, one]) => [path, pathItem(one)])),
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'A Key of the service.' } },
      schemas: Object.fromEntries(used.map(([name, schema]) => [name, withChoices(name, schemaOf(schema))])),
      headers: {
        Credits: {
          description: 'Credits that the Key can still spend; 0 without one that is active (our choice).',
          schema: { type: 'integer', minimum: 0 },
        },
      },
    },
  };
}

function pathItem(calls: Readonly<Record<string, Call>>): Json {
  return Object.fromEntries(Object.entries(calls).map(([method, call]) => [method, operation(call)]));
}

function operation(call: Call): Json {
  const { id, summary, tag, parameters, body, status = 200, key, choice } = call;
  return {
    operationId: id,
    summary,
    tags: [tag],
    ...(choice === true ? { 'x-svcd-choice': true } : {}),
    ...(key === undefined ? {} : { security: key === 'none' ? [{}] : [{}, { key: [] }] }),
    ...(parameters === undefined ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: refTo(body) } } } }),
    responses: { [status]: success(call), ...refusals(call.errors) },
  };
}

const HEADERS = { 'X-Service-Credits-Remaining': { $ref: '#/components/headers/Credits' } };

function success({ summary, answer }: Call): Json {
  const described = { description: summary, headers: HEADERS };
  if (answer === 'png') return { ...described, content: { 'image/png': {} } };
  if (answer === 'wav') return { ...described, content: { 'audio/wav': {} } };
  const schema = typeof answer === 'string' ? refTo(answer) : answer;
  return { ...described, content: { 'application/json': { schema } } };
}

/** One response for each status, naming its codes. */
function refusals(codes: readonly ErrorCode[]): Json {
  const statuses = [...new Set(codes.map((code) => STATUS_OF[code]))];
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        ...refusalChoice(
          status,
          codes.filter((code) => STATUS_OF[code] === status),
        ),
        headers: HEADERS,
        content: { 'application/json': { schema: refTo('Refusal') } },
      },
    ]),
  );
}

function musicCall(id: string, summary: string, answer: Call['answer']): Call {
  const errors: readonly ErrorCode[] = [...MUSIC, 'not_found'];
  return { id, summary, tag: 'music', parameters: track, answer, errors, choice: true };
}

function taskCall(id: string, summary: string, answer: Call['answer']): Call {
  const parameters = [inPath('task')];
  return { id, summary, tag: 'tasks', parameters, answer, errors: [...KEYED, 'not_found'], choice: true };
}

function objectOf(list: string, item: AnswerName): Json {
  return { type: 'object', required: [list], properties: { [list]: { type: 'array', items: refTo(item) } } };
}

function refTo(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
}

/** What JSON Schema has no word for is left out here; lengths are in code points in both. */
const CONVERSION: ConversionConfig = {
  errorMode: 'ignore',
  typeMode: 'input',
  overrideAction: ({ valibotAction, jsonSchema }) => {
    if (valibotAction.type !== 'metadata') return undefined;
    const { maxCharacters, 'x-svcd-choice': choice } = (
      valibotAction as unknown as { metadata: { maxCharacters?: number; 'x-svcd-choice'?: boolean } }
    ).metadata;
    const { maxCharacters: _, ...plain } = jsonSchema as Json;
    return {
      ...plain,
      ...(maxCharacters === undefined ? {} : { maxLength: maxCharacters }),
      ...(choice === undefined ? {} : { 'x-svcd-choice': choice }),
    };
  },
};

function schemaOf(schema: GenericSchema): Json {
  const { $schema: _, ...rest } = toJsonSchema(schema, CONVERSION) as Json;
  return rest;
}
