// What runs in the thread of lottie-thread.ts: the same pure functions, for one file at a time.

import { parentPort } from 'node:worker_threads';
import { isSvcdError } from '../model/errors.js';
import { headOf } from './check-lottie.js';
import { factsOf } from './facts.js';
import type { Answer, LottieWork, Question, WorkName } from './lottie-thread.js';
import { safeFormOf } from './safe-form.js';

const WORKS: { readonly [W in WorkName]: (bytes: Uint8Array) => LottieWork[W] } = {
  facts: factsOf,
  safe: safeFormOf,
  head: headOf,
};

parentPort!.on('message', ({ work, bytes }: Question) => parentPort!.postMessage(answerOf(work, bytes), []));

function answerOf(work: Question['work'], bytes: Uint8Array): Answer {
  try {
    return { result: WORKS[work](bytes) };
  } catch (error) {
    if (!isSvcdError(error)) throw error;
    const { code, message, hint } = error;
    return { error: { code, message, ...(hint !== undefined && { hint }) } };
  }
}
