// The documented paths, answered as the document says.

import type { Context, Hono } from 'hono';
import type { Permission, Spender } from '../model/spender.js';
import { FILES } from '../upstream/relay-address.js';
import type { FetchSticker } from '../actions/fetch-sticker.js';
import type { GenerateImage } from '../actions/generate-image.js';
import type { ListCapabilities } from '../actions/list-capabilities.js';
import type { PassThrough } from '../actions/pass-through.js';
import type { RegisterProduction } from '../actions/register-production.js';
import type { AccountPath, ShowAccount } from '../actions/show-account.js';
import { SvcdError } from '../model/errors.js';
import { requireJson } from '../contract/json-body.js';
import { parseImageRequest } from '../contract/image-request.js';
import { parseProductionRequest } from '../contract/production-request.js';
import { describe } from '../contract/json-body.js';
import { addRoute } from './add-route.js';
import { answerJson, bodyOf, headersOf, toResponse } from './answer.js';
import { answerAsset } from './answer-asset.js';
import type { FindAnswers } from './find-answers.js';
import { refuseMethod } from './refuse-method.js';
import {
  deadlineOf,
  fallbackOf,
  parametersOf,
  presetOf,
  readBody,
  readJson,
  repayOf,
  targetOf,
} from './read-request.js';

export interface MirroredActions {
  readonly fetchSticker: FetchSticker;
  readonly generateImage: GenerateImage;
  readonly showAccount: ShowAccount;
  readonly listCapabilities: ListCapabilities;
  readonly registerProduction: RegisterProduction;
  readonly passThrough: PassThrough;
}

export interface MirroredOptions {
  readonly deadlineMs: number;
  readonly fallback: boolean;
  /** Who pays; for tokens that are not for this, a nobody that says so. */
  readonly spenderOf: (c: Context, need?: Permission) => Spender;
  /** Credits of the account a request belongs to, as far as known. */
  readonly balanceOf: (c: Context) => number | undefined;
  readonly find: FindAnswers;
}

/** Path and methods of every mirrored route; the README's table is compared with it. */
export const MIRRORED_ROUTES = [
  ['GET', '/api/v1/capabilities'],
  ['GET', '/api/v1/stickers/search'],
  ['POST', '/api/v1/stickers/match'],
  ['GET', '/api/v1/stickers/{preset}'],
  ['POST', '/api/v1/images'],
  ['GET', '/api/v1/me'],
  ['GET', '/api/v1/usage'],
  ['POST', '/api/v1/productions'],
  ['any', '/api/v1/*'],
  ['GET', '/svcd/files/*'],
] as const;

// No URL holds a brace, so no request can name these two itself.
const ONE_STICKER = '/api/v1/stickers/{preset}';
const ANYTHING_ELSE = '/api/v1/{else}';
const NOWHERE = '/{nowhere}';
const ALONE: ReadonlySet<string> = new Set(
  MIRRORED_ROUTES.map(([, path]) => path).filter((path) => !path.endsWith('*')),
);

/**
 * The one route a path belongs to: its own, else that of stickers, else that of the rest of the service. Routes
 * that overlap would do as well, but hono chains their handlers in promises, and search would pay for that.
 */
export function routeOf(path: string): string {
  if (ALONE.has(path)) return path;
  if (isRespelled(path)) return NOWHERE;
  if (!`${path}/`.startsWith('/api/v1/')) return path;
  return path.startsWith('/api/v1/stickers/') ? ONE_STICKER : ANYTHING_ELSE;
}

/**
 * Whether a path is one of ours in another spelling (`%73tickers`, a double slash, a slash at the end). Passed
 * through to a remote that reads it as the same, it would buy there without a journal.
 */
function isRespelled(path: string): boolean {
  if (/^\/api\/v1\/stickers\/[^/]/.test(path)) return false;
  const plain = plainPath(path);
  return ALONE.has(plain) || `${plain}/`.startsWith('/api/v1/stickers/');
}

