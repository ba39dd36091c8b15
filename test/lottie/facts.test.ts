// The facts of a file: what is told of real stickers, of each flaw and feature, and of files that mean harm.

import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { factsSchema } from '../../src/api/library.js';
import { openCatalogue } from '../../src/catalogue/catalogue.js';
import { DATA_FOLDER } from '../../src/config/config.js';
import { openDefaultPack } from '../../src/defaults/default-pack.js';
import { factsOf, type Facts } from '../../src/lottie/facts.js';
import {
  FEATURES,
  PLAYER_WARNINGS,
  PLAYERS,
  rowOf,
  SOURCES,
  verdictFor,
  type Code,
} from '../../src/lottie/feature-table.js';
import { FLAWED, FLAWLESS } from '../support/flawed-lottie.js';

type Item = Record<string, unknown>;

const bytesOf = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
const sound = FLAWLESS[0] ?? {};
const art = (sound['layers'] as Item[])[0] ?? {};
const withLayer = (more: Item): Item => ({ ...sound, layers: [{ ...art, ...more }] });
const codesOf = ({ problems }: Facts) => problems.map(({ code }) => code);
const telling = (value: unknown) => factsOf(bytesOf(value));
const isTold = (facts: Facts) => v.is(factsSchema, JSON.parse(JSON.stringify({ preset: 'x', sha256: 'y', ...facts })));

describe('the facts of a file', () => {
  it('are its size, its timing, its parts and what it uses', () => {
    const [gap] = FLAWED.dash_without_offset;
    const file = {
      ...gap,
      ip: 10,
      op: 70,
      fr: 24,
      markers: [{ cm: 'begin\u202E', tm: 12, dr: 3 }],
      fonts: {
        list: [
          { fName: 'A-Bold', fFamily: 'Alpha' },
          { fName: 'A', fFamily: 'Alpha' },
        ],
      },
      assets: [{ id: 'i', w: 1, h: 1, u: '', p: 'data:image/png;base64,AAAA', e: 1 }],
    };
    const facts = telling(file);
    expect(facts).toMatchObject({ facts: 1, width: 256, height: 256, frame_rate: 24, first_frame: 10, frames: 60 });
    expect(facts).toMatchObject({ duration_s: 2.5, layers: 1, bytes: bytesOf(file).byteLength, fonts: ['Alpha'] });
    expect(facts.markers).toEqual([{ name: 'begin', frame: 12, frames: 3 }]);
    expect(facts.images).toEqual({ embedded: 1, remote: 0, bytes: 3 });
    expect(facts.uses).toEqual(['dashes']);
    expect(facts.problems).toMatchObject([{ code: 'dash_without_offset', at: 'layers[0].shapes[0].it[1]', count: 1 }]);
    expect(Object.keys(facts.problems[0]?.players ?? {})).toEqual([...PLAYERS]);
    expect(factsOf(bytesOf(file))).toEqual(facts);
    expect(isTold(facts)).toBe(true);
  });

  it('call each sound file clean, and name the flaw of each other one by its word', () => {
    for (const file of FLAWLESS) expect(telling(file).verdict).toBe('clean');
    for (const [word, files] of Object.entries(FLAWED)) {
      if (word === 'deep_nesting') continue;
      for (const file of files) {
        const facts = telling(file);
        const words = facts.problems.flatMap(({ code }) => rowOf(code as Code).word ?? []);
        expect([word, words]).toEqual([word, [word]]);
        expect(facts.problems[0]?.at).not.toBe('');
        expect(facts.verdict).not.toBe('clean');
      }
    }
    expect(telling(FLAWED.deep_nesting[0])).toMatchObject({ verdict: 'heavy', problems: [{ code: 'too_deep' }] });
  });

  it('are told of every sticker that is shipped, all of them clean or drawn by most', { timeout: 60_000 }, async () => {
    const pack = openDefaultPack(`${DATA_FOLDER}/defaults`);
    const catalogue = openCatalogue(fileURLToPath(new URL('../../data/catalogue', import.meta.url)));
    const packed = await Promise.all(pack.stickers().map((one) => pack.readSticker(one)));
    const some = [...catalogue.entries()].filter((_, at) => at % 100 === 0);
    const drawn = await Promise.all(some.map(({ at }) => catalogue.readLottie(at)));
    for (const bytes of [...packed, ...drawn]) {
      const facts = factsOf(bytes);
      expect(isTold(facts)).toBe(true);
      expect(['clean', 'differs']).toContain(facts.verdict);
      expect(facts.layers).toBeGreaterThan(0);
    }
  });
});

