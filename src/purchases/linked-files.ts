// The free files that bought answers point at, such as the picture of an image: fetched when the answer is kept, so that
// it can be shown offline.

import type { Asset } from '../model/asset.js';
import type { SvcdError } from '../model/errors.js';
import type { Log } from '../platform/log.js';
import { remoteError } from '../upstream/remote-error.js';
import type { Remote } from '../upstream/remote.js';
import { fileItem, type PurchaseItem } from './item.js';
import type { OwnedStore } from './owned-store.js';

/** Media types that are kept: pictures. */
const PICTURE = /^image\/[\w.+-]+\s*(?:;|$)/i;

export interface LinkedFilesOptions {
  readonly remote: Remote | undefined;
  readonly owned: Pick<OwnedStore, 'has' | 'keepFile'>;
  /** The largest file taken from the remote. */
  readonly maxFileBytes: number;
  readonly log: Log;
}

/**
 * Fetches the files of a kept answer that are not owned yet; why the first of them was refused, if one was, for a Key or a token
 * that is not valid: its address would be refused too. Never rejects: what could not be had is tried again at the next request.
 */
export type KeepLinkedFiles = (item: PurchaseItem, kept: Asset, key: string) => Promise<SvcdError | undefined>;

const QUEUE_TIMEOUT_MS = 30_000;
const TIMEOUT_MS = 60_000;
/** An answer is one picture, perhaps in several sizes: more links than that are somebody's idea of filling a disk. */
const MAX_LINKS = 8;
const MAX_BYTES = 16 * 1024 * 1024;

/** Keeps linked files of one remote among what is owned. */
export function createLinkedFiles(options: LinkedFilesOptions): KeepLinkedFiles {
  const { remote, owned, maxFileBytes, log } = options;

  async function keepFile(from: Remote, path: string, key: string): Promise<SvcdError | undefined> {
    const exchange = await from.exchange({
      method: 'GET',
      path,
      key,
      cost: 'free',
      timeoutMs: TIMEOUT_MS,
      queueTimeoutMs: QUEUE_TIMEOUT_MS,
      resendWithinMs: QUEUE_TIMEOUT_MS,
      maxBytes: Math.min(maxFileBytes, MAX_BYTES),
    });
    if (exchange.kind !== 'answer') return undefined;
    if (exchange.status === 401 || exchange.status === 403) return remoteError(exchange);
    if (exchange.status !== 200) return undefined;
    const contentType = exchange.headers['content-type'] ?? '';
    if (PICTURE.test(contentType)) {
      await owned.keepFile({ item: fileItem(path), bytes: exchange.bytes, contentType });
    } else {
      log.warn('a linked file is no picture and is not kept', { contentType });
    }
    return undefined;
  }

  async function keepAll(from: Remote, item: PurchaseItem, kept: Asset, key: string): Promise<SvcdError | undefined> {
    let problem: SvcdError | undefined;
    try {
      const paths = (item.linkedFiles?.(kept) ?? []).slice(0, MAX_LINKS);
      // One after the other: no more than one is in memory.
      for (const path of paths) {
        if (owned.has(fileItem(path))) continue;
        const refusal = await keepFile(from, path, key);
        problem ??= refusal;
      }
    } catch (error) {
      log.warn('a picture could not be kept', { why: String(error) });
    }
    return problem;
  }

  /** By item, so that all who joined one purchase get the same answer for one fetch. */
  const underWay = new Map<string, Promise<SvcdError | undefined>>();
  return async (item, kept, key) => {
    if (remote === undefined || item.linkedFiles === undefined) return undefined;
    const keeping =
      underWay.get(item.name) ?? keepAll(remote, item, kept, key).finally(() => underWay.delete(item.name));
    underWay.set(item.name, keeping);
    return keeping;
  };
}
