// Killed without warning while it imports, exports or migrates: nothing that was there is lost, nothing is there by
// half. SVCD_FAULT_ROUNDS says how often, up to 100 of each; SVCD_FAULT_SEED repeats a run as far as chance goes.

import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { openLibrary } from '../../src/library/library.js';
import { LIBRARY_MIGRATIONS } from '../../src/library/storage/sticker-schema.js';
import { OWNED_MIGRATIONS } from '../../src/purchases/sqlite/owned-database.js';
import { silentLog } from '../../src/platform/log.js';
import { makeHome, runSvcd, spawnSvcd } from '../support/run-svcd.js';
import { createRandom } from './random.js';
import { Sqlite, type Database } from '../support/sqlite.js';

const ROUNDS = Math.min(100, Number(process.env['SVCD_FAULT_ROUNDS'] ?? 4));
const SEED = Number(process.env['SVCD_FAULT_SEED'] ?? Math.floor(Math.random() * 1e9));
const KNOWN = 3000;
const CARRIED = 6000;
/** More than the shipped defaults write before the import begins. */
const DEFAULTS_BYTES = 1_500_000;
const IMPORT_MS = 800;
const TIMEOUT = { timeout: 120_000 + ROUNDS * 20_000 };

const known = (i: number) => ({ preset: `known/${i}`, title: `雪人${i}`, keywords: ['冬天', `第${i}号`] });
const carried = (i: number) => ({
  preset: `carried/${i}`,
  title: `蛋糕${i}`,
  keywords: ['生日', `第${i}号`],
  duration: 2,
});

function makeWork() {
  const { home, remove } = makeHome();
  onTestFinished(remove);
  const work = join(home, 'work');
  mkdirSync(work);
  return { home, work };
}

/** Kills a command at some moment of the time that it takes, or, mostly, a short while after it `begins` its work. */
function killer(home: string, args: readonly string[], begins: () => boolean, workMs = 60) {
  const random = createRandom(SEED);
  const whole = { ms: 0 };
  const begun = async (isSo: () => boolean) => {
    while (!isSo()) await sleep(1);
    await sleep(random.next() * workMs);
  };
  return {
    measure: async () => {
      const startedAt = performance.now();
      const outcome = await runSvcd(args, { home });
      whole.ms = performance.now() - startedAt;
      return outcome;
    },
    /** False when it had ended by then. */
    kill: async (): Promise<boolean> => {
      const child = spawnSvcd(args, { home }, 'ignore');
      const closed = once(child, 'close');
      let ended = false;
      void closed.then(() => (ended = true));
      const moment = random.next() < 0.25 ? sleep(random.next() * whole.ms) : begun(() => begins() || ended);
      await Promise.race([moment, closed]);
      child.kill('SIGKILL');
      await closed;
      return child.signalCode === 'SIGKILL';
    },
  };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function fill(home: string): void {
  const file = join(home, 'library.db');
  const library = openLibrary({ file, scope: 'none', synonyms: () => '', log: silentLog });
  library.importStickers(
    Array.from({ length: KNOWN }, (_, i) => known(i)),
    'a test',
  );
  library.close();
}

function read<T>(file: string, work: (db: Database) => T): T {
  const db = new Sqlite(file);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

interface Counts {
  readonly sound: string;
  readonly told: number;
  readonly rows: number;
  readonly known: number;
  readonly carried: number;
  readonly half: number;
}

/** How many stickers of each kind are there, and how many not as they should be. */
function countIn(home: string): Counts {
  return read(join(home, 'library.db'), (db) => {
    const count = (sql: string) => (db.prepare(sql).get() as { n: number }).n;
    const like = (name: string) => count(`SELECT count(*) AS n FROM sticker WHERE preset LIKE '${name}/%'`);
    const whole = `title = CASE WHEN preset LIKE 'known/%' THEN '雪人' ELSE '蛋糕' END || substr(preset, instr(preset, '/') + 1)
      AND keywords LIKE '%"第' || substr(preset, instr(preset, '/') + 1) || '号"]'
      AND (preset LIKE 'known/%' OR (duration = 2 AND seen_at = 2
        AND EXISTS (SELECT 1 FROM original WHERE original.preset = sticker.preset)))`;
    return {
      sound: String(db.pragma('integrity_check', { simple: true })),
      told: count(`SELECT stickers AS n FROM state WHERE scope = 'none'`),
      rows: count(`SELECT count(*) AS n FROM sticker WHERE scope = 'none'`),
      known: like('known'),
      carried: like('carried'),
      half: count(
        `SELECT count(*) AS n FROM sticker WHERE (preset LIKE 'known/%' OR preset LIKE 'carried/%') AND NOT (${whole})`,
      ),
    };
  });
}

function report(what: string, figures: object): void {
  process.stdout.write(`kill ${what}: ${JSON.stringify({ seed: SEED, rounds: ROUNDS, ...figures })}\n`);
}

it('loses nothing and leaves nothing half when it is killed while it imports', TIMEOUT, async () => {
  const { home, work } = makeWork();
  const file = join(work, 'in.ndjson');
  const header = { format: 'svcd-library', version: 1, scope: 'none', complete: false };
  const lines = Array.from({ length: CARRIED }, (_, i) => {
    const sticker = carried(i);
    return { ...sticker, seen: { first: 1, last: 2 }, originals: { search: sticker } };
  });
  const all = [header, ...lines, { end: true, stickers: CARRIED }];
  writeFileSync(file, all.map((line) => JSON.stringify(line)).join('\n'));
  const { measure, kill } = killer(
    home,
    ['library', 'import', file],
    () => sizeOf(join(home, 'library.db-wal')) > DEFAULTS_BYTES,
    IMPORT_MS,
  );
  expect(await measure()).toMatchObject({ code: 0 });
  const seen: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    if (round % 2 === 0) {
      for (const suffix of ['', '-wal', '-shm']) rmSync(join(home, `library.db${suffix}`), { force: true });
      fill(home);
    }
    await kill();
    const counts = countIn(home);
    expect(counts).toMatchObject({ sound: 'ok', known: KNOWN, half: 0, told: counts.rows });
    // What one import has brought, a later one that is killed does not take away.
    if (round % 2 !== 0) expect(counts.carried).toBeGreaterThanOrEqual(seen.at(-1) ?? 0);
    seen.push(counts.carried);
  }
  report('import', { carried: seen });
  expect(await runSvcd(['library', 'import', file], { home })).toMatchObject({ code: 0 });
  expect(countIn(home)).toMatchObject({ sound: 'ok', known: KNOWN, carried: CARRIED, half: 0 });
});

it('leaves the older file or the new one, whole, when it is killed while it exports', TIMEOUT, async () => {
  const { home, work } = makeWork();
  fill(home);
  const file = join(work, 'out.ndjson.gz');
  const leftover = new Set<string>();
  const { measure, kill } = killer(home, ['library', 'export', file], () =>
    readdirSync(work).some((name) => name.endsWith('.part') && sizeOf(join(work, name)) >= 0 && !leftover.has(name)),
  );
  expect(await measure()).toMatchObject({ code: 0 });
  let killed = 0;
  for (let round = 0; round < ROUNDS; round++) {
    if (round % 3 === 0) rmSync(file, { force: true });
    const isThere = existsSync(file);
    for (const name of readdirSync(work)) leftover.add(name);
    killed += Number(await kill());
    if (isThere) expect(existsSync(file)).toBe(true);
    if (existsSync(file)) expectWhole(readFileSync(file));
  }
  report('export', { killed });
  expect(await runSvcd(['library', 'export', file], { home })).toMatchObject({ code: 0 });
  expectWhole(readFileSync(file));
  expect(readdirSync(work)).toEqual(['out.ndjson.gz']);
});

function expectWhole(packed: Buffer): void {
  const lines = gunzipSync(packed).toString().trimEnd().split('\n');
  const presets = new Set(lines.slice(1, -1).map((line) => (JSON.parse(line) as { preset?: string }).preset));
  for (let i = 0; i < KNOWN; i++) expect(presets).toContain(`known/${i}`);
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ end: true });
}

