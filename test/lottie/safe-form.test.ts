// The safe form: no code, nothing that is fetched, and everything else as it was.

import { fileURLToPath } from 'node:url';
import { assert, jsonValue, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openCatalogue } from '../../src/catalogue/catalogue.js';
import { factsOf } from '../../src/lottie/facts.js';
import { safeFormOf } from '../../src/lottie/safe-form.js';
import { FLAWED, FLAWLESS } from '../support/flawed-lottie.js';

type Item = Record<string, unknown>;

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const safe = (value: unknown) => JSON.parse(textOf(safeFormOf(bytesOf(value)))) as Item;
const sound = FLAWLESS[0] ?? {};
const art = (sound['layers'] as Item[])[0] ?? {};

describe('the safe form', () => {
  it('is the very same bytes where there is nothing to take out', async () => {
    const catalogue = openCatalogue(fileURLToPath(new URL('../../data/catalogue', import.meta.url)));
    const some = [...catalogue.entries()].filter((_, at) => at % 200 === 0);
    for (const { at } of some) {
      const bytes = await catalogue.readLottie(at);
      expect(safeFormOf(bytes)).toBe(bytes);
    }
    const spaced = new TextEncoder().encode(JSON.stringify(sound, null, 2).replace('"fr": 30', '"fr": 3.0e1'));
    expect(safeFormOf(spaced)).toBe(spaced);
  });

  it('says each name once, with what JSON.parse takes, where the file says one twice in any spelling', () => {
    const text = JSON.stringify(sound);
    for (const twice of ['"layers":[],"layers":', '"l\\u0061yers":[{"ty":4,"x":"alert(1)"}],"layers":']) {
      const file = text.replace('"layers":', twice);
      expect(file).not.toBe(text);
      const bytes = new TextEncoder().encode(file);
      expect(factsOf(bytes)).toMatchObject({ verdict: 'differs', problems: [{ code: 'duplicate_keys' }] });
      const made = safeFormOf(bytes);
      expect(JSON.parse(textOf(made))).toEqual(sound);
      expect(textOf(made).match(/layers/g)).toHaveLength(text.match(/layers/g)?.length ?? 0);
      expect(factsOf(made).verdict).toBe('clean');
      expect(safeFormOf(made)).toBe(made);
    }
    const names = new TextEncoder().encode(text.replace('{', '{"__proto__":{"a:b":":"},"":[{"a":1},{"a":1}],'));
    expect([factsOf(names).verdict, safeFormOf(names)]).toEqual(['clean', names]);
  });

  it('has no expressions, wherever they stand, and what they computed keeps its own value', () => {
    const computed = (k: unknown) => ({ a: 0, k, x: 'while (true) {}' });
    const handles = { x: [0.3], y: [0.3] };
    const still = { p: { s: true, x: { a: 0, k: 1 }, y: { a: 0, k: 2 } }, e: { x: 0.5, y: 1 }, i: handles };
    const plain = (k: unknown) => ({ a: 0, k });
    const make = (value: (k: unknown) => Item) => ({
      ...sound,
      layers: [
        { ...art, ks: { ...(art['ks'] as Item), o: value(100) }, ef: [{ ty: 5, ef: [{ ty: 0, v: value(3) }] }], still },
      ],
      assets: [{ id: 'a', layers: [{ ...art, t: { d: value([{ s: { t: 'x' }, t: 0 }]) } }] }],
      chars: [{ ch: 'a', data: { shapes: [value([1, 2])] } }],
    });
    expect(safe(make(computed))).toEqual(make(plain));
    expect(safe({ ...sound, layers: [{ ...art, still }] })).toEqual({ ...sound, layers: [{ ...art, still }] });
  });

  it('has an empty picture for each file that would be fetched, and keeps those that are embedded', () => {
    const embedded = { id: 'e', w: 1, h: 1, u: '', p: 'data:image/png;base64,AAAA', e: 1 };
    const away = [
      { id: '1', w: 9, h: 9, u: 'https://pictures.example/', p: 'a.png', e: 0 },
      { id: '2', w: 9, h: 9, u: '', p: '//pictures.example/a.png', e: 1 },
      { id: '3', w: 9, h: 9, u: 'images/', p: 'a.png', e: 0 },
      { id: '4', t: 3, u: '', p: 'https://x.example/data.json' },
    ];
    const file = safe({ ...sound, assets: [embedded, ...away], slots: { s: { p: away[0] } } });
    const [kept, ...rest] = file['assets'] as Item[];
    expect(kept).toEqual(embedded);
    for (const asset of rest)
      expect(asset).toMatchObject({ u: '', e: 1, p: expect.stringMatching(/^data:image\/png;/) as string });
    expect(rest.map(({ id, w }) => [id, w])).toEqual([
      ['1', 9],
      ['2', 9],
      ['3', 9],
      ['4', undefined],
    ]);
    expect(JSON.stringify(file)).not.toContain('example');
  });

  it.each(
    Object.entries({
      'an expression in a list': [
        { layers: [{ ...art, ks: { o: { a: 0, k: 90, x: ['evil()'] }, r: { a: 0, k: 0, x: [['evil()']] } } }] },
        'scripted',
      ],
      'the parts of an address as other types': [
        {
          assets: [
            { id: 'a', w: 1, h: 1, u: '', p: ['http://evil.example/a.png'], e: 1 },
            { id: 'b', w: 1, h: 1, u: 'http://evil.example/', p: 5, e: 0 },
            { id: 'c', w: 1, h: 1, u: 'http://evil.example/' },
            { id: 'd', w: 1, h: 1, u: 'http://evil.example/', p: 'data:image/png;base64,AAAA', e: 0 },
          ],
        },
        'remote',
      ],
      'assets that are no list': [
        { assets: { 0: { id: 'a', w: 1, h: 1, u: 'http://evil.example/', p: 'a.png', e: 0 }, length: 1 } },
        'remote',
      ],
      'fonts that are no list': [
        { fonts: { list: { 0: { fName: 'a', fPath: 'http://evil.example/f.css', origin: 1 }, length: 1 } } },
        'remote',
      ],
    } satisfies Record<string, [object, string]>),
  )('has nothing of what a player would make a text of: %s', (_what, [part, verdict]) => {
    const file = { ...sound, ...part };
    expect(factsOf(bytesOf(file)).verdict).toBe(verdict);
    const made = safeFormOf(bytesOf(file));
    expect(textOf(made)).not.toContain('evil');
    expect(['remote', 'scripted']).not.toContain(factsOf(made).verdict);
    expect(safeFormOf(made)).toBe(made);
  });

  it('has fonts by their names alone', () => {
    const fonts = { list: [{ fFamily: 'A', fName: 'A', fPath: 'https://f.example/a.css', origin: 1, fOrigin: 'g' }] };
    expect(safe({ ...sound, fonts })['fonts']).toEqual({
      list: [{ fFamily: 'A', fName: 'A', fPath: '', origin: 0, fOrigin: 'n' }],
    });
  });

  it('is safe, is its own safe form, and is the same bytes each time', () => {
    const files = [
      ...Object.entries(FLAWED)
        .filter(([word]) => word !== 'deep_nesting')
        .flatMap(([, some]) => some),
      ...FLAWLESS,
    ];
    for (const file of files) {
      const once = safeFormOf(bytesOf(file));
      expect(['remote', 'scripted']).not.toContain(factsOf(once).verdict);
      expect(safeFormOf(once)).toBe(once);
      expect(textOf(safeFormOf(bytesOf(file)))).toBe(textOf(once));
    }
  });

  it('keeps names of prototypes as the names they are', () => {
    const text = JSON.stringify(sound).replace('"ip"', '"__proto__":{"a":{"k":1,"x":"code()"}},"ip"');
    const made = textOf(safeFormOf(new TextEncoder().encode(text)));
    expect(made).toBe(text.replace(',"x":"code()"', ''));
    expect(({} as Item)['a']).toBeUndefined();
  });

  it('leaves any other value alone', () => {
    assert(
      property(jsonValue({ maxDepth: 4 }), (value) => {
        const file = { ...sound, meta: { value } };
        const made = safe(file);
        const without = JSON.stringify(value, (name, inner: unknown) =>
          name === 'x' && typeof inner === 'string' ? undefined : inner,
        );
        expect(JSON.stringify((made['meta'] as Item)['value'])).toBe(without);
      }),
    );
  });

  it('is refused of what is no playable file', () => {
    for (const text of ['', '[]', '{}', '['.repeat(100_000), '{"w":1e999}']) {
      expect(() => safeFormOf(new TextEncoder().encode(text))).toThrow('not a playable Lottie file');
    }
  });
});
