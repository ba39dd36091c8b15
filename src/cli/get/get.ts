// svcd get: the file of a sticker, written as a whole or not at all, with what it cost.

import { join } from 'node:path';
import type { LibraryStatus } from '../../api/library.js';
import { STICKER_PRICE } from '../../contract/limits.js';
import { RECOLOR_VERSION, type Coloring } from '../../lottie/recolor.js';
import { type FallbackReason, FORMS, type Form } from '../../model/asset.js';
import { isSvcdError, SvcdError } from '../../model/errors.js';
import { sha256Hex } from '../../model/hash.js';
import { stickerPath } from '../../model/sticker.js';
import { type Client, withClient } from '../connection/client.js';
import { colored, colorings, readColor } from './color.js';
import { type DescribeReason, explainReasons } from './describe-reason.js';
import { systemClock } from '../../platform/clock.js';
import { type Bodies, choiceOption, type CommandBody, switchOption, textOption } from '../command.js';
import { formatCost, formatCount, formatNumber, sanitize } from '../terminal/format.js';
import { atHub, getStickers, isMachine, nameFiles, type Got, type GotAll } from './get-stickers.js';
import { type Answer, costIn, creditsLeftIn } from '../connection/http-exchange.js';
import { checkPreset, type Input, invalidArgument } from '../terminal/input.js';
import { hintOf, withNearPresets } from '../search/near-presets.js';
import { OVERWRITE_OPTION, PAY_OPTIONS, readCredits } from '../terminal/options.js';
import { print, printAnswer } from '../terminal/output.js';
import { isFolder, printBeside, readOutput, replacing } from './output-file.js';
import { readPresets } from './read-presets.js';
import { expectOk } from '../connection/running-daemon.js';
import { listFree } from '../search/sticker-columns.js';
import { contentOf, openTargetFile } from '../terminal/target-file.js';
import { agreeToPay } from '../terminal/terminal-input.js';
import { getWords } from './words.js';
import { errorWords } from '../terminal/error-words.js';

const words = getWords();

const getCommand: CommandBody = {
  options: {
    output: { ...textOption(words.output), alias: 'o' },
    from: textOption(words.from),
    form: choiceOption(words.form, FORMS),
    color: textOption(words.color),
    strict: switchOption(words.strict),
    ...OVERWRITE_OPTION,
    ...PAY_OPTIONS,
  },
  examples: [`svcd get fluent-emoji-flat/birthday-cake -o cake.json # ${words.examples.twice}`],
  run: async (input) => {
    const typed = input.words('preset');
    const from = input.text('from');
    // Here, because the address of "search" is another route.
    for (const preset of typed) checkPreset(preset);
    const presets = [...typed, ...(from === undefined ? [] : await readPresets(from))];
    if (presets.length === 0) throw invalidArgument(words.presetMissing, words.presetHint);
    const form = input.choice('form', FORMS);
    readColor(input);
    return from === undefined && new Set(presets).size === 1
      ? getOne(input, presets[0] ?? '', form)
      : getSeveral(input, presets, form);
  },
};

export const bodies: Bodies = { get: getCommand };

async function getOne(input: Input, preset: string, form: Form | undefined): Promise<void> {
  const file = findTarget(input, preset);
  const max = readCredits(input, 'max-credits');
  const held = file === undefined || input.flag('overwrite') === true ? undefined : contentOf(file);
  const target = file === undefined ? undefined : openTargetFile(file, { overwrite: replacing(input) });
  let coloring: Coloring | undefined;
  const mayBuy = async (client: Client) => {
    coloring = (await colorings(client, [preset], readColor(input))).get(preset);
    if ((held === undefined && max === undefined) || (await listFree(client, [preset])).has(preset)) return;
    if (held !== undefined) throw invalidArgument(words.unsureHoldsOther(file ?? ''), words.overwriteIt);
    await agreeToPay(input, STICKER_PRICE, []);
  };
  try {
    const { answer, hint, why, isOfHub } = await fetchSticker(input, preset, form, mayBuy);
    const bytes = Buffer.from(colored(answer.bytes(), coloring, answer.header('x-svcd-source')));
    if (file !== undefined && held?.equals(bytes) === false) {
      throw invalidArgument(words.holdsOther(file), words.overwriteIt);
    }
    if (target === undefined) await print(bytes);
    else target.commit(bytes);
    const source = bytes.equals(answer.bytes()) ? undefined : answer.bytes();
    const facts = factsOf(answer, preset, file, { isOfHub, bytes, source });
    const lines = () => [...describe(facts, why), ...(hint === undefined ? [] : words.unknownPreset(hint).split('\n'))];
    await printBeside(input, facts, lines);
  } finally {
    target?.abandon();
  }
}

