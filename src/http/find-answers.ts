// What search and match answer, before it is hono's or Node's: who asks is judged once, the finders find, and the
// facts of the answer are put beside it.

import type { Finders, Finding, FoundAnswer } from '../actions/search-with-remote.js';
import type { Spender } from '../model/spender.js';
import { parseJsonObject } from '../contract/json-body.js';
import { parseMatchRequest } from '../contract/match-request.js';
import { parseSearchQuery } from '../contract/search-query.js';
import { plainJson, type PlainAnswer } from './answer.js';
import type { Bearers, FindSpender } from '../auth/authorization.js';
import type { HeaderReader } from '../auth/header-reader.js';

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
  /** Credits of the account that somebody may see, as far as known. */
  readonly findBalance: (findSpender: FindSpender) => number | undefined;
  /** How much of the remote the library knows, as `X-Svcd-Library` tells it. */
  readonly libraryHeader: () => string;
}

/** Search and match as both edges give them out. */
export function createFindAnswers(options: FindAnswersOptions): FindAnswers {
  const { finders, bearers, findBalance, libraryHeader } = options;
  const tell = ({ body, source, note }: FoundAnswer, findSpender: FindSpender): PlainAnswer =>
    plainJson(body, {
      source,
      searchNote: note,
      balance: findBalance(findSpender),
      library: libraryHeader(),
    });
  const answer = (headers: HeaderReader, find: (spender: Spender) => Finding): FindAnswer => {
    const findSpender = bearers.judge(headers);
    const found = find(findSpender());
    if (found instanceof Promise) return found.then((late) => tell(late, bearers.judge(headers)));
    return tell(found, findSpender);
  };
  return {
    search: (parameters, headers) => {
      const query = parseSearchQuery(parameters);
      return answer(headers, (spender) => finders.search(query, spender));
    },
    match: (body, headers) => {
      const request = parseMatchRequest(parseJsonObject(body));
      return answer(headers, (spender) => finders.match(request, spender));
    },
  };
}
