// Passes everything else of the service through as it is, with addresses in the answer made ours.

import type { Delivery } from '../../model/asset.js';
import { parseJson } from '../../platform/json.js';
import { SvcdError } from '../../model/errors.js';
import { MACHINE_TOKEN_PREFIX, TOKEN_PREFIX, type Spender } from '../../model/spender.js';
import { readPath } from '../../api/path-reading.js';
import type { NamedFiles } from '../../purchases/linked-addresses.js';
import type { RemoteAnswer, RemoteRequest } from '../../upstream/exchange.js';
import { isNamelessFailure, isRedirect, remoteError } from '../../upstream/remote-error.js';
import { stickerPath } from '../../model/sticker.js';
import type { LearnedAnswer } from '../../library/storage/learned-data.js';
import { noRemote, type Remote } from '../../upstream/remote.js';
import { fileItem } from '../../purchases/item.js';
import { learnableIn } from '../search/ask-remote.js';
import { requireDeclared } from '../stickers/fallback-policy.js';
import { addressesBelow, relayAddresses, type NoteFile } from '../../upstream/relay-address.js';
import type { OwnedStore } from '../../purchases/owned-store.js';
import type { SpendingGuard } from '../../purchases/spending-guard.js';

export interface PassedRequest {
  readonly method: RemoteRequest['method'];
  /** Path and query. */
  readonly path: string;
  readonly body: Uint8Array | undefined;
  readonly contentType: string | undefined;
  readonly spender: Spender;
  /** Where the path lies: in the service's API, or among its files. */
  readonly area: 'api' | 'file';
}

export interface PassedAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly bytes: Uint8Array;
  readonly source: 'remote';
  readonly retryAfter: string | undefined;
}

/** The remote's answer, or a file that is owned. */
export type PassThrough = (request: PassedRequest) => Promise<PassedAnswer | Delivery>;

const TIMEOUT_MS = 60_000;
// As long as the shortest token we make, so that a word of the prefix alone is no offence.
const LOCAL_TOKEN = new RegExp(`(?:${TOKEN_PREFIX}|${MACHINE_TOKEN_PREFIX})[\\w-]{16}`);

/** Passes requests through; what is owned under the same path is served from there. Throws `offline` and kin. */
export function createPassThrough(
  remote: Remote | undefined,
  owned: OwnedStore,
  origin: () => string,
  maxFileBytes: number,
  files: NamedFiles,
  guard: Pick<SpendingGuard, 'check'>,
  learn: (answer: LearnedAnswer) => unknown,
): PassThrough {
  return async (request) => {
    requireDeclared(request.spender);
    const reads = request.method === 'GET' || request.method === 'HEAD';
    const kept = reads ? await owned.find(fileItem(request.path)) : undefined;
    if (kept !== undefined) return { source: 'owned', cost: 0, ...kept };
    if (remote === undefined) throw noRemote();
    // A Key or token that is not valid is refused, as everywhere.
    if (request.spender.kind === 'none' && request.spender.error !== undefined) throw request.spender.error;
    refuseLocalTokens(request);
    await requireReachable(request, files);
    // What it costs is not known, so it does not leave while spending is stopped.
    if (mayCost(request)) guard.check();
    const exchange = await remote.exchange({
      method: request.method,
      path: request.path,
      key: request.spender.kind === 'key' ? request.spender.key : undefined,
      body: request.body,
      contentType: request.contentType,
      // An unknown call may cost something, now or in a later version of the service.
      cost: 'paid',
      // Nor is it known how long its answer may take.
      expectsSilence: true,
      timeoutMs: TIMEOUT_MS,
      queueTimeoutMs: TIMEOUT_MS,
      maxBytes: maxFileBytes,
    });
    if (exchange.kind !== 'answer') throw exchange.error;
    if (isRedirect(exchange) || isNamelessFailure(exchange)) throw remoteError(exchange);
    if (mayHoldStickers(request.path, exchange)) learnFrom(exchange, remote.baseUrl, learn);
    return passed(exchange, remote.baseUrl, origin(), files.note);
  };
}

/** Whether the remote may charge for it: anything of its API but a look at a picture. */
export function mayCost({ method, path, area, spender }: PassedRequest): boolean {
  if (area === 'file' || spender.kind !== 'key') return false;
  return !((method === 'GET' || method === 'HEAD') && path.startsWith('/api/v1/images/'));
}

function mayHoldStickers(path: string, { status, headers }: RemoteAnswer): boolean {
  return status === 200 && path.startsWith('/api/v1/') && (headers['content-type'] ?? '').includes('json');
}

/** Other things may have a preset too: what is learned here must point at the file of a sticker. */
function learnFrom({ bytes }: RemoteAnswer, base: string, learn: (answer: LearnedAnswer) => unknown): void {
  const found = learnableIn(bytes, 'other', []);
  const candidates = (found?.candidates ?? []).filter(({ sticker, original }) =>
    addressesBelow(original, base).some((path) => isFileOf(path, sticker.preset)),
  );
  if (found !== undefined && candidates.length > 0) learn({ ...found, candidates });
}

function isFileOf(path: string, preset: string): boolean {
  const plain = `/api/v1/stickers/${preset}`;
  return [plain, stickerPath(preset)].includes(path.split('?', 1)[0] ?? '');
}

function passed(answer: RemoteAnswer, from: string, to: string, note: NoteFile): PassedAnswer {
  const contentType = answer.headers['content-type'] ?? 'application/octet-stream';
  const bytes = contentType.startsWith('application/json') ? relayJson(answer.bytes, from, to, note) : answer.bytes;
  return {
    status: answer.status,
    contentType,
    bytes,
    source: 'remote',
    retryAfter: answer.headers['retry-after'],
  };
}

/** What is declared as JSON and is not is passed on as it came. */
function relayJson(bytes: Uint8Array, from: string, to: string, note: NoteFile): Uint8Array {
  const value = parseJson(bytes);
  return value === undefined ? bytes : new TextEncoder().encode(JSON.stringify(relayAddresses(value, from, to, note)));
}

/**
 * Throws `not_found` for a path that the remote could read as one of another area, such as a download in another spelling:
 * it would be paid for without a journal; and for a file that no answer named.
 */
async function requireReachable({ path, area }: PassedRequest, files: NamedFiles): Promise<void> {
  if (readPath(path) === area && (area === 'api' || (await files.has(path)))) return;
  throw new SvcdError('not_found', `there is nothing at ${JSON.stringify(path.split('?', 1)[0])}`, {
    hint: 'Only files that an answer of the service named are served: ask for that answer again.',
  });
}

/**
 * Local tokens are svcd's own secret and never leave for the remote: throws `invalid_request` when a path with its query,
 * or a body, holds what looks like one. As a bearer it is replaced by a Key (auth/authorization.ts).
 */
function refuseLocalTokens({ path, body }: { path: string; body: Uint8Array | undefined }): void {
  if (
    !LOCAL_TOKEN.test(decoded(path)) &&
    (body === undefined || !LOCAL_TOKEN.test(Buffer.from(body).toString('latin1')))
  )
    return;
  throw new SvcdError(
    'invalid_request',
    'the path or the body contains a local token of svcd, which must not leave this machine',
    {
      hint: 'Send the token as "Authorization: Bearer …" only.',
    },
  );
}

/** As the remote would read it, as far as that can be read. */
function decoded(path: string): string {
  return path.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}
