// The committed catalogue as a whole: every file is read, checked and compared with what is said of it.

import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { getArt } from '../../data/catalogue/build/art.js';
import { rgbOf } from '../../data/catalogue/build/css-colour.js';
import { MOTIONS } from '../../data/catalogue/build/motions.js';
import { partsOf } from '../../data/catalogue/build/parts.js';
import { colourAmounts } from '../../data/catalogue/build/primary-colour.js';
import { buildSticker } from '../../data/catalogue/build/sticker.js';
import { titlesOf } from '../../data/catalogue/build/titles.js';
import { openCatalogue, type CatalogueEntry } from '../../src/catalogue/catalogue.js';
import { compileSchema, contradictions, moves, type LottieFile } from './lottie-checks.js';

const data = fileURLToPath(new URL('../../data/', import.meta.url));
const catalogue = openCatalogue(join(data, 'catalogue'));
const entries = [...catalogue.entries()];

const LICENCES = new Set([
  'MIT (art), Unicode-3.0 (zh text)',
  'CC-BY-4.0 (art), Unicode-3.0 (zh text)',
  'Apache-2.0 (art and zh text)',
  'CC0-1.0 (art), ISC (zh text)',
]);

/** Complaints by preset, found by looking at every entry in the order in which the files lie in their blocks. */
async function complaints(check: (entry: CatalogueEntry, file: LottieFile) => string[]): Promise<string[]> {
  const found: string[] = [];
  const inBlockOrder = entries.toSorted((a, b) => a.at[0] - b.at[0] || a.at[1] - b.at[1]);
  for (const entry of inBlockOrder) {
    const file = JSON.parse((await catalogue.readLottie(entry.at)).toString()) as LottieFile;
    for (const complaint of check(entry, file)) found.push(`${entry.preset}: ${complaint}`);
  }
  return found.slice(0, 20);
}

describe('the catalogue', () => {
  it('has 11,991 stickers, each preset once', () => {
    expect(entries).toHaveLength(11_991);
    expect(new Set(entries.map((entry) => entry.preset)).size).toBe(11_991);
  });

  it('carries the digest of its entries, so that whoever has them imports them no second time', () => {
    const [stickers, titles] = ['stickers.jsonl', 'titles.txt'].map((name) =>
      readFileSync(join(data, 'catalogue', name), 'utf8'),
    );
    expect(catalogue.stamp).toBe(createHash('sha256').update(`${stickers}${titles}`).digest('hex').slice(0, 16));
  });

  it('has an English title for every sticker, Japanese and Korean ones for every emoji', () => {
    const languages = (set: RegExp) => [
      ...new Set(
        entries.filter((entry) => set.test(entry.concept)).map(({ titles }) => Object.keys(titles ?? {}).join()),
      ),
    ];
    expect(languages(/^emoji\//)).toEqual(['en,ja,ko']);
    expect(languages(/^(?:icon|place)\//)).toEqual(['en']);
    expect(entries.find(({ preset }) => preset === 'twemoji/dog')?.titles).toEqual({ en: 'dog', ja: 'イヌ', ko: '개' });
    expect(readFileSync(join(data, 'catalogue', 'titles.txt'), 'utf8')).toBe(
      titlesOf(entries.map(({ concept }) => concept)),
    );
  });

  it('names the thing that no source has an English title for', () => {
    expect(() => titlesOf(['place/shop/of_nothing'])).toThrow('place/shop/of_nothing');
  });

  it('says of every sticker what a reader needs', () => {
    const poor = entries.filter(
      (entry) =>
        entry.title === '' ||
        !LICENCES.has(entry.licence) ||
        !(entry.motion in MOTIONS) ||
        !/^#[0-9a-f]{6}$/.test(entry.color),
    );
    expect(poor).toEqual([]);
  });

  it('uses every motion, and none for more than a tenth of the stickers', () => {
    const counts = new Map<string, number>();
    for (const { motion } of entries) counts.set(motion, (counts.get(motion) ?? 0) + 1);
    expect([...counts.keys()].toSorted()).toEqual(Object.keys(MOTIONS).toSorted());
    expect(Math.max(...counts.values())).toBeLessThan(entries.length / 10);
  });

  it('has files that are valid, move, and are what their metadata says', async () => {
    const complain = compileSchema();
    const found = await complaints((entry, file) => [
      ...complain(file),
      ...(moves(file) ? [] : ['does not move']),
      ...contradictions(entry, file),
    ]);
    expect(found).toEqual([]);
  });

  it('is built from the art: a sample made anew has the committed bytes', async () => {
    for (const entry of entries.filter((_, i) => i % 199 === 7)) {
      const { line, bytes } = buildSticker(entry);
      expect({ ...line, at: entry.at, titles: entry.titles }).toEqual(entry);
      expect(bytes.toString()).toBe((await catalogue.readLottie(entry.at)).toString());
    }
  });

  it('stays under 12 MB together with all other data', () => {
    const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((item) => item.isFile());
    const bytes = files.reduce((sum, item) => sum + statSync(join(item.parentPath, item.name)).size, 0);
    expect(bytes).toBeLessThan(12 * 1024 * 1024);
    expect(bytes).toBeGreaterThan(5 * 1024 * 1024);
  });
});

describe('reading the catalogue', () => {
  it('reads the sticker that lies at a location', async () => {
    const entry = entries[5000];
    if (entry === undefined) throw new Error('The catalogue is too short');
    expect(JSON.parse((await catalogue.readLottie(entry.at)).toString())).toMatchObject({ nm: entry.preset });
  });

  it('refuses what is not in it', async () => {
    await expect(catalogue.readLottie([9999, 0, 10])).rejects.toThrow('9999');
    await expect(catalogue.readLottie([0, 0, 10_000_000])).rejects.toThrow('No sticker');
  });
});

const vividness = (hex: string): number => Math.max(...rgbOf(hex)) - Math.min(...rgbOf(hex));

describe('the primary color', () => {
  it('is not grey where most of a drawing is vivid', () => {
    const greyButVivid = entries
      .filter(({ color }, i) => i % 5 === 0 && vividness(color) < 40)
      .filter(({ set, art }) => {
        const amounts = [...colourAmounts(partsOf(getArt(set, art)))];
        const total = amounts.reduce((sum, [, amount]) => sum + amount, 0);
        return amounts.some(([color, amount]) => vividness(color) > 75 && amount > 0.65 * total);
      });
    expect(greyButVivid.map((entry) => entry.preset)).toEqual([]);
  });
});