/** A path as the most generous remote would read it. */
function plainPath(path: string): string {
  let [before, after] = ['', path];
  for (let rounds = 0; before !== after && rounds < 5; rounds++) {
    before = after;
    after = before.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  }
  const parts: string[] = [];
  for (const part of after.split(/[/\\]+/)) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/** Adds the documented routes to an app. */
export function addMirroredRoutes(app: Hono, actions: MirroredActions, options: MirroredOptions): void {
  const { balanceOf, find, spenderOf } = options;

  addRoute(app, 'GET', '/api/v1/stickers/search', (c) => {
    const found = find.search(parametersOf(c), c.req.raw.headers);
    return found instanceof Promise ? found.then(toResponse) : toResponse(found);
  });

  addRoute(app, 'POST', '/api/v1/stickers/match', async (c) => {
    requireJson(c.req.header('content-type'));
    return toResponse(await find.match(await readBody(c), c.req.raw.headers));
  });

  addRoute(app, 'GET', ONE_STICKER, async (c) => {
    // A HEAD asks what is there; it must not buy.
    const spender: Spender = c.req.method === 'HEAD' ? { kind: 'nobody' } : spenderOf(c, 'stickers');
    const delivery = await actions.fetchSticker({
      preset: presetOf(c),
      spender,
      deadlineMs: deadlineOf(c) ?? options.deadlineMs,
      fallback: fallbackOf(c, options.fallback),
      allowRepay: repayOf(c),
    });
    return answerAsset(c, delivery, balanceOf(c));
  });

  addRoute(app, 'POST', '/api/v1/images', async (c) => {
    const image = await actions.generateImage({
      ...parseImageRequest(await readJson(c)),
      spender: spenderOf(c, 'images'),
      variant: variantOf(c),
      fresh: (c.req.header('cache-control') ?? '').toLowerCase().includes('no-cache'),
      deadlineMs: deadlineOf(c),
      fallback: fallbackOf(c, options.fallback),
      allowRepay: repayOf(c),
    });
    return answerJson(image.body, { ...image, balance: balanceOf(c) });
  });

  const account = (path: AccountPath) => {
    addRoute(app, 'GET', path, async (c) => {
      const { body, ...facts } = await actions.showAccount(path, spenderOf(c, 'account'));
      return answerJson(body, { ...facts, balance: balanceOf(c) });
    });
  };
  account('/api/v1/me');
  account('/api/v1/usage');

  addRoute(app, 'GET', '/api/v1/capabilities', async (c) => {
    const { body, ...facts } = await actions.listCapabilities();
    return answerJson(body, { ...facts, balance: balanceOf(c) });
  });

  addRoute(app, 'POST', '/api/v1/productions', async (c) => {
    const request = parseProductionRequest(await readJson(c));
    const { body, ...facts } = await actions.registerProduction(request, spenderOf(c));
    return answerJson(body, { ...facts, balance: balanceOf(c) });
  });

  const pass = async (c: Context, path: string, need: Permission): Promise<Response> => {
    const method = passableMethod(c.req.method);
    const body = method === 'GET' || method === 'HEAD' ? undefined : await readBody(c);
    const contentType = c.req.header('content-type');
    // The document has no other bodies, and those a form can send must not come through.
    if (body !== undefined && (body.byteLength > 0 || contentType !== undefined)) requireJson(contentType);
    const passed = await actions.passThrough({
      method,
      path,
      body,
      contentType: body === undefined ? undefined : 'application/json',
      spender: spenderOf(c, need),
    });
    if ('sha256' in passed) return answerAsset(c, passed, balanceOf(c));
    const { status, bytes, source, retryAfter } = passed;
    return new Response(hasBody(status) ? bodyOf(bytes) : null, {
      status,
      headers: {
        'Content-Type': passed.contentType,
        ...(retryAfter === undefined ? {} : { 'Retry-After': retryAfter }),
        ...headersOf({ source, balance: balanceOf(c) }),
      },
    });
  };
  app.all(ANYTHING_ELSE, (c) => pass(c, targetOf(c.req.url), 'other'));
  // What the remote keeps outside its API: never a path of the API in disguise.
  app.get('/svcd/files/*', (c) => {
    const path = targetOf(c.req.url).slice(FILES.length);
    if (!path.startsWith('/') || plainPath(path).startsWith('/api/')) throw nothingHere();
    return pass(c, path, 'images');
  });
}

function nothingHere(): SvcdError {
  return new SvcdError('not_found', 'there is no file at this path');
}

const PASSABLE = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

function passableMethod(method: string): (typeof PASSABLE)[number] {
  return PASSABLE.find((one) => one === method) ?? refuseMethod(PASSABLE.join(', '));
}

function variantOf(c: Context): string | undefined {
  const variant = c.req.header('x-svcd-variant');
  if (variant === undefined || /^[\w.-]{1,64}$/.test(variant)) return variant;
  throw new SvcdError(
    'invalid_request',
    `X-Svcd-Variant: must be 1 to 64 letters, digits, dots, dashes or underscores, got ${describe(variant)}`,
  );
}

function hasBody(status: number): boolean {
  return status !== 204 && status !== 304 && status >= 200;
}
