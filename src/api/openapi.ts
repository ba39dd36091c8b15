// The OpenAPI document of svcd, made from the table of operations.

import type { GenericSchema } from 'valibot';
import type { QuerySchema } from '../contract/read-query.js';
import { VERSION } from '../platform/installation.js';
import { headersOf, jsonContent, refTo, writeOpenApi, type DocumentedCall, type Json } from '../platform/openapi.js';
import { ANSWER_HEADERS } from './answer-headers.js';
import { againOf, type Operation } from './operation.js';
import { OPERATIONS } from './operations.js';
import { STATUS_OF } from './refusal.js';
import { toJsonSchema, type ConversionConfig } from '@valibot/to-json-schema';

const DESCRIPTION = `Stickers and images for video templates, found on this machine and paid for once.

Paths below /api/v1/ are those of the service; every other one below it is passed on to the service as it is. Fields of
their answers with \`x-svcd-choice\` are svcd's choice: the service's document does not name them, and a service that tells
others is passed on as it tells. Every GET answers HEAD too, which never buys.

Each operation says who may use it (\`x-svcd-who\`), the most credits it can cost (\`x-svcd-cost\`), and whether the same
request may be sent again (\`x-svcd-again\`): \`safe\`, it costs nothing and does nothing twice; \`same-thing\`, it is joined to
the first one or owned by then, and not paid for twice; \`never\`, it would be done again. An answer with
\`x-svcd-stream: lines\` is lines of JSON, each of the schema given; empty ones keep the connection alive.`;

const WHO: Readonly<Record<Operation['who'], string>> = {
  anybody: 'For anybody on this machine.',
  spender: 'Spends or shows an account: with a Key of the service or a local token.',
  purchases: "For the home's token, a page of svcd, or a token that may list purchases.",
  run: "For the home's token, a page of svcd, or the token of the run that is asked about.",
  page: "For the home's token or a page of svcd.",
  owner: "For the home's own token alone.",
  machine: 'For a machine that joined the hub.',
};

const AGAIN = {
  safe: 'Asking again is safe.',
  'same-thing': 'Asking again is the same purchase, and not paid for again.',
  never: 'Asking again does it again.',
};

const TEXT = { type: 'string' };

/** Headers of HTTP itself that say something of their own here. */
const FURTHER_HEADERS = {
  ETag: { what: 'of these bytes; `If-None-Match` with it is answered by 304', schema: TEXT },
  Age: { what: 'seconds since the service told it, where it is the last that is known', schema: TEXT },
  'Retry-After': { what: 'seconds to wait before asking again', schema: { type: 'integer', minimum: 0 } },
  Allow: { what: 'methods that this path answers', schema: TEXT },
} as const;

const OF_REFUSALS: readonly string[] = [
  'X-Svcd-Source',
  'X-Svcd-Cost',
  'X-Svcd-Remote',
  'X-Service-Credits-Remaining',
  'Retry-After',
  'Allow',
];

/** The document (OpenAPI 3.1) of a svcd at `origin`. What passes through has no description. */
export function openApiOf(origin: string): Json {
  const operations = Object.entries(OPERATIONS) as [string, Operation][];
  const described = Object.entries({ ...ANSWER_HEADERS, ...FURTHER_HEADERS });
  return writeOpenApi({
    title: 'svcd',
    version: VERSION,
    description: DESCRIPTION,
    origin,
    calls: operations.filter(([, { method }]) => method !== 'any').map(([name, one]) => describe(name, one)),
    inPaths: { preset: 'Slashes are best sent encoded: food%2Fcake.' },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'A local token, or a Key of the service.' },
      },
      schemas: { Refusal: REFUSAL },
      headers: Object.fromEntries(described.map(([name, { what, schema }]) => [name, { description: what, schema }])),
      responses: {
        RpcError: {
          description: 'An error of JSON-RPC, or a refusal of svcd before that is read.',
          headers: headersOf(OF_REFUSALS),
          content: jsonContent({ anyOf: [refTo('Refusal'), RPC_ERROR] }),
        },
        Refusal: {
          description: 'A refusal: a code for programs, a sentence for people.',
          headers: headersOf(OF_REFUSALS),
          content: jsonContent(refTo('Refusal')),
        },
      },
    },
  });
}

const REFUSAL = {
  type: 'object',
  required: ['code', 'message'],
  properties: {
    code: { ...TEXT, description: 'A later svcd may have further ones.', examples: Object.keys(STATUS_OF) },
    message: { ...TEXT, description: 'What was wrong, with the value.' },
    hint: { ...TEXT, description: 'What to do.' },
  },
};

const RPC_ERROR = {
  type: 'object',
  required: ['jsonrpc', 'error'],
  properties: {
    jsonrpc: { const: '2.0' },
    id: {},
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: { type: 'integer' }, message: TEXT, data: {} },
    },
  },
};

