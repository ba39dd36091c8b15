// svcd get

import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { FallbackReason } from '../../model/asset.js';
import { isSvcdError, SvcdError } from '../../model/errors.js';
import { stickerPath } from '../../model/sticker.js';
import { expectOk, withClient } from '../client.js';
import { HOME_OPTION, type Command } from '../command.js';
import type { Answer } from '../http-exchange.js';
import type { Input } from '../input.js';
import { counted, note, plain, print, printJson } from '../output.js';
import { openTargetFile } from '../target-file.js';

export const getCommand: Command = {
  options: {
    ...HOME_OPTION,
    output: {
      type: 'string',
      alias: 'o',
      requiresArg: true,
      describe: 'File or folder to write to, or - for stdout [stdout in a pipe, else <name>.json].',
    },
    strict: { type: 'boolean', describe: 'Fail rather than take a default in its place.' },
  },
  examples: [
    ['svcd get fluent-emoji-flat/birthday-cake -o cake.json', 'the same a second time costs nothing'],
    ['svcd get fluent-emoji-flat/birthday-cake --strict | jq .op', 'the sticker itself or nothing'],
  ],
  run: async (input) => {
    const preset = input.word('preset');
    const file = findTarget(input, preset);
    const target = file === undefined ? undefined : openTargetFile(file);
    try {
      const answer = await fetchSticker(input, preset);
      if (target === undefined) await print(answer.bytes());
      else target.commit(answer.bytes());
      await report(factsOf(answer, preset, file), input.json, file === undefined);
    } finally {
      target?.abandon();
    }
  },
};

const REASONS: Readonly<Record<FallbackReason, string>> = {
  offline: 'the service cannot be reached',
  no_key: 'there is no Key to pay with',
  insufficient_credits: 'the credits are used up',
  budget: 'the budget is used up',
  not_enabled: 'the service does not offer it now',
  upstream_failure: 'the service failed or was too slow',
  unsettled: 'it is not known yet whether an earlier purchase of it was charged',
};

async function fetchSticker(input: Input, preset: string): Promise<Answer> {
  const headers: Record<string, string> = input.flag('strict') === true ? { 'x-svcd-fallback': 'off' } : {};
  try {
    return await withClient(
      { home: input.text('home') },
      { json: input.json, spends: true },
      async (client) => expectOk(await client.request('GET', stickerPath(preset), { headers })),
    );
  } catch (error) {
    throw isSvcdError(error, 'unknown_preset') ? withSpelling(error, preset) : error;
  }
}

/** Percent-encoding belongs into HTTP paths; a preset copied from one is easily mistyped here. */
function withSpelling(error: SvcdError, preset: string): SvcdError {
  if (!/%[0-9a-f]{2}/i.test(preset)) return error;
  const plainly = preset.replace(/%2f/gi, '/');
  return new SvcdError(error.code, error.message, {
    cause: error,
    hint: `%2F is for HTTP paths. Here write the preset plainly: svcd get ${JSON.stringify(plainly)}`,
  });
}

/** Where to write; undefined for stdout. Throws `invalid_argument`, before anything is paid. */
function findTarget(input: Input, preset: string): string | undefined {
  const typed = input.text('output');
  if (typed === '-' && input.json) {
    throw new SvcdError('invalid_argument', '--json needs stdout for itself: give a file with -o FILE');
  }
  if (typed === '-' || (typed === undefined && !process.stdout.isTTY && !input.json)) return undefined;
  if (typed === '') throw new SvcdError('invalid_argument', '-o needs the name of a file');
  if (typed !== undefined && !isFolder(typed)) return typed;
  const file = join(typed ?? '.', fileNameOf(preset));
  if (typed !== undefined || statSync(file, { throwIfNoEntry: false }) === undefined) return file;
  throw new SvcdError('invalid_argument', `${file} exists already`, {
    hint: 'Name the file to write with -o FILE.',
  });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** The preset's last part, as a name that is safe on any system. */
function fileNameOf(preset: string): string {
  const last = preset.split('/').findLast((part) => part !== '') ?? '';
  const safe = last.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+/, '');
  return `${safe === '' ? 'sticker' : safe.slice(0, 80)}.json`;
}

function factsOf(answer: Answer, preset: string, file: string | undefined) {
  const credits = answer.header('x-service-credits-remaining');
  return {
    preset,
    file,
    bytes: answer.bytes().byteLength,
    source: answer.header('x-svcd-source'),
    cost: Number(answer.header('x-svcd-cost') ?? 0),
    credits_remaining: credits === undefined ? undefined : Number(credits),
    reason: answer.header('x-svcd-reason') as FallbackReason | undefined,
    ...defaultOf(answer.header('x-svcd-default')),
  };
}

/** Which default it is, and why that one: percent-encoded in the header, so that any script fits in. */
function defaultOf(header: string | undefined) {
  const [which, why] = (header ?? '').split('; ').map(decodeURIComponent);
  return header === undefined ? {} : { default: which, default_why: why };
}

type Facts = ReturnType<typeof factsOf>;

async function report(facts: Facts, json: boolean, toStdout: boolean): Promise<void> {
  if (json) return printJson(facts);
  const lines = describe(facts);
  // The file itself has stdout then.
  if (toStdout) for (const line of lines) note(line);
  else await print(`${lines.join('\n')}\n`);
}

function describe({
  preset,
  file,
  bytes,
  source,
  cost,
  credits_remaining: credits,
  reason,
  default: which = 'unknown',
  default_why: why = 'unknown',
}: Facts) {
  const where = file === undefined ? '' : ` to ${file}`;
  const paid =
    source === 'owned' ? 'owned already, no charge' : `${source ?? 'unknown'}, ${counted(cost, 'credit')}`;
  const left = credits === undefined ? '' : `; ${counted(credits, 'credit')} left`;
  if (reason === undefined) return [`${plain(preset)}: wrote ${bytes} bytes${where} (${paid}${left})`];
  return [
    `This is NOT ${plain(preset)} but a default (${plain(which)}: ${plain(why)}): ${REASONS[reason] ?? plain(reason)}.`,
    `Wrote ${bytes} bytes${where} (no charge${left}). With --strict it would have failed instead.`,
  ];
}
