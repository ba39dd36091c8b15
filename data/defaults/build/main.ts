// Builds data/defaults: `npx tsx data/defaults/build/main.ts`. Stickers by the converter and the motions of the
// catalogue, one compressed file each; pictures by `backdrop.ts`.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';

import { buildDefaultSticker } from './default-sticker.js';
import { drawBackdrop } from './backdrop.js';
import { INTERFACE_DRAWINGS } from './interface-drawings.js';
import { compileMeanings } from './meanings.js';
import { SCENES, type Scene } from './scenes.js';

const defaults = new URL('../', import.meta.url);
const SIZES = [
  [1024, 1024],
  [1536, 1024],
  [1024, 1536],
] as const;

/** Whether it only stands in; the others are in the library of a new home, too. */
function isStandIn({ art, licence }: Scene): boolean {
  return licence !== undefined || art in INTERFACE_DRAWINGS;
}

function writeSticker(scene: Scene): string {
  const { line, bytes } = buildDefaultSticker(scene);
  const file = `stickers/${scene.name}.json.br`;
  writeFileSync(new URL(file, defaults), brotliCompressSync(bytes));
  return JSON.stringify({ ...line, file, ...(isStandIn(scene) && { standIn: true }) });
}

function writeStickers(): void {
  rmSync(new URL('stickers/', defaults), { recursive: true, force: true });
  mkdirSync(new URL('stickers/', defaults), { recursive: true });
  const lines = SCENES.map(writeSticker);
  writeFileSync(new URL('stickers.jsonl', defaults), `${lines.join('\n')}\n`);
}

function writeImages(): void {
  mkdirSync(new URL('images/', defaults), { recursive: true });
  for (const [width, height] of SIZES) {
    writeFileSync(new URL(`images/${width}x${height}.png`, defaults), drawBackdrop(width, height));
  }
}

writeStickers();
writeImages();
writeFileSync(new URL('meanings-compiled.txt', defaults), compileMeanings());
process.stderr.write(`${SCENES.length} default stickers, ${SIZES.length} pictures\n`);
