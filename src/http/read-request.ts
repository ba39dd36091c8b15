// What handlers need of a request beyond hono: bounded bodies, presets as they came, paths and parameters.

import type { ServerResponse } from 'node:http';
import type { Context } from 'hono';
import { SvcdError } from '../model/errors.js';
import { presetProblem } from '../model/preset.js';
import { bodyTooLarge, describe, parseJsonObject, requireJson } from '../contract/json-body.js';
import { BODY_MAX_BYTES } from '../contract/limits.js';

/** The body as a JSON object. Throws `unsupported_media_type`, `body_too_large` or `invalid_request`. */
export async function readJson(c: Context, maxBytes?: number, maxValues?: number): Promise<Record<string, unknown>> {
  requireJson(c.req.header('content-type'));
  return parseJsonObject(await readBody(c, maxBytes), maxBytes, maxValues);
}

/** The body's bytes, at most `maxBytes` (16 KiB); nothing beyond that is read. Throws `body_too_large`. */
export async function readBody(c: Context, maxBytes = BODY_MAX_BYTES): Promise<Uint8Array> {
  const announced = c.req.header('content-length');
  if (announced !== undefined) {
    // Node takes no more than was announced, so the quick way is bounded too.
    if (Number(announced) > maxBytes) throw bodyTooLarge(Number(announced), maxBytes);
    return new Uint8Array(await c.req.arrayBuffer());
  }
  return readStream(c.req.raw.body, maxBytes);
}

/**
 * The preset of a path, which is all that stands where the row's path has `{preset}`: percent-encoded as one segment,
 * or with its slashes as they are. Throws `invalid_request`.
 */
export function presetOf(c: Context, { path: rowPath }: { readonly path: string }): string {
  const [folder = '', ...others] = rowPath.slice(0, rowPath.indexOf('{preset}')).split(/\{\w+\}\//);
  const path = pathOf(c.req.url);
  let rest = path.slice(path.indexOf(folder) + folder.length);
  // What stands before it is one part each.
  for (const _ of others) rest = rest.slice(rest.indexOf('/') + 1);
  const preset = decode(rest);
  // What an older version let in can be removed by its name.
  const problem = c.req.method === 'DELETE' ? undefined : presetProblem(preset);
  if (problem === undefined) return preset;
  throw new SvcdError('invalid_request', `preset: ${problem}, got ${describe(preset)}`);
}

/** Tells, whenever it is asked, whether the client of a request closed its connection before its answer was sent. */
export function watchClient(c: Context): () => boolean {
  // Absent where the app is asked in its own process.
  const { outgoing } = (c.env ?? {}) as { outgoing?: ServerResponse };
  return () => outgoing !== undefined && outgoing.destroyed && !outgoing.writableFinished;
}

/** Path and query of a URL as they came. */
export function targetOf(url: string): string {
  return url.slice(url.indexOf('/', url.indexOf('://') + 3));
}

/** The query parameters as they came. */
export function parametersOf(c: Context): URLSearchParams {
  const target = targetOf(c.req.url);
  const query = target.indexOf('?');
  return new URLSearchParams(query === -1 ? '' : target.slice(query + 1));
}

/** Path of a URL as it came, still encoded. */
export function pathOf(url: string): string {
  const target = targetOf(url);
  const query = target.indexOf('?');
  return query === -1 ? target : target.slice(0, query);
}

function decode(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch (cause) {
    throw new SvcdError('invalid_request', `preset: is not valid percent-encoding: ${describe(encoded)}`, {
      cause,
    });
  }
}

async function readStream(stream: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw bodyTooLarge(undefined, maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
