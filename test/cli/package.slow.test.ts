// What people install: the package as npm packs it, in a folder with nothing beside it but what it says it needs.

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import nodeModule from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DaemonInfo } from '../../src/daemon/daemon.js';
import { packSvcd } from '../support/npm-user.js';
import { runCommand } from '../support/run-command.js';
import { collect, runSvcd, spawnSvcd } from '../support/run-svcd.js';

const ROOT = join(import.meta.dirname, '..', '..');

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

let folder: string;
let archive: string;
let installed: string;
let manifest: Manifest;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svcd-package-'));
  archive = packSvcd(folder);
  run('tar', ['-xzf', archive], folder);
  installed = join(folder, 'package');
  manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Manifest;
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
    const link = join(installed, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), link);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

function run(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
  return stdout;
}

/** Starts svcd with the sandbox, searches for a birthday, and stops; its log. */
async function startAndSearch(home: string): Promise<string> {
  const options = { home, program: join(installed, 'bin', 'svcd.js') };
  const child = spawnSvcd(['start', '--sandbox', '--json', '--port', '0'], options, ['ignore', 'pipe', 'pipe']);
  const [said, complained] = [collect(child.stdout), collect(child.stderr)];
  try {
    await expect.poll(said).toContain('\n');
    const { url } = JSON.parse(said()) as DaemonInfo;
    const answer = await fetch(`${url}/api/v1/stickers/search?q=${encodeURIComponent('生日')}`);
    const { results } = (await answer.json()) as { results: { title: string }[] };
    expect(results[0]?.title).toContain('生日');
  } finally {
    const ended = once(child, 'close');
    child.kill();
    await ended;
  }
  return complained();
}

/** The commands that open a database, with what they need to come so far; and those that must go on without. */
const WITH_SQLITE = [
  'start --sandbox --port 0',
  'start --sandbox --port 0 --detach',
  'search 生日',
  'match 生日快乐',
  'related x/cake',
  'complete bi',
  'get x/cake -o -',
  'facts x/cake',
  'plan --copy copy.json',
  'apply --copy copy.json --yes',
  'usage',
  'purchases',
  'budget',
  'stop-spending',
  'defaults',
  'key status',
  'token list',
  'library',
  'owned export owned.jsonl',
  'env',
  'run -- true',
];
const WITHOUT_SQLITE = [
  '--help',
  'get --help',
  '--version',
  'completion',
  'config',
  'facts cake.json',
  'verify --lock LOCK',
  'attribution LOCK',
  'stop',
];

