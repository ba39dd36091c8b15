// svcd key import

import { resolve } from 'node:path';
import { readKeyFrom, removeKeyFile, type KeyInFile } from '../../auth/key-file.js';
import { exposedWords } from '../../auth/user-key.js';
import { SvcdError } from '../../model/errors.js';
import type { Command } from '../command.js';
import { agrees } from '../confirm.js';
import type { Input } from '../input.js';
import { describeKept, findKeyFile, keepKey, KEY_OPTIONS } from '../keep-key.js';
import { note, printJson, printLines } from '../output.js';

export const keyImportCommand: Command = {
  options: {
    ...KEY_OPTIONS,
    remove: { type: 'boolean', describe: 'Remove the plain file afterwards, without asking.' },
    keep: { type: 'boolean', describe: 'Leave the plain file, without asking.' },
  },
  examples: [
    ['svcd key import ~/templates/birthday.motion', 'from a package, unpacked or not'],
    ['svcd key import service.key.json --remove', 'and remove the plain file'],
  ],
  run: async (input) => {
    const path = resolve(input.word('path'));
    checkWish(input, path);
    const found = await readKeyFrom(path);
    if (input.flag('remove') === true && !found.plain) throw cannotRewrite(path);
    if (found.exposed) note(exposedWords(found));
    const kept = await keepKey(input, found.key);
    // Before the question, so that a person sees that the Key is safe.
    if (!input.json) await printLines(...describeKept(kept));
    const removed = found.plain && (await wantsRemoval(input, found)) && (await removeKeyFile(found.path));
    if (input.json) return printJson({ ...kept, imported_from: found.path, removed });
    return printLines(afterwards(found, removed));
  },
};

function checkWish(input: Input, path: string): void {
  if (input.flag('remove') === true && input.flag('keep') === true) {
    throw new SvcdError('invalid_argument', '--remove and --keep exclude each other');
  }
  if (findKeyFile(input) === path) {
    throw new SvcdError('invalid_argument', `--key-file is the file to import from: ${path}`);
  }
}

async function wantsRemoval(input: Input, { path }: KeyInFile): Promise<boolean> {
  if (input.flag('remove') !== undefined) return input.flag('remove') === true;
  if (input.flag('keep') !== undefined || input.json) return false;
  return agrees(`Remove the plain file ${path}? A template that runs without svcd needs it.`);
}

function afterwards({ path, plain }: KeyInFile, removed: boolean): string {
  if (removed) return `${path} was removed.`;
  if (plain) return `${path} still holds the Key in plain text; --remove removes it.`;
  return `${path} still holds the Key in plain text: svcd does not rewrite packages.`;
}

function cannotRewrite(path: string): SvcdError {
  return new SvcdError('invalid_argument', `${path} is a package, and svcd does not rewrite packages`, {
    hint: 'Leave out --remove, or unpack it and import the folder.',
  });
}
