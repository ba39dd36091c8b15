// Tables on a real terminal of 40, 80 and 120 columns, with colors and without, and in a pipe.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { displayWidth } from '../../src/cli/terminal/fit-table.js';
import { onTerminal } from '../support/on-terminal.js';
import { describeIf, TERMINAL } from '../support/requires.js';
import { runSvcd } from '../support/run-svcd.js';
import { startSvcd, type StartedSvcd } from '../support/start-svcd.js';

const ODD = '👍🏽 e\u0301 🇨🇳 ❤️ 一个非常非常非常非常非常非常长的标题用来看看表格会不会断开';

describeIf(TERMINAL, 'on a terminal', () => {
  let svcd: StartedSvcd;
  beforeAll(async () => {
    svcd = await startSvcd(['--sandbox']);
    const run = (...args: string[]) => runSvcd(args, { home: svcd.home });
    const cake = join(svcd.home, 'cake.json');
    await run('get', 'fluent-emoji-flat/birthday-cake', '-o', cake);
    await run(
      'library',
      'add',
      cake,
      '--title',
      ODD,
      '--keywords',
      '生日,很长的关键词,another keyword',
      '--preset',
      'own/odd-cake',
    );
    await run('token', 'add', 'a-token-for-a-very-long-name-of-a-program', '--only', 'search');
    await run('defaults', 'add', 'fluent-emoji-high-contrast/a-very-long-name-of-a-preset', cake);
    writeFileSync(join(svcd.home, 'copy.txt'), '祝你生日快乐\n下雨天\n');
  });
  afterAll(() => svcd.stop());

  const LISTS: readonly (readonly string[])[] = [
    ['search', '生日', '--shipped'],
    ['match', '祝你生日快乐，猫和狗'],
    ['related', 'fluent-emoji-flat/birthday-cake'],
    ['complete', '生'],
    ['purchases'],
    ['library', 'list'],
    ['token', 'list'],
    ['defaults'],
    ['usage'],
    ['budget'],
  ];
  const SETTINGS = [
    { columns: 40, env: { TERM: 'xterm' } },
    { columns: 80, env: { TERM: 'xterm' } },
    { columns: 80, env: { TERM: 'xterm', NO_COLOR: '1' } },
    { columns: 120, env: { TERM: 'xterm', NO_COLOR: '1' } },
  ];

  it.for(LISTS)('no cell of %j wraps, and no preset is cut', async (args) => {
    const { stdout } = await runSvcd([...args, '--json'], { home: svcd.home });
    const presets = [
      ...new Set(
        [...stdout.slice(Math.max(0, stdout.indexOf('"results"'))).matchAll(/"preset":"([^"]+)"/g)].map(
          ([, preset = '']) => preset,
        ),
      ),
    ];
    const piped = (await runSvcd(args, { home: svcd.home })).stdout;
    expect(piped).not.toContain('…');
    for (const { columns, env } of SETTINGS) {
      const { said, code } = await onTerminal({ home: svcd.home, columns, env }, args);
      expect(code).toBe(0);
      for (const preset of presets) expect(said, `${columns}`).toContain(preset);
      const wide = said
        .split(/\r?\n/)
        .filter((line) => displayWidth(line) > columns)
        .filter((line) => !isSentence(line, presets));
      expect(wide, `${columns} ${JSON.stringify(env)}`).toEqual([]);
    }
  });
});

const STYLE = /\u001B\[[\d;]*m/g; // oxlint-disable-line no-control-regex -- it is what colors are made of

/** A sentence goes on as the terminal wraps it, so that commands in it can be copied; a preset has a line of its own. */
function isSentence(line: string, presets: readonly string[]): boolean {
  return /^(?:Keywords: .*|\S.*[.:)])$/.test(line.replace(STYLE, '').trimEnd()) || presets.includes(line.trim());
}