function describe(name: string, operation: Operation): DocumentedCall {
  const { method, path, what, who, cost, query, headers, body, upload, isRpc = false } = operation;
  const credits = cost === 'unknown' ? 'What it costs the service decides.' : `Costs at most ${cost} credits.`;
  const again = againOf(operation);
  return {
    id: name,
    method,
    path: path.replace('*', '{file}'),
    summary: what,
    more: {
      description: `${WHO[who]} ${credits} ${AGAIN[again]}`,
      'x-svcd-who': who,
      'x-svcd-cost': cost,
      'x-svcd-again': again,
      security: who === 'anybody' ? [{}, { bearer: [] }] : [{ bearer: [] }],
    },
    parameters: [...parametersOf('query', query), ...parametersOf('header', headers)],
    body: upload !== undefined ? { [upload]: {} } : body && jsonContent(jsonSchemaOf(body)),
    responses: {
      ...goodAnswers(operation),
      ...(isRpc && { 202: { description: 'To a notification.' } }),
      '4XX': refTo(isRpc ? 'RpcError' : 'Refusal', 'responses'),
      '5XX': refTo('Refusal', 'responses'),
    },
  };
}

function goodAnswers({ what, path, answer, line, status = 200, tells = [], lasting = false }: Operation): Json {
  const isStale = tells.some((one) => one === 'X-Svcd-Reason');
  const headers = headersOf([...tells, 'X-Svcd-Remote', ...(lasting ? ['ETag'] : []), ...(isStale ? ['Age'] : [])]);
  if (status >= 300) {
    return {
      [status]: { description: what, headers },
      204: { description: 'To a HEAD, which does nothing.', headers },
      410: { description: 'To a browser, where it is not valid (any more): a page.', content: { 'text/html': {} } },
    };
  }
  const told = typeof answer === 'string' ? undefined : jsonSchemaOf(answer, 'output');
  const content =
    typeof answer !== 'string'
      ? jsonContent(path.startsWith('/api/v1/') ? markChoices(told) : told)
      : { [answer]: line === undefined ? {} : { schema: jsonSchemaOf(line, 'output'), 'x-svcd-stream': 'lines' } };
  return {
    [status]: { description: what, headers, content },
    ...(lasting && {
      206: { description: 'The part of it that `Range` asked for.', headers },
      304: { description: 'It has not changed since the `ETag` in `If-None-Match`.', headers },
    }),
  };
}

/** Fields of answers that the service's document names. */
const NAMED_BY_SERVICE = new Set(
  (
    'capabilities preset file extracted_keywords total results w h layers ' +
    'size width height production_id latest_version'
  ).split(' '),
);

/** A schema of an answer of the service's paths, in which every other field is marked as our choice. */
function markChoices(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(markChoices);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { properties, ...rest } = schema as Json;
  const all = Object.fromEntries(Object.entries(rest).map(([name, one]) => [name, markChoices(one)]));
  if (properties === undefined) return all;
  const fields = Object.entries(properties as Json).map(([name, one]) => [
    name,
    { ...(markChoices(one) as Json), ...(!NAMED_BY_SERVICE.has(name) && { 'x-svcd-choice': true }) },
  ]);
  return { ...all, properties: Object.fromEntries(fields) as Json };
}

function parametersOf(place: string, schemas: QuerySchema | undefined): Json[] {
  return Object.entries(schemas?.entries ?? {}).map(([name, schema]) => ({
    name,
    in: place,
    required: schema.type !== 'optional',
    schema: parameterSchema(schema),
  }));
}

function parameterSchema(schema: GenericSchema): Json {
  const { default: usual, ...rest } = jsonSchemaOf(schema);
  // Its default is a text, as all of it is in an address.
  const isNumber = typeof usual === 'string' && rest['type'] === 'integer';
  return { ...rest, ...(usual !== undefined && { default: isNumber ? Number(usual) : usual }) };
}

/** What JSON Schema has no word for is left out, unless metadata says it in its words. */
const CONVERSION: ConversionConfig = {
  errorMode: 'ignore',
  overrideSchema: ({ valibotSchema, jsonSchema }) =>
    // So that an object that may hold more can be told from one of which all fields are known.
    valibotSchema.type === 'loose_object' ? { ...jsonSchema, additionalProperties: true } : undefined,
  overrideAction: ({ valibotAction, jsonSchema }) => {
    if (valibotAction.type !== 'metadata') return undefined;
    const { metadata } = valibotAction as unknown as { metadata: { maxCharacters?: number; json?: object } };
    const { maxCharacters: _characters, json: _json, ...plain } = jsonSchema as Json;
    return {
      ...plain,
      // Both count code points.
      ...(metadata.maxCharacters !== undefined && { maxLength: metadata.maxCharacters }),
      ...metadata.json,
    };
  },
};

/** What is accepted by a schema (`input`), or what it gives (`output`). */
export function jsonSchemaOf(schema: GenericSchema, typeMode: 'input' | 'output' = 'input'): Json {
  const { $schema: _, ...rest } = toJsonSchema(schema, { ...CONVERSION, typeMode }) as Json;
  return rest;
}