describe('the verdict', () => {
  const remote = { id: 'r', w: 1, h: 1, u: 'https://pictures.example/', p: 'a.png', e: 0 };
  const script = { ks: { ...(art['ks'] as Item), o: { a: 0, k: 100, x: 'var $bm_rt; while (true) {}' } } };

  it('is the worst of what is found', () => {
    const both = { ...withLayer(script), assets: [remote], w: 9000 };
    expect(telling(both)).toMatchObject({ verdict: 'remote', images: { remote: 1 } });
    expect(codesOf(telling(both))).toEqual(['remote_image', 'expressions', 'large_canvas']);
    expect(telling({ ...withLayer(script), w: 9000 }).verdict).toBe('scripted');
    expect(telling({ ...withLayer({ ddd: 1 }), w: 9000 }).verdict).toBe('heavy');
    expect(telling(withLayer({ ddd: 1 })).verdict).toBe('differs');
    expect(telling(sound).verdict).toBe('clean');
  });

  it.each([
    ['a width over 4096', { w: 4097 }, 'large_canvas'],
    ['a height over 4096', { h: 4097 }, 'large_canvas'],
    ['over 120 frames a second', { fr: 121 }, 'high_frame_rate'],
    ['over 60 seconds', { fr: 30, op: 1801 }, 'long'],
    ['over 2 MB', { nm: 'x'.repeat(2_000_000) }, 'large_file'],
  ])('is heavy for %s, and not at the limit', (_, more, code) => {
    const facts = telling({ ...sound, ...more });
    expect([facts.verdict, codesOf(facts)]).toEqual(['heavy', [code]]);
    expect(telling({ ...sound, w: 4096, h: 4096, fr: 120, op: 7200 }).verdict).toBe('clean');
  });

  it('knows code from the numbers that have the same name', () => {
    const handles = { x: [0.3], y: [0.3] };
    const split = { s: true, x: { a: 0, k: 1 }, y: { a: 0, k: 2 } };
    const moving = {
      a: 1,
      k: [
        { t: 0, s: [0], i: handles, o: handles },
        { t: 9, s: [1] },
      ],
    };
    expect(telling(withLayer({ ks: { ...(art['ks'] as Item), p: split, r: moving } })).verdict).toBe('clean');
    const computed = { ...split, x: { a: 0, k: 1, x: '1' } };
    const facts = telling(withLayer({ ks: { ...(art['ks'] as Item), p: computed } }));
    expect(facts.problems).toMatchObject([{ code: 'expressions', at: 'layers[0].ks.p.x' }]);
  });

  it.each([
    ['of a picture at an address', { assets: [remote] }],
    [
      'of a picture that is marked as embedded, at an address',
      { assets: [{ ...remote, u: '', p: '//x/a.png', e: 1 }] },
    ],
    ['of a picture beside the file', { assets: [{ ...remote, u: 'images/' }] }],
    ['of data for expressions', { assets: [{ id: 'd', t: 3, u: '', p: 'https://x.example/data.json' }] }],
    ['of a font at an address', { fonts: { list: [{ fFamily: 'A', fPath: 'https://f.example/a.css', origin: 1 }] } }],
    ['of a picture in a slot', { slots: { logo: { p: { ...remote } } } }],
  ])('is remote %s', (_, more) => {
    expect(telling({ ...sound, ...more }).verdict).toBe('remote');
  });
});

