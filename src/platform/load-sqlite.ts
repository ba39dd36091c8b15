// Which better-sqlite3 is loaded. Version 13 needs Node-API 10 and crashes the process where that is missing (Node.js
// 20); version 12 is compiled for one major version of Node.js, and aborts on 24. So the package depends on both, under
// two names, and one lock file serves every Node.js.

import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';
import { SvcdError, systemCode } from '../model/errors.js';

type Sqlite = typeof BetterSqlite3;

/** The Node-API version that better-sqlite3 13 is built for. */
const NAPI_OF_13 = 10;

/** What is known of the running Node.js; another one in tests. */
export interface Runtime {
  /** Node-API version. */
  readonly napi: number;
  /** Loads a package by its name. */
  readonly load: (name: string) => unknown;
}

let loaded: Sqlite | undefined;

/** The better-sqlite3 that this Node.js can run. Throws `unsupported_platform` when it is missing or does not load. */
export function loadSqlite(): Sqlite {
  return (loaded ??= findSqlite({
    napi: Number.parseInt(process.versions['napi'] ?? '0', 10),
    load: createRequire(import.meta.url),
  }));
}

/** The same for a given runtime, looked for at each call. */
export function findSqlite({ napi, load }: Runtime): Sqlite {
  const name = napi >= NAPI_OF_13 ? 'better-sqlite3' : 'better-sqlite3-12';
  try {
    const Sqlite = load(name) as Sqlite;
    // The package loads its binary with the first database only.
    new Sqlite(':memory:').close();
    return Sqlite;
  } catch (cause) {
    const trouble = isMissing(cause) ? 'is not installed' : `cannot be loaded (${firstLine(cause)})`;
    throw new SvcdError('unsupported_platform', `${name}, which Node.js ${process.version} needs, ${trouble}`, {
      cause,
      hint:
        'Install svcd again with this Node.js: run "npm ci" in its folder, or "npm install -g svcd". ' +
        'On Node.js 20 a compiler must be there (Debian: apt-get install g++ make python3).',
    });
  }
}

/** Whether the package is not there; a package that does not find its own binary is. */
function isMissing(error: unknown): boolean {
  return systemCode(error) === 'MODULE_NOT_FOUND';
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}
