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
import { makeNpmUser, NPM_REGISTRY, type NpmUser } from '../support/npm-user.js';
import { describeIf } from '../support/requires.js';
import { collect, type Outcome, runSvcd, spawnSvcd } from '../support/run-svcd.js';

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
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  run('npm', pack, ROOT);
  archive = join(folder, readdirSync(folder)[0] ?? '');
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
        'dist/rebuild-worker.js',
        'dist/lottie-worker.js',
        'dist/keychain-child.js',
        'dist/synonyms.bin',
        'dist/client.js',
        'dist/client-browser.js',
        'dist/client.d.ts',
      ]),
    );
    expect(files.filter((file) => file.startsWith('data/schemas/') && file.endsWith('.json'))).toHaveLength(4);
    expect(
      files.filter((file) => /(?<!^dist\/[\w-]+\.d)\.ts$|^test|^bin\/build|^data\/\w+\/build|^tsconfig/.test(file)),
    ).toEqual([]);
  });

  it('brings the licence of each package that is built in', () => {
    const licences = readFileSync(join(installed, 'dist', 'LICENCES.txt'), 'utf8');
    expect(licences).toContain(`svcd ${manifest.version} (MIT)`);
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
    const run = (line: string, more: readonly string[] = []) =>
      runSvcd([...line.replace('LOCK', lock).split(' '), ...more], {
        home,
        cwd,
        program: join(broken, 'bin', 'svcd.js'),
      });
    const sentence = new RegExp(`^svcd: ${name}, which Node\\.js v\\S+ needs, has no binary.*\\nRun "npm .*\\n$`);
    for (const line of WITH_SQLITE) {
      expect({ line, ...(await run(line)) }).toEqual({
        line,
        code: 13,
        stdout: '',
        stderr: expect.stringMatching(sentence) as string,
      });
    }
    const { code, stderr } = await run('search 生日', ['--json']);
    expect([code, JSON.parse(stderr)]).toEqual([
      13,
      {
        code: 'unsupported_platform',
        message: expect.stringContaining('has no binary') as string,
        hint: expect.stringContaining('npm ') as string,
      },
    ]);
    for (const line of WITHOUT_SQLITE) {
      expect({ line, ...(await run(line)) }).toMatchObject({ line, code: 0, stderr: '' });
    }
    const doctor = await run('doctor', ['--json']);
    const { checks } = JSON.parse(doctor.stdout) as { checks: { name: string; state: string; words: string }[] };
    expect(doctor.code).toBe(1);
    expect(checks.filter(({ words }) => words.includes('has no binary')).map(({ name: check }) => check)).toEqual([
      'better-sqlite3',
    ]);
  });
});

/** Each Node.js with the npm that people have beside it; 26 with one that runs no scripts of packages unasked. */
const NODES = { 20: '10', 22: '10', 24: '11', 26: '12' } as const;
/** The last 22 that the binaries of better-sqlite3 13 are not for, and one that is too old for svcd. */
const OTHER_NODES = { '22.12.0': '10', 18: '10' } as const;

/** Hundreds of megabytes are downloaded and unpacked. */
const PATIENCE_MS = 900_000;

const CLIENT = `
  import { connect } from 'svcd/client';
  const svcd = await connect();
  const { results } = await svcd.search({ q: '生日' });
  const { source } = await svcd.sticker('fluent-emoji-flat/birthday-cake');
  console.log(JSON.stringify({ found: results.length > 0, source }));
`;

