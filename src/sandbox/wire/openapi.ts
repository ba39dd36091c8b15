// The OpenAPI document of the service, made from the schemas that check requests and answers. What the service's
// document leaves open, and we chose, carries `x-svcd-choice: true`.

import { toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { DOCUMENTED_CODES, type ErrorCode } from '../../model/errors.js';
import { DURATION_MAX, MOODS, PURPOSES, STYLES } from '../music/music-query.js';
import { ANSWER_SCHEMAS, type AnswerName } from './answer-schemas.js';
import { LIMITS } from './limits.js';
import * as requests from './requests.js';
import { statusOf } from './status-codes.js';

export type Extra = 'music' | 'tasks';
type Json = Record<string, unknown>;

interface Call {
  readonly id: string;
  readonly summary: string;
  readonly answer: AnswerName | 'png' | 'wav' | Json;
  readonly errors: readonly ErrorCode[];
  readonly parameters?: readonly Json[];
  /** Name of the request's schema. */
  readonly body?: string;
  /** 200 unless told otherwise. */
  readonly status?: number;
  /** A Key is needed unless told otherwise. */
  readonly key?: 'none' | 'optional';
  /** Path or payload is our choice. */
  readonly choice?: true;
}

/** The calls of a path by their method, with what they are about. */
type Path = { readonly tag: string } & Partial<Record<'get' | 'post', Call>>;

const REQUEST_SCHEMAS: Readonly<Record<string, GenericSchema>> = {
  MatchRequest: requests.matchRequestSchema,
  ImageRequest: requests.imageRequestSchema,
  ProductionRequest: requests.productionRequestSchema,
  QuoteRequest: requests.quoteRequestSchema,
  TaskRequest: requests.taskRequestSchema,
};

const KEYED: readonly ErrorCode[] = ['invalid_key', 'key_disabled', 'rate_limited'];
const BODY: readonly ErrorCode[] = ['invalid_request', 'body_too_large', 'unsupported_media_type'];
const MONEY: readonly ErrorCode[] = ['insufficient_credits', 'key_limit_exceeded', 'not_enabled'];
const IMAGE: readonly ErrorCode[] = ['duplicate_request', 'busy', 'upstream_failure', 'timeout'];
const MUSIC: readonly ErrorCode[] = [...KEYED, 'permission_missing', 'not_enabled'];
const FOUND: readonly ErrorCode[] = [...KEYED, 'not_found'];
const QUERIED: readonly ErrorCode[] = [...KEYED, 'invalid_request'];
const RATE: readonly ErrorCode[] = ['rate_limited'];

const inPath = (name: string): Json[] => [{ name, in: 'path', required: true, schema: { type: 'string' } }];
const inQuery = (name: string, schema: Json, more: Json = {}): Json => ({
  name,
  in: 'query',
  ...more,
  schema,
});
const whole = (name: string, schema: Json): Json => inQuery(name, { type: 'integer', minimum: 1, ...schema });
const word = (name: string, values: readonly string[]): Json => inQuery(name, { type: 'string', enum: values });
const get = (id: string, summary: string, answer: Call['answer'], errors: Call['errors'], more = {}) => ({
  get: { id, summary, answer, errors, ...more },
});
const post = (id: string, summary: string, body: string, answer: AnswerName, more: Partial<Call> = {}) => ({
  post: { id, summary, body, answer, ...more, errors: [...KEYED, ...BODY, ...(more.errors ?? [])] },
});

const LIMIT = { maximum: LIMITS.results, default: LIMITS.resultsByDefault };
const QUERY = { type: 'string', minLength: 1, maxLength: LIMITS.queryLength, ...requests.OURS };
const SEARCH = [inQuery('q', QUERY, { required: true }), whole('limit', { ...LIMIT, ...requests.OURS })];
const FILE_ERRORS: readonly ErrorCode[] = [...KEYED, ...MONEY, 'unknown_preset'];

const PATHS: Readonly<Record<string, Path>> = {
  ...withTag('account', {
    me: get('getMe', 'Current Key and balance', 'Me', KEYED),
    capabilities: get('listCapabilities', 'All capabilities and their status', 'Capabilities', RATE, {
      key: 'none',
    }),
    usage: get('getUsage', 'Effective credits and possible calls', 'Usage', KEYED),
  }),
  ...withTag('stickers', {
    'stickers/search': get('searchStickers', 'Search stickers by text, free', 'SearchAnswer', QUERIED, {
      parameters: SEARCH,
    }),
    'stickers/match': post('matchStickers', 'Match stickers to copy or keywords, free', 'MatchRequest', 'MatchAnswer'),
    'stickers/{preset}': get('downloadSticker', 'Download a sticker, 1 credit', 'Lottie', FILE_ERRORS, {
      parameters: inPath('preset'),
    }),
  }),
  ...withTag('images', {
    images: post('generateImage', 'Generate an image, 10 credits once it is saved', 'ImageRequest', 'Image', {
      errors: [...MONEY, ...IMAGE],
    }),
    'images/{name}': get('downloadImage', 'A generated image, free', 'png', FOUND, {
      parameters: inPath('name'),
      choice: true,
    }),
  }),
  ...withTag('productions', {
    productions: post('registerProduction', 'Register a template production, free', 'ProductionRequest', 'Production', {
      key: 'optional',
    }),
  }),
};

const listOf = (list: string, item: AnswerName): Json => ({
  type: 'object',
  required: [list],
  properties: { [list]: { type: 'array', items: refTo(item) } },
});
const PROVIDERS = { type: 'object', properties: { providers: { type: 'array', items: { type: 'object' } } } };
const ours = { choice: true } as const;
const ofTrack = { parameters: inPath('track'), ...ours };
const ofTask = { parameters: inPath('task'), ...ours };
const TRACK_ERRORS: readonly ErrorCode[] = [...MUSIC, 'not_found'];
const MUSIC_QUERY = [
  word('purpose', PURPOSES),
  word('mood', MOODS),
  word('style', STYLES),
  whole('duration', { maximum: DURATION_MAX }),
  whole('limit', LIMIT),
];

const EXTRAS: Readonly<Record<Extra, typeof PATHS>> = {
  music: withTag('music', {
    'music/search': get('searchMusic', 'Candidate tracks, free', 'Tracks', [...MUSIC, 'invalid_request'], {
      parameters: MUSIC_QUERY,
      ...ours,
    }),
    ...trackCall('get', 'preview', 'previewTrack', 'The beginning of a track, free', 'wav'),
    ...trackCall('get', 'file', 'downloadTrack', 'A whole track, free', 'wav'),
    ...trackCall('post', 'select', 'selectTrack', 'Select a track into the private assets, free', 'Asset'),
    assets: get('listAssets', 'Private assets', listOf('assets', 'Asset'), MUSIC, ours),
  }),
  tasks: withTag('tasks', {
    providers: get('listProviders', 'Who generates, and what a new one still waits for', PROVIDERS, KEYED, ours),
    quotes: post('quote', 'What a generation will cost', 'QuoteRequest', 'Quote', {
      status: 201,
      errors: ['not_enabled'],
      ...ours,
    }),
    tasks: {
      ...get('listTasks', 'The tasks of the account, the newest first', listOf('tasks', 'Task'), KEYED, ours),
      ...post('acceptQuote', 'Accept a quote; the same quote is always the same task', 'TaskRequest', 'Task', {
        status: 202,
        errors: ['not_found', 'not_enabled'],
        ...ours,
      }),
    },
    'tasks/{task}': get('getTask', 'A task', 'Task', FOUND, ofTask),
    'tasks/{task}/receipt': get('getReceipt', 'What a task was charged', 'Receipt', FOUND, ofTask),
  }),
};

function trackCall(method: 'get' | 'post', path: string, id: string, summary: string, answer: Call['answer']) {
  return {
    [`music/tracks/{track}/${path}`]: { [method]: { id, summary, answer, errors: TRACK_ERRORS, ...ofTrack } },
  };
}

function withTag(tag: string, paths: Readonly<Record<string, Omit<Path, 'tag'>>>): typeof PATHS {
  return Object.fromEntries(Object.entries(paths).map(([path, calls]) => [path, { tag, ...calls }]));
}

/** The document, for a service at `origin` with these described parts switched on. */
export function openApiOf(options: { origin: string; version: string; extras: readonly Extra[] }): Json {
  const { origin, version, extras } = options;
  const paths: typeof PATHS = Object.assign({}, PATHS, ...extras.map((extra) => EXTRAS[extra]));
  const schemas = { ...REQUEST_SCHEMAS, ...ANSWER_SCHEMAS };
  const text = JSON.stringify(paths);
  const used = Object.entries(schemas).filter(([name]) => name === 'Refusal' || text.includes(`${name}"`));
  const tags = [...new Set(Object.values(paths).map(({ tag }) => tag))];
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
    tags: tags.map((name) => ({ name, description: `About ${name}.` })),
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, { tag, ...calls }]) => [
        `/api/v1/${path}`,
        Object.fromEntries(Object.entries(calls).map(([method, call]) => [method, operationOf(tag, call)])),
      ]),
    ),
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'A Key of the service.' } },
      schemas: Object.fromEntries(used.map(([name, schema]) => [name, jsonSchemaOf(schema)])),
      headers: {
        Credits: {
          description: 'Credits that the Key can still spend; 0 without one that is active (our choice).',
          schema: { type: 'integer', minimum: 0 },
        },
      },
    },
  };
}

