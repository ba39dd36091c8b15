// What svcd answers, as the client hands it on: the types of api/, field for field what is on the wire. For the published
// package bin/build/client-types.js writes them out, so that no library's types reach those who import it.

import type { FindAnswer } from '../api/find.js';
import type { Lock } from '../api/lock.js';
import type { AnswerOf, Told } from '../api/operation.js';
import type { OPERATIONS } from '../api/operations.js';
import type { prefetchEventSchema } from '../api/prefetch.js';
import type { STATUS_OF } from '../api/refusal.js';

export type { DaemonStatus as Status, Spending } from '../api/answers.js';
export type { CompleteAnswer, FindAnswer as SearchAnswer, RelatedAnswer } from '../api/find.js';
export type { FactsAnswer as Facts } from '../api/library.js';
export type { Lock } from '../api/lock.js';
export type { Plan } from '../api/plan.js';

export type FoundSticker = FindAnswer['results'][number];
export type MatchAnswer = AnswerOf<(typeof OPERATIONS)['matchStickers']>;
export type LockedSticker = Extract<Lock['assets'][string], { kind: 'sticker' }>;
export type LockedImage = Extract<Lock['assets'][string], { kind: 'image' }>;
export type PrefetchEvent = Exclude<Told<typeof prefetchEventSchema>, { event: 'error' }>;
export type Cost = Extract<PrefetchEvent, { event: 'asset' }>['cost'];
export type KnownErrorCode = keyof typeof STATUS_OF | 'no_svcd';
