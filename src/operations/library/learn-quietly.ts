// What requests teach the library, without harm to them: the client has its answer already, and a full disk, which keeps
// svcd from learning of it, is no reason to refuse that.

import type { LearnedAnswer } from '../../library/storage/learned-data.js';
import type { Credit } from '../../model/credit.js';
import type { Rooms } from '../rooms.js';

export type LearnQuietly = ReturnType<typeof createLearnQuietly>;

const KEPT_CREDITS = 4096;

export function createLearnQuietly({ library, clock, log }: Rooms) {
  const quietly = <T>(what: string, work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      log.warn(what, { why: String(error) });
      return undefined;
    }
  };
  const learning = 'the library could not learn';
  let credits = new Map<string, Credit | undefined>();
  let readAt: number | undefined;
  return {
    /** Told a preset that the remote does not know, or that it does. */
    noteGone: (preset: string): void => quietly(learning, () => library.markGone(preset, clock.now())),
    noteThere: (preset: string): void => quietly(learning, () => library.markThere(preset, clock.now())),
    /** Whether the complete list of the remote has no such sticker. */
    isUnlisted: (preset: string): boolean =>
      quietly('the list could not be read', () => library.isComplete() && !library.findSticker(preset)) ?? false,
    learn: (answer: LearnedAnswer): void => void quietly(learning, () => library.learn(answer, clock.now())),
    /** What the library knows of a sticker's licence; undefined when it does not have the sticker, or cannot be read. */
    // An owned file may be read thousands of times a second, and its line changes only with the library.
    findCredit: (preset: string): Credit | undefined =>
      // A library that cannot be read costs a credit line, never a file that was paid for.
      quietly('the licence of a sticker could not be looked up', () => {
        const { revision } = library;
        if (readAt !== revision || credits.size >= KEPT_CREDITS) credits = new Map();
        readAt = revision;
        if (!credits.has(preset)) credits.set(preset, library.findCredit(preset));
        return credits.get(preset);
      }),
  };
}
