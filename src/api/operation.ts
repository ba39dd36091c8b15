// What is said of one operation of svcd, and how a row of the table is written.

import type { GenericSchema, InferOutput } from 'valibot';
import type { QuerySchema } from '../contract/read-query.js';
import type { Permission } from '../model/spender.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'any';

/**
 * Who may use an operation: `anybody` on this machine; `spender`, who has credits to spend or an account to see;
 * `purchases`, the owner, a page, or a token with that permission; `run`, the owner, a page, or the token of a run, of
 * its own run alone; `page`, the owner or a page by its cookie and secret; `owner`, the home's own token alone; `machine`, a machine that
 * joined this hub.
 */
export type Who = 'anybody' | 'spender' | 'purchases' | 'run' | 'page' | 'owner' | 'machine';

/** Media types of answers that are not JSON objects. */
export type MediaType =
  | 'application/x-ndjson'
  | 'application/zip'
  | 'text/event-stream'
  | 'image/png'
  | 'text/html'
  | 'text/markdown'
  | '*/*';

export interface Operation {
  /** GET answers HEAD too. */
  readonly method: Method;
  /** `{preset}` may hold slashes; any other name in braces is one segment. `*` at the end is everything below. */
  readonly path: string;
  /** One sentence for people. */
  readonly what: string;
  readonly who: Who;
  /** What a further token needs to spend on it, of several what the request asks for; any will do where this is left out. */
  readonly need?: Permission | readonly Permission[];
  /** The most credits it may cost; `unknown` where only the remote knows. */
  readonly cost: number | 'unknown';
  /** Whether the same request may be sent again: nothing is done, made or paid twice. */
  readonly repeatable: boolean;
  readonly query?: QuerySchema;
  /** Headers of svcd's own. */
  readonly headers?: QuerySchema;
  /** A JSON object of at most `maxBodyBytes` (16 KiB). */
  readonly body?: GenericSchema;
  readonly maxBodyBytes?: number;
  /** For a body that is large by one text only: more are refused before they are parsed. */
  readonly maxBodyValues?: number;
  /** What a body is that the handler reads itself: larger, or read as it comes. */
  readonly upload?: 'application/json' | 'application/x-ndjson' | 'application/octet-stream';
  readonly status?: number;
  readonly answer: GenericSchema | MediaType;
  /** One line of an answer of type `application/x-ndjson`. */
  readonly line?: GenericSchema;
  /** Headers of `answer-headers.ts` that a good answer may carry, beside `X-Svcd-Remote`. */
  readonly tells?: readonly `X-${string}`[];
  /** Whether it speaks JSON-RPC, which has answers without a body and errors of its own. */
  readonly isRpc?: boolean;
  /** Whether an answer that is no default has an `ETag`, and can be had in parts. */
  readonly lasting?: boolean;
}

/**
 * Whether the same request may be sent again: `safe`, it costs nothing and does nothing twice; `same-thing`, it is joined to
 * the first one and not paid for again; `never`, it would be done again.
 */
export function againOf({ cost, repeatable }: Pick<Operation, 'cost' | 'repeatable'>): 'safe' | 'same-thing' | 'never' {
  if (!repeatable) return 'never';
  return cost === 0 ? 'safe' : 'same-thing';
}

type Facts = Partial<Omit<Operation, 'method' | 'path' | 'what' | 'who' | 'answer'>>;

/** Writes the rows of those who may; what is not said is free. */
function rowsFor(who: Who) {
  const rowOf =
    (method: Method, repeatable: boolean) =>
    <const A extends Operation['answer'], const F extends Facts = object>(
      path: string,
      answer: A,
      what: string,
      facts?: F,
    ): Operation & { readonly answer: A } & F =>
      ({ method, path, what, who, cost: 0, repeatable, answer, ...facts }) as Operation & { answer: A } & F;
  return {
    get: rowOf('GET', true),
    post: rowOf('POST', false),
    put: rowOf('PUT', true),
    remove: rowOf('DELETE', true),
    any: rowOf('any', false),
  };
}

export const anybody = rowsFor('anybody');
export const spender = rowsFor('spender');
export const purchases = rowsFor('purchases');
export const run = rowsFor('run');
export const page = rowsFor('page');
export const owner = rowsFor('owner');
export const machine = rowsFor('machine');

/** What a row reads of a request as values, undefined where it reads none; and what it answers. */
export type QueryOf<O> = O extends { query: infer S extends GenericSchema } ? InferOutput<S> : undefined;
export type HeadersOf<O> = O extends { headers: infer S extends GenericSchema } ? InferOutput<S> : undefined;
export type BodyOf<O> = O extends { body: infer S extends GenericSchema } ? InferOutput<S> : undefined;
export type AnswerOf<O> = O extends { answer: infer S extends GenericSchema } ? Told<S> : never;

/** What a schema describes, to be read and not changed. */
export type Told<S extends GenericSchema> = DeepReadonly<InferOutput<S>>;
type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;