describeIf(
  NPM_REGISTRY,
  'the tarball, for a user without rights or compiler',
  () => {
    let user: NpmUser;
    let tarball: string;
    beforeAll(() => {
      user = makeNpmUser({ ...NODES, ...OTHER_NODES });
      tarball = join(user.folder, 'svcd.tgz');
      cpSync(archive, tarball);
    }, PATIENCE_MS);
    afterAll(() => user.remove());

    const prefixOf = (node: string) => join(user.folder, `prefix-${node}`);
    const programOf = (node: string) => join(prefixOf(node), 'bin', 'svcd');
    /** What svcd, installed under one Node.js, does with that or another one. */
    const svcdOf =
      (node: string, home: string, runs = node) =>
      (line: string) =>
        user.run(runs, [programOf(node), ...line.split(' ')], { env: { SVCD_HOME: home } });
    const answerOf = async (ended: Promise<Outcome>): Promise<unknown> => {
      const { code, stdout, stderr } = await ended;
      expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
      return JSON.parse(stdout);
    };

    it.each(Object.keys(NODES))('installs on Node %s, globally and in a project, and works', async (node) => {
      await user.npm(node, ['install', '-g', '--prefix', prefixOf(node), tarball]);
      const home = join(user.folder, `home-${node}`);
      const svcd = svcdOf(node, home);
      const { version } = manifest;
      expect(await answerOf(svcd('--version --json'))).toMatchObject({
        version,
        node: expect.stringMatching(new RegExp(`^${node}\\.`)) as string,
      });
      const { url } = (await answerOf(svcd('start --sandbox --detach --port 0 --json'))) as DaemonInfo;
      try {
        expect(await answerOf(svcd('search 生日 --json'))).toHaveProperty('results.0.preset');
        const got = await svcd(`get fluent-emoji-flat/birthday-cake -o ${home}.cake.json`);
        expect(got).toMatchObject({ code: 0 });
        expect(JSON.parse(readFileSync(`${home}.cake.json`, 'utf8'))).toHaveProperty('layers');
        const { checks } = (await answerOf(svcd('doctor --json'))) as { checks: { state: string }[] };
        expect(checks.filter(({ state }) => state === 'bad')).toEqual([]);

        const project = join(user.folder, `project-${node}`);
        await user.run(node, ['node', '-e', `fs.mkdirSync('${project}')`]);
        await user.run(node, ['node', '-e', `fs.writeFileSync('package.json','{"type":"module"}')`], { cwd: project });
        await user.npm(node, ['install', tarball], { cwd: project });
        const asked = ['node', '--input-type=module', '-e', CLIENT];
        const told = user.run(node, asked, { cwd: project, env: { SVCD_HOME: home } });
        expect(await answerOf(told)).toEqual({ found: true, source: 'owned' });
        expect(await answerOf(user.run(node, ['npx', 'svcd', '--version', '--json'], { cwd: project }))).toMatchObject({
          version,
        });
      } finally {
        await answerOf(svcd('stop --json'));
      }
      await expect(fetch(url)).rejects.toThrow();
    });

    it('opens on Node 26 the home that Node 20 made, and pays for nothing twice', async () => {
      const home = join(user.folder, 'home-20');
      const svcd = svcdOf('26', home);
      await answerOf(svcd('start --detach --port 0 --json'));
      try {
        const again = await svcd(`get fluent-emoji-flat/birthday-cake -o ${home}.again.json`);
        expect(again).toMatchObject({ code: 0 });
        expect(readFileSync(`${home}.again.json`)).toEqual(readFileSync(`${home}.cake.json`));
        const purchases = await answerOf(svcd('purchases --json'));
        expect(purchases).toMatchObject({ purchases: [{ preset: 'fluent-emoji-flat/birthday-cake' }] });
      } finally {
        await answerOf(svcd('stop --json'));
      }
    });

    it('runs by npx, without being installed', async () => {
      const env = { SVCD_HOME: join(user.folder, 'home-npx') };
      const start = [
        'npx',
        '-y',
        `--package=${tarball}`,
        '--',
        'svcd',
        'start',
        '--sandbox',
        '--port',
        '0',
        '--detach',
      ];
      expect(await answerOf(user.run('22', [...start, '--json'], { env }))).toHaveProperty('url');
      await answerOf(user.run('22', ['npx', '-y', `--package=${tarball}`, '--', 'svcd', 'stop', '--json'], { env }));
    });

    it('says what to run after Node was switched to one that it has no SQLite for, and works when that was run', async () => {
      const home = join(user.folder, 'home-switched');
      const svcd = svcdOf('20', home, '22.12.0');
      const rebuild = `npm rebuild -g --prefix ${prefixOf('20')} --ignore-scripts=false better-sqlite3-12`;
      for (const line of ['start --sandbox --port 0', 'start --detach', 'search 生日', 'token list']) {
        const told = await svcd(line);
        expect({ line, ...told }).toMatchObject({ line, code: 13, stdout: '' });
        expect(told.stderr).toMatch(
          /^svcd: better-sqlite3-12, which Node\.js v22\.12\.0 needs, was built for Node\.js 20\n/,
        );
        expect(told.stderr).toContain(`Run "${rebuild}"`);
        expect(told.stderr).not.toContain('ERR_DLOPEN_FAILED');
      }
      expect(await svcd('--help')).toMatchObject({ code: 0 });
      const { checks } = JSON.parse((await svcd('doctor --json')).stdout) as {
        checks: { name: string; state: string; hint?: string }[];
      };
      expect(checks.filter(({ state }) => state === 'bad')).toMatchObject([
        { name: 'better-sqlite3', hint: expect.stringContaining(rebuild) as string },
      ]);
    });

    it('without install scripts refuses on Node 20 alone, and works when what it says was run', async () => {
      for (const node of ['20', '22']) {
        const prefix = prefixOf(`${node}-bare`);
        await user.npm(node, ['install', '-g', '--ignore-scripts', '--prefix', prefix, tarball]);
      }
      const start = 'start --sandbox --port 0 --detach --json';
      const works = async (node: string) => {
        const svcd = svcdOf(`${node}-bare`, join(user.folder, `home-bare-${node}`), node);
        await answerOf(svcd(start));
        await answerOf(svcd('stop --json'));
      };
      await works('22');
      const refused = await svcdOf('20-bare', join(user.folder, 'home-bare-20'), '20')(start);
      expect(refused).toMatchObject({ code: 13, stdout: '' });
      const { message, hint } = JSON.parse(refused.stderr) as { message: string; hint: string };
      expect(message).toContain('has no binary');
      const [, command = ''] = /"npm (.*?)"/.exec(hint) ?? [];
      await user.npm('20', command.split(' '));
      await works('20');
    });

    it('tells a Node.js that is too old in a sentence, or in JSON', async () => {
      const svcd = svcdOf('22', join(user.folder, 'home-old'), '18');
      const { code, stdout, stderr } = await svcd('search cake');
      expect({ code, stdout }).toEqual({ code: 13, stdout: '' });
      expect(stderr).toMatch(/^svcd needs Node\.js 20\.19 or newer, and this is v18\S+: .*\n$/);
      expect(JSON.parse((await svcd('search cake --json')).stderr)).toMatchObject({ code: 'unsupported_platform' });
    });
  },
  { timeout: PATIENCE_MS },
);
