// From a request to a room and back: reading what was sent, shaping what is answered, in the words of wire/.

import type { Context } from 'hono';
import { SvcdError } from '../errors.js';
import { candidateOf, matchResultOf, type MatchAnswer, type SearchAnswer } from '../wire/candidate.js';
import { parseImageRequest } from '../wire/image-request.js';
import { parseMatchRequest } from '../wire/match-request.js';
import { parseProductionRequest } from '../wire/production-request.js';
import { parseSearchQuery } from '../wire/search-query.js';
import type { Account } from './account.js';
import type { SandboxEnv } from './gate.js';
import type { ImageStudio } from './image-studio.js';
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
    const query = parseSearchQuery(url.searchParams);
    const { total, hits } = finder.search(query);
    const results = hits.map(({ sticker }) => candidateOf(sticker, url.origin));
    return c.json({ query: query.q, total, results } satisfies SearchAnswer);
  };
}

/** POST /stickers/match. */
export function answerMatch(finder: StickerFinder): Answer {
  return async (c) => {
    const request = parseMatchRequest(await readJsonObject(c.req.raw));
    const { origin } = new URL(c.req.url);
    const { words, total, hits } = finder.match(request);
    const results = hits.map(({ sticker, score, reasons }) => matchResultOf(sticker, score, reasons, origin));
    return c.json({ extracted_keywords: words, total, results } satisfies MatchAnswer);
  };
}

/** GET /stickers/{preset}: the Lottie file, one credit. */
export function answerSticker(counter: StickerCounter, account: Account): Answer {
  return async (c) => {
    const file = await counter.buy(presetIn(c.req.path), account);
    return c.body(new Uint8Array(file), 200, {
      'Content-Type': 'application/json',
      'Content-Length': String(file.byteLength),
    });
  };
}

/** POST /images: makes, saves and charges an image, and says where it is. */
export function answerImage(studio: ImageStudio, account: Account): Answer {
  return async (c) => {
    const request = parseImageRequest(await readJsonObject(c.req.raw));
    const { id, width, height } = await studio.generate(request, account);
    const url = `${new URL(c.req.url).origin}/api/v1/images/${id}.png`;
    return c.json({ size: `${width}x${height}`, width, height, requested_size: request.size, url });
  };
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
    const request = parseProductionRequest(await readJsonObject(c.req.raw));
    return c.json(register.register(request, c.get('caller')));
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
