// Background music over HTTP. The document describes it and shows no path: every path and field here is our choice.

import { type ErrorCode, SvcdError } from '../../model/errors.js';
import { requirePermissions, type Permission } from '../key-store.js';
import { addressOf, callerOf, listOf, route, sendFile, type Ask, type SandboxModule } from '../service-route.js';
import { iso, type SandboxState } from '../state/sandbox-state.js';
import type { Answer } from '../wire/answer-schemas.js';
import { createRecorder, PREVIEW_S } from './recording.js';
import { chooseTracks, findTrack, MUSIC_PARAMETERS, readMusicQuery, type Track } from './track-list.js';

const CAPABILITY = 'music.search';

interface PrivateAsset {
  id: string;
  track: string;
  at: number;
}

/** Made in a sandbox that has none: only one that runs with music needs it. */
const ASSET_TABLE = `
  CREATE TABLE IF NOT EXISTS private_asset (
    id      TEXT PRIMARY KEY,
    account INTEGER NOT NULL,
    track   TEXT NOT NULL,
    at      INTEGER NOT NULL,
    UNIQUE (account, track)
  ) STRICT;
`;

/** Search, preview, full download and selecting of music. All of it costs nothing. */
export const music: SandboxModule = {
  name: 'music',
  capabilities: [{ id: CAPABILITY, name: 'Background music', status: 'available', enabled: true, cost: 0 }],
  routes: ({ state }) => {
    state.db.exec(ASSET_TABLE);
    const record = createRecorder();
    return [
      route(
        'GET music/search',
        ['searchMusic', 'Candidate tracks, free'],
        { ...musical('invalid_request'), answer: 'Tracks', parameters: MUSIC_PARAMETERS },
        needing(['music.search'], (c) => {
          const { total, tracks } = chooseTracks(readMusicQuery(new URL(c.req.url).searchParams));
          return { total, results: tracks.map((track) => candidateOf(c, track)) };
        }),
      ),
      route(
        'GET music/tracks/{track}/preview',
        ['previewTrack', 'The beginning of a track, free'],
        { ...musical('not_found'), answer: 'wav' },
        needing(['music.search'], async (c) => sendFile(c, await record(trackIn(c), 'preview'), 'audio/wav')),
      ),
      route(
        'GET music/tracks/{track}/file',
        ['downloadTrack', 'A whole track, free'],
        { ...musical('not_found'), answer: 'wav' },
        needing(['music.search', 'assets.read'], async (c) =>
          sendFile(c, await record(trackIn(c), 'full'), 'audio/wav'),
        ),
      ),
      route(
        'POST music/tracks/{track}/select',
        ['selectTrack', 'Select a track into the private assets, free'],
        { ...musical('not_found'), answer: 'Asset' },
        needing(['music.search', 'assets.write'], (c, account) => ({
          ...assetView(c, select(state, account, trackIn(c).id)),
          cost: 0 as const,
        })),
      ),
      route(
        'GET assets',
        ['listAssets', 'Private assets'],
        { ...musical(), answer: listOf('assets', 'Asset') },
        needing(['assets.read'], (c, account) => ({
          assets: list(state, account).map((asset) => assetView(c, asset)),
        })),
      ),
    ];
  },
};

function musical(...errors: readonly ErrorCode[]) {
  return { capability: CAPABILITY, errors: ['permission_missing', 'not_enabled', ...errors] as const };
}

/** Answers a Key with these permissions, by its account. Throws `permission_missing`. */
function needing<T>(needs: readonly Permission[], respond: (c: Ask, account: number) => T): (c: Ask) => T {
  return (c) => {
    const caller = callerOf(c);
    requirePermissions(caller, needs);
    return respond(c, caller.account);
  };
}

function candidateOf(c: Ask, { id, purposes, ...track }: Track): Answer<'Tracks'>['results'][number] {
  return {
    track: id,
    title: track.title,
    purposes: [...purposes],
    mood: track.mood,
    style: track.style,
    duration: track.duration,
    cost: 0,
    preview_duration: PREVIEW_S,
    preview: addressOf(c, `music/tracks/${id}/preview`),
    file: fileOf(c, id),
  };
}

function assetView(c: Ask, { id, track, at }: PrivateAsset): Answer<'Asset'> {
  return { asset_id: id, track, selected_at: iso(at), file: fileOf(c, track) };
}

function fileOf(c: Ask, track: string): string {
  return addressOf(c, `music/tracks/${track}/file`);
}

function trackIn(c: Ask): Track {
  const track = findTrack(c.req.param('track') ?? '');
  if (track === undefined) throw new SvcdError('not_found', 'There is no such track.');
  return track;
}

/** The asset of a track; selecting one twice changes nothing. */
function select(state: SandboxState, account: number, track: string): PrivateAsset {
  const known = list(state, account).find((one) => one.track === track);
  if (known !== undefined) return known;
  const { db, clock, seed } = state;
  const asset = { id: seed.nextId('asset'), track, at: clock.now() };
  db.insert('private_asset', { account, ...asset });
  return asset;
}

/** An account's assets, the first selected first. */
function list(state: SandboxState, account: number): PrivateAsset[] {
  const sql = 'SELECT id, track, at FROM private_asset WHERE account = ? ORDER BY at, rowid';
  return state.db.all(sql, account);
}
