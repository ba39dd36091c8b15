// What a user writes of a video's copy: `copy.json`, or plain text with a line for each slot.

import { readFileSync } from 'node:fs';
import { PLAN_MAX_BYTES } from '../../api/plan.js';
import { type Copy, copySchema } from '../../api/slot.js';
import { parseJsonObject, parseWith } from '../../contract/json-body.js';
import { isSvcdError, SvcdError } from '../../model/errors.js';
import { digestOfCopy } from '../lock/standing-slots.js';
import { invalidArgument } from '../../cli/terminal/invalid-argument.js';
import { readStdinBytes } from '../../cli/terminal/terminal-input.js';
import { asFileError } from '../../cli/terminal/target-file.js';
import { planWords } from '../../cli/video/plan-words.js';

export interface ReadCopy {
  readonly copy: Copy;
  /** Of what its slots ask for, in whatever order and however it is written. */
  readonly sha256: string;
}

/**
 * Reads a file of copy; `-` is stdin. It is JSON when its name ends with `.json`, or when it begins with `{` and its name
 * does not end with `.txt`. Each line of a text is the copy of a slot: `line-1`, `line-2`, …, lines without text not
 * counted. Throws `invalid_argument`, naming the file.
 */
export async function readCopy(path: string): Promise<ReadCopy> {
  if (path === '') throw invalidArgument(planWords().copyNeedsName);
  const name = nameOfCopy(path);
  const bytes = path === '-' ? await readStdinBytes(planWords().theCopy) : readFile(path);
  if (bytes.byteLength > PLAN_MAX_BYTES) {
    throw invalidArgument(planWords().tooLong(name, PLAN_MAX_BYTES, bytes.byteLength));
  }
  const copy = parseCopy(bytes, name);
  return { copy, sha256: digestOfCopy(copy.slots) };
}

/** How a file of copy is called in errors. */
export function nameOfCopy(path: string): string {
  return path === '-' ? planWords().copyOnStdin : path;
}

/** The error of a copy as one about its file, which says where in it; any other stays. */
export function namingCopy(error: unknown, name: string): unknown {
  if (!isSvcdError(error, 'invalid_request') && !isSvcdError(error, 'body_too_large')) return error;
  return invalidArgument(`${name}${planWords().colon}${error.message.replace(/^body: /, '')}`, error.hint, error);
}

function readFile(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw asFileError(cause, path, 'read');
  }
}

function parseCopy(bytes: Uint8Array, name: string): Copy {
  try {
    return isJson(bytes, name) ? parseWith(copySchema, parseJsonObject(bytes, PLAN_MAX_BYTES)) : parseLines(bytes);
  } catch (error) {
    throw namingCopy(error, name);
  }
}

function isJson(bytes: Uint8Array, name: string): boolean {
  if (/\.json$/i.test(name)) return true;
  return !/\.txt$/i.test(name) && new TextDecoder().decode(bytes).trimStart().startsWith('{');
}

function parseLines(bytes: Uint8Array): Copy {
  const lines = decode(bytes)
    .split(/\r\n|[\n\r]/)
    .map((line, i) => ({ text: line.trim(), number: i + 1 }))
    .filter(({ text }) => text !== '');
  if (lines.length === 0) throw new SvcdError('invalid_request', planWords().emptyCopy);
  const slots = lines.map(({ text }, i) => ({ id: `line-${i + 1}`, text }));
  try {
    return parseWith(copySchema, { slots });
  } catch (error) {
    if (!isSvcdError(error, 'invalid_request')) throw error;
    const place = (_: string, at: string) => planWords().line(lines[Number(at)]?.number ?? at);
    const message = error.message.replace(/^slots\.(\d+)\.text:/, place).replace(/^slots: /, '');
    throw new SvcdError('invalid_request', message, { cause: error });
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new SvcdError('invalid_request', planWords().notUtf8, { cause });
  }
}
