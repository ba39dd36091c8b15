// The client over its parts: each call by name.

import type { FoundSticker, SearchAnswer } from './answer-types.js';
import { askFree, type Parts } from './calls.js';
import type { CallOptions, Client, SearchQuery } from './client-types.js';
import type { Question } from './exchange.js';
import { fetchSticker, generateImage } from './fetch-assets.js';
import { prefetch } from './prefetch.js';

const PAGE = 50;

export function createClient(parts: Parts): Client {
  const ask = <T>(call: CallOptions, question: Question) => askFree<T>(parts, call, question);
  const get = <T>(call: CallOptions, path: string, query: object = {}) =>
    ask<T>(call, { method: 'GET', path: path + textOf(query) });
  const post = <T>(call: CallOptions, path: string, body: object) => ask<T>(call, { method: 'POST', path, body });
  const search = ({ minDuration, maxDuration, ...query }: SearchQuery, call: CallOptions = {}) =>
    get<SearchAnswer>(call, '/svcd/search', { ...query, min_duration: minDuration, max_duration: maxDuration });

  async function* searchAll(query: SearchQuery, call: CallOptions = {}): AsyncGenerator<FoundSticker, void> {
    for (let offset: number | null = query.offset ?? 0; offset !== null;) {
      const page: SearchAnswer = await search({ limit: PAGE, ...query, offset }, call);
      yield* page.results;
      offset = page.next;
    }
  }

  return {
    search,
    searchAll,
    match: ({ text, keywords, limit }, call = {}) => post(call, '/api/v1/stickers/match', { text, keywords, limit }),
    complete: (query, call = {}) => get(call, '/svcd/complete', query),
    related: (preset, page = {}, call = {}) => get(call, `/svcd/related/${encodeURIComponent(preset)}`, page),
    sticker: async (preset, options) => fetchSticker(parts, preset, options),
    image: async (request, options) => generateImage(parts, request, options),
    plan: ({ slots, maxCredits, refresh }, call = {}) =>
      post(call, '/svcd/plan', { slots, max_credits: maxCredits, refresh }),
    prefetch: (request, call = {}) => prefetch(parts, request, call),
    facts: (preset, call = {}) => get(call, `/svcd/facts/${encodeURIComponent(preset)}`),
    status: (call = {}) => get(call, '/svcd/status'),
    spending: (call = {}) => get(call, '/svcd/spending'),
  };
}

function textOf(query: object): string {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) text.append(name, String(value));
  return text.size === 0 ? '' : `?${text}`;
}
