// Decides which requests reach the app, before anything else of them is read: Host must be one of our names, and a web
// page must be ours or of an origin on the user's list. What the caller may then do is for authorization.ts to decide.
// Refusals repeat nothing of the request.

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { SvcdError } from '../model/errors.js';
import { PICTURES } from '../upstream/relay-address.js';
import { isPreflight } from './cors.js';

export interface Gate {
  /**
   * Why a request may not come in; undefined when it may. A target in absolute form that names us is cut down to
   * its path, so that the app sees no other authority than Host.
   */
  findRefusal(request: IncomingMessage): SvcdError | undefined;
  /** Whether pages of this origin may read answers: our own, by whichever of our names, and those on the list. */
  admits(origin: string): boolean;
}

export interface GateOptions {
  /** Known once the daemon listens. */
  readonly port: () => number;
  /** Whether the user put an origin on the list. */
  readonly isListed: (origin: string) => boolean;
  /** Pages of commands that run. */
  readonly runs?: PagesOfRuns;
  /** Told the origin of each page that was refused. */
  readonly noteRefused?: (origin: string) => void;
}

interface PagesOfRuns {
  readonly admits: (origin: string) => boolean;
  readonly letsIn: (origin: string, authorization: string | undefined) => boolean;
}

const OWN_NAMES = ['127.0.0.1', 'localhost', '[::1]'] as const;
const HTTP_PORT = 80;
/** More than any client sends; Node would drop the rest in silence. */
const HEADERS_MAX = 200;
/** What a link on another site may open. A page cannot be read, framed or run from there; an API answer is no page. */
const PAGES: ReadonlySet<string> = new Set(['/']);

/** An address with 128 random bits. Asking for it never spends. */
const PICTURE = new RegExp(`^${PICTURES}/[0-9a-f]{32}(\\.[a-z]+)?(\\?|$)`);
/** What a tag or a style wants with a picture; a service worker that asks in its place says no more. */
const SHOWN_AS: ReadonlySet<string | undefined> = new Set([undefined, 'image', 'empty']);

/** The gate of a daemon on loopback. */
export function createGate({ port, isListed, runs, noteRefused }: GateOptions): Gate {
  let hosts = hostsAt(-1);
  const isOwn = (host: string): boolean => {
    if (hosts.port !== port()) hosts = hostsAt(port());
    return hosts.usual === host || hosts.all.has(host) || hosts.all.has(host.toLowerCase());
  };
  const admits = (origin: string): boolean =>
    (origin.startsWith('http://') && origin === origin.toLowerCase() && isOwn(origin.slice(7))) || isListed(origin);
  const refuse = (request: IncomingMessage): SvcdError | undefined => {
    const { origin, authorization } = request.headers;
    const isOfRun = origin !== undefined && runs?.admits(origin) === true;
    const comesIn = isOfRun && (isPreflight(request) || runs.letsIn(origin, authorization));
    // A picture by a tag has no Origin; its page is in Referer.
    const refusal = findForeignPage(
      request,
      comesIn ? () => true : (one) => admits(one) || runs?.letsIn(one, undefined) === true,
    );
    // A client asks who answers without its token, and goes on when it is refused.
    const asksWho =
      isOfRun && authorization === undefined && request.method === 'GET' && request.url === '/svcd/status';
    if (refusal !== undefined && !asksWho) noteRefused?.(originOf(request.headers));
    return refusal;
  };
  return {
    admits: (origin) => admits(origin) || runs?.admits(origin) === true,
    findRefusal: (request) => {
      const { headers } = request;
      if (headers.host === undefined || !isOwn(headers.host)) return foreignHost(port());
      if (request.rawHeaders.length > 2 * HEADERS_MAX)
        return new SvcdError('invalid_request', `a request has at most ${HEADERS_MAX} headers`);
      if (request.url?.charCodeAt(0) !== SLASH && !takesOriginForm(request, headers.host)) {
        return foreignTarget(port());
      }
      return isFromBrowser(headers) ? refuse(request) : undefined;
    },
  };
}

const SLASH = 0x2f;

interface OwnHosts {
  readonly port: number;
  readonly usual: string;
  readonly all: ReadonlySet<string>;
}

/** Every spelling of Host that is ours. Others that lead here too (127.1, localhost., [0:0:0:0:0:0:0:1]) are not. */
function hostsAt(port: number): OwnHosts {
  const withPort = OWN_NAMES.map((name) => `${name}:${port}`);
  const all = new Set(port === HTTP_PORT ? [...withPort, ...OWN_NAMES] : withPort);
  return { port, usual: `${OWN_NAMES[0]}:${port}`, all };
}

