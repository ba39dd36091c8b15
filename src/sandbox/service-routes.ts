// The document's table (section 4): which path and method leads where, what Key it needs, and the answer.

import type { Context } from 'hono';
import { SvcdError } from '../model/errors.js';
import type { KeyRule } from './gate.js';
import type { GeneratedImage, ImageService } from './images/image-service.js';
import { meOf, usageOf } from './report-credits.js';
import { callerOf, type SandboxEnv } from './sandbox-env.js';
import type { SandboxParts } from './sandbox-parts.js';
import type { SandboxState } from './state/sandbox-state.js';
import { buySticker } from './stickers/sticker-downloads.js';
import { match, search } from './stickers/sticker-finder.js';
import { register } from './templates/template-store.js';
import type { Answer } from './wire/answer-schemas.js';
import { candidateOf, matchResultOf } from './wire/candidates.js';
import { check, invalid } from './wire/check.js';
import { PRICES } from './wire/limits.js';
import { readJsonObject } from './wire/read-body.js';
import { imageRequestSchema, matchRequestSchema, productionRequestSchema, readSearchQuery } from './wire/requests.js';

export type Ask = Context<SandboxEnv>;

export interface Route {
  methods: readonly string[];
  /** Below `/api/v1/`. */
  path: string;
  key: KeyRule;
  /** The capability it belongs to: 503 `not_enabled` where that is switched off. */
  capability: string | undefined;
  answer: (c: Ask) => Response | Promise<Response>;
}

/** HEAD is for what is free: of a paid file it would have to be charged, and would bring nothing. */
export const FREE_GET = ['GET', 'HEAD'];
export const POST = ['POST'];
const PAID_GET = ['GET'];

/** The routes; `search` and `match` come before the presets, which could be named so. */
export function serviceRoutes(parts: SandboxParts): Route[] {
  const { state, switches, images } = parts;
  return [
    route(FREE_GET, 'me', 'needed', undefined, (c) => c.json(meOf(state, callerOf(c)))),
    route(FREE_GET, 'usage', 'needed', 'usage.read', (c) => c.json(usageOf(state, callerOf(c), switches.list()))),
    route(FREE_GET, 'capabilities', 'ignored', undefined, (c) =>
      c.json({ capabilities: switches.list() } satisfies Answer<'Capabilities'>),
    ),
    route(FREE_GET, 'stickers/search', 'needed', 'stickers.search', (c) => answerSearch(c, state)),
    route(POST, 'stickers/match', 'needed', 'stickers.match', (c) => answerMatch(c, state)),
    route(PAID_GET, 'stickers/:preset{.+}', 'needed', 'stickers.file', (c) => answerSticker(c, parts)),
    route(POST, 'images', 'needed', 'images.generate', (c) => answerImage(c, images)),
    // What was paid for stays, also when no more are made. Path and price are our choice.
    route(FREE_GET, 'images/:name', 'needed', undefined, (c) => answerPng(c, images)),
    route(POST, 'productions', 'optional', 'productions.register', (c) => answerProduction(c, state)),
  ];
}

/** One file as the whole answer. */
export function sendFile(c: Ask, file: Uint8Array, contentType: string): Response {
  return c.body(new Uint8Array(file), 200, {
    'Content-Type': contentType,
    'Content-Length': String(file.byteLength),
  });
}

function route(
  methods: Route['methods'],
  path: string,
  key: KeyRule,
  capability: string | undefined,
  answer: Route['answer'],
): Route {
  return { methods, path, key, capability, answer };
}

function answerSearch(c: Ask, state: SandboxState): Response {
  const { origin, searchParams } = new URL(c.req.url);
  const query = readSearchQuery(searchParams);
  const { total, hits } = search(state, query);
  const results = hits.map(({ sticker }) => candidateOf(sticker, origin));
  return c.json({ query: query.q, total, results } satisfies Answer<'SearchAnswer'>);
}

async function answerMatch(c: Ask, state: SandboxState): Promise<Response> {
  const request = check(matchRequestSchema, await readJsonObject(c.req.raw));
  const { origin } = new URL(c.req.url);
  const { words, total, hits } = match(state, request);
  const results = hits.map(({ sticker, score, reasons }) => matchResultOf(sticker, score, reasons, origin));
  return c.json({ extracted_keywords: words, total, results } satisfies Answer<'MatchAnswer'>);
}

/** The Lottie file of the preset in the path, whose slashes may be percent-encoded or raw. */
async function answerSticker(c: Ask, parts: SandboxParts): Promise<Response> {
  const file = await buySticker(parts, presetIn(c.req.path), callerOf(c));
  c.set('cost', PRICES.sticker);
  return sendFile(c, file, 'application/json');
}

function presetIn(path: string): string {
  try {
    return decodeURIComponent(path.slice('/api/v1/stickers/'.length));
  } catch (cause) {
    throw invalid('preset: is not valid percent-encoding of UTF-8', cause);
  }
}

async function answerImage(c: Ask, images: ImageService): Promise<Response> {
  const request = check(imageRequestSchema, await readJsonObject(c.req.raw));
  const image = await images.generate(request, callerOf(c), c.get('fault')?.imageSize);
  c.set('cost', PRICES.image);
  return c.json(imageAnswerOf(c, image, request.size));
}

/** `url` and the shape of a notice are our choice. */
function imageAnswerOf(c: Ask, { id, width, height }: GeneratedImage, asked: string): Answer<'Image'> {
  const size = `${width}x${height}`;
  const answer = { size, width, height, requested_size: asked, url: imageAddress(c, id) };
  if (size === asked) return answer;
  const message = `The image came as ${size} instead of ${asked}. It was neither cropped nor made again: lay out by its own size.`;
  return { ...answer, notices: [{ code: 'size_differs', message }] };
}

/** Where an image can be fetched. */
export function imageAddress(c: Ask, id: string): string {
  return `${new URL(c.req.url).origin}/api/v1/images/${id}.png`;
}

function answerPng(c: Ask, images: ImageService): Response {
  const id = /\/([^/]+)\.png$/.exec(c.req.path)?.[1];
  const bytes = id === undefined ? undefined : images.findImage(id);
  if (bytes === undefined) throw new SvcdError('not_found', 'There is no such image.');
  return sendFile(c, bytes, 'image/png');
}

async function answerProduction(c: Ask, state: SandboxState): Promise<Response> {
  const request = check(productionRequestSchema, await readJsonObject(c.req.raw));
  const answer: Answer<'Production'> = register(state, request, c.get('caller')?.account);
  return c.json(answer);
}
