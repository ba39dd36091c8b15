// What planning and applying need of whoever runs them: the daemon's answers, and how a person is told. The command line hands
// in its client, an assistant's tools theirs.

import type { Readable } from 'node:stream';
import { ERROR_CODES, SvcdError, type ErrorCode } from '../../model/errors.js';
import { APPLY_WORDS, type ApplyWords, type Refusal } from './words.js';

interface Question {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface AnswerHead {
  readonly status: number;
  header(this: void, name: string): string | undefined;
}

interface Answer extends AnswerHead {
  bytes(): Uint8Array;
  json(): unknown;
}

interface StreamedAnswer extends AnswerHead {
  readonly body: Readable;
}

/** Asks svcd, with whose credits a person agreed to. */
export interface Asker {
  /** The JSON of an answer that is a success. Throws the refusal otherwise. */
  ask<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T>;
  /** An answer of any status. */
  request(method: 'GET' | 'POST', path: string, question?: Question): Promise<Answer>;
  /** An answer of any status, to be read piece by piece. */
  stream(method: 'GET' | 'POST', path: string, question?: Question): Promise<StreamedAnswer>;
}

/** Opens an asker where one is needed: what is all there already needs none. */
export type Connect = <T>(work: (asker: Asker) => Promise<T>) => Promise<T>;

/** How what happens is told. */
export interface Telling {
  readonly words: ApplyWords;
  /** Takes a line beside the answer; words of others in it may hold anything. */
  note(this: void, line: string): void;
}

export const SILENT: Telling = { words: APPLY_WORDS, note: () => undefined };

/** A body as JSON. */
export function jsonQuestion(body: object): Question {
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

/** The error of a sentence, and what to do about it. */
export function refusalIn([message, hint]: Refusal, code: ErrorCode, cause?: unknown): SvcdError {
  return new SvcdError(code, message, { hint, cause });
}

/** The error that svcd tells in an answer or a line. */
export function toRefusal(told: { code?: string; message?: string; hint?: string | undefined }): SvcdError {
  const known = ERROR_CODES.find((one) => one === told.code) ?? 'upstream_failure';
  return refusalIn([told.message ?? known, told.hint], known);
}
