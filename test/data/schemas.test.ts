// The JSON Schemas shipped for the files that people write: current, and of the same mind as svcd itself.

import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import * as fc from 'fast-check';
import { safeParse, type GenericSchema } from 'valibot';
import { describe, expect, it, test } from 'vitest';
import { schemaFiles } from '../../data/schemas/build/schema-files.js';
import { lockSchema } from '../../src/api/lock.js';
import { planSchema } from '../../src/api/plan.js';
import { copySchema } from '../../src/api/slot.js';
import { loadConfig, writeSetting } from '../../src/config/config.js';
import { SETTINGS } from '../../src/config/settings.js';
import { SvcdError } from '../../src/model/errors.js';
import { ROOT } from '../support/doc-table.js';
import { temporaryHome } from '../support/start-daemon.js';

const FOLDER = join(ROOT, 'data', 'schemas');

/** Whether a shipped schema accepts a document. */
function acceptsBy(name: string): (document: unknown) => boolean {
  const schema = JSON.parse(readFileSync(join(FOLDER, `${name}.schema.json`), 'utf8')) as object;
  const validate = new Ajv({ strict: false }).compile(schema);
  return (document) => validate(document);
}

const SHA = 'a'.repeat(64);
const STICKER = {
  kind: 'sticker',
  preset: 'fluent-emoji-flat/birthday-cake',
  source: 'service',
  price: 1,
  sha256: SHA,
  bytes: 5426,
  width: 512,
  height: 512,
  frame_rate: 60,
  frames: 71,
  form: 'as-bought',
  verdict: 'clean',
  file: 'fluent-emoji-flat~birthday-cake.6b1e02c4.json',
};
const LOCK = { lock: 1, remote: 'https://assets.example.com', assets: { opening: STICKER } };
const withSticker = (change: object) => ({ ...LOCK, assets: { opening: { ...STICKER, ...change } } });

const SLOT = {
  id: 'opening',
  preset: 'a/b',
  title: '生日蛋糕',
  fit: 'strong',
  why: ['生日'],
  price: 1,
  cost: 1,
  have: 'no',
  others: [],
};
const PLAN = {
  plan: 1,
  digest: 'sha256:9c41',
  remote: null,
  library: { known: 11_991, complete: true },
  slots: [SLOT],
  cost: 1,
  left: null,
  fits: true,
  short_of: null,
  would_fit: [],
  warnings: [],
};

const copies = (...slots: object[]) => slots.map((slot) => ({ slots: [slot] }));

interface Case {
  readonly name: string;
  readonly schema: GenericSchema;
  readonly good: readonly unknown[];
  readonly bad: readonly unknown[];
}

const CASES: readonly Case[] = [
  {
    name: 'copy',
    schema: copySchema,
    good: [
      ...copies(
        { id: 'opening', text: '小明生日快乐', want: 'sticker', aspect: 1, max_duration_s: 3 },
        { id: 'cover', want: 'image', prompt: '蛋糕', size: '1536x1024' },
        { id: '封面', prompt: '蛋糕', size: '1536x1024' },
        { id: 'logo', preset: 'own/logo' },
        { id: 'a', keywords: ['生日'] },
        { id: 'a', text: '', keywords: ['', '生日'] },
        { id: 'a', want: 'sticker', text: '生日', size: '1024x1024' },
        { id: 'a', preset: '表情/红 包.v2' },
        { id: 'a', text: '𠮷'.repeat(2000) },
      ),
      { $schema: './copy.schema.json', slots: Array.from({ length: 50 }, (_, n) => ({ id: `s${n}`, text: 'a' })) },
    ],
    bad: [
      ...copies(
        {},
        { id: 'a' },
        { id: 'a', text: ' ' },
        { id: 'a', keywords: [' '] },
        { id: 'a', text: 5 },
        { id: 'a b', text: 'a' },
        { id: '-a', text: 'a' },
        { id: 'a', text: 'a', colour: 'red' },
        { id: 'a', text: 'a', aspect: 0 },
        { id: 'a', text: 'a', size: '1024x1024' },
        { id: 'a', prompt: '蛋糕' },
        { id: 'a', prompt: ' ', size: '1024x1024' },
        { id: 'a', prompt: '蛋糕', size: '7x7' },
        { id: 'a', prompt: '蛋糕', size: '1024x1024', text: 'a' },
        { id: 'a', want: 'sticker', prompt: '蛋糕', size: '1024x1024' },
        { id: 'a', want: 'image', text: 'a' },
        { id: 'a', preset: '' },
        { id: 'a', preset: 'a//b' },
        { id: 'a', preset: '../b' },
        { id: 'a', preset: 'a\nb' },
        { id: 'a', preset: 'search' },
        { id: 'a', text: '𠮷'.repeat(2001) },
      ),
      { slots: [] },
      { slots: Array.from({ length: 51 }, (_, n) => ({ id: `s${n}`, text: 'a' })) },
      { slots: [{ id: 'a', text: 'a' }], budget: 5 },
      [],
    ],
  },
  {
    name: 'plan',
    schema: planSchema,
    good: [
      PLAN,
      { ...PLAN, template: 'birthday-card@1.1.0', a_later_field: 1 },
      { ...PLAN, slots: [{ id: 'c', image: { size: '1024x1024', digest: 'x' }, price: 10, cost: 10, have: 'no' }] },
    ],
    bad: [{ ...PLAN, plan: 2 }, { ...PLAN, cost: '1' }, { ...PLAN, slots: [{ ...SLOT, fit: 'perfect' }] }, {}],
  },
  {
    name: 'lock',
    schema: lockSchema,
    good: [
      LOCK,
      { $schema: './lock.schema.json', ...LOCK, remote: null, assets: {} },
      withSticker({ source: 'default', reason: 'offline', licence: 'MIT' }),
      { ...LOCK, lock: 2, made_by_a_later_svcd: true },
      { ...LOCK, lock: 2, assets: { opening: { ...STICKER, basis: 'asked', later: 1 } } },
    ],
    bad: [
      { ...LOCK, lock: 3 },
      { ...LOCK, assets: { opening: { ...STICKER, basis: 'asked' } } },
      { ...LOCK, lock: 2, assets: { opening: { ...STICKER, basis: 'hope' } } },
      { ...LOCK, made_at: '2026-11-22' },
      { ...LOCK, assets: { 'a b': STICKER } },
      withSticker({ sha256: undefined }),
      withSticker({ sha256: 'A'.repeat(64) }),
      withSticker({ file: '../x.json' }),
      withSticker({ file: '..' }),
      withSticker({ file: 'a/b.json' }),
      withSticker({ price: -1 }),
      withSticker({ kind: 'song' }),
      withSticker({ copy: '小明生日快乐' }),
    ],
  },
];

