// What people install: the package as npm packs it, in a folder with nothing beside it but what it says it needs.

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
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
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DaemonInfo } from '../../src/daemon/daemon.js';
import { collect, runSvcd, spawnSvcd } from '../support/run-svcd.js';

const ROOT = join(import.meta.dirname, '..', '..');

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

let folder: string;
let installed: string;
let manifest: Manifest;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svcd-package-'));
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  run('npm', pack, ROOT);
  const [archive = ''] = readdirSync(folder);
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

function run(program: string, args: readonly string[], cwd: string): void {
  const { status, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
}

describe('the packed svcd', () => {
  it('brings its program and data, and nothing that only builders need', () => {
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter(
      (file) => !file.startsWith('node_modules'),
    );
    expect(files).toEqual(
      expect.arrayContaining([
        'dist/main.cjs',
        'dist/undici.cjs',
        'dist/rebuild-worker.js',
        'dist/keychain-child.js',
        'dist/synonyms.bin',
      ]),
    );
    expect(
      files.filter((file) => /\.(ts|compiled)$|^test|build\.js$/.test(file) && !file.startsWith('data')),
    ).toEqual([]);
  });

  it('brings the licence of each package that is built in', () => {
    const licences = readFileSync(join(installed, 'dist', 'LICENCES.txt'), 'utf8');
    const named = Array.from(licences.matchAll(/^-{72}\n(\S+) \S+ \(/gm), ([, name]) => name);
    const builtIn = [
      'hono',
      '@hono/node-server',
      'valibot',
      'minisearch',
      'undici',
      'yargs',
      'cliui',
      'fflate',
    ];
    expect(builtIn.filter((name) => !named.includes(name))).toEqual([]);
    expect(licences.match(/Permission (is hereby granted|to use, copy)/g)?.length).toBe(named.length);
  });

  it('starts on an empty home, indexes in its thread, answers, and asks the keychain in its child', async () => {
    const home = join(folder, 'home');
    const program = join(installed, 'bin', 'svcd.js');
    const child = spawnSvcd(['start', '--sandbox', '--json', '--port', '0'], { home, program }, [
      'ignore',
      'pipe',
      'pipe',
    ]);
    try {
      const [said, complained] = [collect(child.stdout), collect(child.stderr)];
      await expect.poll(said, { timeout: 50_000 }).toContain('\n');
      const { url } = JSON.parse(said()) as DaemonInfo;
      const answer = await fetch(`${url}/api/v1/stickers/search?q=${encodeURIComponent('生日')}`);
      const { results } = (await answer.json()) as { results: { title: string }[] };
      expect(results[0]?.title).toContain('生日');
      expect(complained()).toContain('"event":"library indexed beside","stickers":11991');
    } finally {
      const ended = once(child, 'close');
      child.kill();
      await ended;
    }
    expect(existsSync(join(installed, 'dist', 'main.cjs.compiled'))).toBe(true);
    const key = await runSvcd(['key', 'status', '--json'], { home, program, env: {} });
    const { keychain } = JSON.parse(key.stdout) as { keychain: { state: string; why?: string } };
    // Whatever the machine has: a child that is not there, or finds no module, says so otherwise.
    expect(['empty', 'no_service', 'no_library', 'locked'], key.stdout).toContain(keychain.state);
  });

  it('keeps what it compiled again when a daemon compiled more than is kept', async () => {
    const compiled = join(installed, 'dist', 'main.cjs.compiled');
    // What a daemon that did nothing would keep: whole, of this very program, and next to nothing of it.
    const source = readFileSync(join(installed, 'dist', 'main.cjs'));
    const code = new Script(source.toString('latin1')).createCachedData();
    const sums = Buffer.alloc(8);
    sums.writeUInt32LE(crc32(source), 0);
    sums.writeUInt32LE(crc32(code), 4);
    writeFileSync(compiled, Buffer.concat([sums, code]));
    const sizes: number[] = [statSync(compiled).size];
    for (let times = 0; times < 2; times++) {
      await serveAndStop();
      sizes.push(statSync(compiled).size);
    }
    expect(sizes[1]).toBeGreaterThan(2 * sizes[0]!);
    expect(sizes[2]).toBeGreaterThanOrEqual(sizes[1]!);
  });

  /** A daemon that answers one search, to its clean end. */
  async function serveAndStop(): Promise<void> {
    const child = spawnSvcd(
      ['start', '--sandbox', '--json', '--port', '0'],
      { home: join(folder, 'home'), program: join(installed, 'bin', 'svcd.js') },
      ['ignore', 'pipe', 'pipe'],
    );
    const said = collect(child.stdout);
    await expect.poll(said, { timeout: 50_000 }).toContain('\n');
    await (await fetch(`${(JSON.parse(said()) as DaemonInfo).url}/api/v1/stickers/search?q=cake`)).text();
    const ended = once(child, 'close');
    child.kill();
    await ended;
  }

  const version = () =>
    spawnSync(process.execPath, [join(installed, 'bin', 'svcd.js'), '--version'], { encoding: 'utf8' });

  it.each([
    ['cut short', (code: Buffer) => code.subarray(0, 1000)],
    ['altered', (code: Buffer) => Buffer.concat([code.subarray(0, -4000), Buffer.alloc(4000)])],
    ['empty', () => Buffer.alloc(0)],
  ])('does without what it kept compiled when that is %s', (_how, damage) => {
    const compiled = join(installed, 'dist', 'main.cjs.compiled');
    const code = readFileSync(compiled);
    writeFileSync(compiled, damage(code));
    expect(version()).toMatchObject({ status: 0, stderr: '', stdout: '0.1.0\n' });
    writeFileSync(compiled, code);
  });

  it('runs a program that was changed, and not what was compiled before', () => {
    const program = join(installed, 'dist', 'main.cjs');
    const source = readFileSync(program, 'utf8');
    // Of the same length, which is all that V8 looks at.
    writeFileSync(program, source.replace('manifest.version', '"other"/*-----*/'));
    expect(version().stdout).toBe('other\n');
    writeFileSync(program, source);
  });
});
