// What the build prepared of the sandbox: taken into a home that has nothing of it, and only where it is what svcd would
// make itself.

import { createHash } from 'node:crypto';
import { cpSync, existsSync, lstatSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { preparedForm, type PreparedManifest, unpackPrepared } from '../../src/daemon/prepared-files.js';
import { type Log, silentLog } from '../../src/platform/log.js';
import { type StartedDaemon, startTestDaemon, temporaryHome } from '../support/start-daemon.js';
import { Sqlite } from '../support/sqlite.js';

const PREPARED = new URL('../../dist/prepared/', import.meta.url);
const NAMES = ['sandbox.db', 'library.db'] as const;

beforeAll(() => {
  if (!existsSync(new URL('manifest.json', PREPARED))) throw new Error('npm run build');
});

/** A copy of what was prepared, for a test that changes it. */
function copyPrepared() {
  const folder = mkdtempSync(join(tmpdir(), 'svcd-prepared-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(PREPARED, folder, { recursive: true });
  const file = join(folder, 'manifest.json');
  const change = (what: Partial<PreparedManifest>) => {
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as PreparedManifest;
    writeFileSync(file, JSON.stringify({ ...manifest, ...what }));
    return manifest;
  };
  return { folder, from: pathToFileURL(`${folder}/`), manifest: change({}), change };
}

async function placeAll(home: string, from: URL, log: Log = silentLog): Promise<readonly string[]> {
  const prepared = unpackPrepared(home, log, from);
  for (const name of NAMES) await prepared.place(home, name);
  return NAMES.filter((name) => existsSync(join(home, name)));
}

function collectWarnings() {
  const warnings: string[] = [];
  const log: Log = { ...silentLog, warn: (event, fields) => warnings.push(`${event} ${String(fields?.['file'])}`) };
  return { warnings, log };
}

describe('what the build prepared', () => {
  it('is what svcd builds: the same answers, in the same order, and the very same index', async () => {
    const [prepared, built] = [temporaryHome(), temporaryHome()];
    // What is there already, be it empty, is not replaced.
    for (const name of NAMES) writeFileSync(join(built, name), '', { mode: 0o600 });
    const flags = { sandbox: true };
    const pair = [await startTestDaemon({ home: prepared, flags }), await startTestDaemon({ home: built, flags })];
    const answersTo = (ask: (one: StartedDaemon) => Promise<Response>) =>
      Promise.all(pair.map(async (one) => (await (await ask(one)).text()).replaceAll(one.url, '')));
    for (const path of QUESTIONS) {
      const [one, other] = await answersTo(({ get }) => get(path));
      expect(one, path).toEqual(other);
      expect(JSON.parse(one ?? ''), path).not.toHaveProperty('error');
    }
    const [given, made] = await answersTo(({ post }) => post('/api/v1/stickers/match', { text: COPY }));
    expect(given).toEqual(made);
    for (const one of pair) await one.daemon.close();
    expect(digestsOf(prepared)).toEqual(digestsOf(built));
  });

  it('is taken into an empty home, readable by its owner only', async () => {
    const home = temporaryHome();
    expect(await placeAll(home, PREPARED)).toEqual(NAMES);
    for (const name of NAMES) expect(statSync(join(home, name)).mode & 0o777).toBe(0o600);
  });

  it.each<[string, (copy: ReturnType<typeof copyPrepared>) => void]>([
    ['another schema, index or machine', ({ change }) => void change({ form: `${preparedForm()}0` })],
    [
      'another catalogue',
      ({ manifest, change }) => void change({ madeOf: { ...manifest.madeOf, 'catalogue/stickers.jsonl': '0' } }),
    ],
    [
      'another table of the language',
      ({ manifest, change }) => void change({ madeOf: { ...manifest.madeOf, 'glosses/glosses.bin': '0' } }),
    ],
  ])('is not taken when it was made of %s', async (_what, spoil) => {
    const copy = copyPrepared();
    spoil(copy);
    expect(await placeAll(temporaryHome(), copy.from)).toEqual([]);
  });

  it.each<[string, (folder: string) => void]>([
    ['was altered', (folder) => flipByte(join(folder, 'library.db.br'))],
    ['was cut short', (folder) => writeFileSync(join(folder, 'library.db.br'), 'cut')],
    ['is missing', (folder) => rmSync(join(folder, 'library.db.br'))],
  ])('is made anew with a warning when a file of it %s', async (_what, spoil) => {
    const { folder, from } = copyPrepared();
    spoil(folder);
    const { warnings, log } = collectWarnings();
    expect(await placeAll(temporaryHome(), from, log)).toEqual(['sandbox.db']);
    expect(warnings).toEqual(['what the build prepared cannot be used library.db']);
  });

  it('is not needed: before the first build svcd makes it, without a word', async () => {
    const { warnings, log } = collectWarnings();
    expect(await placeAll(temporaryHome(), new URL('none/', PREPARED), log)).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it('never replaces a link, nor goes below a log that was left alone', async () => {
    const home = temporaryHome();
    symlinkSync(join(home, 'nowhere'), join(home, 'sandbox.db'));
    writeFileSync(join(home, 'library.db-wal'), 'left');
    expect(await placeAll(home, PREPARED)).toEqual([]);
    expect(lstatSync(join(home, 'sandbox.db')).isSymbolicLink()).toBe(true);
  });

  it('is placed after a process that was killed while it placed it', async () => {
    const home = temporaryHome();
    for (const name of NAMES) writeFileSync(join(home, `${name}.new`), 'half of it');
    const { daemon } = await startTestDaemon({ home, flags: { sandbox: true } });
    expect(daemon.info.library.stickers).toBe(11_991);
    expect(existsSync(join(home, 'library.db.new'))).toBe(false);
  });

  it('gives each sandbox a seed and a Key of its own, and the same with the same seed', async () => {
    const keys: string[] = [];
    for (const seed of [undefined, undefined, 7, 7]) {
      const { daemon } = await startTestDaemon({ flags: { sandbox: true }, sandbox: { seed } });
      keys.push(daemon.info.sandbox?.key ?? '');
      await daemon.close();
    }
    expect(new Set(keys).size).toBe(3);
    expect(keys[2]).toBe(keys[3]);
  });

  it('is taken again by --fresh, and the library stays', async () => {
    const home = temporaryHome();
    const flags = { sandbox: true };
    const first = await startTestDaemon({ home, flags, sandbox: { seed: 1 } });
    await first.daemon.close();
    const { daemon } = await startTestDaemon({ home, flags, sandbox: { seed: 2, fresh: true } });
    expect(daemon.info.library.stickers).toBe(11_991);
  });
});

const COPY = '周末生日派对，一起吃蛋糕、看电影，下雨也不怕，不要蜡烛。';
const WORDS = [
  '生日',
  '蛋糕',
  'birthday cake',
  'shengri',
  'dangao',
  '咖啡',
  '下雨',
  '生日蛋',
  'ok',
  '不存在的词xyz',
  '龙',
  '蛋糕 红',
];
const QUESTIONS = [
  ...WORDS.map((word) => `/api/v1/stickers/search?q=${encodeURIComponent(word)}`),
  ...WORDS.map((word) => `/svcd/search?q=${encodeURIComponent(word)}&limit=50`),
  ...['生', 'b', '蛋'].map((word) => `/svcd/complete?q=${encodeURIComponent(word)}`),
  '/svcd/search?limit=100',
];

/** What the databases hold, but for the time at which they were filled; as digests, which are quick to compare. */
function digestsOf(home: string) {
  const digests = (name: string, queries: Readonly<Record<string, string>>) => {
    const db = new Sqlite(join(home, name), { readonly: true });
    onTestFinished(() => void db.close());
    const digestOf = (query: string) => {
      const hash = createHash('sha256');
      for (const row of db.prepare<[], Record<string, unknown>>(query).iterate())
        for (const value of Object.values(row)) hash.update(value instanceof Buffer ? value : `${String(value)}\n`);
      return hash.digest('hex');
    };
    return Object.fromEntries(Object.entries(queries).map(([what, query]) => [what, digestOf(query)]));
  };
  const schema = 'SELECT name, sql FROM sqlite_schema ORDER BY name';
  return [
    digests('library.db', {
      schema,
      pages: 'SELECT * FROM pragma_page_size',
      stickers: 'SELECT * FROM sticker ORDER BY id',
      index: 'SELECT * FROM snapshot',
      state: 'SELECT scope, revision, stickers, complete_at IS NOT NULL FROM state',
      imports: 'SELECT scope, source, stickers FROM import',
    }),
    digests('sandbox.db', {
      schema,
      stickers: 'SELECT * FROM sticker ORDER BY id',
      words: 'SELECT * FROM word ORDER BY id',
      places: 'SELECT * FROM placed ORDER BY word, sticker, field',
      seeded: 'SELECT * FROM seeded',
    }),
  ];
}

function flipByte(file: string): void {
  const bytes = readFileSync(file);
  bytes[100_000]! ^= 1;
  writeFileSync(file, bytes);
}
