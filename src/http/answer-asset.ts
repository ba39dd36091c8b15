// How files leave. What is owned never changes: it may be kept for good, taken in parts, and has compressed forms
// made once. A default must not be kept at all.

import type { Context } from 'hono';
import type { Delivery } from '../model/asset.js';
import { SvcdError } from '../model/errors.js';
import { refusalOf, STATUS_OF } from '../api/refusal.js';
import { chooseEncoding, forbidsIdentity, type Encoding } from './accepted-encoding.js';
import { bodyOf, headersOf, JSON_TYPE } from './answer.js';

type Headers = Record<string, string>;

/** What a browser opens as a page or a program; a picture that is a drawing is neither, under the policy that all answers have. */
const ACTIVE = /^(?!image\/).*(?:html|xml|script)/i;
const OCTETS = 'application/octet-stream';

/** One form of a file: its bytes, and the headers every answer about it carries. */
interface Form {
  readonly bytes: Uint8Array;
  readonly encoding: Encoding;
  readonly etag: string;
}

/** An asset as an answer to this request: whole, in part, or only that it has not changed. */
export function answerAsset(c: Context, found: Delivery, balance: number | undefined): Response {
  const asset = ACTIVE.test(found.contentType) ? { ...found, contentType: OCTETS } : found;
  // One object all the way, added to as more is known: this is asked for thousands of times a second.
  const headers = headersOf({ balance, ...asset });
  if (asset.contentType === OCTETS) headers['Content-Disposition'] = 'attachment';
  if (asset.source !== 'default') return answerLasting(c, asset, headers);
  headers['Cache-Control'] = 'no-store';
  return answerWhole(plainForm(asset), asset.contentType, headers);
}

function answerLasting(c: Context, asset: Delivery, headers: Headers): Response {
  const range = rangeOf(c, asset);
  const form = range === undefined ? chooseForm(asset, c.req.header('accept-encoding')) : plainForm(asset);
  addCaching(headers, asset, form);
  if (matches(c.req.header('if-none-match'), form.etag)) return new Response(null, { status: 304, headers });
  if (range === undefined) return answerWhole(form, asset.contentType, headers);
  if (range === 'unsatisfiable') return refuseRange(asset.bytes.byteLength, headers);
  return answerPart(asset, range, headers);
}

function answerWhole({ bytes, encoding }: Form, contentType: string, headers: Headers): Response {
  headers['Content-Type'] = contentType;
  headers['Content-Length'] = String(bytes.byteLength);
  if (encoding !== 'identity') headers['Content-Encoding'] = encoding;
  return new Response(bodyOf(bytes), { headers });
}

function answerPart(asset: Delivery, { start, end }: ByteRange, headers: Headers): Response {
  headers['Content-Type'] = asset.contentType;
  headers['Content-Range'] = `bytes ${start}-${end}/${asset.bytes.byteLength}`;
  headers['Content-Length'] = String(end - start + 1);
  return new Response(bodyOf(asset.bytes.subarray(start, end + 1)), { status: 206, headers });
}

function refuseRange(size: number, headers: Headers): Response {
  const error = new SvcdError('range_not_satisfiable', `Range: the file has ${size} bytes`);
  headers['Content-Type'] = JSON_TYPE;
  headers['Content-Range'] = `bytes */${size}`;
  headers['Cache-Control'] = 'no-store';
  return new Response(JSON.stringify(refusalOf(error)), { status: STATUS_OF[error.code], headers });
}

/** The range a GET asks for, of the plain form; undefined for the whole. A stale If-Range asks for the whole. */
function rangeOf(c: Context, asset: Delivery): ByteRange | 'unsatisfiable' | undefined {
  const header = c.req.header('range');
  if (header === undefined || c.req.method !== 'GET') return undefined;
  const ifRange = c.req.header('if-range');
  if (ifRange !== undefined && ifRange.trim() !== plainForm(asset).etag) return undefined;
  if (hasForms(asset) && forbidsIdentity(c.req.header('accept-encoding'))) return undefined;
  return parseRange(header, asset.bytes.byteLength);
}

function chooseForm(asset: Delivery, accepted: string | undefined): Form {
  if (accepted === undefined || !hasForms(asset)) return plainForm(asset);
  const forms = { br: asset.brotli, gzip: asset.gzip, identity: asset.bytes };
  const encoding = chooseEncoding(accepted, (one) => forms[one] !== undefined);
  const bytes = forms[encoding];
  if (bytes === undefined || encoding === 'identity') return plainForm(asset);
  // Other bytes, so another tag.
  return { bytes, encoding, etag: `"${tagOf(asset)}-${encoding}"` };
}

function plainForm(asset: Delivery): Form {
  return { bytes: asset.bytes, encoding: 'identity', etag: `"${tagOf(asset)}"` };
}

function tagOf({ sha256 }: Delivery): string {
  return sha256.slice(0, 32);
}

function hasForms({ brotli, gzip }: Delivery): boolean {
  return brotli !== undefined || gzip !== undefined;
}

function addCaching(headers: Headers, asset: Delivery, { etag }: Form): void {
  // What is shipped may change with the next version of svcd.
  headers['Cache-Control'] = asset.source === 'library' ? 'no-cache' : 'public, max-age=31536000, immutable';
  headers['ETag'] = etag;
  headers['Accept-Ranges'] = 'bytes';
  if (hasForms(asset)) headers['Vary'] = 'Accept-Encoding';
}

/** Whether one of the tags is this one; a weak tag is as good here (RFC 9110, section 13.1.2). */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

interface ByteRange {
  readonly start: number;
  /** The last byte, itself included. */
  readonly end: number;
}

/**
 * The part of a file of `size` bytes that a Range header asks for (RFC 9110, section 14). Undefined when the whole is to be sent: for
 * several ranges, other units and what cannot be read. `unsatisfiable` when it lies beyond the end.
 */
export function parseRange(header: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  const parts = /^bytes=(\d*)-(\d*)$/i.exec(header.replace(/[ \t]/g, ''));
  const [from, to] = [parts?.[1] ?? '', parts?.[2] ?? ''];
  if (from === '' && to === '') return undefined;
  const wanted = from === '' ? lastBytes(Number(to), size) : { start: Number(from), end: lastOf(to, size) };
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined;
  return wanted.start < size && wanted.start <= wanted.end ? wanted : 'unsatisfiable';
}

function lastBytes(count: number, size: number): ByteRange {
  return { start: count === 0 ? size : Math.max(0, size - count), end: size - 1 };
}

function lastOf(to: string, size: number): number {
  return to === '' ? size - 1 : Math.min(Number(to), size - 1);
}
