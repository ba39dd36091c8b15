// Help, versions, typing errors and exit codes.

import { closeSync, cpSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusesColor } from '../../src/config/environment.js';
import { EXIT_CODE_OF, EXIT_MEANINGS } from '../../src/cli/terminal/exit-codes.js';
import { COMMANDS } from '../../src/cli/main.js';
import { OLD_NAMES, withPresentName } from '../../src/cli/other-names.js';
import { expectRefusal } from '../support/in-test.js';
import { runHere } from '../support/run-here.js';
import { makeHome, runSvcd } from '../support/run-svcd.js';

const ROOT = join(import.meta.dirname, '..', '..');
let home: string;
let removeHome: () => void;
beforeAll(() => {
  ({ home, remove: removeHome } = makeHome());
});
afterAll(() => removeHome());
const run = (...args: string[]) => runHere(args, { home });

it('svcd completion --help explains, and prints no script', async () => {
  const { code, stdout } = await run('completion', '--help');
  expect(code).toBe(0);
  expect(stdout).toContain('~/.bashrc');
  expect(stdout).not.toContain('compgen');
});

it('colors are refused by NO_COLOR, and by a terminal that has none', () => {
  const refused = [{ NO_COLOR: '1' }, { TERM: 'dumb' }];
  expect([{}, { NO_COLOR: '' }, { TERM: 'xterm' }, ...refused].filter(refusesColor)).toEqual(refused);
});

describe('svcd --help', () => {
  it('names 30 commands in six groups, and so does svcd alone', async () => {
    const [help, alone, all] = await Promise.all([run('--help'), run(), run('help', '--all')]);
    expect([help.code, alone.code, all.code]).toEqual([0, 0, 0]);
    const listed = [...help.stdout.matchAll(/^ {2}svcd (\S+)/gm)].map(([, name]) => name);
    expect(listed).toHaveLength(30);
    for (const { usage, what, group } of COMMANDS) {
      const name = usage.split(' ', 1)[0] ?? '';
      expect(listed.includes(name), name).toBe(group !== 'more');
      expect(group === 'more' ? all.stdout : help.stdout).toContain(what);
      expect(all.stdout).toContain(`svcd ${name}`);
    }
    const headings = [...help.stdout.matchAll(/^([A-Z][a-z ]+):$/gm)].map(([, heading]) => heading);
    expect(headings.join(', ')).toBe('Run, Find, A video, Money, Access, Studio and trying, Options');
    expect(alone.stdout).toBe(help.stdout);
  });

  it('has every old name with --all, and each is what it is now', async () => {
    const { stdout } = await run('help', '--all');
    // What was below a noun works unseen.
    for (const [old, now] of Object.entries(OLD_NAMES).filter(([name]) => !name.includes(' ')))
      expect(stdout).toMatch(new RegExp(`^  svcd ${old} +Now "svcd ${now}"`, 'm'));
    for (const [old, now] of Object.entries(OLD_NAMES))
      expect(withPresentName(`--home env ${old} x`.split(' ')).join(' ')).toBe(`--home env ${now} x`);
    expect(withPresentName(['run', '--', 'env'])).toEqual(['run', '--', 'env']);
    const [before, after] = await Promise.all([run('facts', '--help'), run('library', 'facts', '--help')]);
    expect(before).toEqual(after);
  });

  it.each([
    ['version', '--version'],
    ['version --json', '--version --json'],
    ['completion bash', 'completion --shell bash'],
  ])('svcd %s is svcd %s', async (short, long) => {
    expect(await run(...short.split(' '))).toEqual(await run(...long.split(' ')));
  });

  it('says that svcd is being built, in both languages, while a build is at work', () => {
    const clone = join(home, 'clone');
    for (const part of ['bin', 'dist']) mkdirSync(join(clone, part), { recursive: true });
    cpSync(join(ROOT, 'bin', 'svcd.js'), join(clone, 'bin', 'svcd.mjs'));
    const told = (builder: number | undefined, LANG: string) => {
      writeFileSync(join(clone, 'dist', 'building'), String(builder));
      const env = { ...process.env, LC_ALL: LANG };
      const { status, stderr } = spawnSync(process.execPath, [join(clone, 'bin', 'svcd.mjs')], {
        encoding: 'utf8',
        env,
      });
      return [status, stderr];
    };
    expect(told(process.pid, 'C')).toEqual([12, expect.stringContaining('svcd is being built')]);
    expect(told(process.pid, 'zh_CN.UTF-8')).toEqual([12, expect.stringContaining('正在构建')]);
    // One that was killed is at work no more.
    expect(told(spawnSync('true').pid, 'C')).toEqual([1, expect.stringContaining('not built yet')]);
  });

  it('loads nothing of what is installed beside it', () => {
    const bare = join(home, 'bare');
    mkdirSync(bare);
    for (const part of ['bin', 'dist', 'package.json']) {
      cpSync(join(ROOT, part), join(bare, part), { recursive: true });
    }
    const help = spawnSync(process.execPath, [join(bare, 'bin', 'svcd.js'), '--help'], { encoding: 'utf8' });
    expect(help).toMatchObject({ status: 0, stderr: '' });
    const search = spawnSync(process.execPath, [join(bare, 'bin', 'svcd.js'), 'search', 'x'], {
      encoding: 'utf8',
    });
    expect(search.status, 'the trial must be able to fail').not.toBe(0);
  });

  it.each(COMMANDS.map(({ usage }) => usage.split(' ', 1)[0] ?? ''))('of %s has an example', async (name) => {
    const { code, stdout } = await run(name, '--help');
    expect(code).toBe(0);
    expect(stdout).toContain('Examples:');
    expect(stdout).toContain('--json');
  });

  it('is the same in every language of the system', async () => {
    const { stdout } = await runSvcd(['--help'], { home, env: { LANG: 'de_DE.UTF-8' } });
    expect(stdout).toContain('Run:');
  });
});

