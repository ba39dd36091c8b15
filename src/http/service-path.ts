// Which operation of the service a path names. A path that a remote might read as one of ours, and we do not, is 404:
// passed through it would buy there without a journal.

import { OPERATIONS } from '../api/operations.js';
import { readPath, WHOLE_PATHS } from '../api/path-reading.js';

const API = '/api/v1/';
const STICKERS = '/api/v1/stickers/';
// No URL holds a brace, so no request can name these itself.
const ANYTHING_ELSE = '/api/v1/{else}';
const NOWHERE = '/{nowhere}';

/** The route of a row's path, in hono's words. */
export function patternOf(path: string): string {
  if (path === OPERATIONS.downloadSticker.path) return path;
  if (path === OPERATIONS.passThrough.path) return ANYTHING_ELSE;
  return path.replace('{preset}', '*').replace(/\{(\w+)\}[^/]*/, ':$1');
}

/**
 * The one route a path belongs to: its own, else that of stickers, else that of the rest of the service. Routes that
 * overlap would do as well, but hono chains their handlers in promises, and search would pay for that.
 */
export function routeOf(path: string): string {
  if (WHOLE_PATHS.has(path) || !`${path}/`.startsWith(API)) return path;
  const isSticker = path.startsWith(STICKERS) && path.length > STICKERS.length && path[STICKERS.length] !== '/';
  if (isSticker) return OPERATIONS.downloadSticker.path;
  return readPath(path) === 'api' ? ANYTHING_ELSE : NOWHERE;
}
