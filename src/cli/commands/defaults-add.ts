// svcd defaults add

import { closeSync, openSync, readSync } from 'node:fs';
import { SvcdError, systemCode } from '../../model/errors.js';
import { REGISTERED_MAX_BYTES } from '../../contract/limits.js';
import { expectOk, withClient } from '../client.js';
import { HOME_OPTION, type Command } from '../command.js';
import { defaultPath, presetName, type DefaultView } from '../default-view.js';
import { plain, printJson, printLines } from '../output.js';
import { shapeColumn } from '../sticker-columns.js';

export const defaultsAddCommand: Command = {
  options: HOME_OPTION,
  examples: [
    ['svcd defaults add food/birthday-cake our-cake.json', 'ours when that sticker cannot be had'],
    ["svcd defaults add '*' our-logo.json", 'for every other sticker'],
  ],
  run: async (input) => {
    const body = readFile(input.word('file'));
    const question = { body, headers: { 'content-type': 'application/json' } };
    const needs = { json: input.json, spends: false };
    const answer = await withClient({ home: input.text('home') }, needs, async (client) =>
      expectOk(await client.request('PUT', defaultPath(input), question)),
    );
    const added = answer.json() as DefaultView;
    if (input.json) return printJson(added);
    const what = `${plain(input.word('file'))} (${shapeColumn(added)})`;
    return printLines(`${what} stands in from now on for ${plain(presetName(added.preset))}.`);
  },
};

/** The file's bytes; of one that is too large, enough to be refused for it. */
function readFile(file: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(REGISTERED_MAX_BYTES + 1);
  try {
    const handle = openSync(file, 'r');
    const size = fill(handle, bytes);
    closeSync(handle);
    return bytes.subarray(0, size);
  } catch (cause) {
    throw new SvcdError('invalid_argument', `${file} cannot be read (${systemCode(cause) ?? 'unknown'})`, {
      cause,
    });
  }
}

/** Reads until the end of the file or of `bytes`; how many bytes there were. */
function fill(handle: number, bytes: Uint8Array): number {
  for (let size = 0; ;) {
    const read = readSync(handle, bytes, { offset: size });
    if (read === 0) return size;
    size += read;
  }
}
