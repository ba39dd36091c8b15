// The twin of render-video.ts, written with svcd/client: the same video of the same copy, and the same manifest.
// `render-with-client.ts OUT_FOLDER [COPY.json]`

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Asset } from '../../../src/client/client-types.js';
import { connect, isSvcdError } from '../../../src/client/connect.js';
import { drawFrames } from './draw-frames.js';
import { OWN_PICTURE, OWN_STICKER } from './own-assets.js';
import { sha256Of, writeVideo, type Copy, type Loaded } from './video-manifest.js';

const AT_ONCE = 4;

const [out = '.', copyFile = join(import.meta.dirname, 'copy.json')] = process.argv.slice(2);
const { template, layout, copy, scenes, presets, image } = JSON.parse(readFileSync(copyFile, 'utf8')) as Copy;
const svcd = await connect();

const registered = [await register('plan')];
const picks = presets ?? (await pickStickers());
const stickers: Loaded[] = [];
for (let at = 0; at < scenes.length; at += AT_ONCE) {
  const some = scenes.slice(at, at + AT_ONCE).map(async (scene, i): Promise<Loaded> => {
    const preset = picks[at + i] ?? '';
    return { kind: 'sticker', scene, preset, ...(await load(svcd.sticker(preset), OWN_STICKER)) };
  });
  stickers.push(...(await Promise.all(some)));
}
const loaded = await load(svcd.image(image), OWN_PICTURE);
const picture: Loaded = { kind: 'image', scene: image.prompt, ...loaded };
const frames = await drawFrames(
  stickers.map(({ bytes }) => bytes),
  picture.bytes,
);
registered.push(await register('done'));

writeVideo(out, [...stickers, picture], frames, registered);

/** The best sticker of each scene that no other scene has. */
async function pickStickers(): Promise<string[]> {
  const taken = new Set<string>();
  for (const scene of scenes) {
    const { results } = await svcd.match({ text: copy, keywords: [scene], limit: 5 });
    taken.add(results.find(({ preset }) => !taken.has(preset))?.preset ?? scene);
  }
  return [...taken];
}

/** What svcd gives; the template's own where a person has to act first. */
async function load(asset: Promise<Asset>, own: Uint8Array) {
  try {
    const { bytes, reason } = await asset;
    return { status: 200, from: 'service', bytes, ...(reason === 'no_svcd' && { reason }) } as const;
  } catch (error) {
    if (!isSvcdError(error)) throw error;
    return { status: error.status ?? 0, from: 'template', bytes: own } as const;
  }
}

/** Tells the service about this production; a render does not depend on the answer. */
async function register(stage: 'plan' | 'done'): Promise<number> {
  const package_sha256 = sha256Of(new TextEncoder().encode(template));
  const body = { template, package_sha256, host: 'other', layout, duration_s: scenes.length, stage };
  const url = `${process.env['SERVICE_BASE_URL']}/api/v1/productions`;
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) }).catch(() => undefined);
  return answer?.status ?? 0;
}
