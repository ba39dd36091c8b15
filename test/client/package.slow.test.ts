// @svcd/client as npm packs it: the very files that svcd exports, small, without a dependency, installed without a network.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder, writeLocked } from '../support/locks.js';

const DIST = join(import.meta.dirname, '../../dist');
const PACKAGE = join(DIST, 'client-package');

function run(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}${stdout}`);
  return stdout;
}

it('has the same bytes as svcd itself, and one version', () => {
  const files = readdirSync(PACKAGE).filter((name) => /\.(js|d\.ts)$/.test(name));
  expect(files).toContain('remotion.js');
  for (const name of files) expect(readFileSync(join(PACKAGE, name)), name).toEqual(readFileSync(join(DIST, name)));
  const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  const [own, root] = [read(join(PACKAGE, 'package.json')), read(join(DIST, '..', 'package.json'))];
  for (const field of ['version', 'license', 'engines', 'peerDependencies']) expect(own[field]).toEqual(root[field]);
  expect(own).not.toHaveProperty('dependencies');
  expect(own).not.toHaveProperty('scripts');
});

it('is installed without a network, reads a lock, and says what starts svcd', () => {
  const folder = temporaryFolder();
  const tarball = run('npm', ['pack', PACKAGE, '--silent', '--ignore-scripts'], folder).trim();
  expect(statSync(join(folder, tarball)).size).toBeLessThan(25 * 1024);
  writeFileSync(join(folder, 'package.json'), '{"name":"card","type":"module","private":true}');
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], folder);
  const installed = join(folder, 'node_modules', '@svcd', 'client');
  const bytes = readdirSync(installed).reduce((sum, name) => sum + statSync(join(installed, name)).size, 0);
  expect(bytes).toBeLessThan(120 * 1024);
  expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['@svcd']);
  const content = '{"fr":60,"ip":0,"op":71,"w":9,"h":9,"layers":[]}';
  writeLocked(folder, { cake: content });
  writeFileSync(
    join(folder, 'read.js'),
    `import { connect } from '@svcd/client';
     import { openSlots, playhead } from '@svcd/client/slots';
     import { readFileSync } from 'node:fs';
     const svcd = await connect({ lock: 'assets.lock.json' });
     const cake = await svcd.slot('cake');
     const lock = JSON.parse(readFileSync('assets.lock.json', 'utf8'));
     const slots = openSlots(lock, { url: (file) => new URL(file, import.meta.url).href, strict: true });
     const why = await connect({ start: true, home: ${JSON.stringify(folder)} })
       .then((one) => one.search({ q: 'x' }))
       .catch((error) => error.code + ' ' + error.hint);
     const wrong = await svcd.slot('openning').catch((error) => error.code + ' ' + error.hint);
     console.log(JSON.stringify([cake.source, cake.json().op, (await slots.lottie('cake')).op, playhead(lock.assets.cake, 0.5), why, wrong]));`,
  );
  const env = { ...process.env, PATH: '/nowhere', SVCD_HOME: folder };
  const { stdout, stderr } = spawnSync(process.execPath, ['read.js'], { cwd: folder, env, encoding: 'utf8' });
  expect(JSON.parse(stdout || stderr)).toEqual([
    'locked',
    71,
    71,
    30,
    expect.stringMatching(/^not_running .*npm install -D svcd/),
    'not_found It has cake.',
  ]);
});
