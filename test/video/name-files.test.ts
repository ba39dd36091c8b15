// Names of locked files: readable, good on every file system, never the same for other bytes.

import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { sha256Hex } from '../../src/model/hash.js';
import { foldName, isGivenName, nameFiles, type NamedAsset } from '../../src/video/lock/name-files.js';

const asset = (what: string, sha256: string, fields: Partial<NamedAsset> = {}): NamedAsset => ({
  what,
  isDefault: false,
  sha256: sha256.padEnd(64, '0'),
  extension: 'json',
  ...fields,
});

it.each<[string, NamedAsset, string]>([
  ['a preset', asset('fluent-emoji-flat/birthday-cake', '6b1e02c4'), 'fluent-emoji-flat~birthday-cake.6b1e02c4.json'],
  [
    'a default picture',
    asset('1536x1024', '77aa01f3', { isDefault: true, extension: 'png' }),
    'default~1536x1024.77aa01f3.png',
  ],
  ['Chinese', asset('节日/生日蛋糕', '6b1e02c4'), '节日~生日蛋糕.6b1e02c4.json'],
  ['spaces and signs', asset('a b/c:d*?<>|"%', '6b1e02c4'), 'a-b~c-d-.6b1e02c4.json'],
  ['a device of Windows', asset('CON', '6b1e02c4'), '_CON.6b1e02c4.json'],
  ['a device with an extension', asset('nul.txt', '6b1e02c4'), '_nul.txt.6b1e02c4.json'],
  ['what would be hidden', asset('.env', '6b1e02c4'), 'env.6b1e02c4.json'],
  ['nothing but signs', asset('!!!', '6b1e02c4'), 'asset.6b1e02c4.json'],
])('names %s', (_what, one, name) => {
  expect(nameFiles([one])).toEqual([name]);
});

it('shortens what no file system could hold, so that what begins alike differs', () => {
  const [a = '', b = ''] = nameFiles([asset('长'.repeat(300), '11112222'), asset(`${'长'.repeat(299)}短`, '11112222')]);
  for (const name of [a, b]) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
  expect(a).not.toBe(b);
});

it('takes more of the digest where the first digits would name other bytes', () => {
  const [one, two] = [`6b1e02c4${'1'.repeat(56)}`, `6b1e02c4${'2'.repeat(56)}`];
  expect(nameFiles([asset('a/b', one), asset('A~b', two)])).toEqual([
    'a~b.6b1e02c411111111.json',
    'A~b.6b1e02c422222222.json',
  ]);
  expect(nameFiles([asset('a/b', one), asset('a/b', one)])).toEqual(['a~b.6b1e02c4.json', 'a~b.6b1e02c4.json']);
});

it('is safe on Windows, without case, and never the same for other bytes', () => {
  const what = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.constantFrom('a/b', 'A/B', 'a~b', 'con', 'é', 'é'),
  );
  const assets = fc.array(
    fc.record({ what, isDefault: fc.boolean(), digest: fc.nat(3), extension: fc.constantFrom('json', 'png') }),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(assets, (listed) => {
      // Digests that begin alike, so that names would meet.
      const all = listed.map(({ digest, ...one }) => ({
        ...one,
        sha256: `00000000${sha256Hex(`${digest}`).slice(8)}`,
      }));
      const names = nameFiles(all);
      names.forEach((name, i) => {
        expect(name).not.toMatch(/[<>:"/\\|?*\p{Cc}]|^[. -]|[. ]$/u);
        expect(name).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
        expect([isGivenName(name, all[i]?.sha256), isGivenName(name, `ff${'0'.repeat(62)}`)]).toEqual([true, false]);
        names.forEach((other, j) => {
          if (foldName(name) === foldName(other)) expect(all[i]?.sha256).toBe(all[j]?.sha256);
        });
      });
    }),
  );
});
