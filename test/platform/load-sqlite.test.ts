// Which of the two better-sqlite3 is loaded, and what is said when it cannot be.

import { describe, expect, it } from 'vitest';
import { findSqlite } from '../../src/platform/load-sqlite.js';

/** A package that works, noting the name it was asked for by. */
function working(asked: string[]) {
  return (name: string): unknown => {
    asked.push(name);
    return class {
      close(): void {}
    };
  };
}

function failing(error: Error) {
  return (): unknown => {
    throw error;
  };
}

describe('the better-sqlite3 that is loaded', () => {
  it.each([
    [9, 'better-sqlite3-12'],
    [10, 'better-sqlite3'],
    [11, 'better-sqlite3'],
  ])('with Node-API %d is %s', (napi, name) => {
    const asked: string[] = [];
    findSqlite({ napi, load: working(asked) });
    expect(asked).toEqual([name]);
  });

  it.each([
    [
      'is not installed',
      Object.assign(new Error("Cannot find module 'better-sqlite3-12'\nRequire stack:"), {
        code: 'MODULE_NOT_FOUND',
      }),
      `better-sqlite3-12, which Node.js ${process.version} needs, is not installed`,
    ],
    [
      'was built for another Node.js',
      Object.assign(new Error('was compiled against a different Node.js version\nusing'), {
        code: 'ERR_DLOPEN_FAILED',
      }),
      `better-sqlite3-12, which Node.js ${process.version} needs, cannot be loaded (was compiled against a different Node.js version)`,
    ],
  ])('is told of in one sentence, with what to do, when it %s', (_how, error, message) => {
    expect(() => findSqlite({ napi: 9, load: failing(error) })).toThrow(
      expect.objectContaining({
        code: 'unsupported_platform',
        message,
        hint: expect.stringContaining('"npm ci"') as string,
      }),
    );
  });
});
