// A template runtime as an author of templates might write it: it reads its copy, asks for stickers that suit it, downloads
// what it picks and one image, registers the production, draws frames, and writes down what it drew. It knows the
// service's document, the environment variables named there, and nothing else. `render-video.ts OUT_FOLDER [COPY.json]`

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { get, jsonOf, post } from './ask-service.js';
import { drawFrames } from './draw-frames.js';
import { OWN_PICTURE, OWN_STICKER } from './own-assets.js';
import { sha256Of, writeVideo, type Copy, type Loaded } from './video-manifest.js';

interface Candidate {
  readonly preset: string;
  readonly file: string;
}

const AT_ONCE = 4;
const LIMIT = 5;

const [out = '.', copyFile = join(import.meta.dirname, 'copy.json')] = process.argv.slice(2);
const { template, layout, copy, scenes, presets, image } = JSON.parse(readFileSync(copyFile, 'utf8')) as Copy;

const registered = [await register('plan')];
const picks = presets?.map(planned) ?? (await pickStickers());
const stickers = await inTurns(scenes, (scene, i) => downloadSticker(scene, picks[i]));
const picture = await makeImage();
const frames = await drawFrames(
  stickers.map(({ bytes }) => bytes),
  picture.bytes,
);
registered.push(await register('done'));

writeVideo(out, [...stickers, picture], frames, registered);

function planned(preset: string): Candidate {
  return { preset, file: `/api/v1/stickers/${encodeURIComponent(preset)}` };
}

/** The best sticker of each scene that no other scene has. */
async function pickStickers(): Promise<(Candidate | undefined)[]> {
  const taken = new Set<string>();
  const found: (Candidate | undefined)[] = [];
  for (const scene of scenes) {
    const answer = await post('/api/v1/stickers/match', { text: copy, keywords: [scene], limit: LIMIT });
    const { results = [] } = answer.status === 200 ? (jsonOf(answer) as { results?: Candidate[] }) : {};
    const pick = results.find(({ preset }) => !taken.has(preset));
    if (pick !== undefined) taken.add(pick.preset);
    found.push(pick);
  }
  return found;
}

async function downloadSticker(scene: string, pick: Candidate | undefined): Promise<Loaded> {
  const own = { kind: 'sticker', scene, from: 'template', bytes: OWN_STICKER } as const;
  if (pick === undefined) return { ...own, status: 0 };
  const { preset, file: address } = pick;
  const { status, bytes } = await get(address);
  if (status !== 200) return { ...own, preset, address, status };
  return { kind: 'sticker', scene, preset, address, status, from: 'service', bytes };
}

async function makeImage(): Promise<Loaded> {
  const answer = await post('/api/v1/images', image);
  const own = { kind: 'image', scene: image.prompt, from: 'template', bytes: OWN_PICTURE } as const;
  if (answer.status !== 200) return { ...own, status: answer.status };
  const { url: address } = jsonOf(answer) as { url: string };
  const { status, bytes } = await get(address);
  if (status !== 200) return { ...own, address, status };
  return { kind: 'image', scene: image.prompt, address, status, from: 'service', bytes };
}

/** Tells the service about this production; a render does not depend on the answer. */
async function register(stage: 'plan' | 'done'): Promise<number> {
  const answer = await post('/api/v1/productions', {
    template,
    package_sha256: sha256Of(new TextEncoder().encode(template)),
    host: 'other',
    layout,
    duration_s: scenes.length,
    materials: ['sticker.lottie', 'image.generated'],
    stage,
  });
  return answer.status;
}

async function inTurns<T, R>(items: readonly T[], work: (item: T, i: number) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let i = next++; i < items.length; i = next++) results[i] = await work(items[i] as T, i);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}
