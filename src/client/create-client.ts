// The client over its parts: each call by name.

import type { FoundSticker, SearchAnswer } from './answer-types.js';
import { askFree, type Parts } from './calls.js';
import type { CallOptions, Client, SearchQuery } from './client-types.js';
import type { Question } from './exchange.js';
import { fetchSticker, generateImage } from './fetch-assets.js';
import { prefetch } from './prefetch.js';

const PAGE = 50;

export function createClient(parts: Parts): Client {
  const ask = <T>(call: CallOptions | undefined, list: string | undefined, question: Question) =>
    askFree<T>(parts, call, question, list);
  const get = <T>(call: CallOptions | undefined, list: string | undefined, path: string, query: object = {}) =>
    ask<T>(call, list, { method: 'GET', path: path + textOf(query) });
  const post = <T>(call: CallOptions | undefined, list: string | undefined, path: string, body: object) =>
    ask<T>(call, list, { method: 'POST', path, body });
  const search = ({ minDuration, maxDuration, ...query }: SearchQuery, call?: CallOptions) =>
    get<SearchAnswer>(call, 'results', '/svcd/search', {
      ...query,
      min_duration: minDuration,
      max_duration: maxDuration,
    });

  async function* searchAll(query: SearchQuery, call?: CallOptions): AsyncGenerator<FoundSticker, void> {
    for (let offset = query.offset ?? 0; ;) {
      const { results, next } = await search({ limit: PAGE, ...query, offset }, call);
      yield* results;
      // One that does not lead on would be asked for ever.
      if (next === null || !(next > offset)) return;
      offset = next;
    }
  }

  return {
    search,
    searchAll,
    match: ({ text, keywords, limit }, call) =>
      post(call, 'results', '/api/v1/stickers/match', { text, keywords, limit }),
    complete: (query, call) => get(call, 'completions', '/svcd/complete', query),
    related: (preset, page = {}, call) => get(call, 'results', `/svcd/related/${encodeURIComponent(preset)}`, page),
    sticker: async (preset, options) => fetchSticker(parts, preset, options),
    image: async (request, options) => generateImage(parts, request, options),
    plan: ({ slots, maxCredits, refresh }, call) =>
      post(call, 'slots', '/svcd/plan', { slots, max_credits: maxCredits, refresh }),
    prefetch: (request, call = {}) => prefetch(parts, request, call),
    facts: (preset, call) => get(call, 'problems', `/svcd/facts/${encodeURIComponent(preset)}`),
    status: (call) => get(call, undefined, '/svcd/status'),
    spending: (call) => get(call, 'budgets', '/svcd/spending'),
  };
}

function textOf(query: object): string {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) words.append(name, String(value));
  const text = String(words);
  return text && `?${text}`;
}
