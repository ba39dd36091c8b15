// The worst input known of each operation. A new operation does not compile until its own is named: a valid request that takes
// as much work as one can.

import { gzipSync } from 'node:zlib';
import { createHash } from 'node:crypto';
import type { OperationName } from '../../../src/api/operations.js';
import { makeCopies, readCatalogue } from '../questions.js';

/**
 * What an operation is asked; its path's braces are filled by `fill`, one value each. In `fill` and `body` `{round}` stands for
 * the number of the round, for what can be done once.
 */
export interface WorstInput {
  readonly fill?: readonly string[];
  readonly query?: string;
  /** JSON as an object, else text as it is. */
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent so many times at once, each a little different where `body` is a function's. */
  readonly times?: number;
  /** Of what costs nothing and wants the service all the same. */
  readonly online?: boolean;
  /** The answer goes on for ever. */
  readonly endless?: boolean;
}

const PRESETS = readCatalogue().map(({ preset }) => preset);
const preset = PRESETS[0]!;
const presetsQuery = PRESETS.slice(0, 50)
  .map((one) => `preset=${encodeURIComponent(one)}`)
  .join('&');
const copies = makeCopies(400);
const FULL_PROJECT = {
  version: 1,
  name: 'stall',
  script: 'a'.repeat(2000),
  lines: PRESETS.slice(0, 1900).map((one) => ({ text: '贴'.repeat(5), preset: one })),
  filters: {},
};
/** 500 letters that can be read in many ways. */
const PINYIN = 'q=' + 'shi yi ji xi '.repeat(39).slice(0, 497);
/** As many different characters as a copy may have. */
const COPY = Array.from({ length: 2000 }, (_, at) => String.fromCharCode(0x4e00 + at * 3)).join('');
/** Each line with a search of its own, as much as a body holds. */
const SEARCHED = copies
  .slice(0, 60)
  .map((one) => ({ text: one.replaceAll(/[^\u4E00-\u9FFF]/g, '').slice(0, 20), q: 'shi'.repeat(30) }));
/** 500 different characters that the library writes: most begin a word, and each stands on many stickers. */
const COMMON = [...new Set(copies.join('').match(/[\u4E00-\u9FFF]/g))].slice(0, 499).join('');
const MATCH = { text: COPY, limit: 50 };
/** A plan has 64 KiB: about 400 characters for each slot. */
const slots = Array.from({ length: 50 }, (_, at) => ({
  id: `s${at}`,
  text: Array.from({ length: 390 }, (_unused, one) =>
    String.fromCharCode(0x4e00 + ((at * 401 + one * 7) % 20_000)),
  ).join(''),
}));
/** A file of nearly as many values as are read. */
const heavyLottie = JSON.stringify({
  v: '5.7.4',
  fr: 30,
  ip: 0,
  op: 60,
  w: 100,
  h: 100,
  layers: Array.from({ length: 2600 }, (_, at) => ({
    ty: 4,
    nm: `layer ${at}`,
    ip: 0,
    op: 60,
    st: 0,
    ks: { p: { a: 1, k: Array.from({ length: 20 }, (_unused, t) => ({ t, s: [t, at, 0] })) } },
    shapes: [],
  })),
});
const stickers = Array.from({ length: 4000 }, (_, at) =>
  JSON.stringify({
    preset: `heavy/${at}`,
    title: `heavy ${at}`,
    keywords: Array.from({ length: 64 }, (_unused, one) => `w${at}x${one}`),
  }),
).join('\n');

function ownedLine(at: number): string {
  const bytes = Buffer.from(heavyLottie.replace('layer 0', `layer of ${at}`));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const told = { scope: 'sandbox', item: `sticker:given/${at}`, content_type: 'application/json', sha256 };
  return JSON.stringify({ ...told, kept_at: '2026-01-01T00:00:00Z', gzip: gzipSync(bytes).toString('base64') });
}

const NDJSON = { 'Content-Type': 'application/x-ndjson' };
const nothing: WorstInput = {};
const ofPreset: WorstInput = { fill: [preset] };