/** Makes `http://HOST/path` to `/path` if it names the same host; whether the target is a path now. */
function takesOriginForm(request: IncomingMessage, host: string): boolean {
  const [, authority, path = ''] = /^http:\/\/([^/?#]*)(.*)$/is.exec(request.url ?? '') ?? [];
  // A line that is no address names no other server; the app refuses it as one that cannot be read.
  if (authority === undefined) return !/^[^/]*:/.test(request.url ?? '');
  if (authority.toLowerCase() !== host.toLowerCase()) return false;
  request.url = path.startsWith('/') ? path : `/${path}`;
  return true;
}

/** What a page was served from, as far as it says; no origin where it does not. */
function originOf({ origin, referer = '' }: IncomingHttpHeaders): string {
  return origin ?? (URL.canParse(referer) ? new URL(referer).origin : '');
}

function isFromBrowser(headers: IncomingHttpHeaders): boolean {
  return (
    headers['sec-fetch-site'] !== undefined || headers.origin !== undefined || headers['sec-fetch-mode'] !== undefined
  );
}

/**
 * By Fetch Metadata and Origin. Other sites get in only by CORS (which lets a page read, and which we can see), and
 * only from the list; a page of ours may also load its own pictures and scripts (`no-cors`, `same-origin`), and a listed
 * one a picture whose address it was given.
 * What is sent twice or in words we do not know is foreign.
 */
function findForeignPage(request: IncomingMessage, admits: Gate['admits']): SvcdError | undefined {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, origin } = request.headers;
  if (origin !== undefined && !admits(origin)) return origin === 'null' ? pageOfNowhere() : foreignPage();
  if (mode === 'no-cors') return site === 'same-origin' || showsPicture(request, admits) ? undefined : foreignPage();
  if (site === undefined || site === 'same-origin' || site === 'none') return undefined;
  if (origin !== undefined && mode === 'cors') return undefined;
  return isVisit(request) ? undefined : foreignPage();
}

/**
 * Whether a page of a listed origin shows a picture by a tag or a style, which has no Origin to look up. No page can name
 * another origin than its own in Referer; one that names none is refused.
 */
function showsPicture({ method, url = '', headers }: IncomingMessage, admits: Gate['admits']): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-dest': dest, referer } = headers;
  if (method !== 'GET' || !PICTURE.test(url) || site === 'none' || !SHOWN_AS.has(dest)) return false;
  // Two values are joined by a space, which no address of a page has.
  if (referer === undefined || !/^https?:\/\/\S+$/.test(referer) || !URL.canParse(referer)) return false;
  return admits(new URL(referer).origin);
}

/** Whether a person follows a link on another site to one of our pages, in a tab of its own and not in a frame. */
function isVisit({ method, url = '', headers }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (headers.origin !== undefined || headers['sec-fetch-mode'] !== 'navigate') return false;
  return headers['sec-fetch-dest'] === 'document' && PAGES.has(url.split('?', 1)[0] ?? '');
}

function foreignHost(port: number): SvcdError {
  return new SvcdError('forbidden_host', 'the Host header does not name this daemon', {
    hint: `Use http://127.0.0.1:${port} or http://localhost:${port}.`,
  });
}

function foreignTarget(port: number): SvcdError {
  return new SvcdError('forbidden_host', 'the request line names another server than the Host header', {
    hint: `Use http://127.0.0.1:${port} or http://localhost:${port}; svcd is no proxy.`,
  });
}

function foreignPage(): SvcdError {
  return new SvcdError('forbidden_origin', 'web pages of other origins may not use this daemon', {
    hint:
      '"svcd config origins add ORIGIN" lets the pages of an origin in, such as http://localhost:3000; ' +
      'they must then ask in CORS mode (fetch, or tags with crossorigin). ' +
      'The picture of an image answer needs no crossorigin, but a referrer.',
  });
}

function pageOfNowhere(): SvcdError {
  return new SvcdError('forbidden_origin', 'web pages without an origin may not use this daemon', {
    hint:
      'A local file, a sandboxed frame and what a renderer sets as content have the origin null. Serve the page from ' +
      'http://localhost:PORT, let in with "svcd run --origin http://localhost:PORT", or read the files of a lock (svcd/slots).',
  });
}
