// Reading a request's body as the document has it: JSON, one object, at most 16 KiB, never more of it than that.

import { SvcdError } from '../../model/errors.js';
import { describe, invalid } from './check.js';
import { LIMITS } from './limits.js';

/** The JSON object in a request. Throws `unsupported_media_type`, `body_too_large`, `invalid_request`. */
export async function readJsonObject(request: Request): Promise<Record<string, unknown>> {
  requireJson(request.headers.get('Content-Type') ?? '');
  const value = parseJson(await readText(request));
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw invalid(`body: must be a JSON object, got ${describe(value)}`);
}

/** Parameters such as charset are allowed. */
function requireJson(header: string): void {
  const [type = ''] = header.toLowerCase().split(';', 1);
  if (type.trim() === 'application/json') return;
  const got = type.trim() === '' ? 'none' : describe(type.trim());
  throw new SvcdError('unsupported_media_type', `Content-Type must be application/json, got ${got}`);
}

async function readText(request: Request): Promise<string> {
  const declared = Number(request.headers.get('Content-Length') ?? 0);
  if (declared > LIMITS.bodyBytes) throw tooLarge(`${declared}`);
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of chunksOf(request)) {
    sizeBytes += chunk.byteLength;
    // Without a declared length the rest is not counted, only refused.
    if (sizeBytes > LIMITS.bodyBytes) throw tooLarge('more');
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (cause) {
    throw invalid('body: is not valid UTF-8', cause);
  }
}

async function* chunksOf(request: Request): AsyncGenerator<Uint8Array> {
  try {
    if (request.body !== null) yield* request.body;
  } catch (cause) {
    throw invalid('body: ended before it was complete', cause);
  }
}

function parseJson(text: string): unknown {
  if (text.trim() === '') throw invalid('body: is empty, a JSON object is needed');
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalid('body: is not valid JSON', cause);
  }
}

function tooLarge(got: string): SvcdError {
  return new SvcdError('body_too_large', `body: at most ${LIMITS.bodyBytes} bytes are accepted, got ${got}`);
}
