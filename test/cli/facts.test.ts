// svcd facts: of any Lottie file without a daemon, of a sticker that is here; and svcd get --form safe.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FLAWED } from '../support/flawed-lottie.js';
import { homeInTest } from '../support/in-test.js';
import { runHere } from '../support/run-here.js';

function start() {
  const home = homeInTest();
  const write = (name: string, content: unknown) => {
    const file = join(home, name);
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  };
  return { home, write, svcd: (...args: string[]) => runHere(args, { home, cwd: home }) };
}

const head = '"w":10,"h":20,"fr":30,"ip":0,"op":60';

describe('svcd facts', () => {
  it('tells them of a file, for a person and as JSON, and runs nothing in it', async () => {
    const { svcd, write } = start();
    const file = write('loop.json', JSON.stringify(FLAWED.expressions[0]).replace('$bm_rt = 45', 'while (true) {}'));
    const told = await svcd('facts', file);
    expect(told).toMatchObject({ code: 0, stderr: '' });
    expect(told.stdout).toContain('loop.json: scripted');
    expect(told.stdout).toContain('layers[0].ks.r');
    expect(told.stdout).toContain('--form safe');
    const json = await svcd('facts', 'loop.json', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ file: 'loop.json', verdict: 'scripted', frames: 60 });
  });

  it('ends in a verdict for files that mean harm', async () => {
    const { svcd, write } = start();
    const files = [
      write('deep.json', `{${head},"layers":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
      write('huge.json', `{${head},"layers":[{"ty":4}],"x":"${'x'.repeat(50_000_000)}"}`),
      write(
        'proto.json',
        `{${head},"__proto__":{"a":1},"constructor":{"prototype":1},"layers":[{"ty":"constructor"}]}`,
      ),
    ];
    const verdicts: unknown[] = [];
    for (const file of files) {
      const { stdout } = await svcd('facts', file, '--json');
      verdicts.push((JSON.parse(stdout) as { verdict: string }).verdict);
    }
    expect(verdicts).toEqual(['heavy', 'heavy', 'differs']);
  });

  it('tells them of a sticker that is here, and refuses what is not', async () => {
    const { svcd, write } = start();
    const plain = await svcd('facts', 'default/plain', '--json');
    expect(JSON.parse(plain.stdout)).toMatchObject({ preset: 'default/plain', verdict: 'clean' });
    const gone = await svcd('facts', 'nobody/has-this');
    expect([gone.code, gone.stderr]).toEqual([3, expect.stringContaining('"nobody/has-this" is not owned')]);
    for (const name of ['missing.json', write('bad.json', 'nothing')]) {
      expect((await svcd('facts', name)).code).toBe(2);
    }
  });
});

describe('svcd get --form safe', () => {
  it('writes the file without code', async () => {
    const { svcd, write, home } = start();
    const file = write('loop.json', FLAWED.expressions[0]);
    await svcd('library', 'add', file, '--title', 'loop', '--keywords', 'loop', '--preset', 'own/loop');
    const out = join(home, 'out.json');
    const { code, stdout } = await svcd('get', 'own/loop', '--form', 'safe', '-o', out, '--json');
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { verdict: 'clean' }]);
    expect(readFileSync(out, 'utf8')).not.toContain('$bm_rt');
    const wrong = await svcd('get', 'own/loop', '--form', 'tiny', '-o', out);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('"tiny"')]);
  });
});
