// What a path is to the most tolerant remote: the one check for what is passed through, for files, and for links that
// are followed by themselves. A path that a remote might read as one that costs goes through its own operation, with a
// journal, or nowhere.

import { lenientSegments } from '../model/lenient-path.js';
import { OPERATIONS } from './operations.js';

/**
 * `operation`: one that svcd answers itself, in whatever spelling. `api`: the rest of the service's API. `file`: outside
 * it. `nothing`: what servers read differently, and the API in another spelling.
 */
export type PathReading = 'operation' | 'api' | 'file' | 'nothing';

const API = '/api/v1/';
const PICTURE = /\.(?:png|jpe?g|webp|gif|avif|svg)$/;

/** Paths of the service without variables. */
export const WHOLE_PATHS: ReadonlySet<string> = new Set(
  Object.values(OPERATIONS)
    .map(({ path }) => path)
    .filter((path) => path.startsWith(API) && !/[{*]/.test(path)),
);

/** Families of the service's paths; below them nothing is a file of another kind. */
const FAMILIES = new Set(['stickers', 'images', 'music', 'tasks', 'me', 'usage', 'productions', 'capabilities']);

/** What a GET may cost, and what may cost one day. */
const SOLD = new Set(['stickers', 'music', 'tasks']);

/** Reads a path, with or without its query. */
export function readPath(path: string): PathReading {
  const [plain = ''] = path.split(/[?#]/, 1);
  const segments = plain.startsWith('/') && !/%(?:25)*(?:3f|23)/i.test(plain) ? lenientSegments(plain) : undefined;
  if (segments === undefined) return 'nothing';
  if (!mayBeApi(segments)) return 'file';
  if (!`${plain}/`.startsWith(API) || segments[0] !== 'api' || mayBeApi(segments.slice(2))) return 'nothing';
  const [family = '', ...below] = segments.slice(2).map(withoutExtension);
  if (family === 'stickers' || WHOLE_PATHS.has(API + [family, ...below].join('/'))) return 'operation';
  return 'api';
}

/** Whether a link in an answer may be followed without being asked to: a file, or a picture of the API. */
export function mayFollow(path: string): boolean {
  const reading = readPath(path);
  if (reading !== 'api') return reading === 'file';
  const [family = '', ...below] = lenientSegments(path.split(/[?#]/, 1)[0] ?? '')?.slice(2) ?? [];
  if (family === 'images') return below.length > 0;
  return !FAMILIES.has(family) && PICTURE.test(below.at(-1) ?? '');
}

/** Behind whatever prefix: a server in front may take it away. */
function mayBeApi(segments: readonly string[]): boolean {
  return segments.some((segment, i) => {
    const next = segments[i + 1] ?? '';
    if (segment === 'api') return i === 0 || /^v\d+$/.test(next);
    return /^v\d+$/.test(segment) && SOLD.has(withoutExtension(next));
  });
}

/** Some servers read `images.json` as `images`. */
function withoutExtension(segment: string): string {
  return segment.replace(/\..*$/, '');
}
