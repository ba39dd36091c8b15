// What runs in the thread of lottie-thread.ts: the same pure functions, for one file at a time.

import { parentPort } from 'node:worker_threads';
import { isSvcdError } from '../model/errors.js';
import { headOf } from './check-lottie.js';
import { factsOf } from './facts.js';
import type { Answer, LottieWork, Question, WorkName } from './lottie-thread.js';
import { recolorBytes, type Coloring } from './recolor.js';
import { safeFormOf } from './safe-form.js';

const WORKS: { readonly [W in WorkName]: (bytes: Uint8Array, coloring: Coloring) => LottieWork[W] } = {
  facts: factsOf,
  safe: safeFormOf,
  colored: recolorBytes,
  head: headOf,
};

parentPort!.on('message', (question: Question) => parentPort!.postMessage(answerOf(question), []));

function answerOf({ work, bytes, coloring }: Question): Answer {
  try {
    return { result: WORKS[work](bytes, coloring!) };
  } catch (error) {
    if (!isSvcdError(error)) throw error;
    const { code, message, hint } = error;
    return { error: { code, message, ...(hint !== undefined && { hint }) } };
  }
}
