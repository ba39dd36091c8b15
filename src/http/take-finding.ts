// Search and match on Node's own request and response: they are asked a hundred times as often as all else, and
// hono's Request, Context and Response cost more than an answer from memory. What is at all unusual about one of them
// (another method, an address that needs reading, a body of unknown length) is left to the same route of the app.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { requireJson } from '../contract/json-body.js';
import { BODY_MAX_BYTES } from '../contract/limits.js';
import { writeAnswer, type PlainAnswer } from './answer.js';
import type { FindAnswer, FindAnswers } from './find-answers.js';
import { readIncoming, type HeaderReader } from '../auth/header-reader.js';

/** Answers a request that has passed the gate; false when it is somebody else's to answer. */
export type TakeRequest = (request: IncomingMessage, response: ServerResponse) => boolean;

/** The refusal that an error stands for. */
export type Refuse = (error: unknown, method: string, headers: HeaderReader) => PlainAnswer;

const SEARCH = '/api/v1/stickers/search?';
const MATCH = '/api/v1/stickers/match';
/** What an address can hold as it is; anything else, `#` too, is for a reader of addresses. */
const PLAIN_QUERY = /^[!$-;=?-[\]_a-z~]*$/;
const PLAIN_LENGTH = /^\d{1,5}$/;

/** Takes searches and matches. */
export function createTakeFinding(answers: FindAnswers, refuse: Refuse): TakeRequest {
  const write = (request: IncomingMessage, response: ServerResponse, find: Find) => {
    const headers = readIncoming(request);
    const fail = (error: unknown) => writeAnswer(response, refuse(error, request.method ?? '', headers));
    try {
      const answer = find(headers);
      if (answer instanceof Promise) answer.then((late) => writeAnswer(response, late)).catch(fail);
      else writeAnswer(response, answer);
    } catch (error) {
      fail(error);
    }
  };
  return (request, response) => {
    const { method, url = '' } = request;
    if (method === 'GET' && url.startsWith(SEARCH)) {
      const query = url.slice(SEARCH.length);
      if (!PLAIN_QUERY.test(query) || hasBody(request)) return false;
      write(request, response, (headers) => answers.search(new URLSearchParams(query), headers));
      return true;
    }
    if (method !== 'POST' || url !== MATCH || !isShort(request)) return false;
    readAll(request, (body) => {
      write(request, response, (headers) => {
        requireJson(headers.get('content-type'));
        return answers.match(body, headers);
      });
    });
    return true;
  };
}

type Find = (headers: HeaderReader) => FindAnswer;

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** Whether a body of a known length comes that is not longer than allowed; Node takes no more than is announced. */
function isShort({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'] ?? '';
  return PLAIN_LENGTH.test(length) && Number(length) <= BODY_MAX_BYTES;
}

/** Calls back with the whole body; never when the client goes away before its end, for there is nobody to answer. */
function readAll(request: IncomingMessage, take: (body: Uint8Array) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => take(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
  request.on('error', () => undefined);
}
