// Which language is chosen, and that every sentence for people is there in both: tables, help texts, headlines of errors.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Bodies, Entry } from '../../src/cli/command.js';
import { displayWidth } from '../../src/cli/terminal/fit-table.js';
import { type Language, LANGUAGES } from '../../src/cli/terminal/language.js';
import { wantedLocales } from '../../src/config/environment.js';
import { ERROR_CODES, type ErrorCode } from '../../src/model/errors.js';
import { readHouse } from '../support/read-house.js';

const SRC = join(import.meta.dirname, '..', '..', 'src');

const HAN = /\p{Script=Han}/u;
/** Three words of English on end, outside of quotation marks: a sentence. */
const ENGLISH = /(?:^|[^\w./:=<[{"-])[a-z']{2,}(?: [a-z']{2,}){2}/i;

/** The program as it is after that choice: its modules keep the words that they read when they were loaded. */
async function inLanguage(language: Language) {
  vi.resetModules();
  const { chooseLanguage } = await import('../../src/cli/terminal/language.js');
  chooseLanguage([`--lang=${language}`], false);
  const [{ COMMANDS }, { runCommandLine }, { reportError }, { SvcdError }] = await Promise.all([
    import('../../src/cli/main.js'),
    import('../../src/cli/command-line.js'),
    import('../../src/cli/terminal/report-error.js'),
    import('../../src/model/errors.js'),
  ]);
  return { COMMANDS, runCommandLine, reportError, SvcdError };
}

/** What the help of a command shows, but for its name and usage. */
interface Help {
  readonly path: string;
  readonly what: string;
  readonly options: Readonly<Record<string, string>>;
  readonly examples: readonly string[];
}

async function helpOf(entry: Entry, above = 'svcd'): Promise<Help[]> {
  const name = entry.usage.split(' ', 1)[0] ?? '';
  const path = `${above} ${name}`;
  const body = 'load' in entry ? ((await entry.load()).bodies satisfies Bodies)[name] : entry;
  if (body === undefined) throw new Error(`no body for ${path}`);
  const { examples = [] } = body;
  const options = Object.entries('run' in body ? (body.options ?? {}) : {});
  const own: Help = {
    path,
    what: entry.what,
    options: Object.fromEntries(
      options.filter(([, one]) => one.hidden !== true).map(([option, { describe: words = '' }]) => [option, words]),
    ),
    examples,
  };
  const inner = 'run' in body ? [] : body.commands;
  return [own, ...(await Promise.all(inner.map((one) => helpOf(one, path)))).flat()];
}

const helps = {} as Record<Language, readonly Help[]>;
beforeAll(async () => {
  for (const language of LANGUAGES) {
    const { COMMANDS } = await inLanguage(language);
    helps[language] = (await Promise.all(COMMANDS.map((entry) => helpOf(entry)))).flat();
  }
});

describe('the language', () => {
  it.each<[wanted: Language, env: Record<string, string>]>([
    ['zh', { LANG: 'zh_CN.UTF-8' }],
    ['zh', { LANG: 'zh_CN.utf8' }],
    ['zh', { LANG: 'zh_CN' }],
    ['zh', { LANG: 'zh' }],
    ['zh', { LANG: 'zh_TW.UTF-8' }],
    ['zh', { LANG: 'zh_HK.UTF-8' }],
    ['zh', { LANG: 'zh-Hans-CN' }],
    ['zh', { LANG: 'zh_CN.UTF-8@pinyin' }],
    ['zh', { LC_ALL: '', LANG: 'zh_CN.UTF-8' }],
    ['zh', { LC_MESSAGES: 'zh_CN.UTF-8', LANG: 'en_US.UTF-8' }],
    ['zh', { LC_ALL: 'zh_CN.UTF-8', LC_MESSAGES: 'en_US.UTF-8', LANG: 'en_US.UTF-8' }],
    ['zh', { LANG: 'en_US.UTF-8', LANGUAGE: 'zh_CN:zh:en' }],
    ['zh', { LANG: 'zh_CN.UTF-8', LANGUAGE: '' }],
    ['zh', { LANG: 'zh_CN.UTF-8', LANGUAGE: 'fr:zh' }],
    ['en', {}],
    ['en', { LANG: '' }],
    ['en', { LANG: 'en_US.UTF-8' }],
    ['en', { LANG: 'de_DE.UTF-8' }],
    ['en', { LANG: 'C.UTF-8' }],
    ['en', { LANG: 'zh_CN.UTF-8', LC_ALL: 'C' }],
    ['en', { LANG: 'zh_CN.UTF-8', LC_ALL: 'POSIX' }],
    ['en', { LANG: 'zh_CN.UTF-8', LC_MESSAGES: 'en_US.UTF-8' }],
    // As in gettext: it replaces the locale, but means nothing in C.
    ['en', { LANG: 'zh_CN.UTF-8', LANGUAGE: 'en' }],
    ['en', { LANG: 'zh_CN.UTF-8', LANGUAGE: 'fr' }],
    ['en', { LANG: 'C', LANGUAGE: 'zh_CN' }],
    ['en', { LANGUAGE: 'zh_CN' }],
    // What is written is UTF-8, which such a terminal does not show.
    ['en', { LANG: 'zh_CN.GBK' }],
    ['en', { LC_ALL: 'zh_CN.GB18030', LANG: 'zh_CN.UTF-8' }],
    ['en', { LANG: 'zh_TW.Big5' }],
    ['en', { LANG: 'zh_CN.UTF-8', LC_CTYPE: 'zh_CN.GBK' }],
    ['en', { LANG: 'zhx_AA.UTF-8' }],
  ])('is %s by %j', async (wanted, env) => {
    const { chooseLanguage, chosenLanguage } = await import('../../src/cli/terminal/language.js');
    const locales = wantedLocales(env, () => undefined);
    chooseLanguage([], false, locales);
    expect(chosenLanguage()).toBe(wanted);
    const other = wanted === 'zh' ? 'en' : 'zh';
    chooseLanguage(['--lang', other], false, locales);
    expect(chosenLanguage(), '--lang decides').toBe(other);
    chooseLanguage(['--lang', 'zh'], true, locales);
    expect(chosenLanguage(), 'programs read English').toBe('en');
  });

  it('is that of Windows where no variable names one', () => {
    expect(wantedLocales({}, () => 'zh-CN')).toEqual(['zh-CN']);
    expect(wantedLocales({ LANG: 'en_US.UTF-8' }, () => 'zh-CN')).toEqual(['en_US.UTF-8']);
  });

  it.each<[args: string, rest: string, wanted: Language]>([
    ['--lang zh search x', 'search x', 'zh'],
    ['search --lang=zh x', 'search x', 'zh'],
    ['search x --lang zh', 'search x', 'zh'],
    ['--lang zh search --lang en', 'search', 'en'],
    ['run -- node x.js --lang zh', 'run -- node x.js --lang zh', 'en'],
    // Left to the parser, which says that a value is missing.
    ['search --lang', 'search --lang', 'en'],
    ['search --lang --limit 3', 'search --lang --limit 3', 'en'],
    // Half typed, and being completed.
    ['--get-yargs-completions svcd search --lang z', '--get-yargs-completions svcd search --lang z', 'en'],
  ])('svcd %s', async (args, rest, wanted) => {
    const { chooseLanguage, chosenLanguage } = await import('../../src/cli/terminal/language.js');
    expect(chooseLanguage(args.split(' '), false, []).join(' ')).toBe(rest);
    expect(chosenLanguage()).toBe(wanted);
  });

  it('that svcd does not speak is refused in the language of the system', async () => {
    const { chooseLanguage } = await import('../../src/cli/terminal/language.js');
    expect(() => chooseLanguage(['--lang=fr'], false, [])).toThrow('--lang must be en or zh, got "fr"');
    expect(() => chooseLanguage(['--lang', 'zh_CN'], false, ['zh_CN.UTF-8'])).toThrow('--lang 必须是 en 或 zh，');
  });
});

describe('a table of words', () => {
  const SUBJECTS = readdirSync(join(SRC, 'cli'), { recursive: true, encoding: 'utf8' }).flatMap(
    (file) => /^(.*words)\.ts$/.exec(file.replaceAll('\\', '/'))?.[1] ?? [],
  );

  it.each(SUBJECTS)('%s says in Chinese what it says in English', async (subject) => {
    vi.resetModules();
    const { chooseLanguage } = await import('../../src/cli/terminal/language.js');
    const file = `../../src/cli/${subject}.js`;
    const module = (await import(file)) as Record<string, unknown>;
    const tables = Object.entries(module).filter(([name]) => name.endsWith('Words'));
    expect(tables.length, 'exports a function of words').toBeGreaterThan(0);
    const read = (language: Language) => {
      chooseLanguage([`--lang=${language}`], false);
      return new Map(tables.flatMap(([name, words]) => sentencesOf((words as () => unknown)(), name)));
    };
    const [en, zh] = [read('en'), read('zh')];
    expect([...zh.keys()].filter((key) => !/\.\d+$/.test(key))).toEqual(
      expect.arrayContaining([...en.keys()].filter((key) => !/\.\d+$|\.parser\./.test(key))),
    );
    const left = [...zh].filter(([key, text]) => isLeft(text, en.get(key)));
    expect(Object.fromEntries(left)).toEqual({});
    // A title or a query is Chinese in every language.
    const foreign = [...en].filter(([, text]) => HAN.test(text.replace(/svcd .*? # |["'].*?["']|>> .*/g, '')));
    expect(Object.fromEntries(foreign)).toEqual({});
  });

  /** Sentences by their path; functions are asked with values that are letters. */
  function sentencesOf(words: unknown, path: string): [string, string][] {
    if (typeof words === 'string') return [[path, words]];
    if (typeof words === 'function') return answerOf(words as (...values: unknown[]) => unknown, path);
    if (typeof words !== 'object' || words === null) return [];
    return Object.entries(words).flatMap(([key, one]) => sentencesOf(one, `${path}.${key}`));
  }

  function answerOf(words: (...values: unknown[]) => unknown, path: string): [string, string][] {
    for (const value of ['X', 3, []]) {
      try {
        const said = words(...Array.from({ length: words.length }, () => value));
        if (typeof said === 'string' || Array.isArray(said)) return sentencesOf(said, path);
      } catch {
        // It wants another kind of value.
      }
    }
    return [];
  }

  function isLeft(zh: string, en: string | undefined): boolean {
    const remark = / # (.*)$/s.exec(zh)?.[1];
    const said = (remark ?? zh).replaceAll(/"[^"]*"/g, '');
    if (ENGLISH.test(said)) return true;
    return zh === en && /[a-z]{3}/.test(said) && !/^\S*$/.test(said);
  }
});

describe('the help', () => {
  it('is there in both languages, with the same options and the same command lines in its examples', () => {
    const shapeOf = ({ path, options, examples }: Help) => [
      path,
      ...Object.keys(options),
      ...examples.map((one) => one.split(' # ', 1)[0]),
    ];
    expect(helps.en.length).toBeGreaterThan(70);
    expect(helps.zh.map(shapeOf)).toEqual(helps.en.map(shapeOf));
  });

  it('is wholly Chinese in Chinese', () => {
    const left = helps.zh.flatMap(({ path, what, options, examples }) =>
      [what, ...Object.values(options), ...examples.map((one) => one.split(' # ')[1] ?? '')]
        .filter((text) => !HAN.test(text) || ENGLISH.test(text.replaceAll(/"[^"]*"/g, '')))
        .map((text) => `${path}: ${text}`),
    );
    expect(left).toEqual([]);
  });

  it('has nothing Chinese in English but what is searched for', () => {
    const foreign = helps.en.flatMap(({ path, what, options, examples }) =>
      [what, ...Object.values(options), ...examples.map((one) => (one.split(' # ')[1] ?? '').replace(/such as .*/, ''))]
        .filter((text) => HAN.test(text.replaceAll(/'[^']*'/g, '')))
        .map((text) => `${path}: ${text}`),
    );
    expect(foreign).toEqual([]);
  });

  it.each([80, 100, 120])('fits a terminal of %i columns, with its second column straight', async (columns) => {
    for (const language of LANGUAGES) {
      const { COMMANDS, runCommandLine } = await inLanguage(language);
      for (const path of [[], ['purchases'], ['purchases', 'list'], ['start'], ['run'], ['search'], ['config']]) {
        const lines = await printed(columns, () => runCommandLine(COMMANDS, [...path, '--help']));
        expect(lines.filter((line) => displayWidth(line) > Math.min(columns, 100))).toEqual([]);
        expect(lines.filter((line) => /^\s*[），。、；]|[（]$/.test(line))).toEqual([]);
        if (path[0] === 'config') expect(lines.length).toBeLessThan(24);
        // What is copied stands on one line.
        if (path[0] === 'search') expect(lines.join('\n')).toContain('--related fluent-emoji-flat/birthday-cake');
        const upToExamples = lines.slice(
          0,
          lines.findIndex((line) => /^(?:Examples:|示例：)$/.test(line)),
        );
        const options = upToExamples.map((line) => /^ {2}(?:-\w, )? *--[\w-]+ +(?=\S)/.exec(line)?.[0].length);
        expect(new Set(options.filter((one) => one !== undefined)).size, path.join(' ')).toBeLessThanOrEqual(1);
        if (language === 'zh')
          expect(lines.join('\n')).not.toMatch(/Options:|Commands:|Examples:|\[boolean|\[string|Show /);
      }
    }
  });

  async function printed(columns: number, work: () => Promise<void>): Promise<string[]> {
    const before = process.stdout.columns;
    const lines: string[] = [];
    const log = vi.spyOn(console, 'log').mockImplementation((text: string) => void lines.push(...text.split('\n')));
    process.stdout.columns = columns;
    try {
      await work();
    } finally {
      process.stdout.columns = before;
      log.mockRestore();
    }
    return lines;
  }
});

describe('an error', () => {
  async function said(language: Language, code: ErrorCode, json = false): Promise<string> {
    const { reportError, SvcdError } = await inLanguage(language);
    let text = '';
    const write = vi.spyOn(process.stderr, 'write').mockImplementation((part) => ((text += String(part)), true));
    reportError(new SvcdError(code, 'no cake "x"', { hint: 'Nothing was charged.' }), json);
    write.mockRestore();
    return text;
  }

  it.each(ERROR_CODES)('of the code %s has a Chinese headline above its message', async (code) => {
    expect(await said('zh', code)).toMatch(/^svcd: .*\p{Script=Han}.*\nno cake "x"\n没有扣除积分。\n$/u);
    expect(await said('en', code)).toBe('svcd: no cake "x"\nNothing was charged.\n');
    expect(await said('zh', code, true)).toBe(await said('en', code, true));
  });

  it('has its hint translated by the very words that the source gives', async () => {
    const { TRANSLATED } = await import('../../src/cli/terminal/error-words.js');
    const sources = [...readHouse(SRC).sources].filter(([file]) => !file.startsWith('cli/')).map(([, text]) => text);
    const text = sources
      .join('\n')
      .replaceAll(/['"`] \+\s*['"`]/g, '')
      .replaceAll(String.raw`\'`, "'")
      .replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '{}');
    expect(TRANSLATED.filter((hint) => !text.includes(hint))).toEqual([]);
  });
});

it('no words are read before the language is chosen', () => {
  const { links, sources } = readHouse(SRC);
  const reached = new Set(['cli/main.ts']);
  for (const file of reached) {
    const lazy = new Set(
      [...(sources.get(file) ?? '').matchAll(/import\('\.\/(.+?)\.js'\)/g)].map(([, one]) => `cli/${one}.ts`),
    );
    for (const { file: from, other } of links) if (from === file && !lazy.has(other)) reached.add(other);
  }
  expect(reached.has('cli/terminal/report-error.ts') && !reached.has('cli/money/purchases.ts')).toBe(true);
  const early = [...reached].filter((file) =>
    /^(?:export )?const [^=]*= (?!.*=>).*\w+Words\(\)/m.test(sources.get(file) ?? ''),
  );
  expect(early).toEqual([]);
});
