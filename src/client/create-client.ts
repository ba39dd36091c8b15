// The client over its parts: each call by name.

import type { FoundSticker, SearchAnswer, PrefetchEvent } from './answer-types.js';
import { askFree, type Parts } from './calls.js';
import type { CallOptions, Client, SearchQuery, PrefetchRequest } from './client-types.js';
import { type Question, exchangeLines } from './exchange.js';
import { fetchSticker, generateImage } from './fetch-assets.js';
import { createPatience } from './patience.js';
import { createRetry, type Kind } from './retry.js';
import { isSvcdError, LostConnection, SvcdError } from './svcd-error.js';

const PAGE = 50;

/** All calls but `slot`, for which a lock is read. */
export function createClient(parts: Parts): Omit<Client, 'slot'> {
  const ask = <T>(call: CallOptions | undefined, list: string | undefined, question: Question) =>
    askFree<T>(parts, call, question, list);
  const get = <T>(call: CallOptions | undefined, list: string | undefined, path: string, query: object = {}) =>
    ask<T>(call, list, { path: path + textOf(query) });
  const post = <T>(call: CallOptions | undefined, list: string | undefined, path: string, body: object) =>
    ask<T>(call, list, { path, body });
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
    sticker: async (preset, options = {}) => fetchSticker(parts, preset, options, textOf({ color: options.color })),
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
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = String(new URLSearchParams(given as [string, string][]));
  return text && `?${text}`;
}

/** svcd gives a sign of life every 15 s. */
const SILENCE_MS = 30_000;

type WireEvent = PrefetchEvent | { event: 'error'; code: string; message: string; hint?: string };

/** Events as they come. When the connection breaks it is asked once more: svcd owns by then what it bought. */
async function* prefetch(
  { options, fetch, locator }: Parts,
  request: PrefetchRequest,
  call: CallOptions,
): AsyncGenerator<PrefetchEvent, void> {
  const { presets = [], images = [], maxCredits, fallback = 'default' } = request;
  const { deadlineMs = 60_000 } = options;
  const patience = createPatience(call.deadlineMs ?? deadlineMs, [call.signal, options.signal]);
  // How long all of it takes depends on how much there is to buy: what is bounded is how long nothing is heard.
  const listen = (ms: number) => call.deadlineMs === undefined && patience.renew(ms);
  const beforeNext = createRetry(patience, locator);
  const journey = startJourney();
  let kind: Kind = 'free';
  try {
    for (;;) {
      try {
        listen(deadlineMs);
        const target = await locator.locate(patience);
        kind = target.isSvcd ? 'joined' : 'once';
        const max_credits = maxCredits - journey.begin();
        const body = { presets, images, max_credits, fallback: fallback === 'default' };
        const question = { path: '/svcd/prefetch', body } as const;
        for await (const line of exchangeLines(fetch, target, question, patience)) {
          const event = journey.pass(line as WireEvent);
          // The reader may take its time.
          listen(Infinity);
          if (event) yield event;
          if (event?.event === 'ended') return;
          listen(SILENCE_MS);
        }
        throw new LostConnection(false, `the answer of ${target.address} ended before the prefetch had`);
      } catch (error) {
        if (error instanceof LostConnection || isSvcdError(error, 'timeout')) locator.forget();
        if (error instanceof LostConnection && !error.isUnsent) journey.noteBreak();
        await beforeNext(error, kind);
      }
    }
  } finally {
    patience.end();
  }
}

/** Makes the events of a second request go on where those of the first ended. */
function startJourney() {
  /** By place, what it cost as far as that is known. */
  const told = new Map<number, number>();
  const uncertain = new Set<number>();
  let spentBefore = 0;
  let hasBegun = false;
  let hasBroken = false;
  return {
    /** A request begins; what those before it spent. */
    begin: () => (spentBefore = [...told.values()].reduce((sum, cost) => sum + cost, 0)),
    noteBreak: () => (hasBroken = true),
    /** The event as the reader gets it; undefined for one that was told already. Throws what svcd says went wrong. */
    pass: (event: WireEvent): PrefetchEvent | undefined => {
      switch (event.event) {
        case 'begun':
          if (hasBegun) return undefined;
          hasBegun = true;
          return event;
        case 'asset':
        case 'failed':
          if (told.has(event.place)) return undefined;
          told.set(event.place, event.cost === 'unknown' ? 0 : event.cost);
          if (event.cost === 'unknown' || (hasBroken && mayBePaidBefore(event))) uncertain.add(event.place);
          return { ...event, done: told.size };
        case 'ended': {
          const unsure = new Set([...event.uncertain, ...uncertain]);
          return { ...event, cost: event.cost + spentBefore, uncertain: [...unsure].toSorted((a, b) => a - b) };
        }
        case 'error':
          throw new SvcdError(event.code, event.message, { hint: event.hint });
        case 'waiting':
          return event;
      }
      // Of a newer svcd.
      return undefined;
    },
  };
}

/** Whether the request whose end nobody saw may have paid for it: what this one had for nothing, or joined, also in vain. */
function mayBePaidBefore(event: Extract<PrefetchEvent, { event: 'asset' | 'failed' }>): boolean {
  const isFree = event.event === 'asset' && (event.source === 'own' || event.source === 'shipped');
  return event.cost === 0 && !isFree;
}
