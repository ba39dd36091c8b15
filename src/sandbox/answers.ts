// From a request to a room and back: reading what was sent, shaping what is answered, in the words of wire/.

import type { Context } from 'hono';
import { SvcdError } from '../model/errors.js';
import { candidateOf, matchResultOf, type MatchAnswer, type SearchAnswer } from '../contract/candidate.js';
import { imageRequestSchema } from '../contract/image-request.js';
import { matchRequestSchema } from '../contract/match-request.js';
import { productionRequestSchema } from '../contract/production-request.js';
import { IMAGE_PRICE, STICKER_PRICE } from '../contract/limits.js';
import { parseWith } from '../contract/json-body.js';
import { readQuery } from '../contract/read-query.js';
import { searchQuerySchema } from '../contract/search-query.js';
import { callerOf, type SandboxEnv } from './gate.js';
import type { GeneratedImage, ImageStudio } from './image-studio.js';
import type { ProductionRegister } from './production-register.js';
import { readJsonObject } from './read-body.js';
import type { StickerCounter } from './sticker-counter.js';
import type { StickerFinder } from './sticker-finder.js';

export type Answer = (c: Context<SandboxEnv>) => Response | Promise<Response>;

const STICKERS = '/api/v1/stickers/';

/** GET /stickers/search. */
export function answerSearch(finder: StickerFinder): Answer {
  return (c) => {
    const url = new URL(c.req.url);
    const query = readQuery(searchQuerySchema, url.searchParams);
    const { total, hits } = finder.search(query);
    const results = hits.map(({ sticker }) => candidateOf(sticker, url.origin));
    return c.json({ query: query.q, total, results } satisfies SearchAnswer);
  };
}

/** POST /stickers/match. */
export function answerMatch(finder: StickerFinder): Answer {
  return async (c) => {
    const request = parseWith(matchRequestSchema, await readJsonObject(c.req.raw));
    const { origin } = new URL(c.req.url);
    const { words, total, hits } = finder.match(request);
    const results = hits.map(({ sticker, score, reasons }) => matchResultOf(sticker, score, reasons, origin));
    return c.json({ extracted_keywords: words, total, results } satisfies MatchAnswer);
  };
}

/** GET /stickers/{preset}: the Lottie file, one credit. */
export function answerSticker(counter: StickerCounter): Answer {
  return async (c) => {
    const file = await counter.buy(presetIn(c.req.path), callerOf(c));
    c.set('cost', STICKER_PRICE);
    return c.body(new Uint8Array(file), 200, {
      'Content-Type': 'application/json',
      'Content-Length': String(file.byteLength),
    });
  };
}

/** POST /images: makes, saves and charges an image, and says where it is. */
export function answerImage(studio: ImageStudio): Answer {
  return async (c) => {
    const request = parseWith(imageRequestSchema, await readJsonObject(c.req.raw));
    const image = await studio.generate(request, callerOf(c), c.get('fault')?.imageSize);
    c.set('cost', IMAGE_PRICE);
    return c.json(imageAnswerOf(image, request.size, new URL(c.req.url).origin));
  };
}

/** `url` and the shape of a notice are our choice. */
function imageAnswerOf({ id, width, height }: GeneratedImage, asked: string, origin: string) {
  const size = `${width}x${height}`;
  const answer = { size, width, height, requested_size: asked, url: `${origin}/api/v1/images/${id}.png` };
  if (size === asked) return answer;
  const message = `The image came as ${size} instead of ${asked}. It was neither cropped nor made again: lay out by its own size.`;
  return { ...answer, notices: [{ code: 'size_differs', message }] };
}

/** GET /images/{id}.png: the bytes of an image that was paid for already, so free (path and price our choice). */
export function answerPng(studio: ImageStudio): Answer {
  return (c) => {
    const id = /\/([^/]+)\.png$/.exec(c.req.path)?.[1];
    const bytes = id === undefined ? undefined : studio.findImage(id);
    if (bytes === undefined) throw new SvcdError('not_found', 'There is no such image.');
    return c.body(new Uint8Array(bytes), 200, {
      'Content-Type': 'image/png',
      'Content-Length': String(bytes.byteLength),
    });
  };
}

/** POST /productions. */
export function answerProduction(register: ProductionRegister): Answer {
  return async (c) => {
    const request = parseWith(productionRequestSchema, await readJsonObject(c.req.raw));
    return c.json(register.register(request, c.get('caller')?.account));
  };
}

/** The preset in a path, its slashes percent-encoded or raw. Throws `invalid_request` for broken encoding. */
function presetIn(path: string): string {
  try {
    return decodeURIComponent(path.slice(STICKERS.length));
  } catch (cause) {
    throw new SvcdError('invalid_request', 'preset: is not valid percent-encoding of UTF-8', { cause });
  }
}
