// svcd facts: what is in the file of a sticker that is here, or in any Lottie file.

import { readFileSync, statSync } from 'node:fs';
import { type FactsAnswer } from '../../api/facts.js';
import { factsOfHead, type Facts } from '../../lottie/facts.js';
import { createLottieThread } from '../../lottie/lottie-thread.js';
import { isSvcdError } from '../../model/errors.js';
import { sha256Hex } from '../../model/hash.js';
import { presetProblem } from '../../model/preset.js';
import { withClient } from '../client.js';
import { type Bodies, type CommandBody } from '../command.js';
import { formatCount, formatNumber, formatTableWithHead, openPaint, sanitize } from '../format.js';
import type { Input } from '../input.js';
import { invalidArgument } from '../invalid-argument.js';
import { withNearPresets } from '../near-presets.js';
import { printAnswer } from '../output.js';
import { asFileError, lookAt } from '../target-file.js';

/** What can be read into memory at once with something to spare. */
const READ_MAX_BYTES = 512 * 1024 * 1024;

const factsCommand: CommandBody = {
  examples: [
    'svcd facts fluent-emoji-flat/birthday-cake # of a sticker that is owned, your own, or shipped',
    'svcd facts animation.json --json | jq -r .verdict # of any Lottie file, without a daemon',
  ],
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
  const problem = presetProblem(preset);
  if (problem !== undefined) throw invalidArgument(`preset: ${problem}, got ${JSON.stringify(preset)}`);
  if (/\.json$/i.test(preset)) throw invalidArgument(`there is no file ${preset} here`);
  const path = `/svcd/facts/${encodeURIComponent(preset)}`;
  return withClient(input, (client) =>
    withNearPresets(client, preset, () => client.ask<FactsAnswer>('GET', path), ['unknown_preset', 'not_owned']),
  );
}

async function factsOfFile(file: string): Promise<Facts & { file: string; sha256: string }> {
  const bytes = read(file);
  const thread = createLottieThread();
  try {
    const facts = (await thread.run('facts', bytes)) ?? factsOfHead(bytes, 'too_costly');
    return { file, sha256: sha256Hex(bytes), ...facts };
  } catch (error) {
    throw isSvcdError(error, 'invalid_request')
      ? invalidArgument(`${file}: ${error.message}`, error.hint, error)
      : error;
  } finally {
    thread.close();
  }
}

function read(file: string): Buffer {
  try {
    const { size } = statSync(file);
    if (size > READ_MAX_BYTES) throw invalidArgument(`${file} has ${size} bytes, at most ${READ_MAX_BYTES} are read`);
    return readFileSync(file);
  } catch (cause) {
    throw isSvcdError(cause) ? cause : asFileError(cause, file, 'read');
  }
}

/** What each player does, but for those that draw it. */
function inWords(players: Readonly<Record<string, string>>): string {
  const effects = new Set(Object.values(players));
  if (effects.size === 1) return effects.has('unknown') ? '' : `all: ${[...effects].join('')}`;
  return Object.entries(players)
    .filter(([, effect]) => effect !== 'drawn')
    .map(([player, effect]) => `${player}: ${effect}`)
    .join(', ');
}

const MEANING: Readonly<Record<FactsAnswer['verdict'], string>> = {
  remote: 'something in it is fetched from elsewhere: another video where that is not there',
  scripted: 'it holds code, which some players run: another video in each of them',
  heavy: 'it is more than players draw in time',
  differs: 'some players draw it differently',
  clean: 'players draw it alike',
};

function describe(told: (Facts | FactsAnswer) & { preset?: string; file?: string }): string[] {
  const { verdict, width, height, frames, frame_rate: fps, duration_s: seconds, bytes, layers, keyframes } = told;
  const { images, fonts, uses, problems, markers } = told;
  const paint = openPaint();
  const pictures = `${formatCount(images.embedded, 'embedded picture')}, ${images.remote} from elsewhere`;
  const rows = problems.map(({ code, at, count, players }) => [
    code.replaceAll('_', ' '),
    count === 1 ? at : `${at} and ${formatNumber(count - 1)} more`,
    inWords(players),
  ]);
  return [
    `${sanitize(told.preset ?? told.file ?? '')}: ${verdict} (${MEANING[verdict]})`,
    `${width} x ${height}, ${formatNumber(frames)} frames at ${fps} a second (${seconds} s), ${formatNumber(bytes)} bytes`,
    `${formatCount(layers, 'layer')}, ${formatCount(keyframes, 'keyframe')}, ${pictures}`,
    ...(fonts.length > 0 ? [`fonts: ${fonts.map(sanitize).join(', ')}`] : []),
    ...(markers.length > 0
      ? [`markers: ${markers.map(({ name, frame }) => `${sanitize(name)} (${frame})`).join(', ')}`]
      : []),
    ...(uses.length > 0 ? [`uses: ${uses.map((one) => one.replaceAll('-', ' ')).join(', ')}`] : []),
    ...(rows.length > 0 ? formatTableWithHead(['problem', 'first at', 'players'], rows) : []),
    ...(verdict === 'remote' || verdict === 'scripted'
      ? [paint.faint('"svcd get --form safe" gives it without code and without what is fetched.')]
      : []),
  ];
}
