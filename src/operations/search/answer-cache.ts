// Recent answers, kept by the bytes they take and dropped when the library they were made from changes.

import { createByteCache, type ByteCache } from '../../platform/byte-cache.js';

/** The kept answer to a question at a revision, or a new one. */
export type AnswerCache<Answer> = (question: string, revision: number, make: () => Answer) => Answer;

/** What an entry takes besides its question and its answer, about. */
const ENTRY_BYTES = 200;

/** Keeps the answers that were asked for last, in at most about `maxBytes`. */
export function createAnswerCache<Answer extends { readonly body: string | Uint8Array }>(
  maxBytes: number,
): AnswerCache<Answer> {
  let cache: ByteCache<Answer>;
  let madeFrom: number | undefined;
  return (question, revision, make) => {
    if (madeFrom !== revision) cache = createByteCache(maxBytes, maxBytes);
    madeFrom = revision;
    const kept = cache.find(question);
    if (kept !== undefined) return kept;
    const answer = make();
    cache.put(question, answer, ENTRY_BYTES + sizeOf(question) + sizeOf(answer.body));
    return answer;
  };
}

// A character takes two bytes where not all of a text are Latin.
function sizeOf(text: string | Uint8Array): number {
  return typeof text === 'string' ? 2 * text.length : text.byteLength;
}
