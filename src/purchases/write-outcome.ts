// The ends of paid calls, written down: the bytes with `paid`, or what else became of it. What the disk does not take now
// is tried again, and served from memory until then.

import { nameForLog } from '../model/sticker.js';
import type { Log } from '../platform/log.js';
import type { PaidAnswer } from './seller.js';
import { inDoubt, notKept, refused, type Receipt } from './receipt.js';
import type { Journal, Order } from './journal.js';
import type { ItemFile, OwnedStore } from './owned-store.js';

/** A paid call that is over. */
interface Ended {
  readonly id: number;
  readonly order: Order;
  readonly answer: PaidAnswer;
}

export interface Endings {
  /** Writes down how a purchase ended. */
  write(ended: Ended): Promise<Receipt>;
  /** The bytes of an item that were paid for and could not be kept yet. */
  findUnkept(name: string): ItemFile | undefined;
  /** Tries once more what could not be written down. */
  close(): Promise<void>;
}

export interface EndingsOptions {
  readonly journal: Pick<Journal, 'refuse' | 'lose'>;
  readonly owned: Pick<OwnedStore, 'keep' | 'keepEvidence'>;
  readonly log: Log;
}

const WRITE_AGAIN_MS = 5000;

export function createEndings({ journal, owned, log }: EndingsOptions): Endings {
  /** What is over and not on disk yet, by the purchase's number. */
  const unwritten = new Map<number, Ended>();
  let writeAgain: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  async function write(ended: Ended): Promise<Receipt> {
    const { id, order, answer } = ended;
    try {
      const receipt = await settle(ended);
      unwritten.delete(id);
      return receipt;
    } catch (error) {
      const why = String(error);
      log.error('the end of a purchase could not be written down; svcd tries again', { purchase: id, why });
      // The row stays open, so that it is not bought again meanwhile.
      unwritten.set(id, ended);
      writeAgain ??= setTimeout(() => void tryAgain(), WRITE_AGAIN_MS).unref();
      // Paid for, so the client gets the bytes even if this disk cannot take them now.
      if (answer.kind === 'delivered') return notKept(answer.file, answer.cost ?? order.price);
      return answer.kind === 'refused' ? refused(answer.error) : inDoubt(answer.error);
    }
  }

  async function settle({ id, order: { item, price }, answer }: Ended): Promise<Receipt> {
    switch (answer.kind) {
      case 'delivered': {
        const { cost = price } = answer;
        const asset = await owned.keep(id, cost, answer.file);
        log.info('bought', { purchase: id, item: nameForLog(item), credits: cost });
        return { kind: 'bought', asset, cost, kept: true };
      }
      case 'unusable':
        // Whether this was charged is as open as with no answer at all: the page of a proxy costs nothing.
        await owned.keepEvidence(id, answer.file, answer.error.message);
        log.warn('what came of a paid call cannot be used', { purchase: id, why: answer.error.message });
        return inDoubt(answer.error);
      case 'refused':
        await journal.refuse(id, answer.error.code);
        log.info('a purchase was refused', { purchase: id, why: answer.error.code });
        return refused(answer.error);
      case 'lost':
        await journal.lose(id, answer.reason ?? answer.error.code);
        log.warn('a paid call was lost', { purchase: id, why: answer.error.code });
        return inDoubt(answer.error);
    }
  }

  /** One try after another: two at a time would write the same end twice. */
  function tryAgain(): Promise<void> {
    clearTimeout(writeAgain);
    writeAgain = undefined;
    writing = writeAfter(writing);
    return writing;
  }

  async function writeAfter(earlier: Promise<void>): Promise<void> {
    await earlier;
    for (const ended of Array.from(unwritten.values())) await write(ended);
  }

  return {
    write,
    findUnkept: (name) => {
      for (const { answer } of unwritten.values())
        if (answer.kind === 'delivered' && answer.file.item === name) return answer.file;
      return undefined;
    },
    close: async () => {
      await tryAgain();
      clearTimeout(writeAgain);
    },
  };
}