describe('the packed svcd', () => {
  it('brings its program and data, and nothing that only builders need', () => {
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter(
      (file) => !file.startsWith('node_modules'),
    );
    expect(files).toEqual(
      expect.arrayContaining([
        'dist/main.js',
        'dist/lottie-worker.js',
        'dist/draw-worker.js',
        'dist/dotlottie-player.wasm',
        'dist/health-thread.js',
        'dist/keychain-child.js',
        'dist/synonyms.bin',
        'dist/prepared/library.db.br',
        'dist/prepared/sandbox.db.br',
        'dist/prepared/manifest.json',
        'dist/client.js',
        'dist/client-browser.js',
        'dist/client.d.ts',
      ]),
    );
    expect(files.filter((file) => file.startsWith('data/schemas/') && file.endsWith('.json'))).toHaveLength(4);
    expect(
      files.filter((file) =>
        /(?<!^dist\/[\w-]+\.d)\.ts$|^test\/.*\.(?!md$)\w+$|^bin\/build|^data\/\w+\/build|^tsconfig/.test(file),
      ),
    ).toEqual([]);
  });

  it('brings the licence of each package that is built in', () => {
    const licences = readFileSync(join(installed, 'dist', 'LICENCES.txt'), 'utf8');
    expect(licences).toContain(`svcd ${manifest.version} (MIT)`);
    const texts = new Map(
      Array.from(licences.matchAll(/^-{72}\n(\S+) \S+ \(.*\n-{72}\n([\s\S]+?)(?=\n-{72}\n|$(?![\s\S]))/gm), (found) => [
        found[1],
        found[2] ?? '',
      ]),
    );
    const builtIn = ['hono', '@hono/node-server', 'valibot', 'minisearch', 'undici', 'yargs', 'cliui', 'fflate'];
    expect(builtIn.filter((name) => !texts.has(name))).toEqual([]);
    // MIT; ISC and 0BSD; BSD with clauses; Apache.
    const grant =
      /Permission is hereby granted|Permission to use, copy|Redistribution and use|Grant of Copyright License/;
    expect([...texts].filter(([, text]) => !grant.test(text))).toEqual([]);
  });

  it('starts on an empty home from the library that was prepared, and asks the keychain in its child', async () => {
    const home = join(folder, 'home');
    expect(await startAndSearch(home)).not.toContain('library indexed');
    // The home stays with its sandbox, which needs no keychain; a remote does.
    const env = { SVCD_REMOTE: 'http://127.0.0.1:9' };
    const program = join(installed, 'bin', 'svcd.js');
    const key = await runSvcd(['key', 'status', '--json'], { home, program, env });
    const { keychain } = JSON.parse(key.stdout) as { keychain: { state: string; words: string } };
    // Whatever the machine has, the child answers.
    expect(['empty', 'no_service', 'no_library', 'no_module', 'locked'], key.stdout).toContain(keychain.state);
  });

  it('indexes where the prepared library cannot be taken', async () => {
    const home = join(folder, 'home-indexed');
    mkdirSync(home, { mode: 0o700 });
    // What is there already, be it empty, is not replaced.
    writeFileSync(join(home, 'library.db'), '', { mode: 0o600 });
    expect(await startAndSearch(home)).toContain('"event":"library indexed","stickers":11991');
  });

  it('lets Node.js keep what it compiled in a folder of the user alone, and in no other', async () => {
    const cache = join(folder, 'cache');
    const compiled = join(cache, 'svcd', 'compiled');
    const options = { home: join(folder, 'home'), program: join(installed, 'bin', 'svcd.js') };
    const ended = await runSvcd(['--version'], { ...options, env: { XDG_CACHE_HOME: cache } });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    // Node.js 20 keeps nothing.
    expect(existsSync(compiled)).toBe('enableCompileCache' in nodeModule);
    if (!existsSync(compiled)) return;
    expect(statSync(compiled).mode & 0o777).toBe(0o700);
    expect(readdirSync(compiled)).not.toEqual([]);
  });

  it('starts where nothing can be kept', async () => {
    const options = { home: join(folder, 'home'), program: join(installed, 'bin', 'svcd.js') };
    const cache = join(installed, 'package.json');
    const ended = await runSvcd(['--version'], { ...options, env: { XDG_CACHE_HOME: cache } });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('says in each command that SQLite has no binary, and with what command it gets one', async () => {
    const home = join(folder, 'broken-home');
    const cwd = join(folder, 'broken');
    mkdirSync(cwd);
    writeFileSync(join(cwd, 'copy.json'), JSON.stringify({ slots: [{ id: 'a', preset: 'x/cake' }] }));
    writeFileSync(
      join(cwd, 'cake.json'),
      JSON.stringify({
        v: '5.7.0',
        w: 9,
        h: 9,
        fr: 30,
        ip: 0,
        op: 9,
        layers: [{ ty: 3, ip: 0, op: 9, st: 0, ks: {} }],
      }),
    );
    const lock = join(cwd, 'assets.lock.json');
    writeFileSync(lock, JSON.stringify({ lock: 1, remote: null, assets: {} }));
    const broken = join(cwd, 'node_modules', 'svcd');
    cpSync(installed, broken, { recursive: true, verbatimSymlinks: true });
    const name = Number(process.versions['napi']) < 10 ? 'better-sqlite3-12' : 'better-sqlite3';
    const target = join(broken, 'node_modules', name);
    rmSync(target);
    cpSync(join(ROOT, 'node_modules', name), target, { recursive: true });
    for (const needed of ['bindings', 'file-uri-to-path']) {
      symlinkSync(join(ROOT, 'node_modules', needed), join(cwd, 'node_modules', needed));
    }
    for (const binaries of ['build', 'prebuilds']) rmSync(join(target, binaries), { recursive: true, force: true });
    const svcd = (line: string, more: readonly string[] = []) =>
      runSvcd([...line.replace('LOCK', lock).split(' '), ...more], {
        home,
        cwd,
        program: join(broken, 'bin', 'svcd.js'),
      });
    const sentence = new RegExp(`^svcd: ${name}, which Node\\.js v\\S+ needs, has no binary.*\\nRun "npm .*\\n$`);
    for (const line of WITH_SQLITE) {
      expect({ line, ...(await svcd(line)) }).toEqual({
        line,
        code: 13,
        stdout: '',
        stderr: expect.stringMatching(sentence) as string,
      });
    }
    const { code, stderr } = await svcd('search 生日', ['--json']);
    expect([code, JSON.parse(stderr)]).toEqual([
      13,
      {
        code: 'unsupported_platform',
        message: expect.stringContaining('has no binary') as string,
        hint: expect.stringContaining('npm ') as string,
      },
    ]);
    for (const line of WITHOUT_SQLITE) {
      expect({ line, ...(await svcd(line)) }).toMatchObject({ line, code: 0, stderr: '' });
    }
    const doctor = await svcd('doctor', ['--json']);
    const { checks } = JSON.parse(doctor.stdout) as { checks: { name: string; state: string; words: string }[] };
    expect(doctor.code).toBe(1);
    expect(checks.filter(({ words }) => words.includes('has no binary')).map(({ name: check }) => check)).toEqual([
      'better-sqlite3',
    ]);
  });
});

it('is not built where SQLite has no binary, and says so in words', () => {
  const clone = join(folder, 'bare-clone');
  mkdirSync(join(clone, 'node_modules'), { recursive: true });
  for (const name of ['bin', 'data', 'src', 'package.json', 'package-lock.json', 'tsconfig.json']) {
    cpSync(join(ROOT, name), join(clone, name), { recursive: true });
  }
  const sqlite = Number(process.versions['napi']) < 10 ? 'better-sqlite3-12' : 'better-sqlite3';
  for (const name of readdirSync(join(ROOT, 'node_modules')).filter((one) => one !== sqlite)) {
    symlinkSync(join(ROOT, 'node_modules', name), join(clone, 'node_modules', name));
  }
  cpSync(join(ROOT, 'node_modules', sqlite), join(clone, 'node_modules', sqlite), { recursive: true });
  for (const binaries of ['build', 'prebuilds']) {
    rmSync(join(clone, 'node_modules', sqlite, binaries), { recursive: true, force: true });
  }
  const { status, stderr } = spawnSync(process.execPath, ['bin/build-once.js'], { cwd: clone, encoding: 'utf8' });
  expect([status, stderr]).toEqual([
    13,
    expect.stringMatching(/^Building .*\nsvcd: better-sqlite3.* has no binary.*\nRun "npm .*\n$/),
  ]);
  expect(existsSync(join(clone, 'dist', 'building'))).toBe(false);
});

it('says what is missing where nothing was installed, and is built once by two at once', async () => {
  const clone = join(folder, 'twice');
  mkdirSync(clone);
  for (const name of ['bin', 'data', 'src', 'package.json', 'package-lock.json', 'tsconfig.json']) {
    cpSync(join(ROOT, name), join(clone, name), { recursive: true });
  }
  const build = async () => {
    const { code, stderr } = await runCommand('npm', ['--prefix', clone, 'run', 'build', '--silent']);
    return [code, stderr] as const;
  };
  expect(await build()).toEqual([1, expect.stringMatching(/^svcd: the packages .*: run "npm ci" .*\n$/)]);
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  const both = (await Promise.all([build(), build()])).toSorted(([, a], [, b]) => (a < b ? -1 : 1));
  expect(both).toEqual([
    [0, expect.stringMatching(/^Building .*\nBuilt in /)],
    [0, 'svcd is being built by another command; waiting for it …\n'],
  ]);
});

it('is built by npm pack, and names the commit where there is one', () => {
  const clone = join(folder, 'clone');
  mkdirSync(clone);
  for (const name of ['bin', 'data', 'src', 'package.json', 'package-lock.json', 'README.md', 'tsconfig.json']) {
    cpSync(join(ROOT, name), join(clone, name), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  const commitOf = () => {
    run('npm', ['pack', '--silent', '--pack-destination', folder], clone);
    const unpacked = mkdtempSync(join(folder, 'packed-'));
    run('tar', ['-xzf', archive, '-C', unpacked], folder);
    const told = run(process.execPath, [join(unpacked, 'package', 'bin', 'svcd.js'), '--version', '--json'], folder);
    return (JSON.parse(told) as { commit: string | null }).commit;
  };
  // Where nobody can tell it is not that of a repository around it.
  expect(commitOf()).toBeNull();
  writeFileSync(join(clone, '.gitignore'), 'node_modules\ndist\n');
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args], clone);
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message=x');
  const commit = git('rev-parse', '--short=7', 'HEAD').trim();
  expect(commitOf()).toBe(commit);
  writeFileSync(join(clone, 'README.md'), 'changed');
  expect(commitOf()).toBe(`${commit}-dirty`);
});
