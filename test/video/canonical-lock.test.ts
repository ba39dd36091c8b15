// The bytes of a lock: one text for one choice, whatever the order in which it was made.

import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { LockedAsset } from '../../src/api/lock.js';
import { canonicalLock } from '../../src/video/lock/locked-folder.js';
import { readLock } from '../../src/video/lock/read-lock.js';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockedSticker, lockOf, temporaryFolder } from '../support/locks.js';

const slotNames = fc.uniqueArray(fc.stringMatching(/^[a-zA-Z0-9生日𠮷é][a-zA-Z0-9._-]{0,8}$/u), {
  minLength: 1,
  maxLength: 12,
});
const choices = slotNames.chain((names) =>
  fc.tuple(
    fc.constant(names),
    fc.array(fc.string({ unit: 'grapheme' }), { minLength: names.length, maxLength: names.length }),
  ),
);

function shuffled<T extends object>(value: T, order: (keys: string[]) => string[]): T {
  if (Array.isArray(value)) return value;
  const fields = value as Record<string, unknown>;
  return Object.fromEntries(
    order(Object.keys(fields)).map((key) => {
      const one = fields[key];
      return [key, typeof one === 'object' && one !== null ? shuffled(one, order) : one];
    }),
  ) as T;
}

it('is the same text for any order of slots and fields, sorted, with a newline at the end', () => {
  const folder = temporaryFolder();
  fc.assert(
    fc.property(choices, fc.infiniteStream(fc.nat()), ([names, contents], chance) => {
      const assets: Record<string, LockedAsset> = {};
      names.forEach((name, i) => (assets[name] = lockedSticker(contents[i] ?? '')));
      const lock = lockOf(assets);
      const text = canonicalLock(lock);
      const mixed = shuffled(lock, (keys) =>
        keys
          .map((key) => ({ key, at: chance.next().value ?? 0 }))
          .toSorted((a, b) => a.at - b.at)
          .map(({ key }) => key),
      );
      expect(canonicalLock(mixed)).toBe(text);
      expect(JSON.parse(text)).toEqual(lock);
      expect(text.endsWith('}\n')).toBe(true);
      const written = [...text.matchAll(/^ {4}"([^"]+)": \{$/gm)].map(([, name = '']) => name);
      expect(written).toEqual(names.toSorted((a, b) => (a < b ? -1 : 1)));
      // Reading and writing changes nothing.
      const file = join(folder, 'a.json');
      writeFileSync(file, text);
      expect(canonicalLock(readLock(file).lock)).toBe(text);
    }),
  );
});

it('looks like this', () => {
  expect(canonicalLock({ remote: null, lock: 1, assets: {} })).toBe(
    '{\n  "assets": {},\n  "lock": 1,\n  "remote": null\n}\n',
  );
});
