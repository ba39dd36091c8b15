// Holds the structure of the source: which room may import which, no circles, one door for every outside package, one
// reader of the environment, one clock, the size of files, and the fixed top level. Type imports count.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allowedRooms, circlesOf, GROUPS, readHouse, roomOf, wrongImports } from './support/read-house.js';

const ROOT = resolve(import.meta.dirname, '..');
const SRC = join(ROOT, 'src');
const MAX_LINES = 400;

/** The only files or rooms that may import a package. */
const DOORS: Record<string, readonly string[]> = {
  'better-sqlite3': ['platform/open-database.ts', 'platform/load-sqlite.ts'],
  keytar: ['auth/keychain-child.ts'],
  pg: ['platform/postgres/pool.ts'],
  undici: ['upstream/exchange.ts'],
  minisearch: ['library/search-index/'],
  yargs: ['cli/'],
  hono: ['http/', 'operations/', 'hub/app/', 'sandbox/'],
  '@hono/node-server': ['http/listen.ts'],
  valibot: ['contract/', 'api/', 'sandbox/', 'mcp/'],
  '@valibot/to-json-schema': ['api/', 'sandbox/', 'mcp/create-server.ts'],
  '@modelcontextprotocol/server': ['mcp/'],
  fflate: ['sandbox/templates/', 'platform/files/write-zip.ts', 'picker/export/worker.ts'],
  '@peculiar/x509': ['hub/register/sign-certificate.ts'],
  'prom-client': ['daemon/serve-metrics.ts'],
  'reflect-metadata': ['hub/register/sign-certificate.ts'],
  preact: ['picker/'],
  '@preact/signals': ['picker/'],
  '@lottiefiles/dotlottie-web': ['picture/draw-worker.ts'],
  'lottie-web': ['picker/player/worker.ts', 'picker/picker.d.ts'],
  gifenc: ['picker/export/worker.ts', 'picker/picker.d.ts'],
  react: ['client/slots/remotion.ts'],
  remotion: ['client/slots/remotion.ts'],
  '@remotion/lottie': ['client/slots/remotion.ts'],
};

/** Lines that a room may have. A row is raised in a commit of its own, with the reason; what a room gives up lowers it. */
const BUDGETS: Readonly<Record<string, number>> = {
  api: 3692,
  auth: 1512,
  catalogue: 336,
  cli: 17_395,
  client: 1993,
  config: 1467,
  contract: 1081,
  daemon: 1683,
  defaults: 893,
  harvest: 2080,
  http: 1648,
  hub: 4538,
  library: 9406,
  lottie: 1560,
  mcp: 1094,
  model: 664,
  operations: 7202,
  picker: 11_707,
  picture: 250,
  platform: 3411,
  purchases: 8205,
  sandbox: 4699,
  upstream: 2252,
  video: 4661,
};
const MAX_FOLDER_FILES = 25;

const house = readHouse(SRC);
const packages = house.imports.filter(({ target }) => !target.startsWith('.') && !target.startsWith('node:'));

