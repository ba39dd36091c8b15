// What requests teach the library, without harm to them: the client has its answer already, and a full disk, which keeps
// svcd from learning of it, is no reason to refuse that.

import type { LearnedAnswer } from '../../library/storage/learned-data.js';
import type { Credit } from '../../model/credit.js';
import type { Rooms } from '../rooms.js';

export interface LearnQuietly {
  /** Told a preset that the remote does not know, or that it does. */
  readonly noteGone: (preset: string) => void;
  readonly noteThere: (preset: string) => void;
  readonly learn: (answer: LearnedAnswer) => void;
  /** What the library knows of a sticker's licence; undefined when it does not have the sticker, or cannot be read. */
  readonly findCredit: (preset: string) => Credit | undefined;
}

const KEPT_CREDITS = 4096;

export function createLearnQuietly({ library, clock, log }: Rooms): LearnQuietly {
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
    noteGone: (preset) => quietly(learning, () => library.markGone(preset, clock.now())),
    noteThere: (preset) => quietly(learning, () => library.markThere(preset, clock.now())),
    learn: (answer) => void quietly(learning, () => library.learn(answer, clock.now())),
    // An owned file may be read thousands of times a second, and its line changes only with the library.
    findCredit: (preset) =>
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
