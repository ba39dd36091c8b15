// Completes a half-typed word from the words the library has.

import type { CompleteAnswer } from '../api/find-answer.js';

export interface WordCompleter {
  complete(text: string, limit: number): readonly { readonly word: string; readonly stickers: number }[];
}

export type CompleteWord = (request: { q: string; limit: number }) => CompleteAnswer;

/** Completion over a library. */
export function createCompleteWord(library: WordCompleter): CompleteWord {
  return ({ q, limit }) => ({ query: q, completions: [...library.complete(q, limit)] });
}
