// The language of everything that a person reads in the terminal. JSON, HTTP answers, logs and what the daemon says of an
// error stay English: programs and search engines read them.

import { wantedLocales } from '../../config/environment.js';
import { SvcdError } from '../../model/errors.js';

export const LANGUAGES = ['en', 'zh'] as const;
export type Language = (typeof LANGUAGES)[number];

let chosen: Language = 'en';

/**
 * Settles the language once, before anything is printed: English for a program (`json`), else `--lang`, else the first of
 * `wanted` that svcd speaks. Returns the arguments without `--lang`. Throws `invalid_argument` for another one.
 */
export function chooseLanguage(args: readonly string[], json: boolean, wanted = wantedLocales()): readonly string[] {
  chosen = (json ? [] : wanted).flatMap((one) => LANGUAGES.filter((known) => isOf(known, one)))[0] ?? 'en';
  // What is completed is half typed.
  if (args[0] === '--get-yargs-completions') return args;
  const { typed, rest } = takeTyped(args);
  if (typed === undefined) return rest;
  const known = LANGUAGES.find((one) => one === typed);
  if (known === undefined) throw new SvcdError('invalid_argument', languageWords().wrong(typed));
  if (!json) chosen = known;
  return rest;
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

type Pair = readonly [en: string, zh: string];
interface Pairs {
  readonly [name: string]: Pair | ((...values: never[]) => Pair) | Pairs;
}
type Said<T> = T extends Pair
  ? string
  : T extends (...values: infer V) => Pair
    ? (...values: V) => string
    : { readonly [N in keyof T]: Said<T[N]> };

/** Short sentences of one subject, English and Chinese beside each other. */
export function pairsOf<T extends Pairs>(pairs: T): T {
  return pairs;
}

/** The same as `wordsIn`, of pairs and of the tables of sentences that are too long for one line with their twin. */
export function wordsBeside<T extends Pairs>(pairs: T): () => Said<T>;
export function wordsBeside<T extends Pairs, L extends object>(
  pairs: T,
  long: Readonly<Record<Language, L>>,
): () => Said<T> & L;
export function wordsBeside(pairs: Pairs, long?: Readonly<Record<Language, object>>): () => unknown {
  const made: Partial<Record<Language, object>> = {};
  return () => (made[chosen] ??= join(pairs, long?.[chosen] ?? {}));
}

function join(pairs: Pairs, long: object): object {
  const joined: Record<string, unknown> = { ...long };
  const at = LANGUAGES.indexOf(chosen);
  for (const [name, pair] of Object.entries(pairs)) {
    if (typeof pair === 'function') {
      joined[name] = Object.defineProperty((...values: never[]) => pair(...values)[at], 'length', {
        value: pair.length,
      });
    } else joined[name] = isPair(pair) ? pair[at] : join(pair, joined[name] ?? {});
  }
  return joined;
}

/** What stands after Chinese: Chinese too without a space, all else behind one. */
export const afterHan = (text: string): string => (/^\p{Script=Han}/u.test(text) ? text : ` ${text}`);

function isPair(value: Pair | Pairs): value is Pair {
  return Array.isArray(value);
}

const languageWords = wordsIn({
  en: { wrong: (typed: string) => `--lang must be ${LANGUAGES.join(' or ')}, got ${JSON.stringify(typed)}` },
  zh: { wrong: (typed: string) => `--lang 必须是 ${LANGUAGES.join(' 或 ')}，而不是 ${JSON.stringify(typed)}` },
});

/** Whether a locale such as `zh_TW.UTF-8`, or a tag such as `zh-Hans`, is of the language. */
function isOf(language: Language, locale: string): boolean {
  return locale.toLowerCase().split(/[_.@-]/, 1)[0] === language;
}

/** The `--lang` of a command line, the last one as for the parser, which is left to refuse one without a value. */
function takeTyped(args: readonly string[]): { readonly typed: string | undefined; readonly rest: readonly string[] } {
  const rest: string[] = [];
  let typed: string | undefined;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? '';
    const next = args[i + 1];
    if (arg === '--') return { typed, rest: [...rest, ...args.slice(i)] };
    if (arg.startsWith('--lang=')) typed = arg.slice('--lang='.length);
    else if (arg === '--lang' && next !== undefined && !next.startsWith('-')) {
      typed = next;
      i += 1;
    } else rest.push(arg);
  }
  return { typed, rest };
}
