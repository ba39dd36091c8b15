// svcd library add: the user's own Lottie files, found beside the stickers of the remote.

import { SvcdError } from '../../model/errors.js';
import { expectOk, withClient, type Client } from '../client.js';
import { HOME_OPTION, type Command } from '../command.js';
import type { Input } from '../input.js';
import { plain, printJson, printLines } from '../output.js';
import {
  isSidecar,
  openAsker,
  type Asker,
  ownPreset,
  readLottie,
  readSidecar,
  splitKeywords,
  titleOf,
} from '../own-file.js';

interface Added {
  readonly preset: string;
  readonly title: string;
  readonly keywords: readonly string[];
  readonly replaced: boolean;
}

export const libraryAddCommand: Command = {
  options: {
    ...HOME_OPTION,
    title: { type: 'string', requiresArg: true, describe: 'Its title.' },
    keywords: { type: 'string', requiresArg: true, describe: 'Words it is found by, with commas or spaces.' },
    color: { type: 'string', requiresArg: true, describe: 'Its primary color, such as #ff8800.' },
    preset: {
      type: 'string',
      requiresArg: true,
      describe: 'Its name, own/…; the name of the file if not given.',
    },
  },
  examples: [
    ['svcd library add our-cake.json', 'asks for title and keywords, or reads our-cake.meta.json'],
    ["svcd library add logo.json --title '片头' --keywords '公司, 标志'", 'without questions'],
  ],
  run: async (input) => {
    const files = input.words('files').filter((file) => !isSidecar(file));
    const wishes = await wishesOf(files, input);
    const needs = { json: input.json, spends: false };
    const added = await withClient({ home: input.text('home') }, needs, (client) => addAll(client, wishes));
    if (input.json) return printJson({ stickers: added });
    return printLines(...added.map(describe));
  },
};

interface Wish {
  readonly file: string;
  readonly preset: string;
  readonly body: object;
}

/** Everything is read and asked before the first is added. */
async function wishesOf(files: readonly string[], input: Input): Promise<Wish[]> {
  const named = ['title', 'preset'].find((name) => input.text(name) !== undefined);
  if (files.length !== 1 && named !== undefined) {
    throw new SvcdError('invalid_argument', `--${named} is for one file, got ${files.length}`);
  }
  if (files.length === 0) throw new SvcdError('invalid_argument', 'give at least one Lottie file');
  const wishes: Wish[] = [];
  const asker = process.stdin.isTTY && !input.json ? openAsker() : undefined;
  try {
    for (const file of files) wishes.push(await wishOf(file, input, asker));
  } finally {
    asker?.close();
  }
  const twice = wishes.find(({ preset }, i) => wishes.findIndex((one) => one.preset === preset) !== i);
  if (twice === undefined) return wishes;
  throw new SvcdError('invalid_argument', `two of the files would be called ${twice.preset}`);
}

async function wishOf(file: string, input: Input, asker: Asker | undefined): Promise<Wish> {
  const lottie = readLottie(file);
  const beside = readSidecar(file);
  const typed = input.text('keywords');
  const keywords = typed === undefined ? beside.keywords : splitKeywords(typed);
  const title = input.text('title') ?? beside.title;
  const color = input.text('color') ?? beside.color;
  const asks = title === undefined ? asker : undefined;
  const told = (await asks?.askAbout(file, titleOf(file))) ?? { title: title ?? titleOf(file), keywords };
  const preset = ownPreset(file, input.text('preset') ?? beside.preset);
  return { file, preset, body: { ...told, keywords: keywords ?? told.keywords ?? [], color, lottie } };
}

async function addAll(client: Client, wishes: readonly Wish[]): Promise<Added[]> {
  const added: Added[] = [];
  for (const { file, preset, body } of wishes) {
    const question = {
      body: new TextEncoder().encode(JSON.stringify(body)),
      headers: { 'content-type': 'application/json' },
    };
    const path = `/svcd/library/stickers/${encodeURIComponent(preset)}`;
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
  const before = done === 0 ? '' : ` (${done} before it ${done === 1 ? 'was' : 'were'} added)`;
  const hint = error.hint === undefined ? {} : { hint: error.hint };
  return new SvcdError(error.code, `${file}: ${error.message}${before}`, { cause: error, ...hint });
}

function describe({ preset, title, keywords, replaced }: Added): string {
  const words = keywords.length === 0 ? 'no keywords' : keywords.map(plain).join(', ');
  return `${plain(preset)} ${replaced ? 'is replaced' : 'is added'}: ${plain(title)} (${words}).`;
}
