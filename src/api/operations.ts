// Every operation of svcd, a row each. The router with its 405 and Allow, the authorization, the OpenAPI document, the
// table in http/REFERENCE.md and the tests of who may do what are made from it; operations/handlers.ts joins each row by name to
// its handler.

import * as v from 'valibot';
import { matchAnswerSchema, searchAnswerSchema } from '../contract/candidate.js';
import {
  imageRequestSchema,
  matchRequestSchema,
  productionRequestSchema,
  searchQuerySchema,
} from '../contract/requests.js';
import { IMAGE_PRICE, OWN_STICKER_MAX_BYTES, STICKER_PRICE } from '../contract/limits.js';
import { wholeNumber } from '../contract/read-query.js';
import { OF_ACCOUNT, OF_ASSET, OF_FINDING, OF_ORIGIN } from './answer-headers.js';
import { leaseLineSchema, libraryLineSchema, ownedLineSchema, syncEventSchema } from './answer-lines.js';
import * as answers from './answers.js';
import {
  factsQuerySchema,
  factsSchema,
  downloadQuerySchema,
  pictureQuerySchema,
  libraryStatusSchema,
  ownStickerSchema,
  renderQuerySchema,
  sheetQuerySchema,
} from './library.js';
import {
  completeAnswerSchema,
  findAnswerSchema,
  relatedAnswerSchema,
  completeQuerySchema,
  findQuerySchema,
  pageQuerySchema,
} from './find.js';
import { HEALTH_OPERATIONS } from './health.js';
import { HUB_OPERATIONS } from './hub-operations.js';
import { sha256 } from './lock.js';
import { anybody, owner, page, purchases, run, spender } from './operation.js';
import { PAGE_OPERATIONS, presetsQuerySchema, summarySchema } from './page-operations.js';
import { PLAN_MAX_BYTES, planRequestSchema, planSchema } from './plan.js';
import { PREFETCH_MAX, PREFETCH_MAX_BYTES, prefetchEventSchema, prefetchRequestSchema } from './prefetch.js';
import {
  budgetChangeSchema,
  purchaseDecisionSchema,
  purchaseQuerySchema,
  imageTermsSchema,
  pageCodeSchema,
  stickerTermsSchema,
} from './money.js';
import { reportSchema } from './report.js';
import { presetText } from './slot.js';
import * as t from './tile.js';
import { leaseSchema, newTokenSchema, reportQuerySchema, runSchema } from './tokens.js';

const SYNC_MAX = 1_000_000;

// As many as the lines of one request's head have room for.
const EXPORTED_MAX = 100;
const digests = v.pipe(
  v.array(sha256),
  v.maxLength(EXPORTED_MAX, (issue) => `must be given at most ${EXPORTED_MAX} times, got ${issue.input.length}`),
);
const syncQuerySchema = v.strictObject({ max_requests: v.optional(wholeNumber(1, SYNC_MAX)) });
/** Whose safe form it may be. */
const digestQuerySchema = v.strictObject({ preset: v.optional(presetText) });
const exportOwnedQuerySchema = v.strictObject({ sha256: digests, projects: v.optional(v.picklist(['true', 'false'])) });
const importQuerySchema = v.strictObject({ any_remote: v.optional(v.string()) });
const sessionQuerySchema = v.object({ code: v.optional(v.string(), '') });
const spendingSwitchSchema = v.strictObject({ stopped: v.boolean() });
const offlineRequestSchema = v.strictObject({ offline: v.boolean() });

const NDJSON = 'application/x-ndjson';

