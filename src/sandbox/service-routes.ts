// The document's table (section 4): which path and method leads where, what Key it needs, and the answer.

import type { ErrorCode } from '../model/errors.js';
import { SvcdError } from '../model/errors.js';
import type { Capability } from './capability-switches.js';
import type { GeneratedImage } from './images/image-service.js';
import type { Key } from './key-store.js';
import * as credits from './money/credit-account.js';
import type { SandboxParts } from './sandbox-parts.js';
import { addressOf, callerOf, route, sendFile, type Ask, type Route } from './service-route.js';
import type { SandboxState } from './state/sandbox-state.js';
import { candidateOf, match, matchResultOf, search } from './stickers/sticker-finder.js';
import { findEntry } from './stickers/sticker-store.js';
import { register } from './templates/template-store.js';
import type { Answer } from './wire/answer-schemas.js';
import { invalid } from './wire/check.js';
import { PRICES } from './wire/limits.js';
import { readSearchQuery, SEARCH_PARAMETERS } from './wire/requests.js';

const MONEY: readonly ErrorCode[] = ['insufficient_credits', 'key_limit_exceeded', 'not_enabled'];
const IMAGE: readonly ErrorCode[] = ['duplicate_request', 'busy', 'upstream_failure', 'timeout'];

/** The routes; `search` and `match` come before the presets, which could be named so. */
export function serviceRoutes(parts: SandboxParts): Route[] {
  const { state, switches, images } = parts;
  const account = { tag: 'account' };
  return [
    route('GET me', ['getMe', 'Current Key and balance'], { answer: 'Me', ...account }, (c) =>
      meOf(state, callerOf(c)),
    ),
    route(
      'GET capabilities',
      ['listCapabilities', 'All capabilities and their status'],
      { answer: 'Capabilities', key: 'ignored', ...account },
      () => ({ capabilities: switches.list() }),
    ),
    route(
      'GET usage',
      ['getUsage', 'Effective credits and possible calls'],
      { answer: 'Usage', capability: 'usage.read', ...account },
      (c) => usageOf(state, callerOf(c), switches.list()),
    ),
    route(
      'GET stickers/search',
      ['searchStickers', 'Search stickers by text, free'],
      {
        answer: 'SearchAnswer',
        capability: 'stickers.search',
        parameters: SEARCH_PARAMETERS,
        errors: ['invalid_request'],
      },
      (c) => {
        const { origin, searchParams } = new URL(c.req.url);
        const query = readSearchQuery(searchParams);
        const { total, hits } = search(state, query);
        return { query: query.q, total, results: hits.map(({ sticker }) => candidateOf(sticker, origin)) };
      },
    ),
    route(
      'POST stickers/match',
      ['matchStickers', 'Match stickers to copy or keywords, free'],
      { body: 'MatchRequest', answer: 'MatchAnswer', capability: 'stickers.match' },
      (c, request) => {
        const { origin } = new URL(c.req.url);
        const { words, total, hits } = match(state, request);
        return { extracted_keywords: words, total, results: hits.map((hit) => matchResultOf(hit, origin)) };
      },
    ),
    route(
      'GET stickers/{preset}',
      ['downloadSticker', 'Download a sticker, 1 credit'],
      { answer: 'Lottie', capability: 'stickers.file', paid: true, errors: [...MONEY, 'unknown_preset'] },
      async (c) => {
        const file = await buySticker(parts, presetIn(c.req.path), callerOf(c));
        c.set('cost', PRICES.sticker);
        return sendFile(c, file, 'application/json');
      },
    ),
    route(
      'POST images',
      ['generateImage', 'Generate an image, 10 credits once it is saved'],
      { body: 'ImageRequest', answer: 'Image', capability: 'images.generate', errors: [...MONEY, ...IMAGE] },
      async (c, request) => {
        const image = await images.generate(request, callerOf(c), c.get('fault')?.imageSize);
        c.set('cost', PRICES.image);
        return imageAnswerOf(c, image, request.size);
      },
    ),
    // What was paid for stays, also when no more are made. Path and price are our choice.
    route(
      'GET images/{name}',
      ['downloadImage', 'A generated image, free'],
      { answer: 'png', errors: ['not_found'], choice: true },
      (c) => {
        const id = /\/([^/]+)\.png$/.exec(c.req.path)?.[1];
        const bytes = id === undefined ? undefined : images.findImage(id);
        if (bytes === undefined) throw new SvcdError('not_found', 'There is no such image.');
        return sendFile(c, bytes, 'image/png');
      },
    ),
    route(
      'POST productions',
      ['registerProduction', 'Register a template production, free'],
      { body: 'ProductionRequest', answer: 'Production', key: 'optional', capability: 'productions.register' },
      (c, request) => register(state, request, c.get('caller')?.account),
    ),
  ];
}

/** The balance is below 0 when a refund took back what was spent already. */
function meOf(state: SandboxState, key: Key): Answer<'Me'> {
  const { kind, state: status, limits, permissions, template } = key;
  const told = { kind, status, limits, permissions: [...permissions] };
  return {
    key: template === null ? told : { ...told, template },
    balance: credits.balance(state, key.account),
    pending_credits: credits.locked(state, key.account),
  };
}

function usageOf(state: SandboxState, key: Key, capabilities: readonly Capability[]): Answer<'Usage'> {
  const effective = credits.effective(state, key);
  return {
    effective_credits_remaining: effective,
    balance: credits.balance(state, key.account),
    key: { monthly_cap: key.limits.monthly, monthly_remaining: credits.monthlyRest(state, key) },
    capabilities: capabilities.map((one) => ({ ...one, possible_count: possibleCount(one, effective) })),
  };
}

/**
 * The document wants null for what is planned. A free call is not bounded by credits either, and a number
 * would claim a bound: null there too, and `cost: 0` says which of the two it is.
 */
function possibleCount({ cost }: Capability, left: number): number | null {
  return cost === null || cost === 0 ? null : Math.floor(left / cost);
}

/** The preset in the path, whose slashes may be percent-encoded or raw. */
function presetIn(path: string): string {
  try {
    return decodeURIComponent(path.slice('/api/v1/stickers/'.length));
  } catch (cause) {
    throw invalid('preset: is not valid percent-encoding of UTF-8', cause);
  }
}

/**
 * The file of a preset, charged to a Key: one credit a download, and none for a file that is not handed over. Throws
 * `unknown_preset`, `key_limit_exceeded` or `insufficient_credits`, and then nothing is charged.
 */
async function buySticker({ state, catalogue }: SandboxParts, preset: string, key: Key): Promise<Buffer> {
  const entry = findEntry(state, preset);
  if (entry === undefined) throw new SvcdError('unknown_preset', 'There is no sticker of this preset.');
  // Before the file is read, so that an empty account costs no work; charge() asks again.
  credits.requireCredits(state, key, PRICES.sticker);
  const file = await catalogue.readLottie(entry.at);
  credits.charge(state, key, { capability: 'stickers.file', subject: preset, credits: PRICES.sticker });
  return file;
}

/** `url` and the shape of a notice are our choice. */
function imageAnswerOf(c: Ask, { id, width, height }: GeneratedImage, asked: string): Answer<'Image'> {
  const size = `${width}x${height}`;
  const answer = { size, width, height, requested_size: asked, url: addressOf(c, `images/${id}.png`) };
  if (size === asked) return answer;
  const message = `The image came as ${size} instead of ${asked}. It was neither cropped nor made again: lay out by its own size.`;
  return { ...answer, notices: [{ code: 'size_differs', message }] };
}
