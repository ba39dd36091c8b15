// What runs in the thread of lottie-thread.ts: the same pure functions, for one file at a time.

import { parentPort } from 'node:worker_threads';
import { isSvcdError } from '../model/errors.js';
import { factsOf } from './facts.js';
import type { Answer, Question } from './lottie-thread.js';
import { safeFormOf } from './safe-form.js';

parentPort!.on('message', ({ work, bytes }: Question) => parentPort!.postMessage(answerOf(work, bytes), []));

function answerOf(work: Question['work'], bytes: Uint8Array): Answer {
  try {
    return { result: work === 'facts' ? factsOf(bytes) : safeFormOf(bytes) };
  } catch (error) {
    if (!isSvcdError(error)) throw error;
    const { code, message, hint } = error;
    return { error: { code, message, ...(hint !== undefined && { hint }) } };
  }
}
