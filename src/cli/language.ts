// The language of everything that a person reads in the terminal. JSON, HTTP answers, logs and what the daemon says of an
// error stay English: programs and search engines read them.

import { SvcdError } from '../model/errors.js';

export const LANGUAGES = ['en', 'zh'] as const;
export type Language = (typeof LANGUAGES)[number];

let chosen: Language = 'en';

/**
 * Settles the language once, before anything is printed: `--lang`, else the locale of the messages as POSIX orders its
 * variables. Throws `invalid_argument` for another `--lang`.
 */
export function chooseLanguage(args: readonly string[], env: Readonly<Record<string, string | undefined>>): void {
  chosen = languageOf([env['LC_ALL'], env['LC_MESSAGES'], env['LANG']].find((one) => (one ?? '') !== ''));
  const typed = typedLanguage(args);
  if (typed === undefined) return;
  const known = LANGUAGES.find((one) => one === typed);
  if (known === undefined)
    throw new SvcdError('invalid_argument', `--lang must be ${LANGUAGES.join(' or ')}, got ${JSON.stringify(typed)}`);
  chosen = known;
}

export function chosenLanguage(): Language {
  return chosen;
}

/**
 * The sentences of one subject in both languages, as a function that gives those of the chosen one. `zh` is declared as
 * `typeof en`, so that a missing sentence does not compile.
 */
export function wordsIn<T>(tables: Readonly<Record<Language, T>>): () => T {
  return () => tables[chosen];
}

function languageOf(locale: string | undefined): Language {
  return /^zh(?:[_.@-]|$)/i.test(locale ?? '') ? 'zh' : 'en';
}

/** The last one counts, as for the parser. */
function typedLanguage(args: readonly string[]): string | undefined {
  const end = args.indexOf('--');
  const own = end === -1 ? args : args.slice(0, end);
  return own
    .flatMap((arg, i) => (arg === '--lang' ? (own[i + 1] ?? []) : (/^--lang=(.*)$/s.exec(arg)?.[1] ?? [])))
    .at(-1);
}
