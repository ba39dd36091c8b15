// Handlers of the paths of the service's own document, answered as it says.

import type { Context } from 'hono';
import { OPERATIONS } from '../../api/operations.js';
import type { Config } from '../../config/config.js';
import { createLibraryHeader } from '../../harvest/harvest-status.js';
import type { Verbs } from '../open-verbs.js';
import type { Rooms } from '../rooms.js';
import { mayCost } from './pass-through.js';
import { FILES } from '../../upstream/relay-address.js';
import type { Finding, FoundAnswer } from '../search/search.js';
import type { Caller } from '../../auth/authorization.js';
import { requireJson } from '../../contract/json-body.js';
import type { Permission, Spender } from '../../model/spender.js';
import { imageDigest } from '../../purchases/image-item.js';
import { answerJson, bodyOf, headersOf } from '../../http/answer.js';
import { answerAsset } from '../../http/answer-asset.js';
import { presetOf, readBody, targetOf, watchClient } from '../../http/read-request.js';
import type { ReportRequest, ReportUnheard } from '../video/report-requests.js';
import { refuseMethod, type Call, type Handlers } from '../../http/router.js';

/** The verbs of the service's own paths. */
export type ServiceVerbs = Pick<
  Verbs,
  | 'finders'
  | 'fetchSticker'
  | 'generateImage'
  | 'showAccount'
  | 'listCapabilities'
  | 'registerProduction'
  | 'passThrough'
  | 'showPicture'
>;

/** What stands where a request does not say: how long it waits, whether a default will do, and in which form stickers come. */
export type ServiceTerms = Pick<Config, 'deadlineMs' | 'imageDeadlineMs' | 'fallback' | 'form'>;

/** Credits of the account that a caller may see, as far as known. */
export type BalanceOf = (caller: Caller) => number | undefined;

