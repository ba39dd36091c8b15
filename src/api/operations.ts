// Every operation of svcd, a row each. The router with its 405 and Allow, the authorization, the OpenAPI document, the
// table in http/README.md and the tests of who may do what are made from it; http/ joins each row by name to its handler.

import * as v from 'valibot';
import { matchAnswerSchema, searchAnswerSchema } from '../contract/candidate.js';
import { imageRequestSchema } from '../contract/image-request.js';
import { IMAGE_PRICE, LIMIT_MAX, OWN_STICKER_MAX_BYTES, STICKER_PRICE } from '../contract/limits.js';
import { matchRequestSchema } from '../contract/match-request.js';
import { productionRequestSchema } from '../contract/production-request.js';
import { wholeNumber } from '../contract/read-query.js';
import { searchQuerySchema } from '../contract/search-query.js';
import * as answers from './answers.js';
import { completeAnswerSchema, findAnswerSchema, relatedAnswerSchema } from './find-answer.js';
import { completeQuerySchema, findQuerySchema, pageQuerySchema } from './find-request.js';
import { libraryStatusSchema } from './library-status.js';
import { any, get, post, put, remove } from './operation.js';
import { ownStickerSchema } from './own-sticker-request.js';
import { budgetChangeSchema, purchaseDecisionSchema, purchaseQuerySchema } from './purchase-requests.js';
import { leaseSchema, newTokenSchema } from './token-requests.js';

const SYNC_MAX = 1_000_000;

const freeQuerySchema = v.object({
  // As many as one search can list.
  preset: v.pipe(
    v.array(v.string()),
    v.check(
      (all) => all.length >= 1 && all.length <= LIMIT_MAX,
      (issue) => `must be given 1 to ${LIMIT_MAX} times, got ${issue.input.length}`,
    ),
  ),
});
const syncQuerySchema = v.object({ max_requests: v.optional(wholeNumber(1, SYNC_MAX)) });
const importQuerySchema = v.object({ any_remote: v.optional(v.string()) });
const sessionQuerySchema = v.object({ code: v.optional(v.string(), '') });
const offlineRequestSchema = v.strictObject({ offline: v.boolean() });

const NDJSON = 'application/x-ndjson';

