// Transactions over a real PostgreSQL: what a commit is worth, which host is asked, and what is told when none answers.

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest';
import { isSvcdError } from '../../src/model/errors.js';
import { systemClock } from '../../src/platform/clock.js';
import { readDatabaseAddress } from '../../src/platform/postgres/address.js';
import { isCommitUnknown } from '../../src/platform/postgres/errors.js';
import { findUnsafe } from '../../src/platform/postgres/find-unsafe.js';
import { migrate } from '../../src/platform/postgres/migrate.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/transaction.js';
import { PASSWORD, POSTGRESQL, startPostgres, type PostgresServer } from '../support/postgres.js';
import { describeIf, hasProgram } from '../support/requires.js';
import { COMMIT, startTcpProxy } from '../support/tcp-proxy.js';

describeIf(POSTGRESQL, 'a transaction on PostgreSQL', () => {
  let server: PostgresServer;
  const opened: Postgres[] = [];
  beforeAll(async () => (server = await startPostgres()));
  afterAll(() => server.remove());
  afterEach(async () => void (await Promise.all(opened.splice(0).map((db) => db.close()))));

  const open = (url: string): Postgres => {
    const db = openPostgres(readDatabaseAddress(url), systemClock);
    opened.push(db);
    return db;
  };
  /** A table with a row `0` in a database of its own. */
  const withTable = async (on = server): Promise<{ url: string; name: string }> => {
    const url = await on.newDatabase();
    const name = url.slice(url.lastIndexOf('/') + 1);
    await on.sql('CREATE TABLE line (n int PRIMARY KEY, text text); INSERT INTO line VALUES (0)', name);
    return { url, name };
  };
  const lines = async (name: string, on = server) =>
    (await on.sql<{ n: number }>('SELECT n FROM line ORDER BY n', name)).map(({ n }) => n);
  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => 'nothing failed',
      (error: unknown) => error,
    );

  it('gives back what its work returned, with its age, and leaves nothing on the connection', async () => {
    const { url, name } = await withTable();
    const db = open(url);
    const { value, age } = await db.transaction(async (tx) => {
      expect(await tx.run('INSERT INTO line VALUES ($1, $2)', [1, 'a'])).toBe(1);
      return tx.one(
        'SELECT n, 2::bigint AS big, true AS yes, date $1 AS day FROM line WHERE n = 1'.replace('$1', `'2026-11-22'`),
      );
    });
    expect(value).toEqual({ n: 1, big: 2, yes: true, day: '2026-11-22' });
    expect(age.isYoung()).toBe(true);
    expect(await lines(name)).toEqual([0, 1]);
    expect(await db.one('SHOW statement_timeout')).toEqual({ statement_timeout: '0' });
  });

  it('rolls back when its work throws, and passes that on as it is', async () => {
    const { url, name } = await withTable();
    const mistake = new Error('no more');
    const work = open(url).transaction(async (tx) => {
      await tx.run('INSERT INTO line VALUES (1)');
      throw mistake;
    });
    expect(await failureOf(work)).toBe(mistake);
    expect(await lines(name)).toEqual([0]);
  });

  it('is not taken for committed when an error in it was swallowed: the server answers ROLLBACK', async () => {
    const { url, name } = await withTable();
    const work = open(url).transaction(async (tx) => {
      await tx.run('INSERT INTO line VALUES (1)');
      await tx.run('INSERT INTO line VALUES (0)').catch(() => undefined);
    });
    const error = await failureOf(work);
    expect([isSvcdError(error, 'internal'), isCommitUnknown(error)]).toEqual([true, false]);
    expect(String(error)).toContain('ROLLBACK');
    expect(await lines(name)).toEqual([0]);
  });

  it('is run again as a whole after a deadlock', async () => {
    const { url, name } = await withTable();
    await server.sql('INSERT INTO line VALUES (1)', name);
    const db = open(url);
    let runs = 0;
    const both: (() => void)[] = [];
    /** Resolves when both transactions hold their first row. */
    const meet = () => new Promise<void>((resolve) => both.push(resolve) === 2 && both.forEach((go) => go()));
    const add = (first: number, second: number) =>
      db.transaction(async (tx) => {
        runs += 1;
        await tx.run('UPDATE line SET text = $2 WHERE n = $1', [first, 'x']);
        if (runs <= 2) await meet();
        await tx.run('UPDATE line SET text = $2 WHERE n = $1', [second, 'x']);
      });
    await Promise.all([add(0, 1), add(1, 0)]);
    expect(runs).toBe(3);
  });

  it('has an unknown end when its standby does not confirm it and the waiting is cancelled: COMMIT with a warning', async () => {
    const alone = await startPostgres({ synchronous_standby_names: 'gone', synchronous_commit: 'local' });
    onTestFinished(() => alone.remove());
    await alone.sql('CREATE TABLE line (n int PRIMARY KEY)');
    const work = failureOf(open(alone.url).transaction((tx) => tx.run('INSERT INTO line VALUES (1)')));
    const waiting = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`;
    await expect.poll(() => alone.sql(waiting)).toHaveLength(1);
    const error = await work;
    expect([isSvcdError(error, 'database_away'), isCommitUnknown(error)]).toEqual([true, true]);
    // Visible all the same: that is why it is no refusal.
    expect(await lines('svcd', alone)).toEqual([1]);
  });

  it.each(['silence', 'cut'] as const)(
    'has an unknown end when the answer to COMMIT does not come (%s)',
    async (how) => {
      const { url, name } = await withTable();
      const proxy = await startTcpProxy(server.port);
      onTestFinished(() => proxy.close());
      const db = open(server.urlAt(proxy.port, name));
      await db.one('SELECT 1');
      const lost = proxy.loseAnswerTo(COMMIT, how);
      const error = await failureOf(db.transaction((tx) => tx.run('INSERT INTO line VALUES (1)')));
      await lost;
      expect([isSvcdError(error, 'database_away'), isCommitUnknown(error)]).toEqual([true, true]);
      expect(await lines(name)).toEqual([0, 1]);
      // The connection was thrown away; another one serves.
      expect((await db.transaction((tx) => tx.one('SELECT count(*) AS n FROM line'))).value).toEqual({ n: 2 });
      expect(url).toContain(name);
    },
  );

  it('was certainly not committed when the line breaks before COMMIT', async () => {
    const { name } = await withTable();
    const proxy = await startTcpProxy(server.port);
    onTestFinished(() => proxy.close());
    const db = open(server.urlAt(proxy.port, name));
    const error = await failureOf(
      db.transaction(async (tx) => {
        await tx.run('INSERT INTO line VALUES (1)');
        proxy.cut();
        await tx.run('INSERT INTO line VALUES (2)');
      }),
    );
    expect([isSvcdError(error, 'database_away'), isCommitUnknown(error)]).toEqual([true, false]);
    expect(await lines(name)).toEqual([0]);
    const away = await failureOf(db.one('SELECT 1'));
    expect(isSvcdError(away, 'database_away')).toBe(true);
    proxy.mend();
    expect(await db.one('SELECT 1 AS n')).toEqual({ n: 1 });
  });

  it('goes on after the server was killed and started again, though its connections were cut', async () => {
    const own = await startPostgres();
    onTestFinished(() => own.remove());
    const { url, name } = await withTable(own);
    const db = open(url);
    await Promise.all(
      Array.from({ length: 5 }, (_, n) => db.transaction((tx) => tx.run('INSERT INTO line VALUES ($1)', [n + 1]))),
    );
    await own.kill();
    await own.start();
    await db.transaction((tx) => tx.run('INSERT INTO line VALUES (9)'));
    expect(await lines(name, own)).toEqual([0, 1, 2, 3, 4, 5, 9]);
  });

  it('holds at most ten connections, whatever is asked at once', async () => {
    const { url, name } = await withTable();
    const db = open(url);
    const busy = Array.from({ length: 40 }, () => db.transaction((tx) => tx.one('SELECT pg_sleep(0.02)')));
    const count = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = '${name}'`;
    await expect.poll(async () => (await server.sql<{ n: number }>(count))[0]?.n).toBe(10);
    await Promise.all(busy);
    expect(await server.sql(count)).toEqual([{ n: 10 }]);
  });

  it('goes to the host that is not in recovery, and to the other one once that is promoted', async () => {
    const primary = await startPostgres();
    onTestFinished(() => primary.remove());
    await primary.sql('CREATE TABLE line (n int PRIMARY KEY)');
    const standby = await primary.addStandby({ synchronous: true });
    const hosts = [standby, primary].map(({ port }) => `127.0.0.1:${port}`).join(',');
    const db = open(primary.url.replace(/127\.0\.0\.1:\d+/, hosts));
    await db.transaction((tx) => tx.run('INSERT INTO line VALUES (1)'));
    await primary.kill();
    expect(isSvcdError(await failureOf(db.one('SELECT 1')), 'database_away')).toBe(true);
    await standby.promote();
    await db.transaction((tx) => tx.run('INSERT INTO line VALUES (2)'));
    expect(await lines('svcd', standby)).toEqual([1, 2]);
  });

  it('tells a wrong password, and shows it in no error, log or inspection', async () => {
    const url = server.url.replace(encodeURIComponent(PASSWORD), 'wrong-canary-31');
    const db = open(url);
    const error = await failureOf(db.one('SELECT 1'));
    expect(String(error)).toContain('refuses the login');
    const right = open(server.url);
    await right.one('SELECT 1');
    const closedPort = open(server.urlAt(1));
    const away = await failureOf(closedPort.one('SELECT 1'));
    const shown = [error, away, db, right].map(
      (one) => `${inspect(one, { depth: 9, showHidden: true })} ${JSON.stringify(one)}`,
    );
    for (const text of [...shown, db.label]) {
      expect(text).not.toContain('canary-31');
      expect(text).not.toContain(PASSWORD);
      expect(text).not.toContain(encodeURIComponent(PASSWORD));
    }
  });

  it('is made over TLS only with the server whose certificate and name were asked for', async () => {
    if (!hasProgram('openssl')) return;
    const folder = mkdtempSync(join(tmpdir(), 'svcd-pg-tls-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    chmodSync(folder, 0o755);
    const made = ['server', 'other'].map((name) => {
      const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.crt`)];
      const words = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost`;
      execFileSync('openssl', [...words.split(' '), '-keyout', key, '-out', cert], { stdio: 'ignore' });
      return { key, cert };
    });
    const [own, other] = made;
    const tls = await startPostgres();
    onTestFinished(() => tls.remove());
    await tls.stop();
    // Where postgres owns it.
    execFileSync('cp', [own?.cert ?? '', join(tls.folder, 'data', 'server.crt')]);
    execFileSync('cp', [own?.key ?? '', join(tls.folder, 'data', 'server.key')]);
    execFileSync('chown', [`--reference=${join(tls.folder, 'data')}`, join(tls.folder, 'data', 'server.key')]);
    execFileSync('chmod', ['600', join(tls.folder, 'data', 'server.key')]);
    execFileSync('sh', ['-c', `echo "ssl = on" >> ${join(tls.folder, 'data', 'postgresql.conf')}`]);
    await tls.start();
    const at = (host: string, query: string) => `${tls.url.replace('127.0.0.1', host)}?${query}`;
    const trusted = `sslmode=verify-full&sslrootcert=${own?.cert}`;
    const encrypted = await open(at('localhost', trusted)).one(
      'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
    );
    expect(encrypted).toEqual({ ssl: true });
    for (const [host, query] of [
      ['127.0.0.1', trusted],
      ['localhost', `sslmode=verify-full&sslrootcert=${other?.cert}`],
      ['localhost', 'sslmode=verify-full'],
      ['localhost', 'sslmode=require'],
    ] as const) {
      expect(isSvcdError(await failureOf(open(at(host, query)).one('SELECT 1')), 'database_away')).toBe(true);
    }
    expect(readFileSync(own?.cert ?? '', 'utf8')).toContain('CERTIFICATE');
  });

  const steps = ['CREATE TABLE one (n int)', 'INSERT INTO one VALUES (1); CREATE TABLE two (n int)'];
  const grants = 'GRANT SELECT, INSERT ON one, two, svcd_schema TO $role';

  it('brings an empty database to its schema once, however many hubs start together', async () => {
    const url = await server.newDatabase();
    const hubs = Array.from({ length: 4 }, () => open(url));
    await Promise.all(hubs.map((db) => migrate(db, { steps, grants })));
    expect(await hubs[0]?.all('SELECT n FROM one')).toEqual([{ n: 1 }]);
    await migrate(open(url), { steps: [...steps, 'CREATE TABLE three (n int)'], grants });
    expect(await hubs[0]?.all('SELECT n FROM one')).toEqual([{ n: 1 }]);
  });

  it('is begun anew where a hub died in the middle, which left nothing', async () => {
    const url = await server.newDatabase();
    const db = () => open(url);
    const dies = [...steps, 'SELECT pg_terminate_backend(pg_backend_pid())'];
    expect(isSvcdError(await failureOf(migrate(db(), { steps: dies, grants })), 'database_away')).toBe(true);
    expect(await db().one(`SELECT to_regclass('one') IS NULL AS gone`)).toEqual({ gone: true });
    await migrate(db(), { steps, grants });
    expect(await db().all('SELECT n FROM one')).toEqual([{ n: 1 }]);
  });

  it('refuses a database that a newer svcd wrote, and changes nothing in it', async () => {
    const url = await server.newDatabase();
    await migrate(open(url), { steps, grants });
    const error = await failureOf(migrate(open(url), { steps: steps.slice(0, 1), grants }));
    expect(isSvcdError(error, 'database_newer')).toBe(true);
    expect(String(error)).toMatch(/its schema is 2, this svcd knows up to 1/);
  });

  it('says so when its role may not make tables, and works with it once the owner has made them', async () => {
    const url = await server.newDatabase();
    const name = url.slice(url.lastIndexOf('/') + 1);
    const role = `rows_${name}`;
    await server.sql(`CREATE ROLE ${role} LOGIN PASSWORD 'r'; REVOKE CREATE ON SCHEMA public FROM PUBLIC`, name);
    const db = open(url.replace(/\/\/[^@]+@/, `//${role}:r@`));
    const error = await failureOf(migrate(db, { steps, grants }));
    expect([isSvcdError(error, 'database_unsafe'), isSvcdError(error) && error.hint]).toEqual([
      true,
      expect.stringContaining('--database-owner'),
    ]);
    await migrate(db, { steps, grants }, open(url));
    expect(await db.transaction((tx) => tx.run('INSERT INTO one VALUES (2)'))).toMatchObject({ value: 1 });
    const refused = await failureOf(db.transaction((tx) => tx.run('DELETE FROM one')));
    expect(isSvcdError(refused, 'database_unsafe')).toBe(true);
    // Who sees standbys, but not how they are kept, is not told that they are unsafe.
    expect(await findUnsafe(db, systemClock)).toEqual([]);
  });
});

describeIf(POSTGRESQL, 'what makes a PostgreSQL unsafe', () => {
  const kinds = async (server: PostgresServer, clock = systemClock) => {
    const db = openPostgres(readDatabaseAddress(server.url), clock);
    onTestFinished(() => db.close());
    return (await findUnsafe(db, clock)).map(({ what, isFatal }) => (isFatal ? `${what}!` : what));
  };

  it('is nothing in one as it comes', async () => {
    const server = await startPostgres();
    onTestFinished(() => server.remove());
    expect(await kinds(server)).toEqual([]);
  });

  it('is each setting that forgets, with a sentence', async () => {
    const server = await startPostgres({ fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' });
    onTestFinished(() => server.remove());
    expect(await kinds(server)).toEqual(['fsync_off!', 'full_page_writes_off', 'synchronous_commit_off']);
  });

  it('is a standby that no commit waits for, and not one that they wait for', async () => {
    const server = await startPostgres();
    onTestFinished(() => server.remove());
    await server.addStandby();
    expect(await kinds(server)).toEqual(['asynchronous_standby!']);
    await server.set({ synchronous_standby_names: 'ANY 1 (another)' });
    await expect.poll(() => kinds(server)).toEqual(['asynchronous_standby']);
    await server.set({ synchronous_standby_names: 'ANY 1 (standby1)' });
    await expect.poll(() => kinds(server)).toEqual([]);
  });

  it('is a clock that differs by more than a second', async () => {
    const server = await startPostgres();
    onTestFinished(() => server.remove());
    const off = (ms: number) => ({ ...systemClock, now: () => systemClock.now() + ms });
    expect(await kinds(server, off(86_400_000))).toEqual(['clock_off']);
    expect(await kinds(server, off(-1500))).toEqual(['clock_off']);
    expect(await kinds(server, off(300))).toEqual([]);
  });
});
