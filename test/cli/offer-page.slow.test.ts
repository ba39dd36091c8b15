// What a start on a terminal offers: its page, by Enter.

import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { onTerminal, type Typed } from '../support/on-terminal.js';
import { itIf, TERMINAL } from '../support/requires.js';
import { makeHome } from '../support/run-svcd.js';

const CTRL_C = '\u0003';

/** Starts svcd on a terminal where `xdg-open` keeps what it is given, and types. */
async function startOnTerminal(typed: readonly Typed[], more: Readonly<Record<string, string>> = {}) {
  const [{ home, remove }, tools] = [makeHome(), makeHome()];
  onTestFinished(remove);
  onTestFinished(tools.remove);
  const opened = join(tools.home, 'opened');
  writeFileSync(join(tools.home, 'xdg-open'), '#!/bin/sh\nprintf %s "$1" >> "$OPENED"\n');
  chmodSync(join(tools.home, 'xdg-open'), 0o755);
  const env = { PATH: `${tools.home}:${process.env['PATH']}`, OPENED: opened, ...more };
  const { said } = await onTerminal({ home, env }, ['start', '--port', '0'], typed);
  return { said, opened: existsSync(opened) ? readFileSync(opened, 'utf8') : '' };
}

itIf(TERMINAL, 'says first where it runs, then offers the page, and opens it once', async () => {
  const { said, opened } = await startOnTerminal([
    { at: 'Press Enter', type: '\r' },
    { at: 'Your browser opens svcd.', type: `\r\r${CTRL_C}` },
  ]);
  const url = /^svcd runs at (\S+)/.exec(said)?.[1];
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(opened.split(`${url}/`)).toHaveLength(2);
  expect(said).not.toContain(opened);
  expect(said).toContain('svcd stopped');
});

itIf(TERMINAL, 'ends by Ctrl+C without an answer', async () => {
  const { said, opened } = await startOnTerminal([{ at: 'Press Enter', type: CTRL_C }]);
  expect(said).toContain('svcd stopped');
  expect(opened).toBe('');
});

itIf(TERMINAL, 'offers it in Chinese', async () => {
  const { said } = await startOnTerminal([{ at: '按 Enter', type: CTRL_C }], { LANG: 'zh_CN.UTF-8' });
  expect(said).toContain('按 Enter 在浏览器中打开。');
});

itIf(TERMINAL, 'offers nothing where nobody sits: in CI', async () => {
  const { said, opened } = await startOnTerminal([{ at: 'sticker', type: `\r${CTRL_C}` }], { CI: 'true' });
  expect(said).not.toContain('Press Enter');
  expect(opened).toBe('');
});