async function getSeveral(input: Input, presets: readonly string[], form: Form | undefined): Promise<void> {
  const folder = input.text('output') ?? '.';
  if (folder === '') throw invalidArgument(words.needsFile);
  const isFile = folder === '-' || (/\.json$/i.test(folder) && !isFolder(folder));
  if (isFile) throw invalidArgument(words.severalNeedFolder(folder), words.nameFolder);
  const [strict, overwrite] = [input.flag('strict') ?? false, input.flag('overwrite') ?? false];
  const request = { presets, folder, form, strict, overwrite, wish: readColor(input) };
  const since = systemClock.now();
  const { got, why } = await withClient({ ...input, spends: true }, async (client) => {
    const all = await getStickers(client, request, input);
    const reasons = all.results.map((one) => (one.status === 'failed' ? undefined : one.reason));
    return { got: all, why: await explainReasons(client, reasons, since) };
  });
  await printAnswer(input, got, () => describeAll(got, why));
  const failed = got.results.filter((one) => one.status === 'failed');
  const [first] = failed;
  if (first === undefined) return;
  const named = failed.map(({ preset }) => sanitize(preset)).join(words.comma);
  const isSome = failed.length < got.results.length;
  const message = words.someFailed(failed.length, got.results.length, named);
  throw new SvcdError(first.code, message, isSome ? { hint: words.restIsHere } : {});
}

function describeAll({ folder, cost, results }: GotAll, why: DescribeReason): string[] {
  const count = (status: Got['status']) => results.filter((one) => one.status === status).length;
  const [there, failed] = [count('already_there'), count('failed')];
  const written = formatCount(count('written'), 'file');
  return [
    ...results.flatMap((got) => describeGot(got, why)),
    words.sum(sanitize(folder), written, there, failed, formatCount(cost, 'credit')),
  ];
}

function describeGot(got: Got, why: DescribeReason): string[] {
  const [preset, file] = [sanitize(got.preset), sanitize(got.file)];
  if (got.status === 'failed') {
    const hints =
      got.hint === undefined ? [] : got.hint.split('\n').map((line) => `  ${sanitize(errorWords().translated(line))}`);
    return [words.failed(preset, sanitize(errorWords().translated(got.message))), ...hints];
  }
  const standsIn = got.source === 'default' ? [words.isDefault(preset, why(got.reason ?? 'offline'))] : [];
  if (got.status === 'already_there') return [...standsIn, words.alreadyThere(preset, file)];
  const cost = got.cost === 'unknown' ? null : got.cost;
  const free = got.source === 'shipped' ? words.isShipped : words.isOwned;
  const paid =
    got.hub === 'owned'
      ? words.isOfHub
      : got.source === 'bought'
        ? words.bought(formatCost(cost))
        : got.source === 'default'
          ? words.noCharge
          : free;
  return [...standsIn, words.wrote(preset, formatNumber(got.bytes), words.to(file), paid)];
}

const UNASKED: readonly string[] = ['offline', 'no_key'] satisfies FallbackReason[];

