// A list of presets as people and programs write it: one a line, or what `svcd search --json` printed.

import { readFileSync } from 'node:fs';
import { presetProblem } from '../../model/preset.js';
import { invalidArgument } from '../terminal/invalid-argument.js';
import { asFileError } from '../terminal/target-file.js';
import { readStdinBytes } from '../terminal/terminal-input.js';
import { getWords } from './words.js';
import { errorWords } from '../terminal/error-words.js';

/** How a list on stdin is called in errors. */
const STDIN = 'stdin';

interface Line {
  readonly text: string;
  readonly number: number;
}

/** The presets of a file in its order; `-` is stdin. Throws `invalid_argument`, naming the line. */
export async function readPresets(path: string): Promise<string[]> {
  const words = getWords();
  const name = path === '-' ? STDIN : path;
  const bytes = path === '-' ? await readStdinBytes(words.listOfPresets) : readFile(path);
  const lines = linesOf(decode(bytes, name));
  const presets = lines.flatMap((line) => presetsOf(line).map((preset) => ({ preset, number: line.number })));
  for (const { preset, number } of presets) {
    const problem = presetProblem(preset);
    if (problem !== undefined)
      throw invalidArgument(words.atLine(name, number, errorWords().translated(problem), JSON.stringify(preset)));
  }
  if (presets.length === 0) throw invalidArgument(words.noPresets(name), words.listHint);
  return presets.map(({ preset }) => preset);
}

/** A JSON text may be laid out over many lines. */
function linesOf(text: string): Line[] {
  if (findJson(text) !== undefined) return [{ text, number: 1 }];
  return text
    .split(/\r\n|[\n\r]/)
    .map((line, i) => ({ text: line.replace(/(?:^|\s)#.*$/, '').trim(), number: i + 1 }))
    .filter(({ text: one }) => one !== '');
}

function presetsOf({ text }: Line): string[] {
  const json = findJson(text);
  return json === undefined ? [text] : presetsIn(json);
}

/** The object or list that a text is; undefined for what is no such JSON. */
function findJson(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** An answer with results, one of its results, or a list of either or of presets. */
function presetsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(presetsIn);
  if (typeof value !== 'object' || value === null) return [];
  const { results, preset } = value as { results?: unknown; preset?: unknown };
  // An answer of `related` names the preset that was asked about besides.
  if (Array.isArray(results)) return presetsIn(results);
  return typeof preset === 'string' ? [preset] : [];
}

/** A byte order mark says how a text is written: Windows PowerShell pipes into a file as UTF-16. */
function decode(bytes: Uint8Array, name: string): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  try {
    return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw invalidArgument(getWords().notText(name), undefined, cause);
  }
}

function readFile(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw asFileError(cause, path, 'read');
  }
}
