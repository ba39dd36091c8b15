// svcd image: a picture for a prompt, priced before it is bought and free once it is owned. The prompt is printed and
// written nowhere.

import { join } from 'node:path';
import type { Plan } from '../../api/plan.js';
import { IMAGE_SIZES, type ImageSize } from '../../contract/limits.js';
import { dimensionsOf } from '../../contract/requests.js';
import { pictureFacts } from '../../video/lock/picture-facts.js';
import { SvcdError } from '../../model/errors.js';
import { sha256Hex } from '../../model/hash.js';
import { withClient } from '../connection/client.js';
import { type DescribeReason, explainReasons } from './describe-reason.js';
import { systemClock } from '../../platform/clock.js';
import { type Bodies, choiceOption, type CommandBody, switchOption, textOption } from '../command.js';
import { agreeToPay, readStdin } from '../terminal/terminal-input.js';
import { errorWords } from '../terminal/error-words.js';
import { formatCost, formatCount, formatNumber, sanitize } from '../terminal/format.js';
import { type Input, invalidArgument, oneOf } from '../terminal/input.js';
import { OVERWRITE_OPTION, PAY_OPTIONS } from '../terminal/options.js';
import { print, printNote } from '../terminal/output.js';
import { terminalWords } from '../terminal/words.js';
import { isFolder, printBeside, readOutput, replacing } from './output-file.js';
import { buyAssets, placeOf, takeByDigest, type Place } from '../../video/apply/take-assets.js';
import { contentOf, openTargetFile, writeTargetFile } from '../terminal/target-file.js';
import { leftOf } from '../video/plan.js';
import { TELLING } from '../video/telling.js';
import { getWords } from './words.js';

const words = getWords();
const SIZE_DEFAULT = IMAGE_SIZES[0];

const imageCommand: CommandBody = {
  options: {
    size: choiceOption(words.size(IMAGE_SIZES.join(terminalWords().or), SIZE_DEFAULT), IMAGE_SIZES),
    output: { ...textOption(words.imageOutput), alias: 'o' },
    strict: switchOption(words.strict),
    ...OVERWRITE_OPTION,
    ...PAY_OPTIONS,
  },
  examples: [`svcd image "a paper lantern at dusk" --size 1024x1024 -o lantern.png # ${words.examples.image}`],
  run: async (input) => {
    const size = sizeOf(input);
    const output = readOutput(input);
    const prompt = await readPrompt(input.words('prompt'));
    // Before anything is paid: a file that cannot be written is told now.
    const folder = output !== undefined && isFolder(output) ? output : undefined;
    const held =
      output === undefined || folder !== undefined || input.flag('overwrite') === true ? undefined : contentOf(output);
    const target =
      output === undefined || folder !== undefined
        ? undefined
        : openTargetFile(output, { overwrite: replacing(input) });
    if (folder !== undefined) openTargetFile(join(folder, 'image.png'), { overwrite: true }).abandon();
    try {
      const { bytes, place, why } = await withClient({ ...input, spends: true }, (client) =>
        buy(client, input, prompt, size, held === undefined ? undefined : output),
      );
      if (held?.equals(bytes) === false) throw invalidArgument(words.holdsOther(output ?? ''), words.overwriteIt);
      const facts = factsOf(bytes, place, size);
      const file = folder === undefined ? output : join(folder, `image-${facts.sha256.slice(0, 8)}.${facts.kind}`);
      if (file === undefined) await print(bytes);
      else if (target !== undefined) target.commit(bytes);
      // The name holds the digest: what is there under it is the same.
      else writeTargetFile(file, bytes);
      const told = { file, ...facts };
      await printBeside(input, told, () => describe(told, why));
    } finally {
      target?.abandon();
    }
  },
};

export const bodies: Bodies = { image: imageCommand };

type AssetPlace = Extract<Place, { event: 'asset' }>;

