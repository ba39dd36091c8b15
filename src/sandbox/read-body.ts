// Reading a request's body off the socket, never more of it than the contract allows.

import { SvcdError } from '../model/errors.js';
import { bodyTooLarge, parseJsonObject, requireJson } from '../contract/json-body.js';
import { BODY_MAX_BYTES } from '../contract/limits.js';

/** The JSON object in a request. Throws `unsupported_media_type`, `body_too_large`, `invalid_request`. */
export async function readJsonObject(request: Request): Promise<Record<string, unknown>> {
  requireJson(request.headers.get('Content-Type'));
  const declared = Number(request.headers.get('Content-Length') ?? 0);
  if (declared > BODY_MAX_BYTES) throw bodyTooLarge(declared);
  return parseJsonObject(await readBytes(request));
}

async function readBytes(request: Request): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of chunksOf(request)) {
    sizeBytes += chunk.byteLength;
    // Without a declared length the rest is not counted, only refused.
    if (sizeBytes > BODY_MAX_BYTES) throw bodyTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function* chunksOf(request: Request): AsyncGenerator<Uint8Array> {
  try {
    if (request.body !== null) yield* request.body;
  } catch (cause) {
    throw new SvcdError('invalid_request', 'body: ended before it was complete', { cause });
  }
}