it(
  'finds every file of the old version or of the new one, whole, when it is killed while it migrates',
  TIMEOUT,
  async () => {
    const { home } = makeWork();
    const schemas = join(import.meta.dirname, '..', 'platform', 'schemas');
    const begin = () => {
      for (const name of readdirSync(home)) if (name.includes('.db')) rmSync(join(home, name));
      for (const [name, schema] of [
        ['library', 'library-1'],
        ['owned', 'owned-1'],
      ] as const) {
        read(join(home, `${name}.db`), (db) => db.exec(readFileSync(join(schemas, `${schema}.sql`), 'utf8')));
      }
      read(join(home, 'library.db'), (db) => {
        const put = db.prepare(`INSERT INTO sticker (scope, preset, title, keywords) VALUES ('none', ?, ?, ?)`);
        db.transaction(() => {
          for (const { preset, title, keywords } of Array.from({ length: CARRIED }, (_, i) => known(i)))
            put.run(preset, title, JSON.stringify(keywords));
          db.exec(`INSERT INTO state (scope, revision, stickers) VALUES ('none', 1, ${CARRIED})`);
        })();
      });
    };
    const { measure, kill } = killer(home, ['search', '雪人', '--json'], () =>
      readdirSync(home).some((name) => name.includes('.before-migration')),
    );
    begin();
    expect(await measure()).toMatchObject({ code: 0 });
    const versions: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      begin();
      await kill();
      const library = stateOf(join(home, 'library.db'), 'sticker');
      const owned = stateOf(join(home, 'owned.db'), 'owned');
      expect([1, LIBRARY_MIGRATIONS.length]).toContain(library.version);
      expect([1, OWNED_MIGRATIONS.length]).toContain(owned.version);
      expect(library).toMatchObject({ sound: 'ok' });
      expect(library.rows).toBeGreaterThanOrEqual(CARRIED);
      expect(owned).toMatchObject({ sound: 'ok', rows: 1 });
      for (const file of ['library.db', 'owned.db']) {
        const backup = join(home, `${file}.before-migration`);
        if (existsSync(backup)) expect(stateOf(backup, 'sqlite_master')).toMatchObject({ sound: 'ok', version: 1 });
      }
      versions.push(`${library.version}/${owned.version}`);
    }
    report('migration', { versions: versions.join(' ') });
    expect(await runSvcd(['search', '雪人7', '--json'], { home })).toMatchObject({ code: 0 });
    expect(stateOf(join(home, 'library.db'), 'sticker').version).toBe(LIBRARY_MIGRATIONS.length);
  },
);

function stateOf(file: string, table: string): { sound: string; version: number; rows: number } {
  return read(file, (db) => ({
    sound: String(db.pragma('integrity_check', { simple: true })),
    version: Number(db.pragma('user_version', { simple: true })),
    rows: (db.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n,
  }));
}
