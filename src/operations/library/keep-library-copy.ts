// Keeping a copy of the library at hand, and filling the library from it when that was lost. While that goes on the
// library answers with what it has.

import { isSvcdError, systemCode } from '../../model/errors.js';
import type { Library } from '../../library/library.js';
import type { LibraryCopy } from '../../library/storage/library-copy.js';
import type { Log } from '../../platform/log.js';
import type { Sticker } from '../../model/sticker.js';
import type { TransferLibrary } from './transfer-library.js';

export interface KeepCopyParts {
  readonly library: Pick<Library, 'sizeWithoutShipped' | 'revision' | 'findSticker' | 'importStickers' | 'prepare'>;
  readonly transfer: TransferLibrary;
  readonly copy: LibraryCopy;
  /** Presets that are owned. */
  readonly listOwned: () => readonly string[];
  readonly log: Log;
}

export interface KeepLibraryCopy {
  /** Takes in the copy if it knows more than the library. Never throws: the library answers with what it has. */
  restore(): Promise<void>;
  /** The same for a library that was lost: owned stickers are found at once, by the words of their presets. */
  refill(): Promise<void>;
  /** Writes the copy, if the library changed since. Never throws: a full disk is no reason to stop. */
  keepIfChanged(): Promise<void>;
}

/** Keeps the copy of one library. One step at a time: a second caller waits. */
export function createKeepLibraryCopy({ library, transfer, copy, listOwned, log }: KeepCopyParts): KeepLibraryCopy {
  let keptRevision: number | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };

  const restore = async (): Promise<void> => {
    const stickers = await copy.countStickers();
    if (stickers <= library.sizeWithoutShipped) return;
    log.info('library is filled from its copy', { file: copy.file, stickers });
    try {
      await transfer.importLines(copy.read(), { anyScope: false });
    } catch (error) {
      // What is wrong with the library is no reason to give up the copy.
      if (isSvcdError(error) || systemCode(error)?.startsWith('SQLITE') === true) throw error;
      log.warn('the copy of the library is damaged; what could be read of it is used', {
        why: String(error),
      });
    }
    library.prepare();
  };

  const keep = async (): Promise<void> => {
    if (library.revision === keptRevision) return;
    // Never in place of one that knows more: that would be the end of what was lost here.
    await restore();
    const { revision } = library;
    await copy.keep(transfer.exportLines());
    keptRevision = revision;
  };

  const listByName = async (): Promise<void> => {
    const unknown = listOwned().filter((preset) => library.findSticker(preset) === undefined);
    if (unknown.length > 0) library.importStickers(unknown.map(byName), 'owned stickers');
  };

  const quietly = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    await inTurn(work).catch((error: unknown) => log.warn(what, { file: copy.file, why: String(error) }));
  };
  const refilling = 'the library could not be filled from its copy';
  return {
    restore: () => quietly(refilling, restore),
    refill: async () => {
      await quietly('owned stickers could not be listed', listByName);
      await quietly(refilling, restore);
    },
    keepIfChanged: () => quietly('the copy of the library could not be written', keep),
  };
}

/** `food/birthday-cake` as a sticker that is called "birthday cake". */
function byName(preset: string): Sticker {
  const words = preset.split(/[/_\-.\s]+/).filter((word) => word !== '');
  return { preset, title: words.slice(-3).join(' ') || preset, keywords: words };
}
