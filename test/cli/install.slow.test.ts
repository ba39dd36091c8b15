// The tarball of `npm pack`, installed on each Node.js by somebody who has that, npm, and nothing else; and what is said when
// Node.js is another one than it was installed for.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DaemonInfo } from '../../src/daemon/daemon.js';
import { expectRefusal } from '../support/in-test.js';
import { makeNpmUser, NPM_REGISTRY, type NpmUser, packSvcd } from '../support/npm-user.js';
import { describeIf } from '../support/requires.js';
import type { Outcome } from '../support/run-svcd.js';

const ROOT = join(import.meta.dirname, '..', '..');

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
      tarball = packSvcd(user.folder);
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
      // npm 12 links no manual pages.
      const isLinked = existsSync(join(prefixOf(node), 'share', 'man', 'man1', 'svcd.1'));
      expect(isLinked || NODES[node as unknown as keyof typeof NODES] === '12').toBe(true);
      const home = join(user.folder, `home-${node}`);
      const svcd = svcdOf(node, home);
      const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
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
      await expect(fetch(url)).rejects.toThrow('fetch failed');
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

    it('says what to run after Node was switched to one that it has no SQLite for', async () => {
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
      await user.npm('20', ['install', '-g', '--ignore-scripts', '--prefix', prefixOf('bare'), tarball]);
      const start = 'start --sandbox --port 0 --detach --json';
      const works = async (node: string) => {
        const svcd = svcdOf('bare', join(user.folder, `home-bare-${node}`), node);
        await answerOf(svcd(start));
        await answerOf(svcd('stop --json'));
      };
      await works('22');
      const refused = await svcdOf('bare', join(user.folder, 'home-bare-20'), '20')(start);
      expect(refused).toMatchObject({ code: 13, stdout: '' });
      const { message, hint } = JSON.parse(refused.stderr) as { message: string; hint: string };
      expect(message).toContain('has no binary');
      const [, command = ''] = /"npm (.*?)"/.exec(hint) ?? [];
      await user.npm('20', command.split(' '));
      await works('20');
    });

    it('tells a Node.js that is too old in a sentence, or in JSON', async () => {
      const svcd = svcdOf('22', join(user.folder, 'home-old'), '18');
      expectRefusal(await svcd('search cake'), /^svcd needs Node\.js 20\.19 or newer, and this is v18\S+: .*\n$/, 13);
      expect(JSON.parse((await svcd('search cake --json')).stderr)).toMatchObject({ code: 'unsupported_platform' });
    });
  },
  { timeout: PATIENCE_MS },
);
