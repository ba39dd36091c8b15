// svcd look, and what "svcd search --look" shows: stickers as one picture with numbers. What is not owned is a card.

import { join } from 'node:path';
import { SHEET_PRESETS_MAX } from '../../api/library.js';
import { SvcdError } from '../../model/errors.js';
import { sha256Hex } from '../../model/hash.js';
import { askSheet } from '../../video/apply/ask-sheet.js';
import { type Bodies, choiceOption, textOption } from '../command.js';
import { type Client, withClient } from '../connection/client.js';
import { isFolder, printBeside, readOutput } from '../get/output-file.js';
import { formatTableWithHead, sanitize } from '../terminal/format.js';
import { checkPreset, type Input, invalidArgument, oneOf } from '../terminal/input.js';
import { OVERWRITE_OPTION } from '../terminal/options.js';
import { print, printNote } from '../terminal/output.js';
import { writeTargetFile } from '../terminal/target-file.js';
import { asTerminalPicture, isPictureTerminal, PROTOCOLS } from '../terminal/terminal-picture.js';
import { hintOf } from './near-presets.js';
import { priceColumn, secondsColumn, textColumn } from './sticker-columns.js';
import { findWords } from './words.js';

const words = findWords();
const FRAMES = ['1', '4'] as const;

export const bodies: Bodies = {
  look: {
    options: {
      output: { ...textOption(words.lookOutput), alias: 'o' },
      frames: choiceOption(words.frames, FRAMES),
      protocol: choiceOption(words.protocol, PROTOCOLS),
      ...OVERWRITE_OPTION,
    },
    examples: [`svcd look fluent-emoji-flat/birthday-cake -o cake.png # ${words.examples.look}`],
    run: async (input) => {
      const presets = input.words('preset');
      for (const preset of presets) checkPreset(preset);
      if (new Set(presets).size > SHEET_PRESETS_MAX) throw invalidArgument(words.tooManyToSee(SHEET_PRESETS_MAX));
      const frames = Number(oneOf('--frames', input.text('frames') ?? '1', FRAMES));
      const protocol = input.choice('protocol', PROTOCOLS);
      const output = readOutput(input);
      const { items, png, hints } = await withClient(input, async (client) => {
        const sheet = await askSheet(client, presets, { frames });
        const [first, ...others] = sheet.unknown;
        if (first !== undefined && others.length + 1 === sheet.items.length) {
          const hint = await hintOf(client, first);
          const message = `the library knows no sticker ${JSON.stringify(first)}`;
          throw new SvcdError('unknown_preset', message, { hint });
        }
        const near = sheet.unknown.map(async (one) => `${sanitize(one)}: ${(await hintOf(client, one)) ?? ''}`);
        return { ...sheet, hints: await Promise.all(near) };
      });
      const isShown = input.text('output') === undefined && isPictureTerminal(input);
      const file = isShown || output === undefined ? undefined : keepPicture(png, output, input.flag('overwrite'));
      if (file === undefined) await print(isShown ? await asTerminalPicture(png, protocol) : png);
      const told = { file, items };
      await printBeside(input, told, () => describe(items, file));
      hints.forEach(printNote);
    },
  },
};

/** Shows the picture of a list on the terminal, else keeps it in a file of the folder that is here, whose name is given. */
export async function showSheet(input: Input, client: Client, presets: readonly string[]) {
  const { png } = await askSheet(client, presets.slice(0, SHEET_PRESETS_MAX));
  if (!isPictureTerminal(input)) return keepPicture(png, '.');
  await print(await asTerminalPicture(png));
  return undefined;
}

/** Where it was written: the file, or one in the folder whose name holds its digest. Throws `invalid_argument`. */
function keepPicture(png: Uint8Array, output: string, overwrite = false): string {
  const isNamed = !isFolder(output);
  const file = isNamed ? output : join(output, `stickers-${sha256Hex(png).slice(0, 8)}.png`);
  writeTargetFile(file, png, !isNamed || overwrite);
  return file;
}

function describe(items: Awaited<ReturnType<typeof askSheet>>['items'], file: string | undefined): string[] {
  const { title, seconds, preset, price } = words.heads;
  const rows = items.map(({ have, ...one }) => [
    `${one.tile}`,
    textColumn(one.title),
    secondsColumn(one.duration_s),
    textColumn(one.preset),
    priceColumn({ owned: have === 'owned', shipped: have === 'shipped', cost: one.cost }),
  ]);
  return [
    ...formatTableWithHead(['', title, seconds, preset, price], rows),
    ...(file === undefined ? [] : [words.pictureIn(sanitize(file))]),
    ...(items.some(({ have }) => have === 'no') ? [words.cards] : []),
  ];
}