export const OPERATIONS = {
  // The paths of the service's own document.
  listCapabilities: get('/api/v1/capabilities', 'Lists capabilities and their status.', {
    answer: answers.capabilitiesSchema,
  }),
  searchStickers: get('/api/v1/stickers/search', 'Searches stickers by words.', {
    query: searchQuerySchema,
    answer: searchAnswerSchema,
  }),
  matchStickers: post('/api/v1/stickers/match', 'Matches stickers to a text or keywords.', {
    repeatable: true,
    body: matchRequestSchema,
    answer: matchAnswerSchema,
  }),
  // Bought once: from then on it is owned and costs nothing.
  downloadSticker: get(
    '/api/v1/stickers/{preset}',
    'A sticker: owned, else bought and kept, else a default.',
    {
      who: 'spender',
      need: 'stickers',
      cost: STICKER_PRICE,
      answer: answers.lottieSchema,
    },
  ),
  // The journal holds a second purchase of the same image back.
  generateImage: post(
    '/api/v1/images',
    'An image for a prompt: owned, else bought and kept, else a default.',
    {
      who: 'spender',
      need: 'images',
      cost: IMAGE_PRICE,
      repeatable: true,
      body: imageRequestSchema,
      answer: answers.imageSchema,
    },
  ),
  showAccount: get('/api/v1/me', 'The Key and its balance, else the last known.', {
    who: 'spender',
    need: 'account',
    answer: answers.accountSchema,
  }),
  showUsage: get('/api/v1/usage', 'Credits and how many calls they are good for, else the last known.', {
    who: 'spender',
    need: 'account',
    answer: answers.accountSchema,
  }),
  // The document accepts it without a Key.
  registerProduction: post('/api/v1/productions', 'Registers a production of a template.', {
    body: productionRequestSchema,
    answer: answers.productionSchema,
  }),
  // The remote itself refuses what needs a Key, and gets none from a caller without one.
  passThrough: any('/api/v1/*', 'Passes everything else of the service through.', {
    who: 'spender',
    need: 'other',
    cost: 'unknown',
    answer: '*/*',
  }),
  downloadFile: get('/svcd/files/*', 'A file that the remote keeps outside its API, such as a picture.', {
    who: 'spender',
    need: 'images',
    cost: 'unknown',
    answer: '*/*',
  }),

  findStickers: get('/svcd/search', 'Searches with filters and pages.', {
    query: findQuerySchema,
    answer: findAnswerSchema,
  }),
  completeWord: get('/svcd/complete', 'Completes a half-typed word.', {
    query: completeQuerySchema,
    answer: completeAnswerSchema,
  }),
  listRelated: get('/svcd/related/{preset}', 'Stickers related to one.', {
    query: pageQuerySchema,
    answer: relatedAnswerSchema,
  }),

  showFrontPage: get('/', 'A page for people, an object with addresses for programs.', {
    answer: answers.signpostSchema,
  }),
  showOpenApi: get('/openapi.json', 'This table as an OpenAPI 3.1 document.', { answer: v.looseObject({}) }),
  showStatus: get('/svcd/status', 'What svcd has, and whether the remote can be reached.', {
    answer: answers.statusSchema,
  }),
  // A HEAD of the sticker tells anybody the same.
  listFree: get('/svcd/owned', 'Which of these presets are owned or shipped, and cost nothing.', {
    query: freeQuerySchema,
    answer: answers.freeSchema,
  }),
  switchOffline: post('/svcd/offline', 'Goes offline or online, and remembers it for the next start.', {
    who: 'page',
    repeatable: true,
    body: offlineRequestSchema,
    answer: answers.offlineSchema,
  }),
  stop: post('/svcd/stop', 'Stops svcd.', {
    who: 'owner',
    repeatable: true,
    answer: answers.stoppingSchema,
  }),

  showDefaultImage: get('/svcd/defaults/images/{size}.png', 'A default picture.', { answer: 'image/png' }),
  listDefaults: get('/svcd/defaults/stickers', 'The defaults the user registered.', {
    answer: answers.defaultsSchema,
  }),
  addDefault: put(
    '/svcd/defaults/stickers/{preset}',
    'Registers a Lottie file as the default of a preset, or of `*`.',
    {
      who: 'page',
      upload: 'application/json',
      answer: answers.defaultSchema,
    },
  ),
  removeDefault: remove('/svcd/defaults/stickers/{preset}', 'Removes a registered default.', {
    who: 'page',
    answer: answers.removedSchema,
  }),

  listPurchases: get('/svcd/purchases', 'Lists purchases, the newest first.', {
    who: 'purchases',
    query: purchaseQuerySchema,
    answer: answers.purchasesSchema,
  }),
  showPurchase: get('/svcd/purchases/{id}', 'One purchase.', {
    who: 'purchases',
    answer: answers.purchaseSchema,
  }),
  settlePurchase: post('/svcd/purchases/{id}/settle', 'Decides what became of a purchase of unknown end.', {
    who: 'page',
    repeatable: true,
    body: purchaseDecisionSchema,
    answer: answers.purchaseSchema,
  }),
  retryPurchase: post('/svcd/purchases/{id}/retry', 'Buys the sticker of a purchase again.', {
    who: 'page',
    cost: STICKER_PRICE,
    answer: answers.lottieSchema,
  }),
  showSpending: get('/svcd/spending', 'What was spent and saved, and what the budgets allow.', {
    who: 'purchases',
    answer: answers.spendingSchema,
  }),
  setBudget: put('/svcd/budget', 'Sets or removes budgets.', {
    who: 'page',
    body: budgetChangeSchema,
    answer: answers.budgetsSchema,
  }),

  showLibrary: get('/svcd/library', 'How full the library is.', { answer: libraryStatusSchema }),
  syncLibrary: post('/svcd/library/sync', 'Fills the library, with an event a line until it is done.', {
    who: 'owner',
    repeatable: true,
    query: syncQuerySchema,
    answer: NDJSON,
  }),
  pauseLibrary: post('/svcd/library/pause', 'Pauses filling the library.', {
    who: 'owner',
    repeatable: true,
    answer: libraryStatusSchema,
  }),
  resumeLibrary: post('/svcd/library/resume', 'Goes on filling the library.', {
    who: 'owner',
    repeatable: true,
    answer: libraryStatusSchema,
  }),
  exportLibrary: get('/svcd/library/export', 'The library as lines of JSON.', {
    who: 'owner',
    answer: NDJSON,
  }),
  importLibrary: post('/svcd/library/import', 'Merges an export into the library.', {
    who: 'owner',
    repeatable: true,
    query: importQuerySchema,
    upload: NDJSON,
    answer: answers.libraryReportSchema,
  }),
  exportOwned: get('/svcd/owned/export', 'What is owned as lines of JSON.', { who: 'owner', answer: NDJSON }),
  importOwned: post('/svcd/owned/import', 'Takes in an export of what is owned.', {
    who: 'owner',
    repeatable: true,
    upload: NDJSON,
    answer: answers.ownedReportSchema,
  }),
  listOwnStickers: get('/svcd/library/stickers', "The user's own stickers.", {
    who: 'owner',
    answer: answers.ownStickersSchema,
  }),
  addOwnSticker: put(
    '/svcd/library/stickers/{preset}',
    "Adds a Lottie file as a sticker of the user's own.",
    {
      who: 'owner',
      body: ownStickerSchema,
      maxBodyBytes: OWN_STICKER_MAX_BYTES,
      answer: answers.addedStickerSchema,
    },
  ),
  removeOwnSticker: remove('/svcd/library/stickers/{preset}', "Removes a sticker of the user's own.", {
    who: 'owner',
    answer: answers.removedSchema,
  }),

  listOrigins: get('/svcd/origins', 'The origins whose web pages may use svcd.', {
    who: 'owner',
    answer: answers.originsSchema,
  }),
  addOrigin: put('/svcd/origins/{origin}', 'Lets the pages of an origin use svcd.', {
    who: 'owner',
    answer: answers.originAddedSchema,
  }),
  removeOrigin: remove('/svcd/origins/{origin}', 'Lets them no more.', {
    who: 'owner',
    answer: answers.originRemovedSchema,
  }),

  showKey: get('/svcd/key', 'Where the Key in use comes from; never the Key.', {
    who: 'owner',
    answer: answers.keySchema,
  }),
  refreshKey: post('/svcd/key/refresh', 'Looks for the Key again, everywhere.', {
    who: 'owner',
    repeatable: true,
    answer: answers.keySchema,
  }),
  rotateToken: post('/svcd/token/rotate', "Makes a new token of the home's; the old one ends.", {
    who: 'owner',
    answer: answers.tokenSchema,
  }),
  listTokens: get('/svcd/tokens', 'Further tokens, without what is secret of them.', {
    who: 'owner',
    answer: answers.tokensSchema,
  }),
  addToken: post('/svcd/tokens', 'Makes a further token, told this once.', {
    who: 'owner',
    body: newTokenSchema,
    status: 201,
    answer: answers.namedTokenSchema,
  }),
  leaseToken: post('/svcd/tokens/lease', 'A token that lives as long as this answer is read.', {
    who: 'owner',
    body: leaseSchema,
    answer: NDJSON,
  }),
  revokeToken: remove('/svcd/tokens/{name}', 'Ends a further token at once.', {
    who: 'owner',
    answer: answers.revokedSchema,
  }),
  openSession: post('/svcd/session-code', 'An address, good once for a minute, by which a browser gets in.', {
    who: 'owner',
    answer: answers.sessionCodeSchema,
  }),
  // The code is the secret.
  enterSession: get('/svcd/session', 'Exchanges a code for the cookie of a page.', {
    repeatable: false,
    query: sessionQuerySchema,
    status: 303,
    answer: 'text/html',
  }),
} as const;

export type Operations = typeof OPERATIONS;
export type OperationName = keyof Operations;
