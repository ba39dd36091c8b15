// PostgreSQL of Debian's package, started in a temporary folder as a user that is not root, which it refuses to be. One
// cluster is made per machine and copied; fsync stays on, so that a kill -9 tests what a kill -9 is.

import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from './free-port.js';
import type { Need } from './requires.js';

export const POSTGRESQL: Need = {
  isMet: () => binaries() !== undefined,
  advice: 'install PostgreSQL 14 or newer (Debian: apt-get install postgresql)',
};

export interface PostgresServer {
  /** With the password; a database `svcd` that is empty at first. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly folder: string;
  /** The address of this server through another port, such as a proxy's. */
  urlAt(port: number, database?: string): string;
  /** A new, empty database of this server. */
  newDatabase(): Promise<string>;
  /** Rows of a statement, run as the superuser on the unix socket, which no proxy stands before. */
  sql<R extends object>(text: string, database?: string): Promise<R[]>;
  /** Changes settings while it runs. */
  set(settings: Readonly<Record<string, string>>): Promise<void>;
  /** A standby of this server; `synchronous`: commits wait for it from now on. */
  addStandby(options?: { readonly synchronous?: boolean }): Promise<PostgresServer>;
  /** Makes a standby the primary. */
  promote(): Promise<void>;
  /** kill -9 of all its processes. */
  kill(): Promise<void>;
  /** Holds all its processes, or lets them go on. */
  freeze(on: boolean): void;
  /** Starts it again after `kill` or `stop`, on the same port. */
  start(): Promise<void>;
  /** Ends it in order. */
  stop(): Promise<void>;
  /** Ends it and its standbys, and removes their folders. */
  remove(): Promise<void>;
}

export const PASSWORD = 'pa:ss/wo@rd-4711';
const USER = 'svcd';
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const own = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
const SETTINGS = {
  shared_buffers: '16MB',
  max_wal_senders: '4',
  // Nothing else may wait for a checkpoint, and a test is over before the next one.
  checkpoint_timeout: '1h',
  lc_messages: 'C',
  log_line_prefix: '',
  unix_socket_permissions: '0777',
};

/** Where initdb and postgres are; the newest version. */
function binaries(): string | undefined {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root)
    ? readdirSync(root)
        .map(Number)
        .filter((one) => one >= 14)
    : [];
  const newest = versions.toSorted((a, b) => b - a)[0];
  return newest === undefined ? undefined : join(root, `${newest}`, 'bin');
}

/** Starts a server of its own. */
export async function startPostgres(settings: Readonly<Record<string, string>> = {}): Promise<PostgresServer> {
  const folder = makeFolder();
  execFileSync('cp', ['-a', '--reflink=auto', `${template()}/.`, join(folder, 'data')]);
  return serve(folder, await freePort(), { ...SETTINGS, ...settings });
}

