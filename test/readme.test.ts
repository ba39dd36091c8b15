// What the README says is compared with the code, table by table.

import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FALLBACK_REASONS, SOURCES } from '../src/model/asset.js';
import { EXIT_CODE_OF } from '../src/cli/exit-codes.js';
import { COMMANDS } from '../src/cli/main.js';
import { DEFAULT_PORT, SETTINGS } from '../src/config/config.js';
import { ERROR_CODES } from '../src/model/errors.js';
import { STATUS_OF } from '../src/api/refusal.js';

const ROOT = resolve(import.meta.dirname, '..');
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');

describe('the README', () => {
  it('lists every command with the words of its help', () => {
    const rows = tableAfter('## Commands').map(([command = '', what = '']) => [bare(command), what]);
    const own = COMMANDS.map(({ usage, what }) => [`svcd ${usage.split(' ')[0]}`, what]);
    expect(rows.slice(0, -1)).toEqual(own);
    expect(rows.at(-1)?.[0]).toBe('svcd completion');
  });

  it('names every source and reason', () => {
    for (const word of [...SOURCES, ...FALLBACK_REASONS]) expect(readme).toContain(`\`${word}\``);
  });

  it('lists every setting with flag, variable, name in the file, default and meaning', () => {
    const rows = tableAfter('## Configuration').map((cells) => cells.map(bare));
    const own = SETTINGS.map(({ flag, env, file, fallback, what }) => [
      `--${flag}`,
      env,
      file ?? '',
      fallback,
      what,
    ]);
    expect(rows).toEqual(own);
  });

  it('lists every error with its status and exit code', () => {
    const rows = tableAfter('## Errors').map(([code = '', status, exit]) =>
      [bare(code.replace(' *', '')), status, exit].join(' '),
    );
    const own = ERROR_CODES.map((code) => [code, STATUS_OF[code], EXIT_CODE_OF[code]].join(' '));
    expect(rows.toSorted()).toEqual(own.toSorted());
  });

  it('gives the port that is the default', () => {
    expect(readme).toContain(`http://127.0.0.1:${DEFAULT_PORT}`);
  });

  it('names files and scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
    for (const [, script = ''] of readme.matchAll(/npm run (\w+)/g)) expect(scripts).toHaveProperty(script);
    for (const [, file = ''] of readme.matchAll(/`((?:src|data|bin|test)\/[\w./-]+)`/g)) {
      expect(existsSync(join(ROOT, file)), file).toBe(true);
    }
  });
});

/** Cells of the first table after a heading, without its head. */
function tableAfter(heading: string): string[][] {
  const lines = readme.slice(readme.indexOf(`${heading}\n`)).split('\n');
  const start = lines.findIndex((line) => line.startsWith('|'));
  const length = lines.slice(start).findIndex((line) => !line.startsWith('|'));
  const rows = lines.slice(start + 2, start + length);
  expect(rows.length).toBeGreaterThan(0);
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function bare(cell: string): string {
  return cell.replaceAll('`', '');
}
