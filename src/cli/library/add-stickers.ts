// Adding Lottie files of the user's own to the library.

import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { OwnStickerView } from '../../api/answers.js';
import { REGISTERED_MAX_BYTES } from '../../contract/limits.js';
import { SvcdError, systemCode } from '../../model/errors.js';
import { OWN_PREFIX } from '../../model/sticker.js';
import { readForeignFile } from '../../platform/files/foreign-file.js';
import { type Client, withClient } from '../connection/client.js';
import { sanitize } from '../terminal/format.js';
import { checkPreset, type Input, invalidArgument } from '../terminal/input.js';
import { printAnswer } from '../terminal/output.js';
import { expectOk, JSON_TYPE } from '../connection/running-daemon.js';
import { asFileError, readSource } from '../terminal/target-file.js';
import { libraryWords } from './words.js';

const words = () => libraryWords().add;

type Added = OwnStickerView & { readonly replaced: boolean };

interface StickerUpload {
  readonly file: string;
  readonly preset: string;
  readonly body: object;
}

/** Adds the FILES that were typed. Everything is read and asked before the first is added. */
export async function addStickers(input: Input): Promise<void> {
  const files = input.words('files').filter((file) => !file.toLowerCase().endsWith(SIDECAR));
  const uploads = await readAll(files, input);
  const stickers = await withClient(input, (client) => sendAll(client, uploads));
  return printAnswer(input, { stickers }, () => stickers.map(describe));
}

async function readAll(files: readonly string[], input: Input): Promise<StickerUpload[]> {
  const single = ['title', 'preset'].find((name) => input.text(name) !== undefined);
  if (files.length !== 1 && single !== undefined) {
    throw invalidArgument(words().forOne(single, files.length));
  }
  if (files.length === 0) throw invalidArgument(words().noFile);
  const uploads: StickerUpload[] = [];
  const prompt = process.stdin.isTTY && !input.json ? openPrompt() : undefined;
  try {
    for (const file of files) uploads.push(await readOne(file, input, prompt));
  } finally {
    prompt?.close();
  }
  const twice = uploads.find(({ preset }, i) => uploads.findIndex((one) => one.preset === preset) !== i);
  if (twice === undefined) return uploads;
  throw invalidArgument(words().twice(twice.preset));
}

/** Options come before the file beside it, and that before questions and the file's own name. */
async function readOne(file: string, input: Input, prompt: Prompt | undefined): Promise<StickerUpload> {
  const lottie = readSource(file, REGISTERED_MAX_BYTES).toString('utf8');
  const beside = readSidecar(file);
  const typed = input.text('keywords');
  const title = input.text('title') ?? beside.title;
  const answers = title === undefined ? await prompt?.askAbout(file, titleOf(file)) : undefined;
  const body = {
    title: title ?? answers?.title ?? titleOf(file),
    keywords: (typed === undefined ? beside.keywords : splitKeywords(typed)) ?? answers?.keywords ?? [],
    color: input.text('color') ?? beside.color,
    licence: input.text('licence') ?? beside.licence,
    attribution: input.text('attribution') ?? beside.attribution,
    lottie,
  };
  const preset = ownPreset(file, input.text('preset') ?? beside.preset);
  checkPreset(preset, (...told) => words().badPreset(file, ...told), words().badPresetHint);
  return { file, preset, body };
}

async function sendAll(client: Client, uploads: readonly StickerUpload[]): Promise<Added[]> {
  const added: Added[] = [];
  for (const { file, preset, body } of uploads) {
    const path = `/svcd/library/stickers/${encodeURIComponent(preset)}`;
    // As bytes: a file of some megabytes is encoded once.
    const question = { body: new TextEncoder().encode(JSON.stringify(body)), headers: JSON_TYPE };
    const answer = await client.request('PUT', path, question);
    try {
      added.push(expectOk(answer).json() as Added);
    } catch (error) {
      throw withFile(error, file, added.length);
    }
  }
  return added;
}

function withFile(error: unknown, file: string, done: number): unknown {
  if (!(error instanceof SvcdError)) return error;
  const before = done === 0 ? '' : words().before(done);
  return new SvcdError(error.code, `${file}: ${error.message}${before}`, { cause: error, hint: error.hint });
}

