// Keeps src/ARCHITECTURE.md true: which room may import which, one door for every outside package, one reader
// of the environment, one clock, and the fixed top level.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const SRC = join(ROOT, 'src');

/** What each room may import besides itself. `words` are the plain files directly in src. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  words: [],
  config: ['words'],
  credentials: ['words'],
  wire: ['words'],
  store: ['words'],
  library: ['store', 'wire', 'words'],
  purchases: ['store', 'wire', 'words'],
  upstream: ['wire', 'words'],
  sandbox: ['wire', 'store', 'words'],
  'sandbox-host': ['sandbox', 'http', 'store', 'config', 'words'],
  actions: ['library', 'purchases', 'upstream', 'wire', 'words'],
  http: ['actions', 'wire', 'words'],
  daemon: [
    'http',
    'actions',
    'library',
    'purchases',
    'upstream',
    'sandbox',
    'sandbox-host',
    'store',
    'wire',
    'config',
    'credentials',
    'words',
  ],
  cli: ['daemon', 'sandbox-host', 'config', 'credentials', 'store', 'wire', 'words'],
};

/** The only files or rooms that may import a package. */
const DOORS: Record<string, readonly string[]> = {
  'better-sqlite3': ['store/open-database.ts', 'store/usable-binary.ts'],
  keytar: ['credentials/keychain-child.ts'],
  undici: ['upstream/exchange.ts'],
  minisearch: ['library/'],
  yargs: ['cli/'],
  hono: ['http/', 'sandbox/'],
  '@hono/node-server': ['http/listen.ts'],
  valibot: ['wire/'],
  '@valibot/to-json-schema': ['wire/'],
  fflate: ['sandbox/', 'credentials/read-package.ts'],
  'env-paths': ['config.ts'],
};

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts'));

const sources = new Map(files.map((file) => [file, withoutComments(readFileSync(join(SRC, file), 'utf8'))]));

const imports = files.flatMap((file) => importsOf(file).map((target) => ({ file, target })));

