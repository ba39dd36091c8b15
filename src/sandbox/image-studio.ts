// Image generation: one at a time per request, saved before it is charged, kept for the address in the answer.

import { createHash, randomUUID } from 'node:crypto';
import type { Clock } from '../clock.js';
import { isSvcdError, SvcdError } from '../errors.js';
import type { Database, Statement } from '../store/open-database.js';
import { dimensionsOf, type ImageRequest } from '../wire/image-request.js';
import { IMAGE_PRICE } from '../wire/limits.js';
import type { Account } from './account.js';

/** Makes the PNG of a request. Rejects with an SvcdError to be refused in those words (`busy`, `timeout`, …). */
export type DrawImage = (request: ImageRequest) => Promise<Buffer>;

export interface GeneratedImage {
  id: string;
  /** Pixels. */
  width: number;
  height: number;
}

/** Generates and keeps images. */
export class ImageStudio {
  readonly #clock: Clock;
  readonly #draw: DrawImage;
  readonly #save: Statement<[string, number, number, Buffer]>;
  readonly #read: Statement<[string], { bytes: Buffer }>;
  readonly #inFlight = new Set<string>();

  constructor(db: Database, clock: Clock, draw: DrawImage) {
    this.#clock = clock;
    this.#draw = draw;
    this.#save = db.prepare('INSERT INTO image (id, account, at, bytes) VALUES (?, ?, ?, ?)');
    this.#read = db.prepare('SELECT bytes FROM image WHERE id = ?');
  }

  /**
   * A new image, saved and charged in one transaction. Throws `duplicate_request` while the account's same
   * request is in flight, `insufficient_credits`, or `upstream_failure`; then nothing is charged.
   */
  async generate(request: ImageRequest, account: Account): Promise<GeneratedImage> {
    const call = digestOf(account.id, request);
    if (this.#inFlight.has(call)) {
      throw new SvcdError('duplicate_request', 'The same image request of this account is still being made.');
    }
    account.requireCredits(IMAGE_PRICE);
    this.#inFlight.add(call);
    try {
      return this.#keep(await this.#make(request), request, account);
    } finally {
      this.#inFlight.delete(call);
    }
  }

  /** PNG bytes of a generated image. */
  findImage(id: string): Buffer | undefined {
    return this.#read.get(id)?.bytes;
  }

  async #make(request: ImageRequest): Promise<Buffer> {
    try {
      return await this.#draw(request);
    } catch (cause) {
      if (isSvcdError(cause)) throw cause;
      throw new SvcdError('upstream_failure', 'The image could not be made; no credits were spent.', {
        cause,
      });
    }
  }

  #keep(bytes: Buffer, request: ImageRequest, account: Account): GeneratedImage {
    const id = randomUUID();
    // Two different requests can both have found the credits there; the second is then neither saved nor charged.
    account.charge({ capability: 'images.generate', subject: id, credits: IMAGE_PRICE }, () => {
      this.#save.run(id, account.id, this.#clock.now(), bytes);
    });
    return { id, ...dimensionsOf(request.size) };
  }
}

function digestOf(account: number, { prompt, size }: ImageRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([account, size, prompt]))
    .digest('hex');
}
