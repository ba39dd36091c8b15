// What a bought file is told to be: each flaw by its word, and nothing about a sound file, whatever its size.

import { describe, expect, it } from 'vitest';
import { PLAYER_WARNINGS } from '../../src/lottie/feature-table.js';
import { playerWarnings } from '../../src/lottie/read-sticker.js';
import { FLAWED, FLAWLESS } from '../support/flawed-lottie.js';

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const sound = FLAWLESS[0] ?? {};

describe('warnings about players', () => {
  it.each(Object.entries(FLAWED))('says %s of a file that has it, and no more', (word, files) => {
    for (const file of files) expect(playerWarnings(bytesOf(file))).toEqual([word]);
  });

  it('says nothing of a sound file', () => {
    for (const file of FLAWLESS) expect(playerWarnings(bytesOf(file))).toEqual([]);
  });

  it('says several in the order of its list', () => {
    const all = Object.values(FLAWED).flatMap((files) => playerWarnings(bytesOf(files[0])));
    expect([...all].toSorted()).toEqual(PLAYER_WARNINGS.filter((word) => word !== 'not_checked').toSorted());
    const both = structuredClone(FLAWED.dash_without_name[0] ?? {});
    (both['layers'] as { ddd: number; sy: unknown[] }[])[0]!.sy = [{ ty: 1 }];
    expect(playerWarnings(bytesOf(both))).toEqual(['dash_without_name', 'layer_styles']);
  });

  it('finds a flaw deep inside', () => {
    const [flawed] = FLAWED.dash_without_offset;
    const part = { id: 'part', layers: flawed?.['layers'] };
    const layer = { ...(sound['layers'] as object[])[0], ty: 0, refId: 'part', shapes: undefined };
    const file = { ...sound, assets: [part], layers: [layer] };
    expect(playerWarnings(bytesOf(file))).toEqual(['dash_without_offset']);
  });

  it('looks through a large file whose size is its pictures', () => {
    const big = { id: 'big', w: 1, h: 1, u: '', p: `data:image/png;base64,${'A'.repeat(4_000_000)}`, e: 1 };
    expect(playerWarnings(bytesOf({ ...sound, assets: [big] }))).toEqual([]);
    const [flawed] = FLAWED.expressions;
    expect(playerWarnings(bytesOf({ ...flawed, assets: [big] }))).toEqual(['expressions']);
  });

  it('does not parse a file that is large without them, or deceives', () => {
    const lines = JSON.stringify({ ...sound, layers: Array.from({ length: 5_000 }, () => sound['layers']) });
    for (const text of [lines, '"data:'.repeat(1_000_000), '['.repeat(3_000_000), `"data:${'x'.repeat(3e6)}`]) {
      expect(playerWarnings(new TextEncoder().encode(text))).toEqual(['not_checked']);
    }
  });

  it('ends on a file that is nested as deep as it may be long', () => {
    const text = JSON.stringify(sound).replace('"v"', `"deep":${'['.repeat(150_000)}${']'.repeat(150_000)},"v"`);
    expect(playerWarnings(new TextEncoder().encode(text))).toEqual(['deep_nesting']);
  });

  it('never throws, whatever a playable file holds in the wrong place', () => {
    for (const odd of [null, 0, 'x', [], {}, [null], [[]], { k: null }]) {
      for (const field of ['assets', 'layers', 'chars', 'ip', 'fonts']) {
        expect(Array.isArray(playerWarnings(bytesOf({ ...sound, [field]: odd })))).toBe(true);
      }
      for (const field of ['shapes', 'ks', 'ef', 'sy', 'masksProperties', 'refId', 'parent', 'ty', 'tt']) {
        const layer = { ...(sound['layers'] as object[])[0], [field]: odd };
        expect(Array.isArray(playerWarnings(bytesOf({ ...sound, layers: [layer] })))).toBe(true);
      }
    }
  });
});
