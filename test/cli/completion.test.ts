// Completion in each shell, as the Tab key asks for it. PowerShell is not tried: its script is compared with what it was.

import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasProgram, itIf, type Need } from '../support/requires.js';
import { runHere } from '../support/run-here.js';
import { makeHome } from '../support/run-svcd.js';

let home: string;
let remove: () => void;
beforeAll(() => {
  ({ home, remove } = makeHome());
  mkdirSync(join(home, 'bin'));
  symlinkSync(join(import.meta.dirname, '..', '..', 'bin', 'svcd.js'), join(home, 'bin', 'svcd'));
});
afterAll(() => remove());

const candidates = async (...words: string[]) =>
  (await runHere(['--get-yargs-completions', ...words], { home })).stdout
    .split('\n')
    .map((line) => line.split('\t')[0]);

describe('what may follow', () => {
  it.each([
    ['sea', 'search'],
    ['search --lang ', 'en zh'],
    ['search --lang=z', '--lang=zh'],
    ['search --lang = z', 'zh'],
    ['--lang ""', 'en zh'],
    ['help sear', 'search'],
    ['--home start sear', 'search'],
    ['search --li', '--limit'],
    ['search --limit 5 --li', ''],
    ['token ', expect.stringMatching(/\badd\b.*\blist\b/)],
    ['get x -o ', ''],
    ['run -- sea', ''],
    ['get --form s', 'safe'],
    ['completion --shell f', 'fish'],
    ['completion z', 'zsh'],
    ['completion zsh z', ''],
    ['config set rem', 'remote'],
  ])('%j: %j', async (words, expected) =>
    expect((await candidates(...words.split(' '))).join(' ').trimEnd()).toEqual(expected),
  );

  it('presets that the home knows, up to the slash and beyond', async () => {
    await runHere(['search', '猫'], { home });
    expect(await candidates('get', 'def')).toEqual(['default/', '']);
    expect((await candidates('search', '--related', 'default/birthday-c')).join()).toBe('default/birthday-cake,');
    expect(await candidates('get', 'default/cat', '-o', '')).toEqual(['']);
    expect(await candidates('get', '--home', join(home, 'none'), 'def')).toEqual(['']);
  });

  it('has a sentence for each, and names alone for scripts of old', async () => {
    const { stdout } = await runHere(['--get-yargs-completions', 'sea'], { home });
    expect(stdout).toMatch(/^search\tFind stickers/);
    expect((await runHere(['--get-yargs-completions', 'svcd', 'sea'], { home })).stdout).toBe('search\n');
  });
});

const shell = (name: string): Need => ({
  isMet: () => hasProgram(name),
  advice: `install ${name} (Debian: apt-get install ${name})`,
  instead: 'the words it asks for',
});

/** What a shell says of a script, with svcd on its PATH. */
function inShell(program: string, ...args: readonly string[]): string {
  const env = {
    PATH: `${join(home, 'bin')}:${process.env['PATH']}`,
    HOME: home,
    SVCD_HOME: home,
    SHELL: `/usr/bin/${program}`,
  };
  const { stdout, stderr } = spawnSync(program, args, { env, cwd: home, encoding: 'utf8' });
  return stdout + stderr;
}

itIf(shell('bash'), 'bash', () => {
  const script = `source <(svcd completion); try() { COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _svcd_complete; echo "\${COMPREPLY[*]}"; }
    try svcd sea; try svcd search --lang ''; try svcd search --lang = z`;
  expect(inShell('bash', '-c', script)).toBe('search\nen zh\nzh\n');
});

itIf(shell('fish'), 'fish', () => {
  const script =
    'svcd completion | source; complete -C "svcd sea"; complete -C "svcd search --lang "; complete -C "svcd get -o bi"';
  expect(inShell('fish', '-c', script)).toMatch(/^search\tFind [^\n]+\nen\nzh\nbin\//);
});

itIf(shell('zsh'), 'zsh', () => {
  // Completion itself needs a terminal; the list that it is made of does not.
  const script = `compdef() {}; _describe() { print -l -- $1 \${(P)2}; }; _files() { print files; }; source <(svcd completion)
    words=(svcd sea); CURRENT=2; _svcd; words=(svcd search --lang ''); CURRENT=4; _svcd; words=(svcd get -o ''); CURRENT=4; _svcd`;
  expect(inShell('zsh', '-fc', script)).toMatch(/^svcd\nsearch:Find [^\n]+\nsvcd\nen:\nzh:\nfiles\n$/);
});

it('prints the script of the shell that is named, or of the user', async () => {
  const scriptOf = async (args: string[], env: Record<string, string> = {}) =>
    (await runHere(['completion', ...args], { home, env })).stdout.split('\n')[0];
  expect(await scriptOf(['--shell', 'pwsh'])).toBe('# Completion of svcd in PowerShell.');
  expect(await scriptOf([], { SHELL: '/usr/bin/fish' })).toBe('# Completion of svcd in fish.');
  expect(await scriptOf([], { SHELL: '/bin/tcsh' })).toBe('# Completion of svcd in bash.');
  const wrong = await runHere(['completion', '--shell', 'tcsh'], { home });
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('"tcsh"')]);
});

it('PowerShell: untested, the script as it was', async () => {
  const { stdout } = await runHere(['completion', '--shell', 'powershell'], { home });
  await expect(stdout).toMatchFileSnapshot(join(import.meta.dirname, '..', 'golden', 'completion.ps1'));
});
