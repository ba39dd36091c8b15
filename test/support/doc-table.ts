// Tables in Markdown that are made from the code. They stand between <!-- NAME:begin --> and <!-- NAME:end -->; with
// WRITE_DOCS=1 in the environment a test writes them anew instead of comparing them.

import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { format } from 'prettier';
import { expect } from 'vitest';

export const ROOT = resolve(import.meta.dirname, '..', '..');

/** Expects that the table NAME of a file holds exactly these rows, the first of which is its head. */
export async function expectDocTable(file: string, name: string, rows: readonly (readonly string[])[]) {
  const path = join(ROOT, file);
  const expected = rows.map((cells) => cells.map((cell) => cell.replaceAll('|', '\\|')));
  if (process.env['WRITE_DOCS'] === '1') writeFileSync(path, await replaceTable(path, name, expected));
  expect(readTable(readFileSync(path, 'utf8'), name), `${file}, table ${name}; WRITE_DOCS=1 renews it`).toEqual(
    expected,
  );
}

/** Text without what stands between markers, which has a length of its own. */
export function withoutTables(text: string): string {
  return text.replaceAll(/<!-- ([\w-]+):begin -->[\s\S]*?<!-- \1:end -->\n/g, '');
}

async function replaceTable(path: string, name: string, rows: readonly (readonly string[])[]): Promise<string> {
  const [head = [], ...body] = rows;
  const lines = [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`);
  const text = readFileSync(path, 'utf8');
  const [begin, end] = marksOf(name);
  const [from, to] = [text.indexOf(begin) + begin.length, text.indexOf(end)];
  expect(to, `${path} must hold ${begin} and ${end}`).toBeGreaterThan(from);
  const renewed = `${text.slice(0, from)}\n\n${lines.join('\n')}\n\n${text.slice(to)}`;
  return format(renewed, { parser: 'markdown' });
}

/** Cells of the rows between the markers, the line under the head left out. */
function readTable(text: string, name: string): string[][] {
  const [begin, end] = marksOf(name);
  const lines = text.slice(text.indexOf(begin), text.indexOf(end)).split('\n');
  const [head, , ...body] = lines.filter((line) => line.startsWith('|'));
  return [...(head === undefined ? [] : [head]), ...body].map(cellsOf);
}

/** Cells of one line of a table; an escaped bar does not part two. */
export function cellsOf(line: string): string[] {
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
}

function marksOf(name: string): [string, string] {
  return [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`];
}