/** Plans it for the price, asks, and buys within what was said. */
async function buy(
  client: Parameters<Parameters<typeof withClient>[1]>[0],
  input: Input,
  prompt: string,
  size: ImageSize,
  held: string | undefined,
): Promise<{ bytes: Uint8Array; place: AssetPlace; why: DescribeReason }> {
  const since = systemClock.now();
  const slots = [{ id: 'image', want: 'image', prompt, size }];
  const { cost, warnings, fits, short_of: shortOf, left } = await client.ask<Plan>('POST', '/svcd/plan', { slots });
  // Bought first, it might prove not to be what the file holds.
  if (held !== undefined && cost > 0) throw invalidArgument(words.unsureHoldsOther(held), words.overwriteIt);
  const price = formatCount(cost, 'credit');
  const over = shortOf === null ? undefined : words.overLimit(price, leftOf(shortOf, left));
  // What cannot be bought is not offered: it is refused, or a default takes its place. Of the account only the service knows.
  if (over !== undefined && shortOf !== 'account') throw new SvcdError('budget', over, { hint: words.seeLimits });
  const told = warnings.map((one) =>
    sanitize(over !== undefined && one.code === 'over_budget' ? over : errorWords().translated(one.words)),
  );
  const isForSale = (fits || over !== undefined) && !warnings.some(({ code }) => code === 'offline');
  if (isForSale) await agreeToPay(input, cost, [...told, words.imageCost(price)]);
  else told.forEach(printNote);
  const order = {
    presets: [],
    images: [{ prompt, size }],
    max_credits: isForSale ? cost : 0,
    fallback: input.flag('strict') !== true,
  };
  const bought = await buyAssets(client, order, TELLING);
  const place = placeOf(bought, 0, words.image(size), TELLING.words);
  const taken = await takeByDigest(client, place.sha256);
  if (taken === undefined) throw invalidArgument(words.gone);
  return { bytes: taken.bytes, place, why: await explainReasons(client, [place.reason], since) };
}

/** The words, or stdin for `-`. Throws `invalid_argument`, never repeating them. */
async function readPrompt(typed: readonly string[]): Promise<string> {
  const isPiped = typed.length === 1 && typed[0] === '-';
  const prompt = isPiped ? (await readStdin('the prompt')).replace(/^\uFEFF/, '').trim() : typed.join(' ').trim();
  if (prompt === '') throw invalidArgument(words.promptMissing, words.promptHint);
  return prompt;
}

function sizeOf(input: Input): ImageSize {
  const typed = input.text('size')?.toLowerCase().replace('×', 'x') ?? SIZE_DEFAULT;
  return oneOf('--size', typed, IMAGE_SIZES);
}

function factsOf(bytes: Uint8Array, place: AssetPlace, asked: ImageSize) {
  const { extension: kind = 'bin', width, height } = { ...dimensionsOf(asked), ...pictureFacts(bytes) };
  return {
    kind,
    requested_size: asked,
    width,
    height,
    bytes: bytes.byteLength,
    sha256: sha256Hex(bytes),
    source: place.source,
    cost: place.cost === 'unknown' ? null : place.cost,
    reason: place.reason,
  };
}

function describe(told: ReturnType<typeof factsOf> & { file: string | undefined }, why: DescribeReason): string[] {
  const { file, kind, requested_size: asked, width, height, bytes, source, cost, reason } = told;
  const where = file === undefined ? '' : words.to(sanitize(file));
  const size = `${width}x${height}`;
  const other = [
    ...(size === asked ? [] : [words.otherSize(size, asked)]),
    ...(file === undefined || hasExtension(file, kind) ? [] : [words.otherKind(sanitize(file), kind)]),
  ];
  if (source === 'default') {
    const isDefault = words.isDefault(words.yourImage, why(reason ?? 'offline'));
    return [isDefault, words.wroteDefault(formatNumber(bytes), where, ''), ...other];
  }
  const paid = source === 'bought' ? words.bought(formatCost(cost)) : words.isOwned;
  return [words.wrote(words.image(size), formatNumber(bytes), where, paid), ...other];
}

function hasExtension(file: string, kind: string): boolean {
  const [, extension] = /\.(png|jpe?g|gif|webp|avif)$/i.exec(file) ?? [];
  return extension === undefined || extension.toLowerCase().replace('jpeg', 'jpg') === kind;
}