export const WORST_INPUTS: Readonly<Record<OperationName, readonly WorstInput[]>> = {
  listCapabilities: [nothing],
  searchStickers: [{ query: `${PINYIN}&limit=50` }, { query: `q=${encodeURIComponent(COPY.slice(0, 499))}&limit=50` }],
  matchStickers: [
    { body: MATCH },
    { body: { keywords: copies.slice(0, 20).map((one) => one.slice(0, 64)), limit: 50 } },
  ],
  downloadSticker: [{ fill: [PRESETS[1]!] }, { fill: [PRESETS[100]!] }],
  generateImage: [{ body: { prompt: '一'.repeat(2000), size: '1024x1024' } }],
  showAccount: [nothing],
  showUsage: [nothing],
  registerProduction: [{ body: { template: 'stall@1.0.0', stage: 'done', duration_s: 60 }, online: true }],
  passThrough: [{ fill: ['nothing'] }],
  downloadFile: [{ fill: ['pictures/none.png'] }],
  takeMusic: [{ fill: ['happy-piano-60', 'file'] }],
  selectMusic: [{ fill: ['happy-piano-60'] }],
  showPicture: [{ fill: ['0'.repeat(32)] }],

  findStickers: [
    { query: `${PINYIN}&limit=50&offset=10000` },
    { query: 'q=%E7%9A%84&limit=50&offset=10000' },
    { query: 'color=808080&distance=200&limit=50&offset=10000' },
    {
      query:
        'q=%E4%BA%BA&color=808080&distance=200&aspect=0.001..1000&min_duration=0&owned=false&limit=50&offset=10000',
    },
    { query: 'owned=true&limit=50&offset=10000' },
  ],
  completeWord: [{ query: 'q=s&limit=50' }, { query: `${PINYIN}&limit=50` }],
  listRelated: [{ fill: [preset], query: 'limit=50&offset=10000' }],
  planAssets: [{ body: { slots }, times: 4 }, { body: { slots, refresh: true } }],
  listTiles: [
    { query: `${PINYIN}&limit=200` },
    { query: `q=${encodeURIComponent(COMMON)}&limit=200` },
    { query: `q=${encodeURIComponent(COMMON)}&sort=length&limit=200` },
    { query: 'color=808080&distance=200&limit=200&offset=11000' },
    { query: 'q=%E4%BA%BA&color=808080&distance=200&sort=title&limit=200&offset=3000' },
    { query: 'sort=hue&owned=true&limit=200&offset=9000' },
  ],
  matchTiles: [
    { body: { text: copies.join('').slice(0, 2000), limit: 24 } },
    { body: { text: COPY, limit: 24, by: 'copy' } },
    {
      body: {
        text: SEARCHED.map(({ text }) => text).join('\n'),
        limit: 24,
        by: 'copy',
        lines: SEARCHED,
        filters: { color: '808080', distance: '200' },
      },
    },
  ],
  showTile: [ofPreset],
  showSketch: [ofPreset],
  showSticker: [ofPreset],
  showSummary: [nothing],
  watchEvents: [{ endless: true }],
  listCollections: [nothing],
  replaceCollection: [{ fill: ['stall'], body: { presets: PRESETS.slice(0, 4990) } }],
  addToCollection: [{ fill: ['stall', PRESETS[6000]!] }],
  removeFromCollection: [{ fill: ['stall', PRESETS[10]!] }],
  removeCollection: [{ fill: ['stall'] }],
  listProjects: [nothing],
  keepProject: [{ fill: ['stall'], body: { revision: 0, content: FULL_PROJECT } }],
  showProject: [{ fill: ['stall'] }],
  copyProject: [{ fill: ['stall'] }],
  removeProject: [{ fill: ['stall'] }],
  noteExports: [{ body: { presets: PRESETS.slice(0, 200) } }],
  putIntoFolder: [{ body: { presets: PRESETS.slice(0, 200) } }],
  revealFolder: [nothing],
  setUsualFolder: [nothing],
  putMade: [{ query: 'file=a.gif&offset=0', body: 'GIF8'.repeat(1024 * 1024) }],
  zipOwned: [{ query: presetsQuery }],
  showPageFile: [{ fill: ['page.js'], headers: { 'Accept-Encoding': 'br' } }],
  showFrontPage: [{ headers: { Accept: 'text/html' } }],
  showOpenApi: [{ headers: { 'Accept-Encoding': 'br' } }, { headers: { 'Accept-Encoding': 'gzip' } }],
  showGuide: [nothing],
  showStatus: [nothing],
  listFree: [{ query: presetsQuery }],
  findByDigest: [{ fill: ['0'.repeat(64)] }],
  showFacts: [ofPreset],
  showRender: [{ ...ofPreset, query: 'size=1024' }],
  showSheet: [
    {
      query: `${PRESETS.slice(0, 24)
        .map((one) => `preset=${encodeURIComponent(one)}`)
        .join('&')}&frames=4&tile=192`,
    },
  ],
  switchOffline: [{ body: { offline: false } }],
  showDefaultImage: [{ fill: ['1024x1024'] }],
  listDefaults: [nothing],
  addDefault: [{ fill: ['stall/default'], body: heavyLottie }],
  removeDefault: [{ fill: ['stall/default'] }],
  callTools: [
    { body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'match_stickers', arguments: MATCH } } },
  ],
  prefetch: [{ body: { presets: PRESETS.slice(2000, 2200), max_credits: 200 } }],
  listPurchases: [{ query: 'limit=10000' }, { query: 'limit=10000&state=refused' }, { query: 'preset=none' }],
  showPurchase: [{ fill: ['1'] }],
  settlePurchases: [nothing],
  settlePurchase: [{ fill: ['{round}1001'], body: { as: 'charged' } }],
  retryPurchase: [{ fill: ['2'] }],
  showSpending: [nothing],
  stopSpending: [{ body: { stopped: false } }],
  setBudget: [{ body: { request: 100, day: null, month: null } }],
  showLibrary: [nothing],
  syncLibrary: [{ query: 'max_requests=1' }],
  pauseLibrary: [nothing],
  resumeLibrary: [nothing],
  exportLibrary: [{ headers: { 'Accept-Encoding': 'br' } }, { headers: { 'Accept-Encoding': 'gzip' } }],
  importLibrary: [{ query: 'any_remote=1', body: stickers, headers: NDJSON }],
  exportOwned: [{ headers: { 'Accept-Encoding': 'br' } }, { query: `sha256=${'0'.repeat(64)}` }],
  importOwned: [{ body: Array.from({ length: 8 }, (_, at) => ownedLine(at)).join('\n'), headers: NDJSON }],
  listOwnStickers: [nothing],
  addOwnSticker: [{ fill: ['own/stall'], body: { title: 'stall', keywords: ['w'], lottie: heavyLottie } }],
  removeOwnSticker: [{ fill: ['own/stall'] }],
  listOrigins: [nothing],
  addOrigin: [{ fill: ['https://stall.example.com'] }],
  removeOrigin: [{ fill: ['https://stall.example.com'] }],
  showKey: [nothing],
  refreshKey: [nothing],
  listTokens: [nothing],
  addToken: [{ body: { name: 'stall{round}', day: 1 } }],
  leaseToken: [{ body: {}, endless: true }],
  beginRun: [{ body: { name: 'stalled' } }],
  showReport: [nothing],
  showHub: [nothing],
  listInvites: [nothing],
  invite: [{ body: { projects: Array.from({ length: 50 }, (_, at) => `p${at}`) } }],
  listMachines: [{ query: 'all=1' }],
  revokeMachine: [{ fill: ['1'] }],
  listHubBudgets: [nothing],
  setHubBudget: [{ body: { payer: 'all', period: 'day', credits: 1_000_000 } }],
  listHubPurchases: [{ query: 'limit=10000' }],
  auditHub: [nothing],
  removeMachines: [{ query: 'unseen_s=1' }],
  reportHub: [nothing, { query: 'by=project,user,machine' }],
  recoverHub: [nothing],
  warmHub: [{ body: { presets: PRESETS }, endless: true }],
  showHealth: [nothing],
  revokeToken: [{ fill: ['stall{round}'] }],
  openSession: [nothing],
  openPageCode: [nothing],
  enterSession: [{ query: 'code=none' }],
  // The last two end what the others need.
  rotateToken: [nothing],
  stop: [nothing],
};