async function serve(
  folder: string,
  port: number,
  settings: Readonly<Record<string, string>>,
): Promise<PostgresServer> {
  const data = join(folder, 'data');
  const standbys: PostgresServer[] = [];
  let running: ChildProcess | undefined;

  const start = async () => {
    const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const args = ['-D', data, '-p', `${port}`, '-k', folder, '-h', '127.0.0.1', ...given];
    // A test that was killed takes its server with it.
    const child = spawn('setpriv', ['--pdeathsig', 'INT', join(binaries() ?? '', 'postgres'), ...args], {
      ...own,
      cwd: folder,
      // A group of its own, which can be killed as one.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    running = child;
    alive.add(child);
    await ready(child);
  };
  const end = async (signal: NodeJS.Signals) => {
    const child = running;
    running = undefined;
    if (child?.pid === undefined || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('close', resolve));
    // In order only the first process is told; all are held no longer.
    process.kill(-child.pid, 'SIGCONT');
    process.kill(signal === 'SIGKILL' ? -child.pid : child.pid, signal);
    await ended;
    alive.delete(child);
  };
  const urlAt = (at: number, database = 'svcd') =>
    `postgres://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${at}/${database}`;
  const sql = async <R extends object>(text: string, database = 'svcd') => {
    const client = new Client({ host: folder, port, user: USER, database });
    await client.connect();
    try {
      return (await client.query<R>(text)).rows;
    } finally {
      await client.end();
    }
  };
  const set = async (changed: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(changed)) await sql(`ALTER SYSTEM SET ${name} = '${value}'`);
    await sql('SELECT pg_reload_conf()');
    const told = async () =>
      sql<{ name: string; setting: string }>(`SELECT name, setting FROM pg_settings WHERE name IN
        (${Object.keys(changed)
          .map((name) => `'${name}'`)
          .join(', ')}) AND NOT pending_restart`);
    // A reload is taken by each process when it comes to it.
    while (!(await told()).every(({ name, setting }) => setting === changed[name])) await pause();
  };
  let databases = 0;
  await start();
  return {
    url: urlAt(port),
    host: '127.0.0.1',
    port,
    folder,
    urlAt,
    newDatabase: async () => {
      const name = `db${(databases += 1)}`;
      await sql(`CREATE DATABASE ${name}`);
      return urlAt(port, name);
    },
    sql,
    set,
    addStandby: async ({ synchronous = false } = {}) => {
      const place = makeFolder();
      const name = `standby${standbys.length + 1}`;
      const from = `host=${folder} port=${port} user=${USER} application_name=${name}`;
      run('pg_basebackup', ['-d', from, '-D', join(place, 'data'), '-R', '-c', 'fast', '--no-sync']);
      const standby = await serve(place, await freePort(), settings);
      standbys.push(standby);
      const state = async () =>
        sql<{ sync_state: string }>(
          `SELECT sync_state FROM pg_stat_replication WHERE application_name = '${name}' AND state = 'streaming'`,
        );
      while ((await state()).length === 0) await pause();
      if (synchronous) {
        await set({
          synchronous_standby_names: `ANY 1 (${standbys.map((_one, nth) => `standby${nth + 1}`).join(', ')})`,
        });
        while (!['sync', 'quorum'].includes((await state())[0]?.sync_state ?? '')) await pause();
      }
      return standby;
    },
    promote: async () => void (await sql('SELECT pg_promote()')),
    kill: () => end('SIGKILL'),
    freeze: (on) => void (running?.pid !== undefined && process.kill(-running.pid, on ? 'SIGSTOP' : 'SIGCONT')),
    start,
    stop: () => end('SIGINT'),
    remove: async () => {
      for (const standby of standbys) await standby.remove();
      await end('SIGKILL');
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const alive = new Set<ChildProcess>();
process.on('exit', () => {
  for (const { pid } of alive) {
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    } catch {
      // It is over already.
    }
  }
});

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = `${said}${text}`.slice(-10_000);
      if (/ready to accept (read-only )?connections/.test(text)) resolve();
    });
    child.once('error', reject);
    child.once('close', () => reject(new Error(`PostgreSQL ended: ${said}`)));
  });
}

/** A cluster that nothing was written to, made once. */
function template(): string {
  const place = join(tmpdir(), `svcd-postgres-${isRoot ? 'nobody' : process.getuid?.()}-${binaries()?.split('/')[4]}`);
  if (existsSync(place) && statSync(place).uid === (isRoot ? NOBODY : process.getuid?.())) return place;
  const folder = makeFolder();
  const data = join(folder, 'data');
  run('initdb', ['-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--locale=C', '--wal-segsize=4', '--no-sync']);
  const said = [
    'local all all trust',
    'local replication all trust',
    'host replication all 127.0.0.1/32 trust',
    'host all all 127.0.0.1/32 scram-sha-256',
  ];
  writeAs(join(data, 'pg_hba.conf'), `${said.join('\n')}\n`);
  const orders = `CREATE DATABASE svcd;\nALTER ROLE ${USER} PASSWORD '${PASSWORD}';\n`;
  const made = spawnSync(join(binaries() ?? '', 'postgres'), ['--single', '-D', data, 'postgres'], {
    ...own,
    input: orders,
  });
  if (made.status !== 0) throw new Error(`PostgreSQL did not take its first orders: ${made.stderr.toString()}`);
  try {
    renameSync(data, place);
  } catch {
    // Another run was first.
  }
  rmSync(folder, { recursive: true, force: true });
  return place;
}

function writeAs(file: string, text: string): void {
  execFileSync('tee', [file], { ...own, input: text, stdio: ['pipe', 'ignore', 'inherit'] });
}

function run(program: string, args: readonly string[]): void {
  const ended = spawnSync(join(binaries() ?? '', program), args, { ...own, cwd: '/', encoding: 'utf8' });
  if (ended.status !== 0) throw new Error(`${program} ended with ${ended.status}: ${ended.stderr}`);
}

/** A short name: the path of a unix socket has at most 107 characters. */
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svcd-pg-'));
  chmodSync(folder, 0o755);
  if (isRoot) chownSync(folder, NOBODY, NOBODY);
  return folder;
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
