// svcd get --color: a copy in other colors, of what is bought as ever; what may not be changed is told before it is paid.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Item } from '../../src/lottie/lottie-json.js';
import { colorsOf } from '../../src/lottie/recolor.js';
import { sha256Hex } from '../../src/model/hash.js';
import { openCli } from '../support/open-cli.js';

const cli = openCli();
const { run } = cli;
const CAKE = 'fluent-emoji-flat/birthday-cake';

const bytesOf = (file: string) => readFileSync(join(cli.folder, file));
const colorsIn = (file: string) => colorsOf(JSON.parse(bytesOf(file).toString()) as Item).map(({ color }) => color);

describe('svcd get --color', () => {
  it('writes a colored copy, and names what it was made of, which stays as it was bought', async () => {
    const { code, stdout, stderr } = await run(['get', CAKE, '--color', '#e5484d', '-o', 'red.json', '--json']);
    expect([code, stderr]).toEqual([0, '']);
    await run(['get', CAKE, '-o', 'plain.json']);
    expect([colorsIn('plain.json'), colorsIn('red.json')].map((all) => all.includes('#e5484d'))).toEqual([false, true]);
    expect(JSON.parse(stdout)).toMatchObject({
      sha256: sha256Hex(bytesOf('red.json')),
      source_sha256: sha256Hex(bytesOf('plain.json')),
      recolor: 1,
      cost: 1,
    });
    const [first] = colorsIn('plain.json');
    expect(await run(['get', CAKE, '--color', `${first}=#012345`, '-o', 'one.json'])).toMatchObject({ code: 0 });
    expect(colorsIn('one.json')).toEqual(colorsIn('plain.json').map((one) => (one === first ? '#012345' : one)));
  });

  it('is for several as well', async () => {
    const presets = [CAKE, 'twemoji/balloon'];
    expect(await run(['get', ...presets, '--color', 'all=#00a6ed', '-o', 'blue', '--yes'])).toMatchObject({ code: 0 });
    for (const file of ['birthday-cake', 'balloon']) expect(colorsIn(`blue/${file}.json`)).toContain('#00a6ed');
  });

  it('is refused for words that are no color, and by name for a licence that forbids changes; nothing is bought', async () => {
    const { code, stderr } = await run(['get', 'twemoji/cat', '--color', 'red', '-o', 'cat.json']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--color: got red')]);
    cli.write('mine.json', bytesOf('plain.json').toString());
    await run(['library', 'add', 'mine.json', '--title', '我的', '--licence', 'CC-BY-ND-4.0']);
    const refused = await run(['get', 'own/mine', '--color', '#fff', '-o', 'white.json']);
    expect(refused.stderr).toContain('"own/mine" is under CC-BY-ND-4.0, which forbids changed copies');
    expect([refused.code === 0, existsSync(join(cli.folder, 'white.json'))]).toEqual([false, false]);
    const { stdout } = await run(['purchases', '--json']);
    expect(stdout).not.toContain('twemoji/cat');
  });
});
