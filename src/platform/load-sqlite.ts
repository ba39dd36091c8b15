// Which better-sqlite3 is loaded. Version 13 needs Node-API 10 and crashes the process where that is missing (Node.js
// 20); version 12 is compiled for one major version of Node.js, and aborts on 24. So the package depends on both, under
// two names, and one lock file serves every Node.js.

import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';
import { SvcdError, systemCode } from '../model/errors.js';
import { howInstalled, type Installed, reinstallCommand } from './installation.js';

type Sqlite = typeof BetterSqlite3;

/** The Node-API version that better-sqlite3 13 is built for. */
const NAPI_OF_13 = 10;

/** Node.js by the number that is in a binary for it alone (NODE_MODULE_VERSION). */
const NODE_OF_ABI: Readonly<Record<string, number>> = { 115: 20, 120: 21, 127: 22, 131: 23, 137: 24, 141: 25, 147: 26 };

/** What is known of the running Node.js; another one in tests. */
export interface Runtime {
  /** Node-API version. */
  readonly napi: number;
  readonly load: (name: string) => unknown;
  readonly installed?: Installed;
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
export function findSqlite({ napi, load, installed }: Runtime): Sqlite {
  const name = napi >= NAPI_OF_13 ? 'better-sqlite3' : 'better-sqlite3-12';
  try {
    const Sqlite = load(name) as Sqlite;
    // The package loads its binary with the first database only.
    new Sqlite(':memory:').close();
    return Sqlite;
  } catch (cause) {
    const { trouble, mend } = explain(cause, name, installed ?? howInstalled());
    throw new SvcdError('unsupported_platform', `${name}, which Node.js ${process.version} needs, ${trouble}`, {
      cause,
      hint: `Run "${mend}"${mend.endsWith(' svcd') ? FROM_FILE : ''}${napi >= NAPI_OF_13 ? '' : COMPILER}.`,
    });
  }
}

/** Only version 13 brings its binaries. */
const COMPILER =
  ' where a compiler is installed (Debian: apt-get install g++ make python3) and nodejs.org, for the headers of Node.js, can be reached (the build fails without either), or use Node.js 22.14 or newer, which needs neither';

/** npm finds the package in no registry then. */
const FROM_FILE = ' (with the path of the .tgz in place of svcd, if you installed it from a file)';

/** What is wrong with the package, and the command that mends it. */
function explain(error: unknown, name: string, installed: Installed): { trouble: string; mend: string } {
  const [first = '', ...more] = (error instanceof Error ? error.message : String(error)).split('\n');
  const rebuild = `npm rebuild${installed.options} --ignore-scripts=false ${name}`;
  const abi = /NODE_MODULE_VERSION (\d+)/.exec([first, ...more].join(' '))?.[1];
  if (abi !== undefined) {
    const built = NODE_OF_ABI[abi];
    return {
      trouble: `was built for ${built === undefined ? `another one (ABI ${abi})` : `Node.js ${built}`}`,
      mend: rebuild,
    };
  }
  // Version 12 is compiled when npm installs it, and asks for its binary by the package `bindings`.
  if (first.startsWith('Could not locate the bindings file')) {
    return { trouble: 'has no binary: its install script was not run, or failed', mend: rebuild };
  }
  // 13 brings its binaries, so that nothing can be rebuilt.
  if (systemCode(error) === 'MODULE_NOT_FOUND') {
    const binary = /\.node'/.test(first) ? `has no binary for ${process.platform} ${process.arch}` : 'is not complete';
    return { trouble: first.includes(`'${name}'`) ? 'is not installed' : binary, mend: reinstallCommand(installed) };
  }
  return {
    trouble: `cannot be loaded (${first})`,
    mend: name === 'better-sqlite3' ? reinstallCommand(installed) : rebuild,
  };
}
