// Reading what was sent as the document has it: a body of JSON, one object, at most 16 KiB and never more of it than that;
// values against schemas, with one sentence for the first thing that is wrong; the schemas that several requests share.

import * as v from 'valibot';
import { SvcdError } from '../../model/errors.js';
import { LIMITS } from './limits.js';

const SHOWN_LENGTH = 40;
/** Schemas whose own message says more than their type does. */
const WORDED = new Set(['union', 'custom']);
const CALLED: Readonly<Record<string, string>> = { Array: 'an array', Object: 'an object' };

/** The value as the schema has it. Throws `invalid_request`, with field, rule and value in one sentence. */
export function check<S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, value, { abortEarly: true, abortPipeEarly: true });
  if (result.success) return result.output;
  throw invalid(sentenceOf(result.issues[0]));
}

/** A refusal of what was sent. */
export function invalid(message: string, cause?: unknown): SvcdError {
  return new SvcdError('invalid_request', message, { cause });
}

/** A value as it may appear in a message: short, quoted, without control characters. */
export function describe(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return String(value);
  const characters = Array.from(value.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '\uFFFD'));
  const shown = characters.slice(0, SHOWN_LENGTH).join('');
  return JSON.stringify(characters.length > SHOWN_LENGTH ? `${shown}…` : shown);
}

/** A string of at most `max` code points. */
export function text(max: number) {
  const length = (value: string) => Array.from(value).length;
  return v.pipe(
    v.string(),
    v.check(
      (value) => length(value) <= max,
      ({ input }) => `has ${length(input)} characters, at most ${max} are allowed`,
    ),
    // JSON Schema counts code points too, and valibot's own maxLength does not.
    v.metadata({ maxLength: max }),
  );
}

/** A string of a form, which `meaning` says in words. */
export function token(form: RegExp, meaning: string) {
  return v.pipe(
    v.string(),
    v.regex(form, ({ input }) => `must be ${meaning}, got ${describe(input)}`),
  );
}

/** An array of at most `max` items. */
export function listOf<S extends v.GenericSchema>(item: S, max: number) {
  return v.pipe(
    v.array(item),
    v.maxLength(max, ({ input }) => `has ${input.length} entries, at most ${max} are allowed`),
  );
}

/** A whole number in a range. */
export function whole(min: number, max: number) {
  const rule = ({ input }: { input: number }) => `must be a whole number from ${min} to ${max}, got ${input}`;
  return v.pipe(v.number(), v.integer(rule), v.minValue(min, rule), v.maxValue(max, rule));
}

/** A number in a range. */
export function between(min: number, max: number) {
  const rule = ({ input }: { input: number }) => `must be a number from ${min} to ${max}, got ${input}`;
  return v.pipe(v.number(), v.minValue(min, rule), v.maxValue(max, rule));
}

/** A whole number written in a query, from 1 to `max`. */
export function wholeInQuery(max: number) {
  const isRight = (value: string) => /^\d{1,9}$/.test(value) && Number(value) >= 1 && Number(value) <= max;
  return v.pipe(
    v.string(),
    v.check(isRight, ({ input }) => `must be a whole number from 1 to ${max}, got ${describe(input)}`),
    v.transform(Number),
  );
}

function sentenceOf(issue: v.BaseIssue<unknown>): string {
  const field = (issue.path ?? []).map(({ key }) => String(key)).join('.');
  if (issue.expected === 'never') return `unknown field ${describe(field)}`;
  if (issue.kind === 'validation' || WORDED.has(issue.type))
    return `${field === '' ? 'body' : field}: ${issue.message}`;
  if (issue.received === 'undefined') return `${field}: is required`;
  return `${field}: must be ${expectationOf(issue)}, got ${describe(issue.input)}`;
}

function expectationOf({ type, expected }: v.BaseIssue<unknown>): string {
  const told = expected ?? type;
  if (type === 'picklist') return `one of ${told.replaceAll(/["()]/g, '').replaceAll(' |', ',')}`;
  return CALLED[told] ?? `a ${told}`;
}

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

function parseJson(told: string): unknown {
  if (told.trim() === '') throw invalid('body: is empty, a JSON object is needed');
  try {
    return JSON.parse(told);
  } catch (cause) {
    throw invalid('body: is not valid JSON', cause);
  }
}

function tooLarge(got: string): SvcdError {
  return new SvcdError('body_too_large', `body: at most ${LIMITS.bodyBytes} bytes are accepted, got ${got}`);
}
