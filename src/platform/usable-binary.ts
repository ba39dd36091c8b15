// Two pairs of Node.js and better-sqlite3 load and then die by a signal. We refuse them in words instead.

import { createRequire } from 'node:module';
import { SvcdError } from '../model/errors.js';

export interface Runtime {
  nodeMajor: number;
  /** Node-API version. */
  napi: number;
  sqliteMajor: number;
}

/** Throws `unsupported_platform` when this pair is known to crash the process. */
export function assertUsableBinary(runtime: Runtime = currentRuntime()): void {
  const problem = knownCrash(runtime);
  if (problem !== undefined) {
    throw new SvcdError('unsupported_platform', problem, {
      hint: 'Run "npm install --no-save better-sqlite3" in the folder of svcd and try again.',
    });
  }
}

function knownCrash({ nodeMajor, napi, sqliteMajor }: Runtime): string | undefined {
  if (sqliteMajor <= 12 && nodeMajor === 24) {
    return 'better-sqlite3 12 aborts on Node.js 24; version 13 works there.';
  }
  if (sqliteMajor >= 13 && napi < 10) {
    return `better-sqlite3 13 crashes on Node.js ${nodeMajor}; version 12 works there.`;
  }
  return undefined;
}

function currentRuntime(): Runtime {
  const manifest = createRequire(import.meta.url)('better-sqlite3/package.json') as { version: string };
  return {
    nodeMajor: Number.parseInt(process.versions.node, 10),
    napi: Number.parseInt(process.versions['napi'] ?? '0', 10),
    sqliteMajor: Number.parseInt(manifest.version, 10),
  };
}
