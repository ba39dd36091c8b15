// Every message of the words tables, with sample values, in both languages: read by eye once, and compared since. A change of a
// word is written anew with `npx vitest run --config test/vitest.config.ts test/cli/every-message --update`, and read.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';

const CLI = join(import.meta.dirname, '..', '..', 'src', 'cli');
/** What a value of a type looks like; a number has thousands, which every message parts by a comma. */
const SAMPLES: Readonly<Record<string, unknown>> = { number: 8253, boolean: true, 'readonly string[]': ['‹a›', '‹b›'] };

type Types = ReadonlyMap<string, readonly string[]>;

it('is as it was read, in both languages', async () => {
  const subjects = readdirSync(CLI, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('words.ts'));
  const said: string[] = [];
  // One by one: the language is that of the process.
  for (const file of subjects.toSorted()) said.push(...(await readSubject(file.replaceAll('\\', '/'))));
  await expect(`${said.join('\n')}\n`).toMatchFileSnapshot('every-message.txt');
  // A full stop beside another, a value that is missing, a number without its comma.
  const wrong = said.filter((line) => /[^.\d]\.\.(?!\.|[/>\]])|。[。.]|undefined|\[object|NaN/.test(line));
  expect(wrong).toEqual([]);
});

async function readSubject(file: string): Promise<string[]> {
  const sources = [join(CLI, file), join(CLI, '..', 'mcp', 'consent-words.ts')];
  const types = typesIn(sources.map((source) => readFileSync(source, 'utf8')).join('\n'));
  const read = async (language: string) => {
    vi.resetModules();
    const { chooseLanguage } = await import('../../src/cli/terminal/language.js');
    chooseLanguage([`--lang=${language}`], false);
    const module = (await import(join(CLI, file))) as Record<string, () => unknown>;
    const tables = Object.entries(module).filter(([name]) => name.endsWith('Words'));
    return new Map(tables.flatMap(([name, words]) => sentencesOf(words(), `${file} ${name}`, types)));
  };
  const [en, zh] = [await read('en'), await read('zh')];
  vi.resetModules();
  return [...new Set([...en.keys(), ...zh.keys()])].flatMap((path) => [
    path,
    `  ${en.get(path) ?? '–'}`,
    `  ${zh.get(path) ?? '–'}`,
  ]);
}

/** The types of the values of each message that takes some. */
function typesIn(source: string): Types {
  const found = source.matchAll(/(\w+): \(((?:_?\w+: [^,()]+(?:, )?)+)\)(?:: [^=]+)? =>/g);
  return new Map(
    Array.from(found, ([, name = '', values = '']) => [
      `${name}/${values.split(', ').length}`,
      values.split(', ').map((one) => one.replace(/^\w+: /, '')),
    ]),
  );
}

function sentencesOf(words: unknown, path: string, types: Types): [string, string][] {
  if (typeof words === 'string') return [[path, words.replaceAll('\n', '⏎')]];
  if (typeof words === 'function') {
    const name = path.split('.').at(-1) ?? '';
    const typed = types.get(`${name}/${words.length}`) ?? [];
    const values = Array.from({ length: words.length }, (_, i) => SAMPLES[typed[i] ?? ''] ?? `‹${i + 1}›`);
    try {
      return sentencesOf((words as (...all: unknown[]) => unknown)(...values), path, types);
    } catch {
      return [[path, 'takes another kind of value']];
    }
  }
  if (typeof words !== 'object' || words === null) return [];
  return Object.entries(words).flatMap(([key, one]) => sentencesOf(one, `${path}.${key}`, types));
}
