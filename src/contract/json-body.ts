// Reading a JSON body as the contract has it: application/json, at most 16 KiB, one object.

import * as v from 'valibot';
import { SvcdError } from '../model/errors.js';
import { boundsProblem, placeOfFault } from '../platform/json.js';
import { BODY_MAX_BYTES, countCharacters } from './limits.js';

/** Throws `unsupported_media_type` unless the header names JSON (parameters such as charset are allowed). */
export function requireJson(contentType: string | null | undefined): void {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/json') return;
  throw new SvcdError(
    'unsupported_media_type',
    `Content-Type must be application/json, got ${type === '' ? 'none' : quote(type)}`,
  );
}

const DEPTH = 64;

/** Parses a body of at most `maxBytes` (16 KiB) and `maxValues`. Throws `body_too_large` or `invalid_request`. */
export function parseJsonObject(
  bytes: Uint8Array,
  maxBytes = BODY_MAX_BYTES,
  maxValues?: number,
): Record<string, unknown> {
  if (bytes.byteLength > maxBytes) throw bodyTooLarge(bytes.byteLength, maxBytes);
  const value = parseJson(bytes, maxValues);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw invalid(`body: must be a JSON object, got ${describe(value)}`);
}

/** The refusal of a body over `maxBytes` (16 KiB); `sizeBytes` when it is known. */
export function bodyTooLarge(sizeBytes?: number, maxBytes = BODY_MAX_BYTES): SvcdError {
  const got = sizeBytes === undefined ? 'more' : `${sizeBytes}`;
  return new SvcdError('body_too_large', `body: at most ${maxBytes} bytes are accepted, got ${got}`);
}

/** Validates against a schema; the first problem becomes one sentence: field, rule, value. */
export function parseWith<S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, value, { abortEarly: true, abortPipeEarly: true });
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw invalid(sentence(pathOf(issue), issue) + mistyped(schema, value, issue));
}

/** A refusal of what was sent. */
export function invalid(message: string, cause?: unknown): SvcdError {
  return new SvcdError('invalid_request', message, { cause });
}

function pathOf(issue: v.BaseIssue<unknown>): string[] {
  return (issue.path ?? []).map((item) => String(item.key));
}

function isMissing({ expected, received }: v.BaseIssue<unknown>): boolean {
  return expected !== null && expected !== 'never' && received === 'undefined';
}

/** What is missing may be there under a name that is not quite right. */
function mistyped(schema: v.GenericSchema, value: unknown, missing: v.BaseIssue<unknown>): string {
  if (!isMissing(missing)) return '';
  const beside = pathOf(missing).slice(0, -1).join('.');
  const unknown = v
    .safeParse(schema, value)
    .issues?.find((one) => one.expected === 'never' && pathOf(one).slice(0, -1).join('.') === beside);
  return unknown === undefined ? '' : `; ${sentence(pathOf(unknown), unknown)}`;
}

/** A string of at most `max` characters (code points). */
export function text(max: number) {
  return v.pipe(
    v.string(),
    v.check(
      (value) => countCharacters(value) <= max,
      (issue) => `has ${countCharacters(issue.input)} characters, at most ${max} are allowed`,
    ),
    v.metadata({ maxCharacters: max }),
  );
}

/** A whole number within bounds; `rule` is what the refusal says it must be. */
export function wholeBetween(min: number, max: number, rule: string) {
  const refusal = (issue: { input: number }) => `must be ${rule}, got ${issue.input}`;
  return v.pipe(v.number(), v.integer(refusal), v.minValue(min, refusal), v.maxValue(max, refusal));
}

/** An array of at most `max` entries. */
export function listOf<S extends v.GenericSchema>(entry: S, max: number) {
  return v.pipe(
    v.array(entry),
    v.maxLength(max, (issue) => `has ${issue.input.length} entries, at most ${max} are allowed`),
  );
}

/** A value as it may appear in a message: short, quoted, without control characters. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  return String(value);
}

function parseJson(bytes: Uint8Array, maxValues: number | undefined): unknown {
  let body: string;
  try {
    body = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw invalid('body: is not valid UTF-8', cause);
  }
  if (body.trim() === '') throw invalid('body: is empty, a JSON object is needed');
  const excess = boundsProblem(bytes, maxValues === undefined ? undefined : { depth: DEPTH, tokens: maxValues });
  if (excess !== undefined) throw invalid(`body: ${excess}`);
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw invalid(`body: is not valid JSON (${placeOfFault(body)})`, cause);
  }
}

function sentence(path: string[], issue: v.BaseIssue<unknown>): string {
  const field = path.join('.');
  if (issue.expected === 'never') return `unknown field ${quote(field)}`;
  if (isMissing(issue)) return `${field}: is required`;
  if (issue.kind !== 'schema') return `${field === '' ? 'body' : field}: ${issue.message}`;
  return `${field}: must be ${expectation(issue)}, got ${describe(issue.input)}`;
}

function expectation(issue: v.BaseIssue<unknown>): string {
  const article: Record<string, string> = { Array: 'an array', Object: 'an object', string: 'a string' };
  const expected = issue.expected ?? issue.type;
  if (issue.type === 'picklist') return `one of ${expected.replaceAll(/["()]/g, '').replaceAll(' |', ',')}`;
  return article[expected] ?? `a ${expected}`;
}

function quote(value: string): string {
  const clean = value.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '\uFFFD');
  const characters = Array.from(clean);
  return JSON.stringify(characters.length > 40 ? `${characters.slice(0, 40).join('')}…` : clean);
}
