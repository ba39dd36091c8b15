// Background music over HTTP. The document describes it and shows no path: every path and field here is our choice.

import type { Context } from 'hono';
import { SvcdError } from '../../model/errors.js';
import type { Capability } from '../../contract/capability.js';
import { parseMusicQuery } from './music-query.js';
import type { Permission } from '../control-requests.js';
import { callerOf, type SandboxEnv } from '../gate.js';
import type { Key } from '../keyring.js';
import { requirePermissions } from '../require-permissions.js';
import type { Route } from '../sandbox-app.js';
import type { SandboxModule } from '../sandbox-module.js';
import { PrivateAssets, type PrivateAsset } from './private-assets.js';
import { createRecorder, PREVIEW_S } from './recording.js';
import { chooseTracks, findTrack, type Track } from './track-list.js';

type Ask = Context<SandboxEnv>;
type Answer = (c: Ask, caller: Key) => Response | Promise<Response>;

const CAPABILITY = 'music.search';
const GET = ['GET', 'HEAD'];
const POST = ['POST'];

const CAPABILITIES: readonly Capability[] = [
  { id: CAPABILITY, name: 'Background music', status: 'available', enabled: true, cost: 0 },
];

/** Search, preview, full download and selecting of music. All of it costs nothing. */
export const music: SandboxModule = {
  name: 'music',
  capabilities: CAPABILITIES,
  routes: ({ db, clock, seed }) => {
    const assets = new PrivateAssets(db, clock, seed);
    const record = createRecorder();
    const sound = async (c: Ask, part: 'preview' | 'full') => wav(c, await record(trackIn(c), part));
    return [
      route(GET, 'music/search', ['music.search'], answerSearch),
      route(GET, 'music/tracks/:track/preview', ['music.search'], (c) => sound(c, 'preview')),
      route(GET, 'music/tracks/:track/file', ['music.search', 'assets.read'], (c) => sound(c, 'full')),
      route(POST, 'music/tracks/:track/select', ['music.search', 'assets.write'], (c, { account }) =>
        c.json({ ...assetView(c, assets.select(account, trackIn(c).id)), cost: 0 }),
      ),
      route(GET, 'assets', ['assets.read'], (c, { account }) =>
        c.json({ assets: assets.list(account).map((asset) => assetView(c, asset)) }),
      ),
    ];
  },
};

function route(
  methods: readonly string[],
  path: string,
  needs: readonly Permission[],
  answer: Answer,
): Route {
  return {
    methods,
    path,
    key: 'needed',
    capability: CAPABILITY,
    answer: (c) => {
      const caller = callerOf(c);
      requirePermissions(caller, needs);
      return answer(c, caller);
    },
  };
}

function answerSearch(c: Ask): Response {
  const { total, tracks } = chooseTracks(parseMusicQuery(new URL(c.req.url).searchParams));
  return c.json({ total, results: tracks.map((track) => candidateOf(c, track)) });
}

function candidateOf(c: Ask, { id, ...track }: Track): object {
  return {
    track: id,
    ...track,
    cost: 0,
    preview_duration: PREVIEW_S,
    preview: addressOf(c, id, 'preview'),
    file: addressOf(c, id, 'file'),
  };
}

function assetView(c: Ask, { id, track, at }: PrivateAsset): object {
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

function wav(c: Ask, audio: Buffer): Response {
  return c.body(new Uint8Array(audio), 200, {
    'Content-Type': 'audio/wav',
    'Content-Length': String(audio.byteLength),
  });
}
