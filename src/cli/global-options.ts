// Options that every command has.

import type { Options } from 'yargs';
import { choiceOption, switchOption, textOption } from './command.js';
import { LANGUAGES } from './terminal/language.js';
import { commandWords } from './words.js';

/** Also of `svcd` alone. `--lang` is read before the parser is made (language.ts). */
export function everywhere() {
  return {
    json: switchOption(commandWords().json),
    lang: choiceOption(commandWords().lang, LANGUAGES),
  } satisfies Readonly<Record<string, Options>>;
}

export function homeOption() {
  return { home: textOption(commandWords().home) } satisfies Readonly<Record<string, Options>>;
}

/** One letter for what is asked most. */
export const SHORT_FORMS = { help: ['h'], version: ['v', 'V'] } as const;
