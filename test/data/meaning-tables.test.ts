// Holds what the tables of meanings say of things: kinds in brackets, hypernyms, nouns of one character, and styles.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openCatalogue } from '../../src/catalogue/catalogue.js';
import { stemsOf } from '../../src/library/language/english.js';
import { loadGlossary, stemOf } from '../../src/library/language/glossary.js';
import { readLanguageMap, readLanguageText } from '../../src/library/language/language-data.js';
import { kindOfStyle } from '../../src/model/sticker.js';

const data = new URL('../../data/', import.meta.url);

describe('kinds', () => {
  const glossary = loadGlossary();
  const kindsOf = (word: string) => Array.from(glossary.kindsOf(word), (kind) => glossary.stem(stemOf(kind)));

  it('are what the dictionary says in brackets, beside what a word means', () => {
    expect(kindsOf('吉娃娃')).toEqual(['dog']);
    expect(glossary.of('吉娃娃')).toEqual([{ stem: 'chihuahua', whole: true }]);
    expect(kindsOf('保时捷')).toEqual(stemsOf('car company'));
  });

  it('are no fields of knowledge, no deeds, and nothing for words without brackets', () => {
    expect(kindsOf('边长')).toEqual([]);
    expect(kindsOf('火锅')).toEqual([]);
    expect(kindsOf('没有这个词')).toEqual([]);
  });
});

describe('senses', () => {
  const lines = readFileSync(new URL('glosses/build/senses.txt', data), 'utf8').split('\n');
  const senses = lines.filter((line) => line !== '' && !line.startsWith('#'));

  it('are at most a hundred, each with its reason', () => {
    expect(senses.length).toBeLessThanOrEqual(100);
    expect(senses.filter((line) => !/^[\u4E00-\u9FFF]+( [a-z]+)+ # .+$/.test(line))).toEqual([]);
  });

  it('are what the glossary says in place of the dictionary', () => {
    const glossary = loadGlossary();
    const wrong = senses.filter((line) => {
      const [said = ''] = line.split(' #');
      const [word = '', ...glosses] = said.split(' ');
      const stems = glossary.of(word).map(({ stem }) => stem);
      return stems.join() !== [...new Set(glosses.flatMap(stemsOf))].join();
    });
    expect(wrong).toEqual([]);
  });
});

describe('hypernyms', () => {
  const lines = readLanguageMap('hypernyms/hypernyms.txt');

  it('say the nearer kinds before the comma and the farther ones after it', () => {
    expect(lines.get('corgi')).toBe('dog');
    expect(lines.get('whiskey')).toBe('spirit,drink');
    expect(lines.get('robin')).toBe(',bird');
  });

  it('are stems, at most three of a step, none of them the word itself', () => {
    const wrong = Array.from(lines).filter(([stem, kinds]) => {
      const steps = kinds.split(',').map((step) => step.split(' ').filter(Boolean));
      const all = steps.flat();
      return steps.length > 2 || steps.some((step) => step.length > 3) || all.length === 0 || all.includes(stem);
    });
    expect(wrong).toEqual([]);
  });
});

describe('nouns of one character', () => {
  it('name things, and no deeds or qualities', () => {
    const nouns = new Set(readLanguageText('frequency/nouns.txt').trimEnd());
    expect(Array.from('猫狗车鸟花鱼茶酒杯云').filter((one) => !nouns.has(one))).toEqual([]);
    expect(Array.from('来去打跑大小好红很').filter((one) => nouns.has(one))).toEqual([]);
  });
});

describe('a build without a table of meanings', () => {
  it('fails with its name', () => {
    const folder = mkdtempSync(join(tmpdir(), 'svcd-build-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    cpSync(new URL('../bin', data), join(folder, 'bin'), { recursive: true });
    symlinkSync(fileURLToPath(new URL('../node_modules', data)), join(folder, 'node_modules'));
    mkdirSync(join(folder, 'data/glosses'), { recursive: true });
    writeFileSync(join(folder, 'data/glosses/glosses.bin'), '');
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const { status, stderr } = spawnSync(process.execPath, [join(folder, 'bin/build.js')], { encoding: 'utf8' });
    expect(stderr).toMatch(/cannot be built without data\/hypernyms\/hypernyms\.txt:/);
    expect(status).toBe(1);
  });
});

describe('styles', () => {
  it('have both names, and one that tells their kind, for every set of the catalogue with twenty stickers', () => {
    const styles = JSON.parse(readFileSync(new URL('styles.json', data), 'utf8')) as Record<
      string,
      Record<string, string>
    >;
    const counts = new Map<string, number>();
    for (const { preset } of openCatalogue(new URL('catalogue', data).pathname).entries()) {
      const style = preset.slice(0, preset.indexOf('/'));
      counts.set(style, (counts.get(style) ?? 0) + 1);
    }
    const named = [...counts].filter(([, count]) => count >= 20).map(([style]) => style);
    expect(Object.keys(styles)).toEqual(named.toSorted());
    for (const { en, zh } of Object.values(styles)) expect(en && zh).toBeTruthy();
    const ofKind = (kind: string) => named.filter((style) => kindOfStyle(style) === kind).toSorted();
    expect(ofKind('filled')).toEqual(['iconpark-filled', 'maki', 'temaki']);
    expect(ofKind('outline')).toEqual(['iconpark-outline']);
    expect(ofKind('colour')).toHaveLength(named.length - 4);
  });
});
