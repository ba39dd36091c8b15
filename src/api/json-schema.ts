// Schemas of this room as JSON Schema, for the OpenAPI document and for the schemas of the files that people write.

import { toJsonSchema, type ConversionConfig } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import type { Json } from '../platform/openapi.js';

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