it.each([
  ['-h', 'Run:'],
  ['-v', '0.'],
  ['-V', '0.'],
])('svcd %s is the short form', async (short, shown) => {
  const { code, stdout } = await run(short);
  expect([code, stdout]).toEqual([0, expect.stringContaining(shown)]);
  if (short === '-h') expect((await run('search', '-h')).stdout).toContain('svcd search [query..]');
});

describe('a typing error', () => {
  it.each([
    [['serach', '生日'], 'did you mean "svcd search"?'],
    [['help', 'serach'], 'did you mean "svcd search"?'],
    [['ls'], 'did you mean "svcd search" or "svcd purchases"?'],
    [['login'], 'did you mean "svcd key set" or "svcd hub join"?'],
    [['relatd', 'x'], 'did you mean "svcd search --related"?'],
    [['purch'], 'did you mean "svcd purchases"?'],
    [['search', 'x', '--related', '--color', 'red'], '--color cannot stand beside --related'],
    [['xyzzy', '--help'], 'there is no command "xyzzy"'],
    [['xyzzy'], 'there is no command "xyzzy"'],
    [['search', 'x', '--lmit', '3'], 'did you mean --limit?'],
    [['search', 'x', '-z'], 'no option -z'],
    [['search', 'x', '--json=perhaps'], '"perhaps"'],
    [['stop', 'now'], '"now"'],
  ])('%j is answered with what was probably meant', async (args, named) => {
    expectRefusal(await run(...args), named);
  });

  it('is one line of JSON for a program', async () => {
    const { code, stderr } = await run('serach', '--json');
    expect(code).toBe(2);
    expect(JSON.parse(stderr)).toEqual({
      code: 'invalid_argument',
      message: expect.any(String),
      hint: expect.any(String),
    });
  });
});

