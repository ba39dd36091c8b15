// What a user writes of a video's copy: `copy.json`, or plain text with a line for each slot.

import { PLAN_MAX_BYTES } from '../../api/plan.js';
import { type Copy, copySchema } from '../../api/slot.js';
import { parseJsonObject, parseWith } from '../../contract/json-body.js';
import { isSvcdError, SvcdError } from '../../model/errors.js';
import { refusalIn } from './asker.js';
import { readWhole } from './saved-plan.js';
import { APPLY_WORDS, type ApplyWords } from './words.js';

/** A copy, and how it is called in errors. */
export interface NamedCopy {
  readonly copy: Copy;
  readonly name: string;
}

/**
 * Reads a file of copy; `-` is what `readStdin` gives. It is JSON when its name ends with `.json`, or when it begins with `{`
 * and its name does not end with `.txt`. Each line of a text is the copy of a slot: `line-1`, `line-2`, …, lines without text
 * not counted. Throws `invalid_argument`, naming the file.
 */
export async function readCopy(
  path: string,
  readStdin: () => Promise<Uint8Array>,
  words: ApplyWords = APPLY_WORDS,
): Promise<NamedCopy> {
  if (path === '') throw refusalIn([words.copyNeedsName], 'invalid_argument');
  const name = path === '-' ? words.copyOnStdin : path;
  const bytes = path === '-' ? await readStdin() : readWhole(path, words);
  if (bytes.byteLength > PLAN_MAX_BYTES) {
    throw refusalIn([words.tooLong(name, PLAN_MAX_BYTES, bytes.byteLength)], 'invalid_argument');
  }
  try {
    const copy = isJson(bytes, name)
      ? parseWith(copySchema, parseJsonObject(bytes, PLAN_MAX_BYTES))
      : parseLines(bytes, words);
    return { copy, name };
  } catch (error) {
    throw namingCopy(error, name, words);
  }
}

/** The error of a copy as one about its file, which says where in it; any other stays. */
export function namingCopy(error: unknown, name: string, words: ApplyWords): unknown {
  if (!isSvcdError(error, 'invalid_request') && !isSvcdError(error, 'body_too_large')) return error;
  const message = `${name}${words.colon}${error.message.replace(/^body: /, '')}`;
  return refusalIn([message, error.hint], 'invalid_argument', error);
}

function isJson(bytes: Uint8Array, name: string): boolean {
  if (/\.json$/i.test(name)) return true;
  return !/\.txt$/i.test(name) && new TextDecoder().decode(bytes).trimStart().startsWith('{');
}

function parseLines(bytes: Uint8Array, words: ApplyWords): Copy {
  const lines = decode(bytes, words)
    .split(/\r\n|[\n\r]/)
    .map((line, i) => ({ text: line.trim(), number: i + 1 }))
    .filter(({ text }) => text !== '');
  if (lines.length === 0) throw new SvcdError('invalid_request', words.emptyCopy);
  const slots = lines.map(({ text }, i) => ({ id: `line-${i + 1}`, text }));
  try {
    return parseWith(copySchema, { slots });
  } catch (error) {
    if (!isSvcdError(error, 'invalid_request')) throw error;
    const place = (_: string, at: string) => words.line(lines[Number(at)]?.number ?? at);
    const message = error.message.replace(/^slots\.(\d+)\.text:/, place).replace(/^slots: /, '');
    throw new SvcdError('invalid_request', message, { cause: error });
  }
}

function decode(bytes: Uint8Array, words: ApplyWords): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new SvcdError('invalid_request', words.notUtf8, { cause });
  }
}