function operationOf(tag: string, call: Call): Json {
  const { id, summary, parameters, body, status = 200, key, choice } = call;
  const content = { 'application/json': { schema: refTo(body ?? '') } };
  return {
    operationId: id,
    summary,
    tags: [tag],
    ...(choice === true ? requests.OURS : {}),
    ...(key === undefined ? {} : { security: key === 'none' ? [{}] : [{}, { key: [] }] }),
    ...(parameters === undefined ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { required: true, content } }),
    responses: { [status]: successOf(call), ...refusalsOf(call.errors) },
  };
}

const HEADERS = { 'X-Service-Credits-Remaining': { $ref: '#/components/headers/Credits' } };

function successOf({ summary, answer }: Call): Json {
  const described = { description: summary, headers: HEADERS };
  if (answer === 'png') return { ...described, content: { 'image/png': {} } };
  if (answer === 'wav') return { ...described, content: { 'audio/wav': {} } };
  const schema = typeof answer === 'string' ? refTo(answer) : answer;
  return { ...described, content: { 'application/json': { schema } } };
}

/** Statuses that the service's document has, and its codes. */
const SHOWN_STATUSES = new Set([400, 401, 402, 403, 409, 429, 503, 504]);
const SHOWN_CODES: ReadonlySet<string> = new Set(DOCUMENTED_CODES);

/** One response for each status, naming its codes; statuses and codes of our choice are marked. */
function refusalsOf(codes: readonly ErrorCode[]): Json {
  const answers = [...new Set(codes.map(statusOf))].map((status) => {
    const told = codes.filter((code) => statusOf(code) === status);
    const description = told.map((code) => (SHOWN_CODES.has(code) ? code : `${code} (our code)`)).join(' or ');
    const mark = SHOWN_STATUSES.has(status) ? {} : requests.OURS;
    const content = { 'application/json': { schema: refTo('Refusal') } };
    return [status, { description, ...mark, headers: HEADERS, content }];
  });
  return Object.fromEntries(answers) as Json;
}

function refTo(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
}

/** Rules that JSON Schema has no word for are left out; the schemas' metadata say what they can of them. */
function jsonSchemaOf(schema: GenericSchema): Json {
  const { $schema: _, ...rest } = toJsonSchema(schema, { errorMode: 'ignore', typeMode: 'input' }) as Json;
  return rest;
}
