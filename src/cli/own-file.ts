// A Lottie file of the user's own and what is told of it: by flags, by a file beside it, by answers on the terminal,
// else by its own name.

import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { SvcdError, systemCode } from '../model/errors.js';
import { OWN_PREFIX } from '../model/sticker.js';
import { REGISTERED_MAX_BYTES } from '../contract/limits.js';

/** What is told of a sticker; what is undefined was not told. */
export interface ToldOfFile {
  readonly preset: string | undefined;
  readonly title: string | undefined;
  readonly keywords: readonly string[] | undefined;
  readonly color: string | undefined;
}

const SIDECAR = '.meta.json';
const SIDECAR_NAMES = ['preset', 'title', 'keywords', 'color'];

/** Whether a file holds what is told of another one. */
export function isSidecar(file: string): boolean {
  return file.toLowerCase().endsWith(SIDECAR);
}

/** The text of a Lottie file. Throws `invalid_argument` when it cannot be read, `body_too_large`. */
export function readLottie(file: string): string {
  try {
    const { size } = statSync(file);
    if (size > REGISTERED_MAX_BYTES) {
      const message = `${file} has ${size} bytes, at most ${REGISTERED_MAX_BYTES} are accepted`;
      throw new SvcdError('body_too_large', message);
    }
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

/** What the file beside it tells: for `cake.json` that is `cake.meta.json`. Throws `invalid_argument` for one that is no use. */
export function readSidecar(file: string): ToldOfFile {
  const sidecar = join(dirname(file), nameOf(file) + SIDECAR);
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(sidecar, 'utf8'));
  } catch (cause) {
    if (systemCode(cause) === 'ENOENT') return NOTHING;
    if (cause instanceof SyntaxError) throw wrong(sidecar, `is not JSON: ${cause.message}`);
    throw unreadable(sidecar, cause);
  }
  return toldBy(sidecar, value);
}

export interface Asker {
  /** Asks on the terminal for title and keywords. Throws `interrupted` when nobody answers any more. */
  askAbout(file: string, suggested: string): Promise<Pick<ToldOfFile, 'title' | 'keywords'>>;
  close(): void;
}

/** Opens the terminal for questions, one after another, so that answers may also be pasted at once. */
export function openAsker(): Asker {
  // On stderr, so that stdout holds the answer alone.
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  const answers = reader[Symbol.asyncIterator]();
  const ask = async (file: string, question: string): Promise<string> => {
    process.stderr.write(question);
    const answer = await answers.next();
    if (answer.done === true) throw new SvcdError('interrupted', `${file} was not added`);
    return answer.value.trim();
  };
  return {
    askAbout: async (file, suggested) => {
      const title = await ask(file, `Title of ${basename(file)} [${suggested}]: `);
      const keywords = splitKeywords(await ask(file, 'Keywords: '));
      return { title: title === '' ? suggested : title, keywords };
    },
    close: () => reader.close(),
  };
}

/** Words as they are typed, with commas, Chinese ones too, or with spaces. */
export function splitKeywords(typed: string): string[] {
  const parts = /[,，、;；]/.test(typed) ? typed.split(/[,，、;；]/) : typed.split(/\s+/);
  return [...new Set(parts.map((part) => part.trim()).filter((part) => part !== ''))];
}

/** `own/NAME`, whether it was given with the beginning or without, or not at all. */
export function ownPreset(file: string, given: string | undefined): string {
  const name = given ?? nameOf(file);
  return name.startsWith(OWN_PREFIX) ? name : OWN_PREFIX + name;
}

/** A title made of the file's name. */
export function titleOf(file: string): string {
  return (
    nameOf(file)
      .replace(/[_\-.\s]+/g, ' ')
      .trim() || nameOf(file)
  );
}

function nameOf(file: string): string {
  return basename(file)
    .replace(/\.json$/i, '')
    .normalize('NFC');
}

const NOTHING: ToldOfFile = { preset: undefined, title: undefined, keywords: undefined, color: undefined };

function toldBy(sidecar: string, value: unknown): ToldOfFile {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrong(sidecar, 'is no JSON object');
  const odd = Object.keys(value).find((name) => !SIDECAR_NAMES.includes(name));
  if (odd !== undefined)
    throw wrong(sidecar, `has a field "${odd}"; it may have ${SIDECAR_NAMES.join(', ')}`);
  const { keywords, ...texts } = value as Record<string, unknown>;
  const text = (name: string) => {
    const one = texts[name];
    if (one === undefined || typeof one === 'string') return one;
    throw wrong(sidecar, `has a "${name}" that is no text`);
  };
  const list = typeof keywords === 'string' ? splitKeywords(keywords) : keywords;
  if (list !== undefined && !(Array.isArray(list) && list.every((one) => typeof one === 'string'))) {
    throw wrong(sidecar, 'has "keywords" that are no list of texts');
  }
  return {
    preset: text('preset'),
    title: text('title'),
    keywords: list,
    color: text('color'),
  };
}

function wrong(file: string, how: string): SvcdError {
  return new SvcdError('invalid_argument', `${file} ${how}`);
}

function unreadable(file: string, cause: unknown): unknown {
  if (cause instanceof SvcdError) return cause;
  return new SvcdError('invalid_argument', `${file} cannot be read (${systemCode(cause) ?? 'unknown'})`, {
    cause,
  });
}
