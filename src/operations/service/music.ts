// Music of the service: asking for it, hearing it and taking it is free, and svcd keeps none. Nothing is asked before the service
// itself has said that it offers music for nothing.

import { isFree, MUSIC_PATHS, readTracks, trackId, type MusicTrack, type MusicWish } from '../../contract/music.js';
import { describe, parseWith } from '../../contract/json-body.js';
import { assetOf, type Delivery } from '../../model/asset.js';
import { isSvcdError, SvcdError } from '../../model/errors.js';
import { CAPABILITY_OF, type Spender } from '../../model/spender.js';
import type { NoteFile } from '../../upstream/relay-address.js';
import { askFree, noRemote } from '../../upstream/remote.js';
import { askForJson } from '../money/show-account.js';
import type { Rooms } from '../rooms.js';
import { requireKey } from '../stickers/fallback-policy.js';
import { findCapability, type ListCapabilities } from './list-capabilities.js';

const TIMEOUT_MS = 60_000;
const NO_MUSIC = 'the service does not offer music';

/** All throw `not_enabled` where the service has no music for nothing, and the refusals of a free call. */
export interface Music {
  readonly find: (wish: MusicWish, asker: Spender) => Promise<MusicTrack[]>;
  /** Its `file` or its `preview`. */
  readonly take: (track: string, part: string, spender: Spender) => Promise<Delivery>;
  readonly select: (track: string, spender: Spender) => Promise<{ track: string }>;
}

export function createMusic({ remote, config, origin }: Rooms, list: ListCapabilities, note: NoteFile): Music {
  const requireMusic = async () => {
    const { body, source } = await list();
    const told = findCapability(CAPABILITY_OF.music, body);
    if (told['enabled'] === true && isFree(told)) return;
    if (source !== 'remote') throw new SvcdError('offline', 'the service cannot be asked whether it offers music');
    const why = told['enabled'] === true ? 'for nothing any more, and svcd buys none' : 'now';
    throw new SvcdError('not_enabled', `${NO_MUSIC} ${why}`);
  };
  const ask = async (method: 'GET' | 'POST', track: string, part: 'preview' | 'file' | 'select', spender: Spender) => {
    const key = requireKey(spender);
    parseWith(trackId, track);
    if (remote === undefined) throw noRemote();
    await requireMusic();
    const body = method === 'POST' ? { body: Buffer.from('{}'), contentType: 'application/json' } : {};
    const time = { timeoutMs: TIMEOUT_MS, queueTimeoutMs: TIMEOUT_MS, maxBytes: config.maxFileBytes };
    return askFree(remote, { method, path: MUSIC_PATHS.part(track, part), key, cost: 'free', ...body, ...time });
  };
  return {
    find: async (wish, asker) => {
      const key = requireKey(asker);
      await requireMusic();
      try {
        return readTracks(JSON.parse(await askForJson(remote, MUSIC_PATHS.search(wish), key, origin(), note)));
      } catch (cause) {
        if (isSvcdError(cause, 'not_found'))
          throw new SvcdError('not_enabled', `${NO_MUSIC} where svcd looks`, { cause });
        throw cause;
      }
    },
    take: async (track, part, spender) => {
      if (part !== 'file' && part !== 'preview') throw new SvcdError('not_found', 'a track has a file and a preview');
      const { bytes, headers } = await ask('GET', track, part, spender);
      const type = headers['content-type'] ?? '';
      // Whatever else it is would be opened at svcd's own address.
      if (/^audio\/[\w.+-]+$|^application\/ogg$/.test(type))
        return { ...assetOf(bytes, type), source: 'remote', cost: 0 };
      throw new SvcdError(
        'upstream_failure',
        `the service gave no sound for the track ${track}, but ${describe(type)}`,
      );
    },
    select: async (track, spender) => {
      await ask('POST', track, 'select', spender);
      return { track };
    },
  };
}
