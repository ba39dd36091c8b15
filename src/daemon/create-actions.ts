// Gives every verb of actions/ what it needs of the other rooms.

import { createSearchWithRemote } from '../operations/search/search.js';
import { createFindByDigest, rememberServed } from '../operations/stickers/find-by-digest.js';
import { createFetchSticker } from '../operations/stickers/fetch.js';
import { createFindStickers, createListRelated } from '../operations/search/find-stickers.js';
import { createGenerateImage } from '../operations/images/generate-image.js';
import { createListTiles } from '../operations/page/list-tiles.js';
import { createMakeTiles } from '../operations/page/make-tiles.js';
import { createMatchTiles } from '../operations/page/match-tiles.js';
import { createShowTile } from '../operations/page/show-tile.js';
import { openShownArt } from '../operations/page/shown-art.js';
import { createShowSketch, createShowSticker } from '../operations/page/show-sticker.js';
import { createListCapabilities, isKnownOff } from '../operations/service/list-capabilities.js';
import { createCandidateLister } from '../operations/search/list-candidates.js';
import { createMatchStickers } from '../operations/search/match-stickers.js';
import { createPlanAssets } from '../video/choose/plan-assets.js';
import { createLimitsOf } from '../video/choose/plan-limits.js';
import { createOwnedFiles } from '../operations/owned/owned-files.js';
import { createOwnedPresets } from '../operations/owned/owned-presets.js';
import { createPrefetchAssets } from '../operations/stickers/prefetch-assets.js';
import { createPutIntoFolder } from '../operations/owned/put-into-folder.js';
import { createPassThrough } from '../operations/service/pass-through.js';
import { createRegisterProduction } from '../operations/video/register-production.js';
import { createSearchStickers } from '../operations/search/search-stickers.js';
import { createShowAccount } from '../operations/money/show-account.js';
import { createShowFacts } from '../operations/stickers/show-facts.js';
import { createShowPicture } from '../operations/images/show-picture.js';
import { createZipOwned } from '../operations/owned/zip-owned.js';
import { LIMIT_DEFAULT } from '../contract/limits.js';
import type { WhenNothingFits } from '../config/config.js';
import { createFallbackSticker } from '../defaults/fallback-sticker.js';
import type { Harvest } from '../harvest/harvest.js';
import { fillOf, progressOf } from '../harvest/harvest-status.js';
import type { Clock } from '../platform/clock.js';
import type { LearnedAnswer } from '../library/storage/learned-data.js';
import type { Library } from '../library/library.js';
import type { Log } from '../platform/log.js';
import type { OpenOutside } from '../platform/open-outside.js';
import type { StickerReader } from '../lottie/read-sticker.js';
import type { DefaultPack } from '../defaults/default-pack.js';
import type { RegisteredDefaults } from '../defaults/registered-defaults.js';
import { createNamedFiles } from '../purchases/named-files.js';
import { itemOf } from '../purchases/item.js';
import { openOwnedDigests } from '../purchases/owned-digests.js';
import type { PurchaseStores } from '../purchases/open-purchases.js';
import type { PurchaseCoordinator } from '../purchases/purchase-coordinator.js';
import type { Remote } from '../upstream/remote.js';
import { lettingLongCopiesWait, typeAhead } from './warm-up.js';

/** What the verbs are made of. */
export interface ActionParts extends PurchaseStores {
  readonly library: Library;
  readonly harvest: Harvest;
  /** Address of the remote, `sandbox` or `none`. */
  readonly scope: string;
  /** What tells fresh pictures of this machine from those of others that share a hub. */
  readonly freshMark: string;
  readonly defaults: DefaultPack;
  readonly registered: RegisteredDefaults;
  readonly coordinator: PurchaseCoordinator;
  readonly remote: Remote | undefined;
  readonly clock: Clock;
  readonly origin: () => string;
  readonly userKey: () => string | undefined;
  readonly askWaitMs: number | undefined;
  readonly maxFileBytes: number;
  readonly reader: StickerReader;
  readonly whenNothingFits: WhenNothingFits;
  readonly home: string;
  readonly findFolder: () => string | undefined;
  readonly openOutside: OpenOutside;
  readonly log: Log;
  /** When everything that a first copy would wait for is read; undefined when it is. */
  readonly untilWarm: () => Promise<void> | undefined;
}