function describe({ preset, title, keywords, replaced }: Added): string {
  const found = keywords.length === 0 ? words().noKeywords : keywords.map(sanitize).join(', ');
  return words()[replaced ? 'replaced' : 'added'](sanitize(preset), sanitize(title), found);
}

/** What is known of a sticker besides its file. */
interface StickerDetails {
  readonly preset?: string | undefined;
  readonly title?: string | undefined;
  readonly keywords?: readonly string[] | undefined;
  readonly color?: string | undefined;
  readonly licence?: string | undefined;
  readonly attribution?: string | undefined;
}

const SIDECAR = '.meta.json';
const SIDECAR_FIELDS = ['preset', 'title', 'keywords', 'color', 'licence', 'attribution'];

/** The details in the file beside it: for `cake.json` that is `cake.meta.json`. Throws `invalid_argument` for a bad one. */
function readSidecar(file: string): StickerDetails {
  const sidecar = join(dirname(file), nameOf(file) + SIDECAR);
  let value: unknown;
  try {
    if (!statSync(sidecar).isFile()) throw invalidArgument(words().notPlain(sidecar));
    value = JSON.parse(readForeignFile(sidecar, REGISTERED_MAX_BYTES).toString('utf8'));
  } catch (cause) {
    if (systemCode(cause) === 'ENOENT') return {};
    if (cause instanceof SyntaxError) throw invalidArgument(words().notJson(sidecar, cause.message));
    throw asFileError(cause, sidecar, 'read');
  }
  return parseSidecar(sidecar, value);
}

interface Prompt {
  /** Asks on the terminal for title and keywords. Throws `interrupted` when stdin ends. */
  askAbout(file: string, suggested: string): Promise<Pick<StickerDetails, 'title' | 'keywords'>>;
  close(): void;
}

/** Opens the terminal for questions one after another, so that answers can also be pasted at once. */
function openPrompt(): Prompt {
  // On stderr, so that stdout holds the answer alone.
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  const answers = reader[Symbol.asyncIterator]();
  const ask = async (file: string, question: string): Promise<string> => {
    process.stderr.write(question);
    const answer = await answers.next();
    if (answer.done === true) throw new SvcdError('interrupted', words().notAdded(file));
    return answer.value.trim();
  };
  return {
    askAbout: async (file, suggested) => {
      const title = await ask(file, words().askTitle(basename(file), suggested));
      const keywords = splitKeywords(await ask(file, words().askKeywords));
      return { title: title === '' ? suggested : title, keywords };
    },
    close: () => reader.close(),
  };
}

/** Words separated by commas, Chinese ones too, else by spaces. */
function splitKeywords(typed: string): string[] {
  const parts = /[,，、;；]/.test(typed) ? typed.split(/[,，、;；]/) : typed.split(/\s+/);
  return [...new Set(parts.map((part) => part.trim()).filter((part) => part !== ''))];
}

/** `own/NAME`, whether a name was given with the prefix, without, or not at all. */
export function ownPreset(file: string, given: string | undefined): string {
  const name = given ?? nameOf(file);
  return name.startsWith(OWN_PREFIX) ? name : OWN_PREFIX + name;
}

/** A title made of the file's name. */
function titleOf(file: string): string {
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

function parseSidecar(sidecar: string, value: unknown): StickerDetails {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidArgument(words().notObject(sidecar));
  const odd = Object.keys(value).find((name) => !SIDECAR_FIELDS.includes(name));
  if (odd !== undefined) throw invalidArgument(words().odd(sidecar, odd, SIDECAR_FIELDS.join(', ')));
  const { keywords, ...texts } = value as Record<string, unknown>;
  const text = (name: string) => {
    const one = texts[name];
    if (one === undefined || typeof one === 'string') return one;
    throw invalidArgument(words().notText(sidecar, name));
  };
  const list = typeof keywords === 'string' ? splitKeywords(keywords) : keywords;
  if (list !== undefined && !(Array.isArray(list) && list.every((one) => typeof one === 'string'))) {
    throw invalidArgument(words().notTexts(sidecar));
  }
  const credit = { licence: text('licence'), attribution: text('attribution') };
  return { preset: text('preset'), title: text('title'), keywords: list, color: text('color'), ...credit };
}
