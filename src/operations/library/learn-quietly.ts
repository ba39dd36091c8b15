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
  return {
    noteGone: (preset) => quietly(learning, () => library.markGone(preset, clock.now())),
    noteThere: (preset) => quietly(learning, () => library.markThere(preset, clock.now())),
    learn: (answer) => void quietly(learning, () => library.learn(answer, clock.now())),
    // A library that cannot be read costs a credit line, never a file that was paid for.
    findCredit: (preset) =>
      quietly('the licence of a sticker could not be looked up', () => library.findCredit(preset)),
  };
}
