// Which operation of the service a path names. A path that a remote would read as one of ours, and we do not, is 404:
// passed through it would buy there without a journal.

import { OPERATIONS } from '../api/operations.js';

const API = '/api/v1/';
const STICKERS = '/api/v1/stickers/';
// No URL holds a brace, so no request can name these itself.
const ANYTHING_ELSE = '/api/v1/{else}';
const NOWHERE = '/{nowhere}';

const ALONE: ReadonlySet<string> = new Set(
  Object.values(OPERATIONS)
    .map(({ path }) => path)
    .filter((path) => path.startsWith(API) && !/[{*]/.test(path)),
);

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
  if (ALONE.has(path)) return path;
  if (isRespelled(path)) return NOWHERE;
  if (!`${path}/`.startsWith(API)) return path;
  return path.startsWith(STICKERS) ? OPERATIONS.downloadSticker.path : ANYTHING_ELSE;
}

/** A path as the most generous remote would read it. */
export function plainPath(path: string): string {
  let [before, after] = ['', path];
  for (let rounds = 0; before !== after && rounds < 5; rounds++) {
    before = after;
    after = before.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  }
  const parts: string[] = [];
  for (const part of after.split(/[/\\]+/)) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/** Whether a path is one of ours in another spelling (`%73tickers`, a double slash, a slash at the end). */
function isRespelled(path: string): boolean {
  if (path.startsWith(STICKERS) && path.length > STICKERS.length && path[STICKERS.length] !== '/') return false;
  const plain = plainPath(path);
  return ALONE.has(plain) || `${plain}/`.startsWith(STICKERS);
}
