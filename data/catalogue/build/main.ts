// Builds data/catalogue: `npx tsx data/catalogue/build/main.ts [SOURCE.jsonl]`. Without a source the lines of
// the present catalogue are built anew, so a clean clone can make the same files again.

import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';

import { packFiles, packOf, type PackedFile, type Packs } from './blocks.js';
import { readSourceLines } from './source-lines.js';
import { buildSticker, type BuiltSticker, type SourceLine } from './sticker.js';
import { titlesOf } from './titles.js';
import { writeJson } from './write-json.js';

const catalogue = new URL('../', import.meta.url);
const stickersFile = new URL('stickers.jsonl', catalogue);

const say = (text: string): void => void process.stderr.write(`${text}\n`);

function progress(what: string, done: number, total: number): void {
  if (done % Math.ceil(total / 20) === 0 || done === total) say(`${what} ${done}/${total}`);
}

function buildAll(sources: readonly SourceLine[]): BuiltSticker[] {
  return sources.map((source, i) => {
    progress('stickers', i + 1, sources.length);
    return buildSticker(source);
  });
}

function groupByPack(built: readonly BuiltSticker[]): Map<string, PackedFile[]> {
  const packs = new Map<string, PackedFile[]>();
  for (const { line, bytes } of built) {
    const pack = packOf(line.set);
    const files = packs.get(pack) ?? [];
    files.push({ preset: line.preset, order: `${line.art}\0${line.set}\0${line.preset}`, bytes });
    packs.set(pack, files);
  }
  return packs;
}

async function writeCatalogue(built: readonly BuiltSticker[], packs: Packs): Promise<void> {
  mkdirSync(new URL('packs/', catalogue), { recursive: true });
  const lines = built.map(({ line }) => JSON.stringify({ ...line, at: packs.locations.get(line.preset) }));
  const stickers = `${lines.join('\n')}\n`;
  const titles = titlesOf(built.map(({ line }) => line.concept));
  writeFileSync(stickersFile, stickers);
  writeFileSync(new URL('titles.txt', catalogue), titles);
  for (const [name, bytes] of packs.files) writeFileSync(new URL(`packs/${name}`, catalogue), bytes);
  await writeJson(
    new URL('packs/index.json', catalogue),
    JSON.stringify({ stamp: stampOf(stickers + titles), blocks: packs.rows }),
  );
}

/** Tells one catalogue from another, so that a clone or an update that changes nothing imports nothing anew. */
function stampOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function report(built: readonly BuiltSticker[], packs: Packs): void {
  const motions = new Map<string, [suits: number, hash: number]>();
  for (const { line, suits } of built) {
    const [a, b] = motions.get(line.motion) ?? [0, 0];
    motions.set(line.motion, suits ? [a + 1, b] : [a, b + 1]);
  }
  const packed = [...packs.files.values()].reduce((sum, bytes) => sum + bytes.length, 0);
  const raw = packs.rows.reduce((sum, row) => sum + row[3], 0);
  say(`${built.length} stickers, ${packs.rows.length} blocks, ${raw} bytes packed in ${packed}`);
  say('motion: by subject, by hash');
  const sorted = [...motions].toSorted((a, b) => b[1][0] + b[1][1] - a[1][0] - a[1][1]);
  for (const [motion, [suits, hash]] of sorted) say(`  ${motion}: ${suits}, ${hash}`);
}

const source = process.argv[2] ?? stickersFile.pathname;
const built = buildAll(readSourceLines(source));
const packs = await packFiles(groupByPack(built), (done, total) => progress('blocks', done, total));
await writeCatalogue(built, packs);
report(built, packs);
