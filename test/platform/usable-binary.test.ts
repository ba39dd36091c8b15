// The guard against pairs of Node.js and better-sqlite3 that die by a signal.

import { describe, expect, it } from 'vitest';
import { assertUsableBinary } from '../../src/platform/usable-binary.js';

describe('the start-up guard', () => {
  it.each([
    ['12 on Node 20', { nodeMajor: 20, napi: 9, sqliteMajor: 12 }],
    ['12 on Node 22', { nodeMajor: 22, napi: 10, sqliteMajor: 12 }],
    ['12 on Node 26', { nodeMajor: 26, napi: 10, sqliteMajor: 12 }],
    ['13 on Node 22', { nodeMajor: 22, napi: 10, sqliteMajor: 13 }],
    ['13 on Node 24', { nodeMajor: 24, napi: 10, sqliteMajor: 13 }],
  ])('lets better-sqlite3 %s through', (_what, runtime) => {
    expect(() => assertUsableBinary(runtime)).not.toThrow();
  });

  it.each([
    ['12 on Node 24, which aborts', { nodeMajor: 24, napi: 10, sqliteMajor: 12 }, 'version 13 works there'],
    ['13 on Node 20, which crashes', { nodeMajor: 20, napi: 9, sqliteMajor: 13 }, 'version 12 works there'],
  ])('refuses better-sqlite3 %s', (_what, runtime, words) => {
    expect(() => assertUsableBinary(runtime)).toThrow(
      expect.objectContaining({
        code: 'unsupported_platform',
        message: expect.stringContaining(words) as string,
      }),
    );
  });

  it('lets the pair that runs this test through', () => {
    expect(() => assertUsableBinary()).not.toThrow();
  });
});
