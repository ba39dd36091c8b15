// What people install: the package as npm packs it, in a folder with nothing beside it but what it says it needs.

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import nodeModule from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DaemonInfo } from '../../src/daemon/daemon.js';
import { collect, runSvcd, spawnSvcd } from '../support/run-svcd.js';

const ROOT = join(import.meta.dirname, '..', '..');

interface Manifest {
  readonly version: string;
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
        'dist/main.js',
        'dist/rebuild-worker.js',
        'dist/lottie-worker.js',
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
      files.filter((file) => /(?<!^dist\/[\w-]+\.d)\.ts$|^test|^bin\/build/.test(file) && !file.startsWith('data')),
    ).toEqual([]);
  });

  it('brings the licence of each package that is built in', () => {
    const licences = readFileSync(join(installed, 'dist', 'LICENCES.txt'), 'utf8');
    const named = Array.from(licences.matchAll(/^-{72}\n(\S+) \S+ \(/gm), ([, name]) => name);
    const builtIn = ['hono', '@hono/node-server', 'valibot', 'minisearch', 'undici', 'yargs', 'cliui', 'fflate'];
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
      await expect.poll(said).toContain('\n');
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
    // The home stays with its sandbox, which needs no keychain; a remote does.
    const env = { SVCD_REMOTE: 'http://127.0.0.1:9' };
    const key = await runSvcd(['key', 'status', '--json'], { home, program, env });
    const { keychain } = JSON.parse(key.stdout) as { keychain: { state: string; words: string } };
    // Whatever the machine has, the child answers.
    expect(['empty', 'no_service', 'no_library', 'no_module', 'locked'], key.stdout).toContain(keychain.state);
  });

  it('lets Node.js keep what it compiled in a folder of the user alone, and in no other', async () => {
    const cache = join(folder, 'cache');
    const compiled = join(cache, 'svcd', 'compiled');
    const options = { home: join(folder, 'home'), program: join(installed, 'bin', 'svcd.js') };
    const ended = await runSvcd(['--version'], { ...options, env: { XDG_CACHE_HOME: cache } });
    expect(ended).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
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
    expect(ended).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
  });
});
