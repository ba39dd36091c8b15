// A list of presets as people and programs write it: one a line, or what `svcd search --json` printed.

import { checkPreset, invalidArgument } from '../terminal/input.js';
import { readSource } from '../terminal/target-file.js';
import { readStdinBytes } from '../terminal/terminal-input.js';
import { getWords } from './words.js';

/** How a list on stdin is called in errors. */
const STDIN = 'stdin';
/** Some hundred thousand presets. */
const LIST_MAX_BYTES = 16 * 1024 * 1024;

interface Line {
  readonly text: string;
  readonly number: number;
}

/** The presets of a file in its order; `-` is stdin. Throws `invalid_argument`, naming the line. */
export async function readPresets(path: string): Promise<string[]> {
  const words = getWords();
  const name = path === '-' ? STDIN : path;
  const bytes = path === '-' ? await readStdinBytes(words.listOfPresets) : readSource(path, LIST_MAX_BYTES);
  const lines = linesOf(decode(bytes, name));
  const presets = lines.flatMap((line) => presetsOf(line).map((preset) => ({ preset, number: line.number })));
  for (const { preset, number } of presets) checkPreset(preset, (...told) => words.atLine(name, number, ...told));
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