export const OPERATIONS = {
  // The paths of the service's own document.
  listCapabilities: anybody.get('/api/v1/capabilities', answers.capabilities, 'Lists capabilities and their status.', {
    tells: OF_ACCOUNT,
  }),
  searchStickers: anybody.get('/api/v1/stickers/search', searchAnswerSchema, 'Searches stickers by words.', {
    query: searchQuerySchema,
    tells: OF_FINDING,
  }),
  matchStickers: anybody.post('/api/v1/stickers/match', matchAnswerSchema, 'Matches stickers to a text or keywords.', {
    repeatable: true,
    body: matchRequestSchema,
    tells: OF_FINDING,
  }),
  // Bought once: from then on it is owned and costs nothing.
  downloadSticker: spender.get(
    '/api/v1/stickers/{preset}',
    answers.lottie,
    'A sticker: owned, else bought and kept, else a default.',
    {
      need: 'stickers',
      cost: STICKER_PRICE,
      query: downloadQuerySchema,
      headers: stickerTermsSchema,
      tells: OF_ASSET,
      lasting: true,
    },
  ),
  // The journal holds a second purchase of the same image back.
  generateImage: spender.post(
    '/api/v1/images',
    answers.image,
    'An image for a prompt: owned, else bought and kept, else a default.',
    {
      need: 'images',
      cost: IMAGE_PRICE,
      repeatable: true,
      headers: imageTermsSchema,
      body: imageRequestSchema,
      tells: OF_ASSET,
    },
  ),
  showAccount: spender.get('/api/v1/me', answers.account, 'The Key and its balance, else the last known.', {
    need: 'account',
    tells: OF_ACCOUNT,
  }),
  showUsage: spender.get(
    '/api/v1/usage',
    answers.account,
    'Credits and how many calls they are good for, else the last known.',
    { need: 'account', tells: OF_ACCOUNT },
  ),
  // The document accepts it without a Key.
  registerProduction: anybody.post('/api/v1/productions', answers.production, 'Registers a production of a template.', {
    body: productionRequestSchema,
    tells: OF_ACCOUNT,
  }),
  // The remote itself refuses what needs a Key, and gets none from a caller without one.
  passThrough: spender.any('/api/v1/*', '*/*', 'Passes everything else of the service through.', {
    need: 'other',
    cost: 'unknown',
  }),
  downloadFile: spender.get(
    '/svcd/files/*',
    '*/*',
    'A file that the remote keeps outside its API, such as a picture.',
    { need: 'images', cost: 'unknown', tells: OF_ASSET, lasting: true },
  ),
  // The address is the secret.
  showPicture: anybody.get('/svcd/images/{address}', '*/*', 'The picture of an image answer, owned or a default.', {
    tells: OF_ASSET,
    lasting: true,
  }),

  findStickers: anybody.get('/svcd/search', findAnswerSchema, 'Searches with filters and pages.', {
    query: findQuerySchema,
  }),
  completeWord: anybody.get('/svcd/complete', completeAnswerSchema, 'Completes a half-typed word.', {
    query: completeQuerySchema,
  }),
  listRelated: anybody.get('/svcd/related/{preset}', relatedAnswerSchema, 'Stickers related to one.', {
    query: pageQuerySchema,
  }),

  // Budgets and balance are told to those who may see the account.
  planAssets: anybody.post('/svcd/plan', planSchema, 'Plans which assets the slots of a video get, and their price.', {
    repeatable: true,
    body: planRequestSchema,
    maxBodyBytes: PLAN_MAX_BYTES,
  }),

  // The document asks nothing for it. A token needs for it what it needs for all that no budget counts.
  selectMusic: spender.post(
    '/svcd/music/{track}/select',
    answers.selectedMusic,
    'Selects a track into the private assets of the account.',
    { need: 'other', repeatable: true },
  ),
  takeMusic: spender.get('/svcd/music/{track}/{part}', '*/*', 'A track of the service: its `file`, or its `preview`.', {
    need: 'other',
    tells: OF_ASSET,
    lasting: true,
  }),

  listTiles: anybody.get('/svcd/tiles', t.tilesSchema, 'Stickers as the page shows them, a part of the list.', {
    query: t.tilesQuerySchema,
  }),
  matchTiles: anybody.post('/svcd/tiles/match', t.tileMatchSchema, 'What suits a copy, or each of its sentences.', {
    repeatable: true,
    body: t.tileMatchRequestSchema,
  }),
  showTile: anybody.get('/svcd/tiles/{preset}', t.tileDetailsSchema, 'A sticker as the page shows it, with all of it.'),
  showSketch: anybody.get('/svcd/sketches/{preset}', '*/*', 'A free drawing that stands in for a picture.', {
    tells: OF_ASSET,
    lasting: true,
  }),
  // It shows and never spends: nothing that a page names by itself may cost.
  showSticker: anybody.get(
    '/svcd/pictures/{preset}',
    '*/*',
    'The file, or one in another `color`, of what may be seen for nothing: owned, own, shipped, sandbox.',
    { query: pictureQuerySchema, tells: OF_ASSET, lasting: true },
  ),
  showSummary: page.get('/svcd/summary', summarySchema, 'What the frame of the page shows; contacts nobody.'),
  watchEvents: page.get('/svcd/events', 'text/event-stream', 'Says what of the page has changed, as it changes.'),
  ...PAGE_OPERATIONS,
  showPageFile: anybody.get('/svcd/picker/{file}', '*/*', 'A file of the page.', { tells: OF_ASSET, lasting: true }),

  showFrontPage: anybody.get('/', answers.signpost, 'A page for people, an object with addresses for programs.'),
  showOpenApi: anybody.get('/openapi.json', answers.openApi, 'This table as an OpenAPI 3.1 document.', {
    tells: OF_ORIGIN,
    lasting: true,
  }),
  showGuide: anybody.get('/llms.txt', 'text/markdown', 'How to use svcd, in a page, for language models and people.', {
    tells: OF_ORIGIN,
    lasting: true,
  }),
  // It costs nothing itself: what a tool asks is asked of these very operations, and judged there.
  callTools: anybody.post('/mcp', '*/*', 'Tools for an assistant that speaks MCP (Streamable HTTP).', {
    upload: 'application/json',
    isRpc: true,
  }),
  showStatus: anybody.get('/svcd/status', answers.status, 'What svcd has, and whether the remote can be reached.'),
  // A HEAD of the sticker tells anybody the same.
  listFree: anybody.get('/svcd/owned', answers.free, 'Which of these presets are owned or shipped, and cost nothing.', {
    query: presetsQuerySchema,
  }),
  // The digest is the secret, as the address of a picture is; nothing is ever bought.
  findByDigest: anybody.get(
    '/svcd/owned/by-digest/{sha256}',
    '*/*',
    'The file of this SHA-256, wherever it was bought: owned, your own, shipped, or a default served of late.',
    { query: digestQuerySchema, tells: [...OF_ASSET, 'X-Svcd-Licence'], lasting: true },
  ),
  showFacts: anybody.get(
    '/svcd/facts/{preset}',
    factsSchema,
    'What is in the file of a sticker that is here, and what players make of it.',
    { query: factsQuerySchema },
  ),
  showRender: anybody.get('/svcd/renders/{preset}', 'image/png', 'One frame of a sticker that is here, as a picture.', {
    query: renderQuerySchema,
  }),
  showSheet: anybody.get('/svcd/sheet.png', 'image/png', 'Numbered pictures of stickers; what is not here is a card.', {
    query: sheetQuerySchema,
  }),
  switchOffline: page.post(
    '/svcd/offline',
    answers.offline,
    'Goes offline or online, and remembers it for the next start.',
    { repeatable: true, body: offlineRequestSchema },
  ),
  stop: owner.post('/svcd/stop', answers.stopping, 'Stops svcd.', { repeatable: true }),

  showDefaultImage: anybody.get('/svcd/defaults/images/{size}.png', 'image/png', 'A default picture.'),
  listDefaults: anybody.get('/svcd/defaults/stickers', answers.defaults, 'The defaults the user registered.'),
  addDefault: page.put(
    '/svcd/defaults/stickers/{preset}',
    answers.registeredDefault,
    'Registers a Lottie file as the default of a preset, or of `*`.',
    { upload: 'application/json' },
  ),
  removeDefault: page.remove('/svcd/defaults/stickers/{preset}', answers.removed, 'Removes a registered default.'),

  prefetch: spender.post(
    '/svcd/prefetch',
    'application/x-ndjson',
    'Buys many things for at most so much, or none, with an event a line.',
    {
      need: ['stickers', 'images'],
      cost: PREFETCH_MAX * IMAGE_PRICE,
      repeatable: true,
      line: prefetchEventSchema,
      tells: OF_ORIGIN,
      body: prefetchRequestSchema,
      maxBodyBytes: PREFETCH_MAX_BYTES,
    },
  ),
  listPurchases: purchases.get('/svcd/purchases', answers.purchases, 'Lists purchases, the newest first.', {
    query: purchaseQuerySchema,
  }),
  showPurchase: purchases.get('/svcd/purchases/{id}', answers.purchase, 'One purchase.'),
  settlePurchases: page.post(
    '/svcd/purchases/settle',
    answers.settledPurchases,
    'Looks at the balance for all purchases of unknown end; buys nothing.',
    { repeatable: true },
  ),
  settlePurchase: page.post(
    '/svcd/purchases/{id}/settle',
    answers.purchase,
    'Decides what became of a purchase of unknown end.',
    { repeatable: true, headers: pageCodeSchema, body: purchaseDecisionSchema },
  ),
  retryPurchase: page.post('/svcd/purchases/{id}/retry', answers.lottie, 'Buys the sticker of a purchase again.', {
    cost: STICKER_PRICE,
    tells: OF_ASSET,
    lasting: true,
  }),
  showSpending: purchases.get(
    '/svcd/spending',
    answers.spending,
    'What was spent and saved, and what the budgets allow.',
  ),
  stopSpending: page.post(
    '/svcd/spending',
    answers.spending,
    'Stops all spending until it is lifted, also after a restart; or lifts it.',
    { repeatable: true, headers: pageCodeSchema, body: spendingSwitchSchema },
  ),
  setBudget: page.put('/svcd/budget', answers.budgets, 'Sets or removes budgets.', {
    headers: pageCodeSchema,
    body: budgetChangeSchema,
  }),

  showLibrary: anybody.get('/svcd/library', libraryStatusSchema, 'How full the library is.'),
  syncLibrary: owner.post('/svcd/library/sync', NDJSON, 'Fills the library, with an event a line until it is done.', {
    repeatable: true,
    query: syncQuerySchema,
    line: syncEventSchema,
  }),
  pauseLibrary: page.post('/svcd/library/pause', libraryStatusSchema, 'Pauses filling the library.', {
    repeatable: true,
  }),
  resumeLibrary: page.post('/svcd/library/resume', libraryStatusSchema, 'Goes on filling the library.', {
    repeatable: true,
  }),
  exportLibrary: owner.get('/svcd/library/export', NDJSON, 'The library as lines of JSON.', {
    line: libraryLineSchema,
  }),
  importLibrary: owner.post('/svcd/library/import', answers.libraryReport, 'Merges an export into the library.', {
    repeatable: true,
    query: importQuerySchema,
    upload: NDJSON,
  }),
  exportOwned: owner.get('/svcd/owned/export', NDJSON, 'What is owned as lines of JSON; of some digests, if given.', {
    line: ownedLineSchema,
    query: exportOwnedQuerySchema,
  }),
  importOwned: owner.post('/svcd/owned/import', answers.ownedReport, 'Takes in an export of what is owned.', {
    repeatable: true,
    upload: NDJSON,
  }),
  listOwnStickers: page.get('/svcd/library/stickers', answers.ownStickers, "The user's own stickers."),
  addOwnSticker: page.put(
    '/svcd/library/stickers/{preset}',
    answers.addedSticker,
    "Adds a Lottie file as a sticker of the user's own.",
    { body: ownStickerSchema, maxBodyBytes: OWN_STICKER_MAX_BYTES, maxBodyValues: 2000 },
  ),
  removeOwnSticker: page.remove(
    '/svcd/library/stickers/{preset}',
    answers.removed,
    "Removes a sticker of the user's own.",
  ),

  listOrigins: owner.get('/svcd/origins', answers.origins, 'The origins whose web pages may use svcd.'),
  addOrigin: owner.put('/svcd/origins/{origin}', answers.originAdded, 'Lets the pages of an origin use svcd.'),
  removeOrigin: owner.remove('/svcd/origins/{origin}', answers.originRemoved, 'Takes an origin off that list.'),

  showKey: owner.get('/svcd/key', answers.key, 'Where the Key in use comes from; never the Key.'),
  refreshKey: owner.post('/svcd/key/refresh', answers.key, 'Looks for the Key again, everywhere.', {
    repeatable: true,
  }),
  rotateToken: owner.post('/svcd/token/rotate', answers.token, "Makes a new token of the home's; the old one ends."),
  listTokens: owner.get('/svcd/tokens', answers.tokens, 'Further tokens, without what is secret of them.'),
  addToken: owner.post('/svcd/tokens', answers.namedToken, 'Makes a further token, told this once.', {
    body: newTokenSchema,
    status: 201,
  }),
  leaseToken: owner.post('/svcd/tokens/lease', NDJSON, 'A token that lives as long as this answer is read.', {
    body: leaseSchema,
    line: leaseLineSchema,
  }),
  beginRun: owner.post('/svcd/runs', answers.namedToken, 'A token for a run, which its report is told by.', {
    body: runSchema,
    status: 201,
  }),
  showReport: run.get('/svcd/report', reportSchema, 'What every asset came to that a run, or no run, asked for.', {
    query: reportQuerySchema,
  }),
  ...HUB_OPERATIONS,
  ...HEALTH_OPERATIONS,
  revokeToken: owner.remove('/svcd/tokens/{name}', answers.revoked, 'Ends a further token at once.'),
  openSession: owner.post(
    '/svcd/session-code',
    answers.sessionCode,
    'An address, good once for a minute, by which a browser gets in.',
  ),
  openPageCode: owner.post(
    '/svcd/page-code',
    answers.pageCode,
    'A code by which a page may raise a budget or let spending go on, once within two minutes.',
  ),
  // The code is the secret.
  enterSession: anybody.get('/svcd/session', 'text/html', 'Exchanges a code for the cookie of a page.', {
    repeatable: false,
    query: sessionQuerySchema,
    status: 303,
  }),
} as const;

export type Operations = typeof OPERATIONS;
export type OperationName = keyof Operations;