/** Its answer; with what may have been meant where a default stands in for what the library does not know. */
async function fetchSticker(
  input: Input,
  preset: string,
  form: Form | undefined,
  mayBuy: (client: Client) => Promise<void>,
) {
  const headers: Record<string, string> = input.flag('strict') === true ? { 'x-svcd-fallback': 'off' } : {};
  const path = stickerPath(preset) + (form === undefined ? '' : `?form=${form}`);
  const since = systemClock.now();
  try {
    return await withClient({ ...input, spends: true }, (client) =>
      withNearPresets(client, preset, async () => {
        await mayBuy(client);
        const answer = expectOk(await client.request('GET', path, { headers }));
        // Only where nobody could be asked: elsewhere the service knows the preset, or its end is in doubt.
        const reason = answer.header('x-svcd-reason');
        const isUnasked = UNASKED.includes(reason ?? '');
        // A list that is not complete may lack what there is.
        const isTypo = isUnasked && (await client.ask<LibraryStatus>('GET', '/svcd/library')).complete;
        const hint = isTypo ? await hintOf(client, preset) : undefined;
        return {
          answer,
          hint,
          isOfHub: await isMachine(input),
          why: await explainReasons(client, [reason], since, preset),
        };
      }),
    );
  } catch (error) {
    if (!isSvcdError(error, 'unknown_preset')) throw error;
    const { code, message, hint } = withSpelling(error, preset);
    throw new SvcdError(code, `${preset}: ${message}`, { cause: error, hint });
  }
}

/** A preset copied from an HTTP path is percent-encoded, and unknown here. */
function withSpelling(error: SvcdError, preset: string): SvcdError {
  if (!/%[0-9a-f]{2}/i.test(preset)) return error;
  return error.with({ hint: words.percent(JSON.stringify(preset.replace(/%2f/gi, '/'))) });
}

/** Where to write; undefined for stdout. Throws `invalid_argument`, before anything is paid. */
function findTarget(input: Input, preset: string): string | undefined {
  const output = readOutput(input);
  if (output === undefined || !isFolder(output)) return output;
  return join(output, nameFiles([preset])[0] ?? '');
}

/** `source` is the file that was given other colors. */
function factsOf(
  answer: Answer,
  preset: string,
  file: string | undefined,
  { isOfHub, bytes, source }: { isOfHub: boolean; bytes: Uint8Array; source: Uint8Array | undefined },
) {
  // Percent-encoded in the header, because it may hold any script.
  const [which, why] = answer.header('x-svcd-default')?.split('; ').map(decodeURIComponent) ?? [];
  return {
    preset,
    file,
    bytes: bytes.byteLength,
    source: answer.header('x-svcd-source'),
    cost: costIn(answer),
    hub: isOfHub && answer.header('x-svcd-source') === 'remote' ? atHub(costIn(answer)) : undefined,
    credits_remaining: creditsLeftIn(answer),
    sha256: sha256Hex(bytes),
    source_sha256: source && sha256Hex(source),
    recolor: source && RECOLOR_VERSION,
    verdict: answer.header('x-svcd-verdict') ?? undefined,
    reason: answer.header('x-svcd-reason') as FallbackReason | undefined,
    default: which,
    default_why: why,
  };
}

function describe(facts: ReturnType<typeof factsOf>, explain: DescribeReason): string[] {
  const { file, bytes, source, cost, credits_remaining: credits, reason } = facts;
  const { default: which = 'unknown', default_why: how = 'unknown' } = facts;
  const preset = sanitize(facts.preset);
  const where = file === undefined ? '' : words.to(sanitize(file));
  const left = credits === undefined ? '' : words.left(formatCount(credits, 'credit'));
  if (reason === undefined) {
    const free = source === 'owned' ? words.isOwned : facts.hub === 'owned' ? words.isOfHub : undefined;
    const paid = free ?? words.source(source ?? 'unknown', formatCost(cost));
    return [words.wrote(preset, formatNumber(bytes), where, `${paid}${left}`)];
  }
  const why = explain(reason);
  return [
    words.isNamedDefault(preset, sanitize(which), sanitize(errorWords().translated(how)), why),
    words.wroteDefault(formatNumber(bytes), where, left),
  ];
}
