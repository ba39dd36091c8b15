// Which of the two better-sqlite3 is loaded, and what is said when it cannot be.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { howInstalled, type Installed } from '../../src/platform/installation.js';
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

  const missing = (name: string) =>
    Object.assign(new Error(`Cannot find module '${name}'\nRequire stack:`), { code: 'MODULE_NOT_FOUND' });
  const compiled = (abi: number) =>
    Object.assign(
      new Error(
        `The module '/x.node'\nwas compiled against a different Node.js version using\nNODE_MODULE_VERSION ${abi}. This`,
      ),
      { code: 'ERR_DLOPEN_FAILED' },
    );
  const clone = { how: 'clone', options: ' --prefix /src' } satisfies Installed;
  const everywhere = { how: 'global', options: ' -g --prefix /usr' } satisfies Installed;
  const REBUILD = '--ignore-scripts=false better-sqlite3-12';

  it.each<[napi: number, error: Error, installed: Installed, sentence: string, command: string]>([
    [9, missing('better-sqlite3-12'), clone, '-12, … is not installed', 'npm ci --prefix /src'],
    [9, missing('better-sqlite3-12'), everywhere, '-12, … is not installed', 'npm install -g --prefix /usr svcd'],
    [9, missing('bindings'), clone, '-12, … is not complete', 'npm ci --prefix /src'],
    [9, compiled(127), clone, '-12, … was built for Node.js 22', `npm rebuild --prefix /src ${REBUILD}`],
    [
      9,
      compiled(999),
      everywhere,
      '-12, … was built for another one (ABI 999)',
      `npm rebuild -g --prefix /usr ${REBUILD}`,
    ],
    [
      9,
      new Error('Could not locate the bindings file. Tried:\n → /x/build/better_sqlite3.node'),
      everywhere,
      '-12, … has no binary: its install script was not run, or failed',
      `npm rebuild -g --prefix /usr ${REBUILD}`,
    ],
    [
      10,
      missing('/x/build/Release/better_sqlite3.node'),
      everywhere,
      `, … has no binary for ${process.platform} ${process.arch}`,
      'npm install -g --prefix /usr svcd',
    ],
    [
      10,
      Object.assign(new Error('libc.so.6: version `GLIBC_2.38` not found\nmore'), { code: 'ERR_DLOPEN_FAILED' }),
      clone,
      ', … cannot be loaded (libc.so.6: version `GLIBC_2.38` not found)',
      'npm ci --prefix /src',
    ],
  ])(
    'with Node-API %d is told of in one sentence, with the command that mends it: %s',
    (napi, error, installed, sentence, command) => {
      const message = `better-sqlite3${sentence.replace('…', `which Node.js ${process.version} needs,`)}`;
      const compiler =
        napi === 9
          ? / where a compiler is installed .*, or use Node\.js 22\.14 or newer, /
          : /"(?: \(with the path of the \.tgz .*\))?\.$/;
      const found = expect.stringMatching(compiler) as string;
      const run = () => findSqlite({ napi, load: failing(error), installed });
      expect(run).toThrow(expect.objectContaining({ code: 'unsupported_platform', message, hint: found }));
      expect(run).toThrow(expect.objectContaining({ hint: expect.stringContaining(`Run "${command}"`) as string }));
    },
  );
});

describe('the way svcd was installed', () => {
  it.each([
    ['from a clone', 'clone/', 'clone', ' --prefix DIR/clone'],
    ['with -g', 'usr/lib/node_modules/svcd/', 'global', ' -g --prefix DIR/usr'],
    ['with -g on Windows', 'npm/node_modules/svcd/', 'global', ' -g --prefix DIR/npm'],
    ['into a project', 'app/node_modules/svcd/', 'project', ' --prefix DIR/app'],
    ['below another package', 'app/node_modules/cards/node_modules/svcd/', 'project', ' --prefix DIR/app'],
  ])('%s is known by its folder', (_how, path, how, options) => {
    const folder = mkdtempSync(join(tmpdir(), 'svcd-installed-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const project of ['app', 'clone']) {
      mkdirSync(join(folder, project));
      writeFileSync(join(folder, project, 'package.json'), '{}');
    }
    expect(howInstalled(join(folder, path))).toEqual({ how, options: options.replace('DIR', folder) });
  });

  it('is told with a folder that a shell takes as one word', () => {
    expect(howInstalled("/it's my/clone/").options).toBe(String.raw` --prefix '/it'\''s my/clone'`);
  });
});
