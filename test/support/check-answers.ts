// Holds the answers of svcd to its OpenAPI document: whatever a test fetches from a daemon it started is checked, and a
// shape that nobody described fails the test that got it.

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { onTestFinished } from 'vitest';
import { openApiOf } from '../../src/api/openapi.js';
import type { RawAnswer } from './request-raw.js';

type Json = Record<string, unknown>;

interface Described {
  readonly 'x-svcd-stream'?: 'lines';
  readonly schema?: object;
}
interface Answer {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, object>>;
  readonly content?: Readonly<Record<string, Described>>;
}
interface Call {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Answer>>;
}
interface Path {
  readonly path: string;
  readonly form: RegExp;
  readonly calls: Readonly<Record<string, Call>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Path['calls']>>;
}

/** What an answer was checked against. */
interface Found {
  readonly what: string;
  /** Place of the answer in the document, as a JSON pointer. */
  readonly pointer: string;
  readonly answer: Answer;
}

const DOCUMENT = 'openapi.json';
const REFUSAL = '/components/responses/Refusal';

const origins = new Set<string>();
const plainFetch = globalThis.fetch;
let foreignRemotes = 0;

/** Checks what `fetch` brings from there, until what it gives is called: another program may have the port then. */
export function checkAnswersOf(url: string): () => void {
  const { origin } = new URL(url);
  origins.add(origin);
  globalThis.fetch = fetchChecked;
  return () => void origins.delete(origin);
}

/** Lets answers of the service's paths pass until this test ends: its remote tells things in a way of its own. */
export function allowForeignAnswers(): void {
  foreignRemotes += 1;
  onTestFinished(() => {
    foreignRemotes -= 1;
  });
}

async function fetchChecked(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const response = await plainFetch(input, init);
  const url = new URL(response.url);
  if (response.redirected || !origins.has(url.origin)) return response;
  const method = init?.method ?? (input instanceof Request ? input.method : 'GET');
  return checked(method.toUpperCase(), url.pathname, response);
}

/** The same of an answer that came by another way. */
export async function checkRaw(origin: string, method: string, path: string, answer: RawAnswer): Promise<void> {
  const { status, headers, text } = answer;
  if (!origins.has(origin) || headers['content-encoding'] !== undefined) return;
  const told = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  const response = new Response(text === '' ? null : text, { status, headers: told });
  await checked(method, new URL(path, origin).pathname, response);
}

/** The answer, or an error where the document does not describe it. */
export async function checked(method: string, path: string, response: Response): Promise<Response> {
  const { status, headers } = response;
  const found = findAnswer(method, path, status);
  if (found === undefined) return response;
  if (foreignRemotes > 0 && path.startsWith('/api/v1/') && response.ok) return response;
  const undescribed = [...headers.keys()].filter((name) => name.startsWith('x-svcd-') && !isDescribed(found, name));
  if (undescribed.length > 0) throw notDescribed(found, `headers ${undescribed.join(', ')}`);
  const { content } = found.answer;
  if (method === 'HEAD' || content === undefined) return response;
  const type = headers.get('content-type')?.split(';', 1)[0] ?? '';
  const described = content[type] ?? content['*/*'];
  if (described === undefined) throw notDescribed(found, `Content-Type ${type}`);
  if (described.schema === undefined) return response;
  const pointer = `${found.pointer}/content/${escape(type)}/schema`;
  if (described['x-svcd-stream'] === 'lines') return withLinesChecked(response, found, pointer);
  check(await textOf(response.clone()), found, pointer);
  return response;
}

const document = closed(openApiOf('http://127.0.0.1')) as Document;
const ajv = new Ajv2020({ strict: false, validateSchema: false, addUsedSchema: false }).addSchema(document, DOCUMENT);
const paths = Object.entries(document.paths)
  .map(([path, calls]): Path => ({ path, calls, form: formOf(path) }))
  // What is said of one path goes before what is said of many.
  .toSorted((a, b) => variablesIn(a.path) - variablesIn(b.path));

/** What the document says of an answer; undefined for what passes through. */
function findAnswer(method: string, path: string, status: number): Found | undefined {
  const one = paths.find(({ form }) => form.test(path));
  const name = method === 'HEAD' ? 'get' : method.toLowerCase();
  const call = one?.calls[name];
  if (one === undefined || call === undefined) {
    if (path.startsWith('/api/v1/') || (method === 'OPTIONS' && status === 204)) return undefined;
    const found = { what: `${method} ${path}: ${status}`, pointer: REFUSAL, answer: at(REFUSAL) };
    if (status < 400) throw notDescribed(found, 'this operation');
    return found;
  }
  const key = [String(status), `${Math.floor(status / 100)}XX`].find((each) => each in call.responses);
  const what = `${call.operationId} (${method} ${path}): ${status}`;
  const pointer = `/paths/${escape(one.path)}/${name}/responses/${key}`;
  const answer = key === undefined ? undefined : call.responses[key];
  if (answer === undefined) throw notDescribed({ what, pointer, answer: {} }, `status ${status}`);
  if (answer.$ref === undefined) return { what, pointer, answer };
  const shared = answer.$ref.slice(1);
  return { what, pointer: shared, answer: at(shared) };
}

function isDescribed({ answer }: Found, header: string): boolean {
  return Object.keys(answer.headers ?? {}).some((name) => name.toLowerCase() === header);
}

function check(text: string | undefined, found: Found, pointer: string): void {
  if (text === undefined) return;
  const validate = ajv.getSchema(`${DOCUMENT}#${pointer}`) as ValidateFunction | undefined;
  if (validate === undefined) throw notDescribed(found, pointer);
  if (!validate(JSON.parse(text)))
    throw notDescribed(found, `${ajv.errorsText(validate.errors)} in ${text.slice(0, 500)}`);
}

/** Undefined when it broke off: that is for the test to see. */
function textOf(response: Response): Promise<string | undefined> {
  return response.text().catch(() => undefined);
}

/** The same answer, whose lines are checked as they are read. */
function withLinesChecked(response: Response, found: Found, pointer: string): Response {
  const decoder = new TextDecoder();
  let rest = '';
  const lines = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      const all = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = all.pop() ?? '';
      for (const line of all) if (line !== '') check(line, found, pointer);
      controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers, url } = response;
  const copy = new Response(response.body?.pipeThrough(lines) ?? null, { status, statusText, headers });
  return Object.defineProperty(copy, 'url', { value: url });
}

function notDescribed({ what }: Found, why: string): Error {
  return new Error(`${what} is not as /openapi.json describes it (src/api/operations.ts): ${why}`);
}

/** A schema that does not say whether there may be further fields allows them, to clients; not to us. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const all = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, closed(one)]));
  return isOpenObject(all) ? { ...all, additionalProperties: false } : all;
}

function isOpenObject(schema: Json): boolean {
  return schema['type'] === 'object' && 'properties' in schema && !('additionalProperties' in schema);
}

function at(pointer: string): Answer {
  const parts = pointer.split('/').slice(1);
  let one: unknown = document;
  for (const part of parts) one = (one as Json)[part];
  return one as Answer;
}

function escape(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}

function variablesIn(path: string): number {
  return path.split('{').length;
}

/** Slashes of a preset may be as they are. */
function formOf(path: string): RegExp {
  const source = path
    .replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&')
    .replaceAll(/\{(\w+)\}/g, (_, name) => (name === 'preset' || name === 'file' ? '.+' : '[^/]+'));
  return new RegExp(`^${source}$`);
}
