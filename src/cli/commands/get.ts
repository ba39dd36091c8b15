// svcd get: the file of a sticker, written as a whole or not at all, with what it cost.

import { join } from 'node:path';
import type { FallbackReason } from '../../model/asset.js';
import { isSvcdError, SvcdError } from '../../model/errors.js';
import { sha256Hex } from '../../model/hash.js';
import { presetProblem } from '../../model/preset.js';
import { stickerPath } from '../../model/sticker.js';
import { FORMS, type Form } from '../../model/verdict.js';
import { withClient } from '../client.js';
import { type Bodies, type CommandBody, switchOption, textOption } from '../command.js';
import { formatCost, formatCount, sanitize } from '../format.js';
import { type Answer, costIn } from '../http-exchange.js';
import type { Input } from '../input.js';
import { invalidArgument } from '../invalid-argument.js';
import { markOf, print, printAnswer, printNote } from '../output.js';
import { expectOk } from '../running-daemon.js';
import { lookAt, openTargetFile } from '../target-file.js';

const getCommand: CommandBody = {
  options: {
    output: {
      ...textOption('File or folder to write to, or - for stdout [stdout in a pipe, else <name>.json].'),
      alias: 'o',
    },
    form: textOption('as-bought, or safe: without code, and without what is fetched from elsewhere.'),
    strict: switchOption('Fail rather than accept a default in its place.'),
  },
  examples: [
    'svcd get fluent-emoji-flat/birthday-cake -o cake.json # a second time costs nothing',
    'svcd get fluent-emoji-flat/birthday-cake --form safe # without expressions and remote pictures',
    'svcd get fluent-emoji-flat/birthday-cake --strict | jq .op # the sticker itself or nothing',
  ],
  run: async (input) => {
    const preset = input.word('preset');
    // Here, because the address of "search" is another route.
    const problem = presetProblem(preset);
    if (problem !== undefined) throw invalidArgument(`preset: ${problem}, got ${JSON.stringify(preset)}`);
    const file = findTarget(input, preset);
    const form = formOf(input);
    const target = file === undefined ? undefined : openTargetFile(file);
    try {
      const answer = await fetchSticker(input, preset, form);
      if (target === undefined) await print(answer.bytes());
      else target.commit(answer.bytes());
      const facts = factsOf(answer, preset, file);
      // Without a file, stdout holds the sticker.
      if (file === undefined) [...describe(facts), ...markOf(input)].forEach(printNote);
      else await printAnswer(input, facts, describe);
    } finally {
      target?.abandon();
    }
  },
};

export const bodies: Bodies = { get: getCommand };

const REASONS: Readonly<Record<FallbackReason, string>> = {
  offline: 'the service cannot be reached',
  no_key: 'there is no Key to pay with',
  insufficient_credits: 'the credits are used up',
  budget: 'the budget is used up; "svcd budget" shows it, "svcd budget set --day N" changes it',
  not_enabled: 'the service does not offer it now',
  rate_limited: 'the service wants fewer requests a minute',
  late: 'it was not there in time; it will be owned in a moment',
  spending_stopped: 'spending is stopped',
  upstream_failure: 'the service failed',
  unsettled: 'it is not known yet whether an earlier purchase of it was charged',
};

async function fetchSticker(input: Input, preset: string, form: Form | undefined): Promise<Answer> {
  const headers: Record<string, string> = input.flag('strict') === true ? { 'x-svcd-fallback': 'off' } : {};
  try {
    return await withClient({ ...input, spends: true }, async (client) =>
      expectOk(
        await client.request('GET', stickerPath(preset) + (form === undefined ? '' : `?form=${form}`), { headers }),
      ),
    );
  } catch (error) {
    throw isSvcdError(error, 'unknown_preset') ? withSpelling(error, preset) : error;
  }
}

function formOf(input: Input): Form | undefined {
  const typed = input.text('form');
  const form = FORMS.find((one) => one === typed);
  if (form !== typed) throw invalidArgument(`--form must be ${FORMS.join(' or ')}, got ${JSON.stringify(typed)}`);
  return form;
}

/** A preset copied from an HTTP path is percent-encoded, and unknown here. */
function withSpelling(error: SvcdError, preset: string): SvcdError {
  if (!/%[0-9a-f]{2}/i.test(preset)) return error;
  const decoded = preset.replace(/%2f/gi, '/');
  return new SvcdError(error.code, error.message, {
    cause: error,
    hint: `%2F is for HTTP paths. Here write the preset without it: svcd get ${JSON.stringify(decoded)}`,
  });
}

/** Where to write; undefined for stdout. Throws `invalid_argument`, before anything is paid. */
function findTarget(input: Input, preset: string): string | undefined {
  const typed = input.text('output');
  if (typed === '-' && input.json) {
    throw invalidArgument('--json writes to stdout: give a file with -o FILE');
  }
  if (typed === '-' || (typed === undefined && !process.stdout.isTTY && !input.json)) return undefined;
  if (typed === '') throw invalidArgument('-o needs the name of a file');
  if (typed !== undefined && !isFolder(typed)) return typed;
  const file = join(typed ?? '.', fileNameOf(preset));
  if (typed !== undefined || lookAt(file) === undefined) return file;
  throw invalidArgument(`${file} exists already`, 'Name the file to write with -o FILE.');
}

function isFolder(path: string): boolean {
  return lookAt(path)?.isDirectory() ?? false;
}

/** The preset's last part, as a name that is safe on any system. */
function fileNameOf(preset: string): string {
  const last = preset.split('/').findLast((part) => part !== '') ?? '';
  const safe = last.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+/, '');
  return `${safe === '' ? 'sticker' : safe.slice(0, 80)}.json`;
}

function factsOf(answer: Answer, preset: string, file: string | undefined) {
  const credits = answer.header('x-service-credits-remaining');
  // Percent-encoded in the header, because it may hold any script.
  const [which, why] = answer.header('x-svcd-default')?.split('; ').map(decodeURIComponent) ?? [];
  return {
    preset,
    file,
    bytes: answer.bytes().byteLength,
    source: answer.header('x-svcd-source'),
    cost: costIn(answer),
    credits_remaining: credits === undefined ? undefined : Number(credits),
    sha256: sha256Hex(answer.bytes()),
    verdict: answer.header('x-svcd-verdict') ?? undefined,
    reason: answer.header('x-svcd-reason') as FallbackReason | undefined,
    default: which,
    default_why: why,
  };
}

function describe(facts: ReturnType<typeof factsOf>): string[] {
  const { preset, file, bytes, source, cost, credits_remaining: credits, reason } = facts;
  const { default: which = 'unknown', default_why: why = 'unknown' } = facts;
  const where = file === undefined ? '' : ` to ${file}`;
  const left = credits === undefined ? '' : `; ${formatCount(credits, 'credit')} left`;
  if (reason === undefined) {
    const paid = source === 'owned' ? 'owned already, no charge' : `${source ?? 'unknown'}, ${formatCost(cost)}`;
    return [`${sanitize(preset)}: wrote ${bytes} bytes${where} (${paid}${left})`];
  }
  return [
    `This is NOT ${sanitize(preset)} but a default (${sanitize(which)}: ${sanitize(why)}): ${REASONS[reason] ?? sanitize(reason)}.`,
    `Wrote ${bytes} bytes${where} (no charge${left}). --strict makes this an error instead.`,
  ];
}