describe('the house', () => {
  it('has files in every room this test speaks of, so that it cannot pass by seeing nothing', () => {
    const rooms = new Set(files.map(roomOf));
    expect([...rooms].toSorted()).toEqual(Object.keys(MAY_IMPORT).toSorted());
    expect(imports.length).toBeGreaterThan(files.length);
  });

  it('has its rooms and who may import whom in ARCHITECTURE.md, each once', () => {
    const document = readFileSync(join(SRC, 'ARCHITECTURE.md'), 'utf8');
    const rows = [...document.matchAll(/^\| (the words|`([\w-]+)\/?`)[^|]*\|[^|]*\|([^|]*)\|$/gm)];
    const told = rows.map(([, , room = 'words', allowed = '']) => [room, allowed.trim()]);
    expect(told.map(([room = '']) => room).toSorted()).toEqual(Object.keys(MAY_IMPORT).toSorted());
    const read = told.map(([room = '', allowed = '']) => [room, toldOf(allowed)]);
    expect(read).toEqual(told.map(([room = '']) => [room, rulesOf(room)]));
    // What a merge leaves behind when nobody looks.
    expect(document).not.toMatch(/^(<{7}|={7}|>{7}|> > > >)/m);
  });

  it('imports one way only', () => {
    const wrong = imports
      .filter(({ target }) => target.startsWith('.'))
      .map(({ file, target }) => ({ file, other: resolveImport(file, target) }))
      .filter(({ file, other }) => !mayImport(roomOf(file), roomOf(other)))
      .map(({ file, other }) => `${file} must not import ${other}`);
    expect(wrong).toEqual([]);
  });

  it('has one door for every outside package', () => {
    const wrong = imports
      .filter(({ target }) => !target.startsWith('.') && !target.startsWith('node:'))
      .filter(({ file, target }) => !(DOORS[packageOf(target)] ?? []).some((door) => file.startsWith(door)))
      .map(({ file, target }) => `${file} must not import ${target}`);
    expect(wrong).toEqual([]);
  });

  it('knows a door for every package that is imported, and has no door nobody uses', () => {
    const packages = imports
      .filter(({ target }) => !target.startsWith('.') && !target.startsWith('node:'))
      .map(({ target }) => packageOf(target));
    expect(Object.keys(DOORS).toSorted()).toEqual([...new Set(packages)].toSorted());
  });

  it('depends on what is not built in, and on nothing else', () => {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, object>;
    const build = readFileSync(join(ROOT, 'bin', 'build.js'), 'utf8');
    const external = /^const EXTERNAL = \[(.+)\];$/m.exec(build)?.[1]?.match(/[^', ]+/g);
    const packages = Object.keys({ ...manifest['dependencies'], ...manifest['optionalDependencies'] });
    expect(packages.toSorted()).toEqual(external?.toSorted());
  });

  it.each([
    ['process.env', /process\.env\b/, ['config.ts']],
    ['the wall clock', /Date\.now\(|new Date\(\)/, ['clock.ts', 'log.ts']],
    ['chance', /Math\.random\(/, []],
  ])('reads %s in one place only', (_what, pattern, allowed: string[]) => {
    const readers = files.filter((file) => pattern.test(sources.get(file) ?? '') && !allowed.includes(file));
    expect(readers).toEqual([]);
  });

  it('has no default exports, no barrels and no rooms for leftovers', () => {
    expect(files.filter((file) => /^export default/m.test(sources.get(file) ?? ''))).toEqual([]);
    expect(
      files.filter((file) => /(^|\/)(index|types|utils?|helpers?|common|managers?)(\.ts|\/)/.test(file)),
    ).toEqual([]);
  });

  it('says at the top of every file what it answers for', () => {
    const silent = files.filter(
      (file) => !/^(#!.*\n)?(\/\/|\/\*)/.test(readFileSync(join(SRC, file), 'utf8')),
    );
    expect(silent).toEqual([]);
  });

  it('names every room in ARCHITECTURE.md', () => {
    const text = readFileSync(join(SRC, 'ARCHITECTURE.md'), 'utf8');
    const rooms = Object.keys(MAY_IMPORT).filter((room) => room !== 'words');
    expect(rooms.filter((room) => !text.includes(`\`${room}`))).toEqual([]);
  });

  it('keeps the top level as it is', () => {
    const visible = readdirSync(ROOT).filter(
      (name) => !name.startsWith('.') && !['node_modules', 'dist'].includes(name),
    );
    expect(visible.toSorted()).toEqual(
      [
        'README.md',
        'bin',
        'data',
        'package-lock.json',
        'package.json',
        'src',
        'test',
        'tsconfig.json',
      ].toSorted(),
    );
  });
});

function mayImport(room: string, other: string): boolean {
  return room === other || (MAY_IMPORT[room] ?? []).includes(other);
}

/** The rooms of a cell such as "`store` `wire`" or "all but `cli`", without the words, sorted. */
function toldOf(cell: string): string[] {
  const named = [...cell.matchAll(/`([\w-]+)`/g)].map(([, room]) => room ?? '');
  if (!cell.startsWith('all but')) return named.toSorted();
  return Object.keys(MAY_IMPORT)
    .filter((room) => ![...named, 'words', 'daemon'].includes(room))
    .toSorted();
}

/** The rooms that a room may import, without itself and the words, sorted. */
function rulesOf(room: string): string[] {
  return (MAY_IMPORT[room] ?? []).filter((other) => other !== 'words').toSorted();
}

function roomOf(file: string): string {
  if (file.includes('/')) return file.slice(0, file.indexOf('/'));
  const name = file.replace(/\.ts$/, '');
  return name in MAY_IMPORT ? name : 'words';
}

function resolveImport(file: string, target: string): string {
  return relative(SRC, resolve(SRC, dirname(file), target))
    .replaceAll('\\', '/')
    .replace(/\.js$/, '.ts');
}

function importsOf(file: string): string[] {
  const pattern = /(?:\bfrom\s*|\bimport\s*\(\s*|^\s*import\s+|createRequire\([^)]*\)\(\s*)'([^'\n]+)'/gm;
  const found = [...(sources.get(file) ?? '').matchAll(pattern)].map(([, target]) => target ?? '');
  // A manifest is data, not a module.
  return found.filter((target) => !target.endsWith('package.json'));
}

function packageOf(target: string): string {
  return target.split('/', target.startsWith('@') ? 2 : 1).join('/');
}

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}