/** Everything svcd can do, wired to what it needs. */
export function createActions(parts: ActionParts) {
  const { library, remote, accounts, clock, owned, origin } = parts;
  const files = createNamedFiles(owned);
  const lister = createCandidateLister({ originals: library, origin, from: remote?.baseUrl, noteFile: files.note });
  const { log } = parts;
  // The client has its answer already: that svcd cannot learn from it (a full disk) is no reason to refuse it.
  const quietly = (work: () => unknown) => {
    try {
      work();
    } catch (error) {
      log.warn('the library could not learn', { why: String(error) });
    }
  };
  const noteGone = (preset: string) => quietly(() => library.markGone(preset, clock.now()));
  // A library that cannot be read costs a credit line, never a file that was paid for.
  const findCredit = (preset: string) => {
    try {
      return library.findCredit(preset);
    } catch (error) {
      log.warn('the licence of a sticker could not be looked up', { why: String(error) });
      return undefined;
    }
  };
  const noteThere = (preset: string) => quietly(() => library.markThere(preset, clock.now()));
  const learn = (answer: LearnedAnswer) => quietly(() => library.learn(answer, clock.now()));
  const ownedPresets = createOwnedPresets(owned);
  const { fallbackSticker, findServed } = rememberServed(
    createFallbackSticker({
      ...parts,
      owned: {
        listStickers: (afterId, limit) => owned.listStickers(afterId, limit),
        read: async (preset) => (await owned.find(itemOf(preset)))?.bytes,
      },
    }),
  );
  const finders = lettingLongCopiesWait(
    createSearchWithRemote({
      remote,
      clock,
      learn,
      userKey: parts.userKey,
      waitMs: parts.askWaitMs,
      library,
      fill: () => fillOf(library, parts.harvest),
      searchStickers: createSearchStickers(library, lister),
      matchStickers: createMatchStickers(library, lister),
      findStickers: createFindStickers(library, ownedPresets, origin),
    }),
    parts.untilWarm,
  );
  const showAccount = createShowAccount(remote, accounts, origin, files.note);
  const fetchSticker = createFetchSticker({ ...parts, fallbackSticker, noteGone, noteThere, findCredit });
  const generateImage = createGenerateImage({ ...parts, files });
  const facts = createShowFacts(parts);
  const ownedFiles = createOwnedFiles(parts);
  const art = openShownArt();
  const tileParts = { ...parts, ownedPresets, art, isSandbox: parts.scope === 'sandbox' };
  const makeTiles = createMakeTiles(tileParts);
  const showSticker = createShowSticker({ ...tileParts, ownedFiles });
  return {
    finders,
    planAssets: createPlanAssets({
      ...parts,
      ownedPresets,
      match: async ({ text, keywords }, asker) =>
        (await finders.match({ text, keywords, limit: LIMIT_DEFAULT }, asker)).unheard,
      askBalance: async (spender) => (await showAccount('/api/v1/usage', spender)).source === 'remote',
      isOff: (capability) => isKnownOff(capability, accounts),
      libraryState: () => ({ known: progressOf(library, parts.harvest).known, complete: library.isComplete() }),
      limitsOf: createLimitsOf(parts),
      verdictOf: facts.verdictOf,
      isStopped: () => parts.guard.findStop() !== undefined,
    }),
    listTiles: typeAhead(createListTiles(tileParts, makeTiles)),
    matchTiles: createMatchTiles(tileParts, makeTiles),
    showTile: createShowTile({ ...tileParts, showSticker }, makeTiles),
    showSticker,
    showSketch: createShowSketch(art),
    zipOwned: createZipOwned(ownedFiles),
    folder: createPutIntoFolder({ ...parts, ownedFiles }),
    listRelated: createListRelated(library, ownedPresets, origin),
    fetchSticker,
    generateImage,
    prefetchAssets: createPrefetchAssets({
      ...parts,
      fetchSticker,
      generateImage,
      heldForMs: () => remote?.heldForMs() ?? 0,
    }),
    findByDigest: createFindByDigest({ ...parts, digests: openOwnedDigests(parts.database), findServed, findCredit }),
    showPicture: createShowPicture(parts),
    showAccount,
    facts,
    listCapabilities: createListCapabilities(remote, accounts, clock, origin, files.note),
    registerProduction: createRegisterProduction(remote),
    passThrough: createPassThrough(remote, owned, origin, parts.maxFileBytes, files, parts.guard, learn),
  };
}
