// The headers that every answer carries: added where Node writes them, so that no route, error or refusal can leave
// without.

import { ServerResponse, type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders } from 'node:http';
import { corsHeaders } from './cors.js';

type HeaderRecord = OutgoingHttpHeaders | OutgoingHttpHeader[];

// What comes from a remote may be HTML or SVG, and is served from our origin: nothing in it may run.
const NO_PAGE = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

const POLICY = 'Content-Security-Policy';
const READERS = 'Cross-Origin-Resource-Policy';
const OWN_PAGES = 'same-origin';

/** Names and values in turn, of all answers but for those that an answer may say itself. */
const EVERYWHERE = [
  'X-Content-Type-Options',
  'nosniff',
  'X-Frame-Options',
  'DENY',
  'Referrer-Policy',
  'no-referrer',
] as const;

export type HeaderPairs = readonly (readonly [name: string, value: string])[];

/** The same for answers written by hand. */
export const SAFE_HEADERS: HeaderPairs = [
  ...pairs(EVERYWHERE),
  [POLICY, NO_PAGE],
  [READERS, OWN_PAGES],
  ['Vary', 'Origin'],
];

/** Headers of a page of our own: only what svcd itself serves may load or run, nothing inline, in no frame. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  [POLICY]:
    "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self' blob:; " +
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
    "require-trusted-types-for 'script'; trusted-types svcd",
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/** A page of two sentences, in English and Chinese, for a person who came by a link that leads nowhere. */
export function plainPage(en: string, zh: string): string {
  const head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>svcd</title>';
  return `<!doctype html><html lang="en">${head}<main><p>${en}</p><p lang="zh">${zh}</p></main></html>\n`;
}

/** Headers of a script that runs as a worker: what it draws comes from strangers, and may fetch nothing. */
export const WORKER_HEADERS: Readonly<Record<string, string>> = { [POLICY]: "default-src 'none'" };

/** A class of answers for `createServer`, all with `more`; pages of origins that `admits` takes may read them. */
export function guardedResponse(admits: (origin: string) => boolean, more: HeaderPairs): typeof ServerResponse {
  const everywhere = [...EVERYWHERE, ...more.flat()];
  return class GuardedResponse<R extends IncomingMessage> extends ServerResponse<R> {
    // One flat list, which Node writes as it is: records would be copied, and this is done for every search.
    override writeHead(status: number, first?: string | HeaderRecord, second?: HeaderRecord): this {
      const { origin } = this.req.headers;
      const flat: OutgoingHttpHeader[] = [...everywhere];
      if (origin !== undefined && admits(origin)) flat.push(...corsHeaders(origin));
      addOwn(flat, (typeof first === 'string' ? second : first) ?? {});
      return typeof first === 'string' ? super.writeHead(status, first, flat) : super.writeHead(status, flat);
    }
  };
}

/** Adds what the answer itself says, and what depends on it: Vary, and the policies it does not have. */
function addOwn(flat: OutgoingHttpHeader[], headers: HeaderRecord): void {
  let [vary, policy, readers] = ['Origin', NO_PAGE, OWN_PAGES];
  const record = Array.isArray(headers) ? (Object.fromEntries(pairs(headers)) as OutgoingHttpHeaders) : headers;
  for (const name in record) {
    const value = record[name];
    if (value === undefined) continue;
    if (name.length === 4 && name.toLowerCase() === 'vary') vary = `${String(value)}, Origin`;
    else if (name.length === POLICY.length && name.toLowerCase() === POLICY.toLowerCase()) policy = String(value);
    else if (name.length === READERS.length && name.toLowerCase() === READERS.toLowerCase()) readers = String(value);
    else flat.push(name, value);
  }
  flat.push('Vary', vary, POLICY, policy, READERS, readers);
}

function pairs<T>(flat: readonly T[]): [T, T][] {
  const names = flat.filter((_, i) => i % 2 === 0);
  return names.map((name, i) => [name, flat[2 * i + 1] as T]);
}