describe('the schemas in data/schemas', () => {
  it('are what svcd parses by now; `npx tsx data/schemas/build/main.ts` renews them', async () => {
    const made = await schemaFiles();
    const there = readdirSync(FOLDER).filter((name) => name.endsWith('.schema.json'));
    expect(there.toSorted()).toEqual([...made.keys()].toSorted());
    for (const [name, text] of made) expect(readFileSync(join(FOLDER, name), 'utf8'), name).toBe(text);
  });

  test.each(CASES)('accept and refuse as svcd does: $name', ({ name, schema, good, bad }) => {
    const accepts = acceptsBy(name);
    for (const document of good) {
      const told = JSON.stringify(document).slice(0, 300);
      expect([told, safeParse(schema, document).success, accepts(document)]).toEqual([told, true, true]);
    }
    // As they would be read from a file.
    for (const document of bad.map((one) => JSON.parse(JSON.stringify(one)) as unknown)) {
      const told = JSON.stringify(document).slice(0, 300);
      expect([told, safeParse(schema, document).success, accepts(document)]).toEqual([told, false, false]);
    }
  });

  test('refuse no copy that svcd takes', () => {
    const accepts = acceptsBy('copy');
    const word = fc.constantFrom('', ' ', 'a', '生日', '..', 'a/b', '/', 'own/x', 'Search', 'a%2Fb', 'é', 'x;y/z');
    const text = fc.oneof(word, fc.string({ unit: 'binary', maxLength: 6 }));
    const slot = fc.record(
      {
        id: fc.constantFrom('a', '封面', '_', 'a.b-c_d'),
        want: fc.constantFrom('sticker', 'image'),
        text,
        keywords: fc.array(text, { maxLength: 2 }),
        preset: text,
        prompt: text,
        size: fc.constantFrom('1024x1024', '1536x1024', '5x5'),
        aspect: fc.constantFrom(1, 0, 101),
      },
      { requiredKeys: ['id'] },
    );
    fc.assert(
      fc.property(slot, (one) => {
        const copy = { slots: [one] };
        expect(accepts(copy) || !safeParse(copySchema, copy).success).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });
});

describe('the schema of config.json', () => {
  const accepts = acceptsBy('config');
  const inFile = async (document: object) => {
    const home = temporaryHome();
    await writeFile(join(home, 'config.json'), JSON.stringify(document));
    return loadConfig({ home }, {});
  };

  it('speaks of every setting that may stand there, and of nothing else', () => {
    const names = SETTINGS.flatMap(({ file }) => file ?? []);
    for (const name of names) expect(accepts({ [name]: { no: 'such value' } }), name).toBe(false);
    expect(accepts({ deadlineMS: 3000 })).toBe(false);
    expect(accepts({ home: '/tmp' })).toBe(false);
  });

  it('may be named by the file itself, which svcd reads and keeps so', async () => {
    const document = { $schema: './node_modules/svcd/data/schemas/config.schema.json', port: 0, deadlineMs: 3000 };
    expect(accepts(document)).toBe(true);
    expect(await inFile(document)).toMatchObject({ port: 0, deadlineMs: 3000 });
    const home = temporaryHome();
    await writeFile(join(home, 'config.json'), JSON.stringify(document));
    writeSetting(home, 'offline', 'true');
    const written = JSON.parse(readFileSync(join(home, 'config.json'), 'utf8')) as object;
    expect(written).toEqual({ ...document, offline: true });
    expect(accepts(written)).toBe(true);
  });

  it.each([
    { remote: 'https://assets.example.com/base' },
    { remote: 'http://127.0.0.1:8080' },
    { remote: 'http://[::1]:8080/' },
    { sandbox: true, fallback: false, whenNothingFits: 'error', timeZone: 'Asia/Shanghai', keyFile: './sk-key' },
    { maxFileBytes: 1024, syncShare: 100, package: 'card.motion' },
  ])('accepts what svcd takes: %j', async (document) => {
    expect(accepts(document)).toBe(true);
    expect(await inFile(document)).toMatchObject({ port: 7823 });
  });

  it.each([
    { remote: 'http://assets.example.com' },
    { remote: 'https://user:secret@assets.example.com' },
    { remote: 'https://assets.example.com?a=b' },
    { remote: 'ftp://assets.example.com' },
    { port: 70_000 },
    { port: 1.5 },
    { deadlineMs: 0 },
    { fallback: 'perhaps' },
    { whenNothingFits: 'nothing' },
    { keyFile: 'sk-0123456789' },
    { timeZone: ' ' },
  ])('refuses what svcd refuses: %j', async (document) => {
    expect(accepts(document)).toBe(false);
    await expect(inFile(document)).rejects.toThrow(SvcdError);
  });
});
