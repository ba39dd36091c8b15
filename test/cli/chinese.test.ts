// svcd as someone with LANG=zh_CN.UTF-8 runs it: what people read is Chinese, what programs read is the same to the byte.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectRefusal } from '../support/in-test.js';
import { runSvcd, type Outcome } from '../support/run-svcd.js';
import { startSvcd, type StartedSvcd } from '../support/start-svcd.js';

const CHINESE = { LANG: 'zh_CN.UTF-8' };
const HAN = /\p{Script=Han}/u;
/** Four words of English on end. */
const ENGLISH = /[a-z']{2,}(?: [a-z']{2,}){3}/i;

let svcd: StartedSvcd;
beforeAll(async () => {
  svcd = await startSvcd(['--sandbox'], { env: CHINESE });
  await run(['get', 'fluent-emoji-flat/birthday-cake', '-o', join(svcd.home, 'cake.json')]);
});
afterAll(() => svcd.stop());

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Outcome> =>
  runSvcd(args, { home: svcd.home, cwd: svcd.home, env });

it('says what a code of the system means and what helps, in both languages', async () => {
  const args = ['library', 'import', 'nope.json'];
  expect((await run(args)).stderr).toContain('(ENOENT)\nENOENT: there is no such file or folder. Check the path');
  expect((await run(args, CHINESE)).stderr).toContain('（ENOENT）\nENOENT: 没有这个文件或文件夹。请检查路径');
});

describe('svcd with LANG=zh_CN.UTF-8', () => {
  const COMMANDS = [
    'status',
    'search 生日 --limit 3',
    'get fluent-emoji-flat/birthday-cake -o again.json',
    'purchases',
    'usage',
    'budget',
    'doctor',
    'defaults',
    'token list',
    'config',
  ];

  it.each(COMMANDS)('%s answers in Chinese', async (line) => {
    const [zh, en] = [await run(line.split(' '), CHINESE), await run([...line.split(' '), '--lang', 'en'], CHINESE)];
    expect(zh.code).toBe(en.code);
    expect(zh.stdout + zh.stderr).toMatch(HAN);
    // The service's and the daemon's own sentences, and what can be copied, stay as they are.
    const said = (zh.stdout + zh.stderr)
      .split('\n')
      .map((text) => text.replaceAll(/"[^"]*"|'[^']*'|svcd .*|https?:\S+/g, ''));
    expect(said.filter((text) => ENGLISH.test(text) && !text.startsWith('(sandbox: '))).toEqual([]);
  });

  it.each([
    'get fluent-emoji-flat/x --strict',
    'config set port abc',
    'start --port 80000',
    'start --remote abc',
    'verify --lock nope.lock',
    'token revoke zzz',
    'purchases settle 99 --as free',
    'purchases --state 已付',
    'search 猫 --aspect 三角',
    'start',
    'key import nope.json',
    'done nope.motion',
    'hub join nope',
    'hub revoke nope',
    'library facts foo/bar',
    'library import cake.json',
    'plan --copy cake.json',
    'search 猫 --distance foo',
    'search --related foo/bar',
    'purchases settle 1 --as free',
  ])('%s is refused in Chinese alone', async (line) => {
    const { code, stderr } = await run([...line.split(' '), '--home', svcd.home], CHINESE);
    expect(code).not.toBe(0);
    const said = stderr
      .replaceAll(/"[^"]*"|https?:\S+/g, '')
      .split('\n')
      .filter(Boolean);
    expect(said.filter((text) => !HAN.test(text) || ENGLISH.test(text))).toEqual([]);
  });

  it('status and budget say in Chinese why nothing is bought, and take their own word for no limit', async () => {
    await run(['budget', 'stop']);
    const said = [await run(['status'], CHINESE), await run(['budget', 'stop'], CHINESE)].map(({ stdout }) => stdout);
    await run(['budget', 'resume']);
    expect((await run(['budget', 'set', '--day', '不限'], CHINESE)).code).toBe(0);
    for (const text of said) expect(text).toMatch(/已停止花费.*\s*用 "svcd budget resume/);
    expect(said.join('')).not.toMatch(/spending is|Allow/);
  });

  it.each([
    'search 生日 --limit 3 --json',
    'related fluent-emoji-flat/birthday-cake --json',
    'purchases --json',
    'budget --json',
    'defaults --json',
    'config --json',
    'token list --json',
    'search x --lmit 3 --json',
    'get food/no-such-cake --json -o x.json',
    'purchases settle 99 --json',
    'xyzzy --json',
    'purchases list --since never --json',
    'search x --json --lang fr',
  ])('%s is the same to a program, whatever the language', async (line) => {
    const [en, zh, typed] = [
      await run(line.split(' ')),
      await run(line.split(' '), CHINESE),
      await run([...(line.includes('--lang') ? [] : ['--lang', 'zh']), ...line.split(' ')]),
    ];
    expect(zh).toEqual(en);
    expect(typed).toEqual(en);
    expect(() => JSON.parse(en.stdout === '' ? en.stderr : en.stdout) as unknown).not.toThrow();
  });

  it('says what went wrong in Chinese, with the value, and what to do', async () => {
    expectRefusal(await run(['purchases', 'settle', '99'], CHINESE), /^svcd: 没有编号为 99 的购买\n/, 3);
    const wrong = await run(['purchases', 'settle', 'x'], CHINESE);
    expect(wrong.stderr).toBe('svcd: ID 必须是购买的编号，而不是 "x"\n"svcd purchases" 列出所有购买。\n');
    const none = await run(['facts', 'food/no-such-cake'], { LC_ALL: 'zh_CN.UTF-8' });
    expect(none.stderr).toMatch(/^svcd: .*\p{Script=Han}.*\n/u);
  });

  it('has a daemon that logs and answers in English', async () => {
    const ask = async (path: string, language: string) => {
      const answer = await fetch(new URL(path, svcd.info.url), { headers: { 'Accept-Language': language } });
      return { status: answer.status, body: await answer.text() };
    };
    for (const path of ['/api/v1/stickers/search?q=x&limit=99', '/svcd/nothing', '/svcd/purchases', '/']) {
      expect(await ask(path, 'zh-CN'), path).toEqual(await ask(path, 'en'));
      expect((await ask(path, 'zh-CN')).body.replaceAll('生日', ''), path).not.toMatch(HAN);
    }
    expect(svcd.stderr()).not.toBe('');
    expect(svcd.stderr()).not.toMatch(HAN);
  });

  it('leaves the language of a command that it runs as it is', async () => {
    const print = 'process.stdout.write(JSON.stringify([process.env.LANG, process.env.LC_ALL, process.argv.slice(1)]))';
    const words = ['run', '--lang', 'en', '--', process.execPath, '-e', print, 'x', '--lang', 'zh'];
    const { stdout } = await run(words, { LANG: 'zh_CN.UTF-8' });
    expect(stdout).toBe('["zh_CN.UTF-8",null,["x","--lang","zh"]]');
  });
});

describe('a daemon in the background', () => {
  it('logs in English', async () => {
    const own = { home: join(svcd.home, 'other'), env: CHINESE };
    const started = await runSvcd(['start', '--detach', '--sandbox', '--port', '0'], own);
    expect(started.code).toBe(0);
    const log = readFileSync(join(own.home, 'svcd.log'), 'utf8');
    const stopped = await runSvcd(['stop'], own);
    expect(stopped.code).toBe(0);
    expect(log).not.toMatch(HAN);
  });
});
