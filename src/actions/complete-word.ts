// Completes a half-typed word from the words the library has.

import type { CompleteAnswer } from '../api/find-answer.js';
import type { Library } from '../library/library.js';

export type CompleteWord = (request: { q: string; limit: number }) => CompleteAnswer;

/** Completion over a library. */
export function createCompleteWord(library: Pick<Library, 'complete'>): CompleteWord {
  return ({ q, limit }) => ({ query: q, completions: library.complete(q, limit) });
}