export function createServiceHandlers(
  { library, harvest }: Pick<Rooms, 'library' | 'harvest'>,
  verbs: ServiceVerbs,
  terms: ServiceTerms,
  balanceOf: BalanceOf,
  report: ReportRequest,
  reportUnheard: ReportUnheard,
) {
  const { finders } = verbs;
  const libraryHeader = createLibraryHeader(library, harvest);

  const tell = (found: Finding, caller: Caller): Response | Promise<Response> => {
    const answer = ({ body, source, note, shipped, unheard, standsIn }: FoundAnswer) => {
      // A render shows these in place of the remote's: it must not go unsaid.
      if (standsIn) reportUnheard(caller, unheard);
      const known = unheard === undefined ? libraryHeader() : `${libraryHeader()}, unheard=${unheard}`;
      return answerJson(body, { source, searchNote: note, shipped, balance: balanceOf(caller), library: known });
    };
    // At once where it can be: a promise more would cost every search.
    return found instanceof Promise ? found.then(answer) : answer(found);
  };

  const account =
    (path: '/api/v1/me' | '/api/v1/usage') =>
    async ({ caller }: Pick<Call<unknown>, 'caller'>) => {
      const { body, ...facts } = await verbs.showAccount(path, caller.spender('account'));
      return answerJson(body, { ...facts, balance: balanceOf(caller) });
    };

  const pass = async (c: Context, area: 'api' | 'file', spender: Spender, caller: Caller): Promise<Response> => {
    const path = area === 'api' ? targetOf(c.req.url) : targetOf(c.req.url).slice(FILES.length);
    const method = PASSABLE.find((one) => one === c.req.method) ?? refuseMethod(PASSABLE);
    const body = method === 'GET' || method === 'HEAD' ? undefined : await readBody(c);
    const type = c.req.header('content-type');
    // The document has no other bodies, and those a form can send must not come through.
    if (body !== undefined && (body.byteLength > 0 || type !== undefined)) requireJson(type);
    const contentType = body === undefined ? undefined : 'application/json';
    const request = { method, path, body, contentType, spender, area };
    const passed = await verbs.passThrough(request);
    if ('sha256' in passed) return answerAsset(c, passed, balanceOf(caller));
    const { status, bytes, source, retryAfter } = passed;
    const headers = {
      'Content-Type': passed.contentType,
      ...(retryAfter === undefined ? {} : { 'Retry-After': retryAfter }),
      ...headersOf({ source, cost: mayCost(request) ? 'unknown' : 0, balance: balanceOf(caller) }),
    };
    return new Response(hasBody(status) ? bodyOf(bytes) : null, { status, headers });
  };

  return {
    searchStickers: ({ query, caller }) => tell(finders.search(query, caller.spender()), caller),
    matchStickers: ({ body, caller }) => tell(finders.match(body, caller.spender()), caller),
    downloadSticker: async ({ c, caller, query, headers }) => {
      const isHead = c.req.method === 'HEAD';
      const spender = spenderFor(caller, 'stickers', isHead);
      const preset = presetOf(c, OPERATIONS.downloadSticker);
      const fetchSticker = () =>
        verbs.fetchSticker({
          preset,
          caller: caller.mark,
          form: query.form ?? terms.form,
          wish: query.color,
          spender,
          deadlineMs: headers.deadlineMs ?? terms.deadlineMs,
          fallback: headers.fallback ?? terms.fallback,
          allowRepay: headers.allowRepay,
          isGone: watchClient(c),
        });
      const delivery = await (isHead ? fetchSticker() : report(caller, 'sticker', preset, fetchSticker));
      return answerAsset(c, delivery, balanceOf(caller));
    },
    generateImage: async (call) => {
      const { caller } = call;
      const order = imageOrderOf(call, terms);
      const image = await report(caller, 'image', imageDigest(order), () => verbs.generateImage(order));
      return answerJson(bodyOf(image.body), { ...image, balance: balanceOf(caller) });
    },
    showAccount: account('/api/v1/me'),
    showUsage: account('/api/v1/usage'),
    listCapabilities: async ({ caller }) => {
      const { body, ...facts } = await verbs.listCapabilities();
      return answerJson(body, { ...facts, balance: balanceOf(caller) });
    },
    registerProduction: async ({ body: production, caller }) => {
      const { body, ...facts } = await verbs.registerProduction(production, caller.spender());
      return answerJson(body, { ...facts, balance: balanceOf(caller) });
    },
    passThrough: ({ c, caller }) => {
      return pass(c, 'api', spenderFor(caller, permissionFor(c), c.req.method === 'HEAD'), caller);
    },
    // What the remote keeps outside its API.
    downloadFile: ({ c, caller }) => pass(c, 'file', caller.spender('images'), caller),
    showPicture: async ({ c, caller }) => {
      const answer = answerAsset(c, await verbs.showPicture(c.req.param('address') ?? ''), balanceOf(caller));
      answer.headers.append('Vary', 'Referer, Sec-Fetch-Mode');
      if (isEmbedded(c)) {
        answer.headers.set('Cross-Origin-Resource-Policy', 'cross-origin');
        // Asked again each time: pages of another port share the browser's cache, and an origin may leave the list.
        if (answer.status !== 416) answer.headers.set('Cache-Control', 'private, no-cache');
      }
      return answer;
    },
  } satisfies Partial<Handlers>;
}

/** An image as it is asked for. */
export function imageOrderOf(
  { c, caller, body, headers }: Call<typeof OPERATIONS.generateImage>,
  { imageDeadlineMs, fallback }: Pick<ServiceTerms, 'imageDeadlineMs' | 'fallback'>,
) {
  return {
    ...body,
    ...headers,
    spender: caller.spender('images'),
    isGone: watchClient(c),
    deadlineMs: headers.deadlineMs ?? imageDeadlineMs,
    fallback: headers.fallback ?? fallback,
  };
}

/** A HEAD asks what is there, and must not buy; a token that is refused a GET is refused a HEAD too. */
function spenderFor(caller: Caller, need: Permission, isHead: boolean): Spender {
  const spender = caller.spender(need);
  return isHead && spender.kind === 'key' ? { kind: 'none' } : spender;
}

/** Whether a tag of a page elsewhere asks, without CORS: the gate has seen that its origin is listed. */
function isEmbedded(c: Context): boolean {
  return c.req.header('sec-fetch-mode') === 'no-cors' && c.req.header('sec-fetch-site') !== 'same-origin';
}

/** Who may buy images may look at their pictures, which the service keeps below that path. */
function permissionFor(c: Context): Permission {
  const reads = c.req.method === 'GET' || c.req.method === 'HEAD';
  return reads && targetOf(c.req.url).startsWith(PICTURES_OF_SERVICE) ? 'images' : 'other';
}

const PICTURES_OF_SERVICE = '/api/v1/images/';
const PASSABLE = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

function hasBody(status: number): boolean {
  return status !== 204 && status !== 304 && status >= 200;
}
