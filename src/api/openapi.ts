// The OpenAPI document of svcd, made from the table of operations.

import { toJsonSchema, type ConversionConfig } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import type { QuerySchema } from '../contract/read-query.js';
import { VERSION } from '../platform/installation.js';
import type { Operation } from './operation.js';
import { OPERATIONS } from './operations.js';

type Json = Record<string, unknown>;

const DESCRIPTION =
  'Stickers and images for video templates, found on this machine and paid for once. Every other path below ' +
  '/api/v1/ is passed on to the service as it is.';

const WHO: Readonly<Record<Operation['who'], string>> = {
  anybody: 'For anybody on this machine.',
  spender: 'Spends or shows an account: with a Key of the service or a local token.',
  purchases: "For the home's token, a page of svcd, or a token that may list purchases.",
  run: "For the home's token, a page of svcd, or the token of the run that is asked about.",
  page: "For the home's token or a page of svcd.",
  owner: "For the home's own token alone.",
};

/** The document (OpenAPI 3.1) of a svcd at `origin`. What passes through has no description. */
export function openApiOf(origin: string): Json {
  const paths: Record<string, Json> = {};
  for (const [name, operation] of Object.entries(OPERATIONS) as [string, Operation][]) {
    if (operation.method === 'any') continue;
    const path = operation.path.replace('*', '{file}');
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(name, path, operation) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'svcd',
      version: VERSION,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: origin }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'A local token, or a Key of the service.' },
      },
      responses: {
        Refusal: {
          description: 'A refusal: a code for programs, a sentence for people.',
          content: { 'application/json': { schema: REFUSAL } },
        },
      },
    },
  };
}

const text = { type: 'string' };
const REFUSAL = {
  type: 'object',
  required: ['code', 'message'],
  properties: { code: text, message: text, hint: text },
};

function describe(name: string, path: string, operation: Operation): Json {
  const { what, who, cost, repeatable, query, headers, body, upload, answer, status = 200 } = operation;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, one]) => ({
    name: one,
    in: 'path',
    required: true,
    schema: text,
  }));
  const parameters = [...inPath, ...parametersOf('query', query), ...parametersOf('header', headers)];
  const credits = cost === 'unknown' ? 'What it costs the service decides.' : `Costs at most ${cost} credits.`;
  const content = upload !== undefined ? { [upload]: {} } : body && { 'application/json': { schema: schemaOf(body) } };
  const answered = typeof answer === 'string' ? { [answer]: {} } : { 'application/json': { schema: schemaOf(answer) } };
  return {
    operationId: name,
    summary: what,
    description: `${WHO[who]} ${credits} ${repeatable ? 'Asking again is safe.' : 'Asking again does it again.'}`,
    security: who === 'anybody' ? [{}, { bearer: [] }] : [{ bearer: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(content && { requestBody: { required: true, content } }),
    responses: {
      [status]: { description: what, ...(status < 300 && { content: answered }) },
      '4XX': { $ref: '#/components/responses/Refusal' },
      '5XX': { $ref: '#/components/responses/Refusal' },
    },
  };
}

function parametersOf(place: string, schemas: QuerySchema | undefined): Json[] {
  return Object.entries(schemas?.entries ?? {}).map(([name, schema]) => ({
    name,
    in: place,
    required: schema.type !== 'optional',
    schema: schemaOf(schema),
  }));
}

/** What JSON Schema has no word for is left out here. */
const CONVERSION: ConversionConfig = {
  errorMode: 'ignore',
  typeMode: 'input',
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

function schemaOf(schema: GenericSchema): Json {
  const { $schema: _, default: usual, ...rest } = toJsonSchema(schema, CONVERSION) as Json;
  // A parameter's default is a text, as all of it is in an address.
  const isNumber = typeof usual === 'string' && rest['type'] === 'integer';
  return { ...rest, ...(usual !== undefined && { default: isNumber ? Number(usual) : usual }) };
}
