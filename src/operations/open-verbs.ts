// Everything svcd can do, one function a verb, each with what it needs of the opened rooms and of other verbs.

import { LIMIT_DEFAULT } from '../contract/limits.js';
import { createFallbackSticker } from '../defaults/fallback-sticker.js';
import { progressOf } from '../harvest/harvest-status.js';
import type { Delivery } from '../model/asset.js';
import { isSvcdError } from '../model/errors.js';
import { itemOf } from '../purchases/item.js';
import { createNamedFiles } from '../purchases/linked-addresses.js';
import { openOwnedDigests } from '../purchases/sqlite/owned-digests.js';
import { createPlanAssets } from '../video/choose/plan-assets.js';
import { createLimitsOf } from '../video/choose/plan-limits.js';
import { createGenerateImage } from './images/generate-image.js';
import { createShowPicture } from './images/show-picture.js';
import { createLearnQuietly } from './library/learn-quietly.js';
import { createShowAccount } from './money/show-account.js';
import { createOwnedFiles, createOwnedPresets, createZipOwned } from './owned/owned-files.js';
import { createPutIntoFolder } from './owned/put-into-folder.js';
import { createTransferOwned } from './owned/transfer-owned.js';
import { createListTiles } from './page/list-tiles.js';
import { createMakeTiles } from './page/make-tiles.js';
import { createMatchTiles } from './page/match-tiles.js';
import { createShowSketch, createShowSticker, createShowTile } from './page/show-tile.js';
import { openShownArt } from './page/shown-art.js';
import type { Rooms } from './rooms.js';
import { createFindStickers, createListRelated } from './search/find-stickers.js';
import { createCandidateLister } from './search/list-candidates.js';
import { createSearchWithRemote } from './search/search.js';
import { createMatchStickers, createSearchStickers } from './search/search-stickers.js';
import { lettingLongCopiesWait, typeAhead } from './search/wait-until-warm.js';
import { createListCapabilities, isKnownOff } from './service/list-capabilities.js';
import { createMusic } from './service/music.js';
import { createPassThrough } from './service/pass-through.js';
import { createDrawPictures } from './stickers/draw-pictures.js';
import { createFetchSticker } from './stickers/fetch.js';
import { createFindByDigest, rememberServed } from './stickers/find-by-digest.js';
import { createPrefetchAssets } from './stickers/prefetch-assets.js';
import { createShowFacts } from './stickers/show-facts.js';
import { createRegisterProduction } from './video/register-production.js';

export type Verbs = ReturnType<typeof openVerbs>;

export function openVerbs(rooms: Rooms) {
  const { config, library, remote, accounts, clock, owned, origin } = rooms;
  const files = createNamedFiles(owned);
  const quiet = createLearnQuietly(rooms);
  const lister = createCandidateLister({ originals: library, origin, from: remote?.baseUrl, noteFile: files.note });
  const ownedPresets = createOwnedPresets(owned);
  const { fallbackSticker, findServed } = rememberServed(
    createFallbackSticker({
      ...rooms,
      whenNothingFits: config.whenNothingFits,
      owned: {
        listStickers: (afterId, limit) => owned.listStickers(afterId, limit),
        read: async (preset) => (await owned.find(itemOf(preset)))?.bytes,
      },
    }),
  );
  const finders = lettingLongCopiesWait(
    createSearchWithRemote(rooms, quiet, {
      searchStickers: createSearchStickers(library, lister),
      matchStickers: createMatchStickers(library, lister),
      findStickers: createFindStickers(library, ownedPresets, origin),
    }),
    rooms.untilWarm,
  );
  const listCapabilities = createListCapabilities(remote, accounts, clock, origin, files.note);
  const music = createMusic(rooms, listCapabilities, files.note);
  const showAccount = createShowAccount(remote, accounts, origin, files.note);
  const fetchSticker = counted(createFetchSticker({ ...rooms, ...quiet, fallbackSticker }), rooms.deliveries);
  const generateImage = counted(createGenerateImage({ ...rooms, files }), rooms.deliveries);
  const facts = createShowFacts(rooms);
  const ownedFiles = createOwnedFiles(rooms);
  const art = openShownArt();
  const tileSources = { ...rooms, ownedPresets, art };
  const makeTiles = createMakeTiles(tileSources);
  const showSticker = createShowSticker(tileSources, ownedFiles, rooms.reader);
  const untilOwnFound = () => {
    library.setOwnStickers(rooms.own.list().map(({ sticker }) => sticker));
    return library.untilFound();
  };
  return {
    finders,
    planAssets: createPlanAssets({
      ...rooms,
      ownedPresets,
      askAbout: async ({ text, keywords }, asker, allMs, isOneOfMany) =>
        finders.ask({ text, keywords, limit: LIMIT_DEFAULT }, asker, allMs, isOneOfMany),
      findMusic: music.find,
      askBalance: async (spender) => (await showAccount('/api/v1/usage', spender)).source === 'remote',
      isOff: (capability) => isKnownOff(capability, accounts),
      libraryState: () => ({ known: progressOf(library, rooms.harvest).known, complete: library.isComplete() }),
      limitsOf: createLimitsOf(rooms),
      verdictOf: facts.verdictOf,
      isStopped: () => rooms.guard.findStop() !== undefined,
    }),
    listTiles: typeAhead(createListTiles(tileSources, makeTiles)),
    matchTiles: createMatchTiles(tileSources, makeTiles),
    showTile: createShowTile(tileSources, showSticker, makeTiles),
    showSticker,
    showSketch: createShowSketch(art),
    zipOwned: createZipOwned(ownedFiles),
    folder: createPutIntoFolder(rooms, ownedFiles),
    transferOwned: createTransferOwned(rooms.carrier, untilOwnFound, config.maxFileBytes),
    listRelated: createListRelated(library, ownedPresets, origin),
    fetchSticker,
    generateImage,
    prefetchAssets: createPrefetchAssets({ ...rooms, fetchSticker, generateImage }),
    findByDigest: createFindByDigest({
      ...rooms,
      digests: openOwnedDigests(rooms.database),
      findServed,
      findCredit: quiet.findCredit,
    }),
    showPicture: createShowPicture(rooms),
    showAccount,
    facts,
    pictures: createDrawPictures(rooms, facts),
    listCapabilities,
    music,
    registerProduction: createRegisterProduction(remote),
    passThrough: createPassThrough(remote, owned, origin, config.maxFileBytes, files, rooms.guard, quiet.learn),
  };
}

function counted<R, D extends Pick<Delivery, 'source' | 'reason'>>(
  deliver: (request: R) => Promise<D>,
  counts: Rooms['deliveries'],
): (request: R) => Promise<D> {
  if (counts === undefined) return deliver;
  const add = (from: string) => void counts.set(from, (counts.get(from) ?? 0) + 1);
  return async (request) => {
    const delivery = await deliver(request).catch((error: unknown) => {
      add(`refused ${isSvcdError(error) ? error.code : 'internal'}`);
      throw error;
    });
    add(delivery.source === 'default' ? `default ${delivery.reason ?? ''}` : delivery.source);
    return delivery;
  };
}
