// A row of the service's table: which method and path leads where, what Key it needs, and what the OpenAPI document says
// of it. The router and the document are made from the rows; so are those of what is only described (modules).

import type { ServerResponse } from 'node:http';
import type { Context } from 'hono';
import type { ErrorCode } from '../model/errors.js';
import { refTo, type Json } from '../platform/openapi.js';
import type { Fault } from './faults/fault-kinds.js';
import type { Key } from './key-store.js';
import type { SandboxParts } from './sandbox-parts.js';
import type { Answer, AnswerName } from './wire/answer-schemas.js';
import type { Capability } from './capability-switches.js';
import { check, readJsonObject } from './wire/check.js';
import { REQUEST_SCHEMAS, type RequestName, type RequestOf } from './wire/requests.js';

/** What is known of a request on its way through the sandbox. */
export type SandboxEnv = {
  /** Node's own side of the answer, where there is a socket. */
  Bindings: { outgoing?: ServerResponse };
  Variables: {
    /** What was shown, valid or not. */
    bearer: { sent: boolean; key: Key | undefined };
    /** The Key of an admitted request. */
    caller?: Key;
    fault?: Fault;
    /** For the request journal: what was charged, the code of a refusal, what was sent instead of an answer. */
    cost?: number;
    left?: number;
    code?: string;
    sent?: { status: number | null };
  };
};

export type Ask = Context<SandboxEnv>;

/** `needed`: 401 without a Key. `optional`: a Key that is sent must be valid. `ignored`: a bad one is no Key. */
export type KeyRule = 'needed' | 'optional' | 'ignored';

/** A body by its name in the OpenAPI document, a file, or a schema of its own. */
type Told = AnswerName | 'png' | 'wav' | Json;

interface RouteFacts {
  /** `needed` unless told otherwise. */
  readonly key?: KeyRule;
  /** The capability it belongs to: 503 `not_enabled` where that is switched off. */
  readonly capability?: string;
  /** HEAD is for what is free: of a paid file it would have to be charged, and would bring nothing. */
  readonly paid?: true;
  /** 200 unless told otherwise. */
  readonly status?: 200 | 201 | 202;
  /** Codes beside those that any call with its Key and its body can be refused with. */
  readonly errors?: readonly ErrorCode[];
  /** In the query. */
  readonly parameters?: readonly Json[];
  /** What it is about; the first piece of its path unless told otherwise. */
  readonly tag?: string;
  /** Path and payload are our choice. */
  readonly choice?: true;
}

export interface Route extends RouteFacts {
  readonly method: 'GET' | 'POST';
  /** Below `/api/v1/`; `{preset}` stands for all the rest, another name for one piece. */
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly answer: Told;
  readonly body: RequestName | undefined;
  readonly respond: (c: Ask) => Promise<Response>;
}

type Answered<T extends Told> = T extends AnswerName ? Answer<T> : T extends string ? never : object;

/** A row; `respond` gives the body of the answer, or a file as a whole answer. */
export function route<T extends Told, B extends RequestName = never>(
  spelled: `${Route['method']} ${string}`,
  [id, summary]: readonly [id: string, summary: string],
  { answer, body, ...facts }: RouteFacts & { answer: T; body?: B },
  respond: (c: Ask, request: RequestOf<B>) => Answered<T> | Response | Promise<Answered<T> | Response>,
): Route {
  const [method, path] = spelled.split(' ') as [Route['method'], string];
  return {
    method,
    path,
    id,
    summary,
    answer,
    body,
    ...facts,
    respond: async (c) => {
      const request = body === undefined ? undefined : check(REQUEST_SCHEMAS[body], await readJsonObject(c.req.raw));
      const told = await respond(c, request as RequestOf<B>);
      return told instanceof Response ? told : c.json(told, facts.status);
    },
  };
}

/** The schema of an answer that holds nothing but a list. */
export function listOf(name: string, item: AnswerName): Json {
  return { type: 'object', required: [name], properties: { [name]: { type: 'array', items: refTo(item) } } };
}

/** A part of the service that the document describes without showing its paths: off unless it is asked for. */
export interface SandboxModule {
  readonly name: 'music' | 'tasks';
  /** What it adds to the capabilities; they can be switched off like all others. */
  readonly capabilities: readonly Capability[];
  /** Its paths below /api/v1. The Key of a request is `callerOf(c)`, with its permissions. */
  routes(parts: SandboxParts): readonly Route[];
}

/** The Key of a request that must have one. */
export function callerOf(c: { get(name: 'caller'): Key | undefined }): Key {
  const key = c.get('caller');
  if (key === undefined) throw new Error('A route that spends needs a Key');
  return key;
}

/** One file as the whole answer. */
export function sendFile(c: Ask, file: Uint8Array, contentType: string): Response {
  return c.body(new Uint8Array(file), 200, {
    'Content-Type': contentType,
    'Content-Length': String(file.byteLength),
  });
}

/** Where the caller reaches a path below `/api/v1/`. */
export function addressOf(c: Ask, path: string): string {
  return `${new URL(c.req.url).origin}/api/v1/${path}`;
}
