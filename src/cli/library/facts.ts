// svcd library facts: what is in the file of a sticker that is here, or in any Lottie file.

import { type FactsAnswer } from '../../api/library.js';
import { factsOfHead, type Facts } from '../../lottie/facts.js';
import { createLottieThread } from '../../lottie/lottie-thread.js';
import { isSvcdError } from '../../model/errors.js';
import { sha256Hex } from '../../model/hash.js';
import { withClient } from '../connection/client.js';
import { type Bodies, type CommandBody } from '../command.js';
import { formatCount, formatNumber, formatTableWithHead, openPaint, sanitize } from '../terminal/format.js';
import { checkPreset, type Input, invalidArgument } from '../terminal/input.js';
import { withNearPresets } from '../search/near-presets.js';
import { printAnswer } from '../terminal/output.js';
import { lookAt, readSource } from '../terminal/target-file.js';
import { factsWords } from './facts-words.js';

const words = factsWords();

/** What can be read into memory at once with something to spare. */
const READ_MAX_BYTES = 512 * 1024 * 1024;

const factsCommand: CommandBody = {
  examples: [`svcd library facts fluent-emoji-flat/birthday-cake # ${words.example}`],
  run: async (input) => {
    const name = input.word('preset-or-file');
    return printAnswer(input, isFile(name) ? await factsOfFile(name) : await askFacts(input, name), describe);
  },
};

export const bodies: Bodies = { facts: factsCommand };

function isFile(name: string): boolean {
  return lookAt(name)?.isFile() ?? false;
}

async function askFacts(input: Input, preset: string): Promise<FactsAnswer> {
  checkPreset(preset);
  if (/\.json$/i.test(preset)) throw invalidArgument(words.noFile(preset));
  const path = `/svcd/facts/${encodeURIComponent(preset)}`;
  return withClient(input, (client) =>
    withNearPresets(client, preset, () => client.ask<FactsAnswer>('GET', path), ['unknown_preset', 'not_owned']),
  );
}

async function factsOfFile(file: string): Promise<Facts & { file: string; sha256: string }> {
  const size = lookAt(file)?.size ?? 0;
  if (size > READ_MAX_BYTES) throw invalidArgument(words.tooLarge(file, size, READ_MAX_BYTES));
  const bytes = readSource(file, READ_MAX_BYTES);
  const thread = createLottieThread();
  try {
    const facts = (await thread.run('facts', bytes)) ?? factsOfHead(bytes, 'too_costly');
    return { file, sha256: sha256Hex(bytes), ...facts };
  } catch (error) {
    throw isSvcdError(error, 'invalid_request')
      ? invalidArgument(`${file}${words.colon}${error.message}`, error.hint, error)
      : error;
  } finally {
    thread.close();
  }
}

/** What each player does, but for those that draw it. */
function inWords(players: Readonly<Record<string, string>>): string {
  const effects = new Set(Object.values(players));
  if (effects.size === 1) return effects.has('unknown') ? '' : words.all([...effects].join(''));
  return Object.entries(players)
    .filter(([, effect]) => effect !== 'drawn')
    .map(([player, effect]) => `${player}${words.colon}${effect}`)
    .join(words.join);
}

function describe(told: (Facts | FactsAnswer) & { preset?: string; file?: string }): string[] {
  const { verdict, width, height, frames, frame_rate: fps, duration_s: seconds, bytes, layers, keyframes } = told;
  const { images, fonts, uses, problems, markers } = told;
  const paint = openPaint();
  const pictures = [formatCount(images.embedded, 'embedded picture'), words.remote(images.remote)];
  const rows = problems.map(({ code, at, count, players }) => [
    code.replaceAll('_', ' '),
    count === 1 ? at : words.andMore(at, formatNumber(count - 1)),
    inWords(players),
  ]);
  return [
    words.verdict(sanitize(told.preset ?? told.file ?? ''), verdict, words.meaning[verdict]),
    words.size(width, height, formatNumber(frames), fps, seconds, formatNumber(bytes)),
    [formatCount(layers, 'layer'), formatCount(keyframes, 'keyframe'), ...pictures].join(words.join),
    ...(fonts.length > 0 ? [words.fonts(fonts.map(sanitize).join(words.join))] : []),
    ...(markers.length > 0
      ? [words.markers(markers.map(({ name, frame }) => `${sanitize(name)} (${frame})`).join(words.join))]
      : []),
    ...(uses.length > 0 ? [words.uses(uses.map((one) => one.replaceAll('-', ' ')).join(words.join))] : []),
    ...(rows.length > 0 ? formatTableWithHead(words.head, rows) : []),
    ...(verdict === 'remote' || verdict === 'scripted' ? [paint.faint(words.safeForm)] : []),
  ];
}