describe('a file that means harm', () => {
  const head = '"w":10,"h":20,"fr":30,"ip":0,"op":60';
  const open = (inner: string) => bytesOf(`{"deep":{"w":999},${head},"layers":[{"ty":4}],"more":${inner}}`);

  it.each([
    ['nested 100,000 levels deep', open('['.repeat(100_000) + ']'.repeat(100_000)), 'too_deep'],
    ['nested, and never closed', bytesOf(`{${head},"layers":${'['.repeat(100_000)}`), 'too_deep'],
    ['of a million values', open(`[${'[],'.repeat(1_000_000)}0]`), 'too_many_values'],
    ['of 50 MB', open(`"${'x'.repeat(50_000_000)}"`), 'too_large'],
    [
      'of more than 8 MiB, unparsed',
      bytesOf(`{${head},"layers":[{"ty":4}],${' '.repeat(8 * 1024 * 1024)}garbage`),
      'too_large',
    ],
    ['with a number beyond all numbers', open('1e999'), 'infinite_number'],
  ])('%s has the facts of its head and is heavy', (_, bytes, code) => {
    const facts = factsOf(bytes);
    expect(facts).toMatchObject({ verdict: 'heavy', width: 10, height: 20, frame_rate: 30, frames: 60, duration_s: 2 });
    expect(codesOf(facts)).toContain(code);
    expect(isTold(facts)).toBe(true);
  });

  it('is heavy with more than 20,000 layers and shapes, and looked through with as many', () => {
    const many = (count: number) => ({
      ...sound,
      layers: [art, ...Array.from({ length: count - 1 }, () => ({ ty: 3 }))],
    });
    expect(codesOf(telling(many(20_001)))).toEqual(['too_many_layers']);
    expect(codesOf(telling(many(19_990)))).toEqual([]);
  });

  it('that uses the names of prototypes changes nothing and is told as any other', () => {
    const text = JSON.stringify(withLayer({ ty: 4 })).replace(
      '"ip"',
      '"__proto__":{"polluted":1,"k":{"x":"code()"}},"constructor":{"prototype":{"polluted":1}},"toString":1,"ip"',
    );
    expect(factsOf(bytesOf(text))).toMatchObject({ verdict: 'scripted' });
    expect(({} as Item)['polluted']).toBeUndefined();
    for (const ty of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      expect(telling(withLayer({ shapes: [{ ty, it: [] }], mode: ty, ef: [{ ty }] })).verdict).toBe('clean');
    }
  });

  it('whose compositions hold each other, or whose layers are their own parents, ends', () => {
    const nested = (refId: string) => ({ ...art, ty: 0, refId });
    const assets = [
      { id: 'a', layers: [nested('b')] },
      { id: 'b', layers: [nested('a'), nested('b')] },
    ];
    expect(codesOf(telling({ ...sound, assets, layers: [nested('a')] }))).toContain('endless_nesting');
    expect(
      codesOf(
        telling({
          ...sound,
          layers: [
            { ...art, ind: 1, parent: 2 },
            { ...art, ind: 2, parent: 1 },
          ],
        }),
      ),
    ).toContain('endless_nesting');
  });

  it('keeps foreign text short, in one line, and out of places', () => {
    const name = `\u0007${'名'.repeat(500)}\n`;
    const facts = telling({
      ...withLayer({ [`a b${'c'.repeat(900)}`]: { x: 'code' } }),
      markers: Array.from({ length: 900 }, () => ({ cm: name, tm: 'x' })),
      fonts: { list: [{ fFamily: name }] },
    });
    expect(facts.fonts).toEqual(['名'.repeat(60)]);
    expect(facts.markers).toHaveLength(100);
    expect(facts.markers[0]).toEqual({ name: '名'.repeat(60), frame: 0, frames: 0 });
    expect(facts.problems).toMatchObject([{ code: 'expressions', at: 'layers[0].?' }]);
  });

  it.each([
    ['text', 'nothing'],
    ['an empty file', ''],
    ['a list', '[]'],
    ['an archive', 'PK\u0003\u0004'],
    ['an object without layers', '{"w":1,"h":1,"fr":1,"ip":0,"op":1}'],
    ['9 MB of text', 'x'.repeat(9_000_000)],
  ])('is refused when it is %s', (_, text) => {
    expect(() => factsOf(bytesOf(text))).toThrow('not a playable Lottie file');
  });

  it('never throws another error, whatever stands in the wrong place', () => {
    for (const odd of [null, 0, 'x', [], {}, [null], [[]], { k: null }, true]) {
      for (const field of ['assets', 'chars', 'fonts', 'markers', 'slots'])
        expect(isTold(telling({ ...sound, [field]: odd }))).toBe(true);
      for (const field of [
        'shapes',
        'ks',
        'ef',
        'sy',
        'masksProperties',
        'refId',
        'parent',
        'tm',
        'tt',
        'bm',
        'ao',
        't',
      ]) {
        expect(isTold(telling(withLayer({ [field]: odd })))).toBe(true);
      }
      expect(isTold(telling(withLayer({ masksProperties: [{ mode: odd, x: odd, f: odd }], ef: [{ ty: odd }] })))).toBe(
        true,
      );
    }
  });
});

describe('the table of features', () => {
  it('has five players in each row, a source, and a verdict that follows', () => {
    for (const code of Object.keys(FEATURES) as Code[]) {
      const { players, source } = rowOf(code);
      expect(Object.keys(players)).toEqual([...PLAYERS]);
      expect(Object.values(players)).not.toContain(undefined);
      expect(SOURCES[source].length).toBeGreaterThan(0);
      if (rowOf(code).isFeature && verdictFor(code) === 'clean')
        expect(new Set(Object.values(players))).toEqual(new Set(['drawn']));
    }
    expect(Object.values(FEATURES).filter(({ isFeature }) => isFeature).length).toBeGreaterThanOrEqual(25);
  });

  it('has every word that is told about a file', () => {
    const words = new Set((Object.keys(FEATURES) as Code[]).map((code) => rowOf(code).word));
    expect(PLAYER_WARNINGS.filter((word) => !words.has(word))).toEqual(['not_checked']);
  });
});
