// The OpenAPI document of the service, made from its table and from the schemas that check requests and answers. What the
// service's document leaves open, and we chose, carries `x-svcd-choice: true`.

import { toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { DOCUMENTED_CODES, type ErrorCode } from '../../model/errors.js';
import { VERSION } from '../../platform/installation.js';
import { jsonContent, refTo, writeOpenApi, type DocumentedCall, type Json } from '../../platform/openapi.js';
import type { Route } from '../service-route.js';
import { ANSWER_SCHEMAS } from './answer-schemas.js';
import { OURS, REQUEST_SCHEMAS } from './requests.js';
import { statusOf } from './status-codes.js';

const KEYED: readonly ErrorCode[] = ['invalid_key', 'key_disabled', 'rate_limited'];
const BODY: readonly ErrorCode[] = ['invalid_request', 'body_too_large', 'unsupported_media_type'];
const HEADERS = { 'X-Service-Credits-Remaining': refTo('Credits', 'headers') };

/** The document, for a service at `origin` that has these rows. */
export function openApiOf(origin: string, routes: readonly Route[]): Json {
  const calls = routes.map(describe);
  const text = JSON.stringify(calls);
  const schemas = Object.entries({ ...REQUEST_SCHEMAS, ...ANSWER_SCHEMAS });
  const used = schemas.filter(([name]) => text.includes(`/${name}"`));
  const tags = [...new Set(routes.map(tagOf))];
  return writeOpenApi({
    title: 'Asset API for video templates',
    version: VERSION,
    description:
      'As the sandbox of svcd serves it. What the document of the service does not show, and svcd chose, is marked `x-svcd-choice`.',
    origin,
    more: {
      security: [{ key: [] }],
      tags: tags.map((name) => ({ name, description: `About ${name}.` })),
    },
    calls,
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
  });
}

function describe(route: Route): DocumentedCall {
  const { method, path, id, summary, body, parameters = [], errors = [], key, choice, status = 200 } = route;
  const codes = [
    ...(key === 'ignored' ? ['rate_limited' as const] : KEYED),
    ...(body === undefined ? [] : BODY),
    ...errors,
  ];
  return {
    id,
    method,
    path: `/api/v1/${path}`,
    summary,
    parameters,
    more: {
      tags: [tagOf(route)],
      ...(choice === true && OURS),
      ...(key !== undefined && { security: key === 'ignored' ? [{}] : [{}, { key: [] }] }),
    },
    body: body && jsonContent(refTo(body)),
    responses: { [status]: successOf(route), ...refusalsOf(codes) },
  };
}

function tagOf({ tag, path }: Route): string {
  return tag ?? path.replace(/\/.*/, '');
}

function successOf({ summary, answer }: Route): Json {
  const described = { description: summary, headers: HEADERS };
  if (answer === 'png') return { ...described, content: { 'image/png': {} } };
  if (answer === 'wav') return { ...described, content: { 'audio/wav': {} } };
  return { ...described, content: jsonContent(typeof answer === 'string' ? refTo(answer) : answer) };
}

/** Statuses that the service's document has, and its codes. */
const SHOWN_STATUSES = new Set([400, 401, 402, 403, 409, 429, 503, 504]);
const SHOWN_CODES: ReadonlySet<string> = new Set(DOCUMENTED_CODES);

/** One response for each status, naming its codes; statuses and codes of our choice are marked. */
function refusalsOf(codes: readonly ErrorCode[]): Json {
  const answers = [...new Set(codes.map(statusOf))].map((status) => {
    const told = codes.filter((code) => statusOf(code) === status);
    const description = told.map((code) => (SHOWN_CODES.has(code) ? code : `${code} (our code)`)).join(' or ');
    const mark = SHOWN_STATUSES.has(status) ? {} : OURS;
    return [status, { description, ...mark, headers: HEADERS, content: jsonContent(refTo('Refusal')) }];
  });
  return Object.fromEntries(answers) as Json;
}

/** Rules that JSON Schema has no word for are left out; the schemas' metadata say what they can of them. */
function jsonSchemaOf(schema: GenericSchema): Json {
  const { $schema: _, ...rest } = toJsonSchema(schema, { errorMode: 'ignore', typeMode: 'input' }) as Json;
  return rest;
}
