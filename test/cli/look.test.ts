// svcd look and svcd search --look: one picture with numbers, in a file that is named, or on the terminal by what it understands.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readPng } from '../../src/picture/write-png.js';
import { onTerminal } from '../support/on-terminal.js';
import { openCli } from '../support/open-cli.js';
import { itIf, TERMINAL } from '../support/requires.js';

const PRESETS = ['default/plain', 'fluent-emoji-flat/birthday-cake'];
const cli = openCli();

it('writes the picture where it is told, says where, and what each tile is', async () => {
  const { code, stdout } = await cli.run(['look', ...PRESETS, '-o', 'sheet.png']);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/1 .*default\/plain.*\n.*2 .*birthday-cake .*1 credit\n/)]);
  expect(stdout).toContain('The picture is sheet.png.\nA struck-through card');
  const { width, height } = readPng(readFileSync(join(cli.folder, 'sheet.png')));
  expect([width, height]).toEqual([280, 162]);
  const again = await cli.run(['look', 'default/plain', '-o', 'sheet.png']);
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('sheet.png exists already')]);
  const many = await cli.run(['look', ...Array.from({ length: 25 }, (_, at) => `a/${at}`), '-o', 'many.png']);
  expect([many.code, many.stderr]).toEqual([2, expect.stringContaining('at most 24')]);
  const typo = await cli.run(['look', 'fluent-emoji-flat/birthday-cak', '-o', 'typo.png']);
  expect([typo.code, typo.stderr]).toEqual([
    3,
    expect.stringContaining('Did you mean fluent-emoji-flat/birthday-cake'),
  ]);
  expect(readdirSync(cli.folder)).not.toContain('typo.png');
});

it('is the picture alone in a pipe', async () => {
  const { stdout, stderr } = await cli.run(['look', 'default/plain']);
  expect([stdout.slice(1, 4), stderr]).toEqual(['PNG', expect.stringContaining('default/plain')]);
});

it('goes with a search: numbers in the list, and the file of the picture', async () => {
  const { stdout } = await cli.run(['search', '生日', '--limit', '3', '--look']);
  const [, file = ''] = /The picture is (stickers-\w{8}\.png)\./.exec(stdout) ?? [];
  expect(readdirSync(cli.folder)).toContain(file);
  expect(stdout).toMatch(/^3 /m);
  const told = await cli.run(['search', '生日', '--limit', '3', '--look', '--json']);
  expect(JSON.parse(told.stdout)).toMatchObject({ look: file });
});

itIf(TERMINAL, 'is shown on a terminal by what it understands, and never asked in tmux', async () => {
  const show = (env: Record<string, string>, type = '\x1b[?62c', more: string[] = []) =>
    onTerminal(
      { home: cli.svcd.home, work: cli.folder, columns: 40, env: { TERM: 'xterm', ...env } },
      ['look', 'default/plain', ...more],
      [{ at: '\x1b[c', type }],
    );
  const files = readdirSync(cli.folder);
  const blocks = await show({});
  expect(blocks.said.match(/48;2;\d+;\d+;\d+m▀/g)?.length).toBeGreaterThan(400);
  expect((await show({}, '\x1b_Gi=31;OK\x1b\\\x1b[?62c')).said).toContain('\x1b_Ga=T,f=100,m=0;iVBOR');
  expect((await show({ TERM_PROGRAM: 'iTerm.app' })).said).toContain('\x1b]1337;File=inline=1');
  const tmux = await show({ TMUX: '/tmp/tmux', TERM_PROGRAM: 'iTerm.app' });
  expect([tmux.said.includes('▀'), tmux.said.includes('\x1b[c')]).toEqual([true, false]);
  expect((await show({ TMUX: '/tmp/tmux' }, '', ['--protocol', 'kitty'])).said).toContain('\x1b_Ga=T');
  expect(readdirSync(cli.folder)).toEqual(files);
});
