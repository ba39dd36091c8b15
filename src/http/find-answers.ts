// What search and match answer, before it is hono's or Node's: who asks is judged once, the finders find, and the
// facts of the answer are put beside it.

import type { Finders, Finding } from '../actions/ask-when-it-helps.js';
import { parseJsonObject } from '../wire/json-body.js';
import { parseMatchRequest } from '../wire/match-request.js';
import { parseSearchQuery } from '../wire/search-query.js';
import { plainJson, type PlainAnswer } from './answer.js';
import type { Bearers } from './bearer.js';
import type { HeaderReader } from './header-reader.js';

/** At once where it can be: a promise more would cost every search. */
export type FindAnswer = PlainAnswer | Promise<PlainAnswer>;

export interface FindAnswers {
  /** The answer to a search. Throws `invalid_request`. */
  search(parameters: URLSearchParams, headers: HeaderReader): FindAnswer;
  /** The answer to a match, whose body is JSON by its media type. Throws `body_too_large` or `invalid_request`. */
  match(body: Uint8Array, headers: HeaderReader): FindAnswer;
}

export interface FindAnswersOptions {
  readonly finders: Finders;
  readonly bearers: Bearers;
  /** Credits of the account that a request may see, as far as known. */
  readonly findBalance: (headers: HeaderReader) => number | undefined;
  /** How much of the remote the library knows, as `X-Svcd-Library` tells it. */
  readonly libraryHeader: () => string;
}

/** Search and match as both edges give them out. */
export function createFindAnswers(options: FindAnswersOptions): FindAnswers {
  const { finders, bearers, findBalance, libraryHeader } = options;
  const tell = (found: Finding, headers: HeaderReader): FindAnswer => {
    if (found instanceof Promise) return found.then((late) => tell(late, headers));
    const { body, source, note } = found;
    return plainJson(body, {
      source,
      searchNote: note,
      balance: findBalance(headers),
      library: libraryHeader(),
    });
  };
  return {
    search: (parameters, headers) =>
      tell(finders.search(parseSearchQuery(parameters), bearers.spenderOf(headers)), headers),
    match: (body, headers) =>
      tell(finders.match(parseMatchRequest(parseJsonObject(body)), bearers.spenderOf(headers)), headers),
  };
}
