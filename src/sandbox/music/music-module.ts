// Background music over HTTP. The document describes it and shows no path: every path and field here is our choice.

import { SvcdError } from '../../model/errors.js';
import { requirePermissions, type Key, type Permission } from '../key-store.js';
import { callerOf } from '../sandbox-env.js';
import type { SandboxModule } from '../sandbox-module.js';
import type { SandboxState } from '../state/sandbox-state.js';
import { FREE_GET, POST, sendFile, type Ask, type Route } from '../service-routes.js';
import type { Answer } from '../wire/answer-schemas.js';
import { readMusicQuery } from './music-query.js';
import { createRecorder, PREVIEW_S } from './recording.js';
import { chooseTracks, findTrack, type Track } from './track-list.js';

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
    const sound = async (c: Ask, part: 'preview' | 'full') => sendFile(c, await record(trackIn(c), part), 'audio/wav');
    return [
      route(FREE_GET, 'music/search', ['music.search'], answerSearch),
      route(FREE_GET, 'music/tracks/:track/preview', ['music.search'], (c) => sound(c, 'preview')),
      route(FREE_GET, 'music/tracks/:track/file', ['music.search', 'assets.read'], (c) => sound(c, 'full')),
      route(POST, 'music/tracks/:track/select', ['music.search', 'assets.write'], (c, { account }) =>
        c.json({ ...assetView(c, select(state, account, trackIn(c).id)), cost: 0 }),
      ),
      route(FREE_GET, 'assets', ['assets.read'], (c, { account }) =>
        c.json({ assets: list(state, account).map((asset) => assetView(c, asset)) }),
      ),
    ];
  },
};

function route(
  methods: readonly string[],
  path: string,
  needs: readonly Permission[],
  respond: (c: Ask, caller: Key) => Response | Promise<Response>,
): Route {
  const answer = (c: Ask) => {
    const caller = callerOf(c);
    requirePermissions(caller, needs);
    return respond(c, caller);
  };
  return { methods, path, key: 'needed', capability: CAPABILITY, answer };
}

function answerSearch(c: Ask): Response {
  const { total, tracks } = chooseTracks(readMusicQuery(new URL(c.req.url).searchParams));
  return c.json({ total, results: tracks.map((track) => candidateOf(c, track)) });
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
    preview: addressOf(c, id, 'preview'),
    file: addressOf(c, id, 'file'),
  };
}

function assetView(c: Ask, { id, track, at }: PrivateAsset): Answer<'Asset'> {
  return { asset_id: id, track, selected_at: new Date(at).toISOString(), file: addressOf(c, track, 'file') };
}

function addressOf(c: Ask, track: string, what: 'preview' | 'file'): string {
  return `${new URL(c.req.url).origin}/api/v1/music/tracks/${track}/${what}`;
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