describe('a path that cannot be used', () => {
  it.each([
    [2, 'search 生日 --home FILE'],
    [2, 'env --home FILE'],
    [2, 'config set port 1 --home FILE'],
    [7, 'search 生日 --home FILE/home'],
    [2, 'library import LONG'],
    [2, 'library export LONG'],
    [2, 'get food/cake -o LONG'],
    [2, 'owned import LONG'],
  ])('ends with %d, in words: %s', async (code, line) => {
    const file = join(home, 'file');
    writeFileSync(file, '');
    const told = await run(
      ...line.split(' ').map((arg) => arg.replace('FILE', file).replace('LONG', '中'.repeat(1400))),
    );
    expect([told.code, told.stderr]).toEqual([code, expect.not.stringContaining('svcd failed')]);
    expect(told.stderr).not.toBe('');
  });

  it('is one below a file: nothing runs there, and there is nothing to stop', async () => {
    writeFileSync(join(home, 'file'), '');
    const told = await run('stop', '--home', join(home, 'file', 'below'));
    expect([told.code, told.stderr]).toEqual([0, '']);
  });

  it.runIf(process.platform === 'linux')('is a full device behind stdout, and is told of on stderr', () => {
    const full = openSync('/dev/full', 'w');
    const bin = join(ROOT, 'bin', 'svcd.js');
    const told = spawnSync(process.execPath, [bin, 'search', '生日', '--home', home], {
      stdio: ['ignore', full, 'pipe'],
    });
    closeSync(full);
    expect([told.status, String(told.stderr)]).toEqual([1, expect.stringContaining('could not be printed (ENOSPC)')]);
  });

  it.runIf(process.platform === 'linux').each(['env', 'search 生日', 'config set port 1'])(
    'is a home that cannot be written, where the system makes no files: %s',
    async (line) => {
      const told = await run(...line.split(' '), '--home', '/proc');
      expect([2, 7]).toContain(told.code);
      expect(told.stderr).toContain('/proc');
    },
  );
});

describe('what was typed', () => {
  const odd = 'a\u001B[31m\u202Eb\u009B1m\u2066c';
  it.each([
    'library add',
    'library import',
    'owned restore',
    'token revoke',
    'purchases settle',
    'origins remove',
    'sandbox refund',
    'get',
    'search --limit',
    '',
  ])('comes back from %j without what a terminal would obey', async (command) => {
    for (const json of [[], ['--json']]) {
      const told = await run(...command.split(' ').filter(Boolean), odd, ...json);
      expect(told.code).not.toBe(0);
      expect(told.stderr).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
      if (json.length > 0) expect(JSON.parse(told.stderr)).toHaveProperty('code');
    }
  });
});

describe('svcd', () => {
  it('tells its version, the commit it was built from, and the Node.js that runs it', async () => {
    const { node } = process.versions;
    const told = JSON.parse((await run('--version', '--json')).stdout) as { version: string; commit: string | null };
    expect(told).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string, commit: told.commit, node });
    expect(told.commit ?? '0000000').toMatch(/^[0-9a-f]{7,}(-dirty)?$/);
    const words = await run('--version');
    expect(words.stdout).toBe(`svcd ${told.version} (${told.commit ?? 'commit unknown'}, Node ${node})\n`);
  });

  it('has a meaning for every exit code', () => {
    const used = new Set([0, ...Object.values(EXIT_CODE_OF)]);
    expect([...used].toSorted((a, b) => a - b)).toEqual(Object.keys(EXIT_MEANINGS).map(Number));
  });

  it('shows where an unforeseen error came from only when asked to', async () => {
    // A folder where a file should be is nothing svcd has words for.
    mkdirSync(join(home, 'odd', 'runtime.json.new'), { recursive: true });
    const args = ['start', '--port', '0', '--home', join(home, 'odd')];
    const plain = await runSvcd(args, { home });
    expect(plain.code).toBe(1);
    expect(plain.stderr).toMatch(/svcd failed: .*EISDIR/);
    expect(plain.stderr).not.toMatch(/^\s+at /m);
    const debug = await runSvcd(args, { home, env: { SVCD_DEBUG: '1' } });
    expect(debug.stderr).toMatch(/^\s+at /m);
  });
});
