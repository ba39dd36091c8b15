// MCP over HTTP, at /mcp behind the gate: stateless, a server for each request, which asks svcd with the bearer of that request
// and nothing else of it that could spend.

import { Readable } from 'node:stream';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { type Asker, jsonQuestion, toRefusal } from '../video/apply/asker.js';
import { CONSENT_WORDS } from './consent-words.js';
import { askLeft, createConsents } from './consent.js';
import { createServer } from './create-server.js';
import type { World } from './tool.js';

type Fetch = (request: Request) => Response | Promise<Response>;

export interface Caller {
  /** Where svcd is. */
  readonly origin: string;
  /** Asks svcd, past the gate. */
  readonly fetch: Fetch;
  /** Whether the request shows the home's own token: whoever has that may lease others. */
  readonly isOwner: boolean;
  /** Whether the user lets the service be told of productions. */
  readonly registers: () => Promise<string>;
  /** Of the daemon, the first one that is wanted first. */
  readonly locales: readonly string[];
}

const BODY_MAX_BYTES = 64 * 1024;
/** What says whose credits may be spent, and that a browser asks. A cookie is not among it: a page cannot buy by this way. */
const PASSED_ON = ['authorization', 'origin', 'referer', 'sec-fetch-site', 'user-agent'];

/** Forms that were shown, for the life of the process. */
const consents = createConsents();

/** Answers one request. Forms are shown to hosts of the later era alone: others cannot be asked without a session. */
export async function serveMcp(request: Request, caller: Caller): Promise<Response> {
  const world = worldOf(request, caller);
  const handler = createMcpHandler(() => createServer(world, { asks: caller.isOwner, pictures: true }, consents), {
    maxRequestBodySize: BODY_MAX_BYTES,
    // Nothing here ever changes that could be told of.
    maxSubscriptions: 0,
  });
  return handler.fetch(request);
}

function worldOf({ headers: sent }: Request, { origin, fetch, isOwner, registers, locales }: Caller): World {
  const headers = Object.fromEntries(
    PASSED_ON.flatMap((name) => (sent.has(name) ? [[name, sent.get(name) ?? '']] : [])),
  );
  const asker = askerOver(fetch, origin, headers);
  return {
    asker,
    budget: undefined,
    // The limits of a token are the yes of the person who made it; the home's own has none.
    ...(!isOwner &&
      sent.has('authorization') && { findBudget: async () => (await askLeft(asker))?.token ?? undefined }),
    spendOnce: (credits) => leaseOne(fetch, origin, headers, credits),
    registers,
    words: wordsFor(sent.get('accept-language'), locales),
    // A plan is there to be applied, which nobody can here: none is kept of another's.
    plans: new Map(),
    origin,
    workingFolder: '',
    home: '',
  };
}

/** A token that may spend this much, for as long as the answer that tells it is read. */
async function leaseOne(fetch: Fetch, origin: string, headers: Record<string, string>, total: number) {
  const asked = jsonQuestion({ only: ['stickers', 'images', 'account', 'purchases'], total });
  const { status, body } = await askerOver(fetch, origin, headers).stream('POST', '/svcd/tokens/lease', asked);
  const first = (await body[Symbol.asyncIterator]().next()) as { value: Uint8Array };
  const told = JSON.parse(Buffer.from(first.value).toString()) as { token: string; code?: string };
  if (status !== 200) throw toRefusal(told);
  return { asker: askerOver(fetch, origin, { authorization: `Bearer ${told.token}` }), end: () => void body.destroy() };
}

function askerOver(fetch: Fetch, origin: string, own: Record<string, string>): Asker {
  const send = async (...[method, path, { headers, body } = {}]: Parameters<Asker['request']>) => {
    const init = { method, headers: { ...headers, ...own }, ...(body !== undefined && { body }) };
    const answer = await fetch(new Request(origin + path, init));
    return { answer, status: answer.status, header: (name: string) => answer.headers.get(name) ?? undefined };
  };
  const stream: Asker['stream'] = async (...asked) => {
    const { answer, ...head } = await send(...asked);
    return { ...head, body: answer.body === null ? Readable.from([]) : Readable.fromWeb(answer.body) };
  };
  const request: Asker['request'] = async (...asked) => {
    const { answer, ...head } = await send(...asked);
    const bytes = Buffer.from(await answer.arrayBuffer());
    return { ...head, bytes: () => bytes, json: () => JSON.parse(bytes.toString()) as unknown };
  };
  const ask = async <T>(method: 'GET' | 'POST', path: string, body?: object) => {
    const answer = await request(method, path, body && jsonQuestion(body));
    if (answer.status >= 400) throw toRefusal(answer.json() as object);
    return answer.json() as T;
  };
  return { stream, request, ask };
}

/** In the language that the request names first, else in that of the daemon. */
function wordsFor(accepted: string | null, locales: readonly string[]): World['words'] {
  const first = [accepted ?? '', ...locales].find((one) => /^\s*(?:en|zh)(?![a-z])/i.test(one)) ?? '';
  const at = /^\s*zh/i.test(first) ? 1 : 0;
  const { buy, tell, yes } = CONSENT_WORDS;
  return { buy: (...about) => buy(...about)[at], tell: (...about) => tell(...about)[at], yes: yes[at] };
}
