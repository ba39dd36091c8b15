// Bodies of the quotes and tasks of the sandbox. The document speaks of quote, task and receipt and shows no
// path and no payload: all of this file is our choice.

import * as v from 'valibot';
import { imageRequestSchema, type ImageRequest } from '../../contract/image-request.js';
import { parseWith } from '../../contract/json-body.js';

/** The body of a quote as it is checked. */
export const quoteRequestSchema = v.strictObject({
  capability: v.picklist(['images.generate'], 'must be images.generate'),
  input: v.record(v.string(), v.unknown()),
});

/** The body of an acceptance as it is checked. */
export const taskRequestSchema = v.strictObject({ quote_id: v.string() });

export interface QuoteRequest {
  capability: 'images.generate';
  input: ImageRequest;
}

/** Validates what is to be quoted. Throws `invalid_request`. */
export function parseQuoteRequest(body: Record<string, unknown>): QuoteRequest {
  const { capability, input } = parseWith(quoteRequestSchema, body);
  return { capability, input: parseWith(imageRequestSchema, input) };
}

/** The quote that is accepted. Throws `invalid_request`. */
export function parseTaskRequest(body: Record<string, unknown>): string {
  return parseWith(taskRequestSchema, body).quote_id;
}
