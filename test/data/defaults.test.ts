// The pack of default stickers and pictures: what a client gets when nothing else can be had must be sound.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, inflateSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { buildDefaultSticker } from '../../data/defaults/build/default-sticker.js';
import { compileMeanings } from '../../data/defaults/build/meanings.js';
import { drawBackdrop } from '../../data/defaults/build/backdrop.js';
import { SCENES } from '../../data/defaults/build/scenes.js';
import type { StickerLine } from '../../data/catalogue/build/sticker.js';
import { compileSchema, contradictions, moves, type LottieFile } from './lottie-checks.js';

const defaults = new URL('../../data/defaults/', import.meta.url);
const lines = readFileSync(new URL('stickers.jsonl', defaults), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as StickerLine & { file: string; standIn?: true });

const fileOf = (line: { file: string }): LottieFile =>
  JSON.parse(brotliDecompressSync(readFileSync(new URL(line.file, defaults))).toString()) as LottieFile;

const validate = compileSchema();

describe('default stickers', () => {
  it('are at least 72, each preset, title and file once', () => {
    expect(lines.length).toBeGreaterThanOrEqual(72);
    const distinct = (column: 'preset' | 'title' | 'file'): number => new Set(lines.map((line) => line[column])).size;
    expect([distinct('preset'), distinct('title'), distinct('file')]).toEqual(Array(3).fill(lines.length));
  });

  it('have a file each, and no file is left over', () => {
    const files = readdirSync(new URL('stickers/', defaults)).map((name) => `stickers/${name}`);
    expect(files.toSorted()).toEqual(lines.map((line) => line.file).toSorted());
  });

  it.each(lines)('$preset is valid, moves, and is what its line says', (line) => {
    const file = fileOf(line);
    expect(validate(file)).toEqual([]);
    expect(moves(file)).toBe(true);
    expect(contradictions(line, file)).toEqual([]);
  });

  it('have Chinese titles and at most ten different keywords, those made by hand at least four', () => {
    const fewest = new Map(SCENES.map(({ name, licence }) => [`default/${name}`, licence === undefined ? 4 : 0]));
    const poor = lines.filter(
      ({ preset, title, keywords }) =>
        !/\p{Script=Han}/u.test(title) ||
        new Set(keywords).size !== keywords.length ||
        keywords.length < (fewest.get(preset) ?? 4) ||
        keywords.length > 10,
    );
    expect(poor).toEqual([]);
  });

  it('owe nobody an attribution', () => {
    const licences = new Set(lines.map((line) => line.licence));
    expect([...licences].toSorted()).toEqual(['MIT (art)', 'MIT (art), Unicode-3.0 (zh text)', 'MIT (original)']);
  });

  it('take less than 4 MB, with what they mean, which is what the build makes of it today', () => {
    const files = readdirSync(defaults, { recursive: true, withFileTypes: true }).filter((item) => item.isFile());
    const bytes = files.reduce((sum, item) => sum + statSync(join(item.parentPath, item.name)).size, 0);
    expect(bytes).toBeLessThan(4 * 1024 * 1024);
    expect(readFileSync(new URL('meanings-compiled.txt', defaults), 'utf8')).toBe(compileMeanings());
  });

  it('have wide ones, tall ones, and the plain one', () => {
    expect(lines.some((line) => line.aspect > 1.5)).toBe(true);
    expect(lines.some((line) => line.aspect < 0.7)).toBe(true);
    expect(lines.at(-1)?.preset).toBe('default/plain');
  });

  it('are what the build script makes of the scenes today', () => {
    expect(lines.map((line) => line.preset)).toEqual(SCENES.map((scene) => `default/${scene.name}`));
    SCENES.forEach((scene, i) => {
      const { line, bytes } = buildDefaultSticker(scene);
      const { file = '', ...told } = lines[i] ?? {};
      const committed = Object.fromEntries(Object.entries(told).filter(([name]) => name !== 'standIn'));
      expect(committed).toEqual(line);
      expect(JSON.parse(bytes.toString())).toEqual(fileOf({ file }));
    });
  });
});

/** Width, height and the decompressed rows of a PNG whose chunks are whole. */
function readPng(bytes: Buffer): { width: number; height: number; rows: Buffer } {
  const data: Buffer[] = [];
  for (let at = 8; at < bytes.length;) {
    const size = bytes.readUInt32BE(at);
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(bytes.subarray(at + 8, at + 8 + size));
    at += 12 + size;
  }
  const rows = inflateSync(Buffer.concat(data));
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), rows };
}

describe('default pictures', () => {
  it.each([
    [1024, 1024],
    [1536, 1024],
    [1024, 1536],
  ])('%i×%i is a PNG of that size, small, with something to see', (width, height) => {
    const bytes = readFileSync(new URL(`images/${width}x${height}.png`, defaults));
    const png = readPng(bytes);
    expect(bytes.toString('latin1', 1, 4)).toBe('PNG');
    expect([png.width, png.height]).toEqual([width, height]);
    expect(png.rows.length).toBe((width + 1) * height);
    expect(new Set(png.rows).size).toBeGreaterThan(50);
    expect(bytes.length).toBeLessThan(120 * 1024);
    expect(readPng(drawBackdrop(width, height)).rows.equals(png.rows)).toBe(true);
  });
});
