// svcd's own paths for finding: search with filters and pages, completion, related stickers. Free, for anybody on
// this machine.

import type { Hono } from 'hono';
import type { CompleteWord } from '../actions/complete-word.js';
import type { FindStickers } from '../actions/find-stickers.js';
import type { ListRelated } from '../actions/list-related.js';
import { parseCompleteRequest, parseFindRequest, parsePageRequest } from '../api/find-request.js';
import { addRoute } from './add-route.js';
import { parametersOf, presetBelow } from './read-request.js';

export interface FindActions {
  readonly findStickers: FindStickers;
  readonly completeWord: CompleteWord;
  readonly listRelated: ListRelated;
}

const RELATED = '/svcd/related/';

/** Path and method of every route for finding; the README's table is compared with it. */
export const FIND_ROUTES = [
  ['GET', '/svcd/search'],
  ['GET', '/svcd/complete'],
  ['GET', '/svcd/related/{preset}'],
] as const;

/** Adds the routes for finding. */
export function addFindRoutes(app: Hono, actions: FindActions): void {
  addRoute(app, 'GET', '/svcd/search', (c) =>
    c.json(actions.findStickers(parseFindRequest(parametersOf(c)))),
  );
  addRoute(app, 'GET', '/svcd/complete', (c) =>
    c.json(actions.completeWord(parseCompleteRequest(parametersOf(c)))),
  );
  addRoute(app, 'GET', `${RELATED}*`, (c) => {
    const page = parsePageRequest(parametersOf(c));
    return c.json(actions.listRelated(presetBelow(c, RELATED), page));
  });
}
