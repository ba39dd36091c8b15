// Builds data/defaults: `npx tsx data/defaults/build/main.ts`. Stickers by the converter and the motions of the
// catalogue, one readable file each; pictures by `backdrop.ts`.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';

import { writeJson } from '../../catalogue/build/write-json.js';
import { buildDefaultSticker } from './default-sticker.js';
import { drawBackdrop } from './backdrop.js';
import { SCENES, type Scene } from './scenes.js';

const defaults = new URL('../', import.meta.url);
const SIZES = [
  [1024, 1024],
  [1536, 1024],
  [1024, 1536],
] as const;

async function writeSticker(scene: Scene): Promise<string> {
  const { line, bytes } = buildDefaultSticker(scene);
  const file = `stickers/${scene.name}.json`;
  await writeJson(new URL(file, defaults), bytes.toString());
  return JSON.stringify({ ...line, file });
}

async function writeStickers(): Promise<void> {
  rmSync(new URL('stickers/', defaults), { recursive: true, force: true });
  mkdirSync(new URL('stickers/', defaults), { recursive: true });
  const lines: string[] = [];
  for (const scene of SCENES) lines.push(await writeSticker(scene));
  writeFileSync(new URL('stickers.jsonl', defaults), `${lines.join('\n')}\n`);
}

function writeImages(): void {
  mkdirSync(new URL('images/', defaults), { recursive: true });
  for (const [width, height] of SIZES) {
    writeFileSync(new URL(`images/${width}x${height}.png`, defaults), drawBackdrop(width, height));
  }
}

await writeStickers();
writeImages();
process.stderr.write(`${SCENES.length} default stickers, ${SIZES.length} pictures\n`);