describe('the structure of the source', () => {
  it('has files in every room this test speaks of, so that it cannot pass by seeing nothing', () => {
    const rooms = new Set(house.files.map(roomOf));
    expect([...rooms].filter((room) => !GROUPS.flat().includes(room))).toEqual([]);
    expect(house.imports.length).toBeGreaterThan(house.files.length);
  });

  it('imports one way only', () => {
    expect(wrongImports(house)).toEqual([]);
  });

  it('notices a wrong import planted in any room', () => {
    const rooms = [...new Set(house.files.map(roomOf))];
    for (const room of rooms) {
      const file = house.files.find((one) => roomOf(one) === room) ?? '';
      for (const other of rooms.filter((one) => one !== room && !allowedRooms(room).includes(one))) {
        const target = house.files.find((one) => roomOf(one) === other) ?? '';
        const planted = { ...house, links: [...house.links, { file, other: target }] };
        expect(wrongImports(planted)).toContain(`${file} must not import ${target}`);
      }
    }
  });

  // What several nouns say stands in `terminal/`.
  it('has words that their own folder alone imports', () => {
    const folderOf = (file: string) => file.slice(0, file.lastIndexOf('/'));
    const borrowed = house.links
      .filter(({ other }) => /^cli\/(?!terminal\/).*\bwords\.ts$/.test(other))
      .filter(({ file, other }) => folderOf(file) !== folderOf(other))
      .map(({ file, other }) => `${file} must not import ${other}`);
    expect(borrowed).toEqual([]);
  });

  it('has no circle between files', () => {
    expect(circlesOf(house.links)).toEqual([]);
  });

  it(`has no file over ${MAX_LINES} lines`, () => {
    const long = house.files.filter((file) => (house.lines.get(file) ?? 0) > MAX_LINES);
    expect(long).toEqual([]);
  });

  it('has no room over its budget', () => {
    const sums = new Map<string, number>();
    for (const file of house.files) {
      sums.set(roomOf(file), (sums.get(roomOf(file)) ?? 0) + (house.lines.get(file) ?? 0));
    }
    expect([...sums.keys()].toSorted()).toEqual(Object.keys(BUDGETS));
    const over = [...sums].filter(([room, lines]) => lines > (BUDGETS[room] ?? 0));
    expect(over).toEqual([]);
  });

  it(`has no folder over ${MAX_FOLDER_FILES} files`, () => {
    const counts = new Map<string, number>();
    for (const file of house.files) {
      const folder = file.slice(0, file.lastIndexOf('/'));
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    const large = [...counts].filter(([, count]) => count > MAX_FOLDER_FILES).map(([folder]) => folder);
    expect(large).toEqual([]);
  });

  // Rules and interfaces of money are the same for every database.
  it('names no driver in the root of purchases, whose databases do not see each other', () => {
    const root = house.files.filter((file) => /^purchases\/[^/]+$/.test(file));
    const naming = root.filter((file) =>
      /better-sqlite3|open-database|platform\/postgres|'pg'/.test(house.sources.get(file) ?? ''),
    );
    expect(naming).toEqual([]);
    const [sqlite, postgres] = ['purchases/sqlite/', 'purchases/postgres/'];
    const across = house.links.filter(
      ({ file, other }) =>
        (file.startsWith(sqlite) && other.startsWith(postgres)) ||
        (file.startsWith(postgres) && other.startsWith(sqlite)),
    );
    expect(across).toEqual([]);
  });

  it('has one door for every outside package', () => {
    const wrong = packages
      .filter(({ file, target }) => !(DOORS[packageOf(target)] ?? []).some((door) => file.startsWith(door)))
      .map(({ file, target }) => `${file} must not import ${target}`);
    expect(wrong).toEqual([]);
  });

  // A sidecar has no database, and should not load the driver of one at each start.
  it('loads PostgreSQL late: what speaks to it is imported by itself, or by import()', () => {
    const early = house.files
      .filter((file) => !/\/postgres[-/]/.test(file))
      .filter((file) => /^(?:import|export) (?!type)[^;]*from '[^']*\/postgres\//m.test(house.sources.get(file) ?? ''));
    expect(early).toEqual([]);
  });

  it('knows a door for every package that is imported, and has no door without a user', () => {
    const names = packages.map(({ target }) => packageOf(target));
    expect(Object.keys(DOORS).toSorted()).toEqual([...new Set(names)].toSorted());
  });

  it('depends on what is not built in, and on nothing else', () => {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, object>;
    const build = readFileSync(join(ROOT, 'bin', 'build.js'), 'utf8');
    const external = /^const EXTERNAL = \[(.+)\];$/m.exec(build)?.[1]?.match(/[^', ]+/g);
    const names = Object.keys({ ...manifest['dependencies'], ...manifest['optionalDependencies'] });
    expect(names.toSorted()).toEqual(external?.toSorted());
  });

  // better-sqlite3 13 ships its binaries, and says so by this field. npm leaves it out of the lock when it writes that
  // anew, and without it `npm ci` compiles the package where it is not needed, and fails without a compiler.
  it('has a lock that installs SQLite without a compiler on newer Nodes', () => {
    const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { gypfile?: boolean }>;
    };
    const sqlite = lock.packages['node_modules/better-sqlite3'];
    expect(sqlite?.gypfile, 'add "gypfile": false to node_modules/better-sqlite3').toBe(false);
  });

  it.each([
    // The client is a part of other programs.
    ['process.env', /process\.env\b/, ['config/', 'client/connect.ts']],
    ['the wall clock', /Date\.now\(|new Date\(\)/, ['platform/clock.ts', 'platform/log.ts', 'picker/words/words.ts']],
    ['chance', /Math\.random\(/, ['client/retry.ts']],
  ])('reads %s in one place only', (_what, pattern, allowed: string[]) => {
    const readers = house.files.filter(
      (file) => pattern.test(house.sources.get(file) ?? '') && !allowed.some((door) => file.startsWith(door)),
    );
    expect(readers).toEqual([]);
  });

  it('has no default exports, no barrels and no rooms for leftovers', () => {
    expect(house.files.filter((file) => /^export default/m.test(house.sources.get(file) ?? ''))).toEqual([]);
    expect(
      house.files.filter((file) => /(^|\/)(index|types|utils?|helpers?|common|managers?)(\.ts|\/)/.test(file)),
    ).toEqual([]);
  });

  it('says at the top of every file what it answers for', () => {
    const silent = house.files.filter((file) => !/^(#!.*\n)?(\/\/|\/\*)/.test(readFileSync(join(SRC, file), 'utf8')));
    expect(silent).toEqual([]);
  });

  it('keeps the top level as it is', () => {
    const fixed = 'README.md bin data package-lock.json package.json src test tsconfig.json'.split(' ');
    // What a user puts beside these is the user's: only what is tracked counts, and where nothing is, that these are there.
    const { stdout } = spawnSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 });
    const tracked = new Set((stdout ?? '').split('\n').map((path) => path.split('/', 1)[0] ?? ''));
    const visible = [...tracked].filter((name) => name !== '' && !name.startsWith('.'));
    const found = visible.length > 0 ? visible : fixed.filter((name) => existsSync(join(ROOT, name)));
    expect(found.toSorted()).toEqual(fixed.toSorted());
  });
});

function packageOf(target: string): string {
  return target.split('/', target.startsWith('@') ? 2 : 1).join('/');
}
