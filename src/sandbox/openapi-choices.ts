// What the OpenAPI document says beyond what the schemas can: rules across fields, and which parts of what the
// service's document names were left to us.

import { DOCUMENTED_CODES } from '../model/errors.js';

type Json = Record<string, unknown>;

/** Statuses that the service's document has. */
const SHOWN_STATUSES = new Set([400, 401, 402, 403, 409, 429, 503, 504]);
const SHOWN_CODES: ReadonlySet<string> = new Set(DOCUMENTED_CODES);

/** Not blank, as JSON Schema can say it. */
const SAID = '\\S';
const OURS = { 'x-svcd-choice': true };
/** Schemas of parts that the document describes without a payload. */
const ALL_OURS = new Set(['QuoteRequest', 'TaskRequest', 'Tracks', 'Asset', 'Quote', 'Task', 'Receipt']);

/** For fields of a schema, what is added to each; for the schema itself, under the empty name. */
const ADDED: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
  MatchRequest: {
    '': {
      description:
        'Text, keywords or both, of which something must not be blank. Lengths are in code points.',
      anyOf: [
        { required: ['text'], properties: { text: { type: 'string', pattern: SAID } } },
        {
          required: ['keywords'],
          properties: { keywords: { type: 'array', contains: { type: 'string', pattern: SAID } } },
        },
      ],
    },
  },
  ImageRequest: {
    prompt: { pattern: SAID, description: 'Its length is in code points.' },
    size: { ...OURS, description: '1536x1024 is shown; the other two are our choice.' },
  },
  ProductionRequest: {
    '': {
      description:
        'The seven fields are shown. Which are required, how long they are, and the values of host, layout and materials are our choice.',
    },
    host: OURS,
    layout: OURS,
    materials: OURS,
  },
  QuoteRequest: { input: { $ref: '#/components/schemas/ImageRequest' } },
};

/** A schema with what it cannot say itself. */
export function withChoices(name: string, schema: Json): Json {
  const { '': whole = {}, ...fields } = ADDED[name] ?? {};
  const properties = { ...(schema['properties'] as Record<string, Json> | undefined) };
  for (const [field, added] of Object.entries(fields)) {
    properties[field] = '$ref' in added ? added : { ...properties[field], ...added };
  }
  const ours = ALL_OURS.has(name) ? OURS : {};
  return { ...schema, ...(Object.keys(properties).length > 0 ? { properties } : {}), ...ours, ...whole };
}

/** What a refusal of this status says: its codes, those of our choice marked, and whether the status is ours too. */
export function refusalChoice(status: number, codes: readonly string[]): Json {
  const told = codes.map((code) => (SHOWN_CODES.has(code) ? code : `${code} (our code)`));
  return { description: told.join(' or '), ...(SHOWN_STATUSES.has(status) ? {} : OURS) };
}
