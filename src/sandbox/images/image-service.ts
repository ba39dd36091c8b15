// Image generation: one at a time per request, saved before it is charged, kept for the address in the answer.

import { isSvcdError, SvcdError } from '../../model/errors.js';
import { sha256Hex } from '../../model/hash.js';
import { within } from '../../platform/sleep.js';
import type { Fault } from '../faults/fault-kinds.js';
import type { Key } from '../key-store.js';
import * as credits from '../money/credit-account.js';
import type { SandboxState } from '../state/sandbox-state.js';
import { dimensionsOf, IMAGE_SIZES, PRICES, type ImageSize } from '../wire/limits.js';
import type { ImageRequest } from '../wire/requests.js';

/** Makes the PNG of a request. Rejects with an SvcdError to be refused in those words (`busy`, `timeout`, …). */
export type DrawImage = (request: ImageRequest) => Promise<Buffer>;

export interface GeneratedImage {
  id: string;
  /** Pixels, as they are encoded, whatever was asked for. */
  width: number;
  height: number;
}

/** How much the service can take. */
export interface ImageLimits {
  /** More images at once than this, and it is busy (429). */
  imagesAtOnce?: number | undefined;
  /** An image that takes longer is given up (504). */
  imageTimeoutMs?: number | undefined;
}

const AT_ONCE = 8;
const TIMEOUT_MS = 120_000;
const BUSY_RETRY_S = 2;
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PNG_HEADER_BYTES = 24;

/** Generates and keeps images. */
export class ImageService {
  readonly #state: SandboxState;
  readonly #options: ImageLimits & { draw: DrawImage };
  #inFlight = new Set<string>();

  constructor(state: SandboxState, options: ImageLimits & { draw: DrawImage }) {
    this.#state = state;
    this.#options = options;
  }

  /**
   * A new image, saved and charged in one transaction. `drawnSize` is what comes out instead of what was asked for:
   * it is neither cropped nor made again. `alongside` joins that transaction with the image's id. Throws
   * `duplicate_request` while the account's same request is in flight, `busy`, `timeout`, `key_limit_exceeded`,
   * `insufficient_credits`, `upstream_failure`, or `interrupted` by a restart; then nothing is charged.
   */
  async generate(
    request: ImageRequest,
    key: Key,
    drawnSize?: Fault['imageSize'],
    alongside: (id: string) => void = () => {},
  ): Promise<GeneratedImage> {
    const call = digestOf(key.account, request);
    if (this.#inFlight.has(call)) {
      throw new SvcdError('duplicate_request', 'The same image request of this account is still being made.');
    }
    credits.requireCredits(this.#state, key, PRICES.image);
    this.#requireRoom();
    const inFlight = this.#inFlight.add(call);
    try {
      const size = sizeToDraw(request.size, drawnSize);
      const bytes = await this.#make({ ...request, size });
      if (inFlight !== this.#inFlight) {
        throw new SvcdError('interrupted', 'The sandbox began anew meanwhile.');
      }
      return this.#keep(bytes, size, key, alongside);
    } finally {
      inFlight.delete(call);
    }
  }

  /** Lets go of what is in flight: it is neither saved nor charged to the Key that has this number by then. */
  restart(): void {
    this.#inFlight = new Set();
  }

  /** PNG bytes of a generated image. */
  findImage(id: string): Buffer | undefined {
    return this.#state.db.get<{ bytes: Buffer }>('SELECT bytes FROM image WHERE id = ?', id)?.bytes;
  }

  #requireRoom(): void {
    if (this.#inFlight.size < (this.#options.imagesAtOnce ?? AT_ONCE)) return;
    throw new SvcdError('busy', 'Image generation is busy; no credits were spent.', {
      retryAfterS: BUSY_RETRY_S,
    });
  }

  async #make(request: ImageRequest): Promise<Buffer> {
    try {
      return await inTime(this.#options.draw(request), this.#options.imageTimeoutMs ?? TIMEOUT_MS);
    } catch (cause) {
      if (isSvcdError(cause)) throw cause;
      throw new SvcdError('upstream_failure', 'The image could not be made; no credits were spent.', {
        cause,
      });
    }
  }

  #keep(bytes: Buffer, size: ImageSize, key: Key, alongside: (id: string) => void): GeneratedImage {
    const { db, seed, clock } = this.#state;
    const id = seed.nextId('image');
    // Two different requests can both have found the credits there; the second is then neither saved nor charged.
    credits.charge(this.#state, key, { capability: 'images.generate', subject: id, credits: PRICES.image }, () => {
      db.insert('image', { id, account: key.account, at: clock.now(), bytes });
      alongside(id);
    });
    return { id, ...(findPngSize(bytes) ?? dimensionsOf(size)) };
  }
}

function digestOf(account: number, { prompt, size }: ImageRequest): string {
  return sha256Hex(JSON.stringify([account, size, prompt]));
}

function sizeToDraw(asked: ImageSize, drawn: Fault['imageSize']): ImageSize {
  if (drawn !== 'other') return drawn ?? asked;
  return IMAGE_SIZES[(IMAGE_SIZES.indexOf(asked) + 1) % IMAGE_SIZES.length] ?? asked;
}

/** Gives up after `timeoutMs` with `timeout`; an image that is made later is dropped, unsaved and uncharged. */
async function inTime<T extends object>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const made = await within(timeoutMs, work);
  if (made !== undefined) return made;
  throw new SvcdError('timeout', 'The image took too long; no credits were spent.');
}

/** Width and height in pixels by the header of a PNG; undefined when it is none. */
function findPngSize(bytes: Buffer): { width: number; height: number } | undefined {
  if (bytes.length < PNG_HEADER_BYTES || !bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}
