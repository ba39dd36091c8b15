// svcd key set

import { parseKey } from '../../auth/key-text.js';
import { SvcdError } from '../../model/errors.js';
import type { Command } from '../command.js';
import { describeKept, keepKey, KEY_OPTIONS } from '../keep-key.js';
import { printJson, printLines } from '../output.js';
import { readSecret } from '../read-secret.js';

export const keySetCommand: Command = {
  options: {
    ...KEY_OPTIONS,
    // Known only to be refused in words.
    key: { type: 'string', hidden: true },
  },
  examples: [
    ['svcd key set', 'type or paste it; nothing is shown'],
    ['pass show service | svcd key set', 'from a password program'],
    ['svcd key set --key-file ~/.config/service.key', 'where there is no keychain'],
  ],
  refuseWords: keyInArguments,
  run: async (input) => {
    if (input.text('key') !== undefined) throw keyInArguments();
    const key = parseKey(await readSecret('Key of the service (it is not shown): '), 'what you gave');
    const kept = await keepKey(input, key);
    return input.json ? printJson(kept) : printLines(...describeKept(kept));
  },
};

function keyInArguments(): SvcdError {
  const message =
    "a Key must not be an argument: it now stands in your shell's history, and other users could see it";
  return new SvcdError('invalid_argument', message, {
    hint: 'Nothing was stored. Remove that line from the history, best make a new Key, and give it to "svcd key set" alone, which asks for it.',
  });
}
