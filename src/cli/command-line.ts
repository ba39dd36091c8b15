// The command line: rows become commands of yargs, and what was typed becomes an Input. The only importer of yargs.

import {
  type Command,
  type CommandBody,
  type Entry,
  everywhere,
  findOtherwise,
  type GroupBody,
  homeOption,
  loadBody,
  nameOf,
  SHORT_FORMS,
  takesWords,
} from './command.js';
import { displayWidth, wrapText } from './terminal/fit-table.js';
import { checkSwitches, createInput, type Parsed as TypedCommand } from './terminal/input.js';
import { explainUsageError, missingCommand, unknownCommand } from './terminal/usage-error.js';
import { commandAt, OLD_NAMES } from './other-names.js';
import { commandWords, type HelpGroup } from './words.js';
import { COMMIT, VERSION } from '../platform/installation.js';

import yargs, { type Argv, type Options } from 'yargs';

/** One run of the parser over the rows. */
interface Run {
  readonly args: readonly string[];
  /** The commands of svcd itself. */
  readonly entries: readonly Entry[];
  /** How far the parser came, for error messages. */
  path: string;
  options: readonly string[];
}

/** The command that was parsed. Thrown by the parser's handlers: after one that returns, yargs lays out the help. */
class ParsedCommand extends Error {
  readonly execute: () => Promise<void>;
  constructor(execute: () => Promise<void>) {
    super();
    this.execute = execute;
  }
}

interface Parsed {
  readonly _: readonly (string | number)[];
  readonly [option: string]: unknown;
}

/** Runs the command that was typed. Throws `invalid_argument` for what cannot be parsed, else what the command throws. */
export async function runCommandLine(entries: readonly Entry[], args: readonly string[]): Promise<void> {
  // The help of svcd itself is ours, in groups; the parser would print its own.
  const isAlone = commandAt(args) === -1 && args.some((arg) => arg === '--help' || arg === '-h');
  const isAll = isAlone && args.includes('--all');
  const own = isAlone ? args.filter((arg) => !['--help', '-h', '--all'].includes(arg)) : args;
  const run: Run = { args: own, entries, path: 'svcd', options: Object.keys(everywhere()) };
  // The parser need not know the others; this is a tenth of a short command.
  const name = own[commandAt(own)];
  const typedEntry = entries.find((entry) => nameOf(entry) === name);
  // To the parser "svcd foo --help" is the help of all.
  if (name !== undefined && typedEntry === undefined) throw unknownCommand(name, entries, 'svcd');
  const parser = (typedEntry === undefined ? entries : [typedEntry]).reduce(
    (line, entry) => addEntry(line, entry, 'svcd', run, isAll || entry.group !== 'more'),
    createParser(args),
  );
  if (isAll) {
    // To the parser a second word would be a positional.
    for (const [old, now] of Object.entries(OLD_NAMES)) {
      if (!old.includes(' ')) parser.command(old, commandWords().now(`svcd ${now}`));
    }
  }
  const parsed = await parse(parser, run);
  if (parsed instanceof ParsedCommand) return parsed.execute();
  if (parsed['help'] === true || parsed['version'] === true) return;
  const [typed] = parsed._;
  if (typed !== undefined) throw unknownCommand(String(typed), entries, 'svcd');
  // eslint-disable-next-line no-console -- as the parser prints its own
  console.log(withinTerminal(inGroups(await parser.getHelp(), entries)));
}

/** The help of svcd itself with a heading before the first command of each group; the parser knows one list. */
function inGroups(help: string, entries: readonly Entry[]): string {
  const groupOf = new Map<string, HelpGroup>(entries.map((entry) => [nameOf(entry), entry.group ?? 'more']));
  const { groups, parser } = commandWords();
  let last: HelpGroup | undefined;
  return help
    .split('\n')
    .flatMap((line) => {
      if (line === (parser['Commands:'] ?? 'Commands:')) return [];
      const name = /^ {2}svcd (\S+)/.exec(line)?.[1];
      const group = name === undefined ? last : (groupOf.get(name) ?? 'old');
      if (group === undefined || group === last) return [line];
      const before = last === undefined ? [] : [''];
      last = group;
      return [...before, groups[group], line];
    })
    .join('\n');
}

/** The parser itself would break Chinese inside of words, and command lines that are copied. */
function withinTerminal(help: string): string {
  const width = Math.min(100, process.stdout.columns ?? 100);
  const fit = (line: string): string[] => {
    if (displayWidth(line) <= width) return [line];
    const [left = ''] = /^ {2,}\S.*? {2,}(?=\S)/.exec(line) ?? [];
    const [text, start] = [line.slice(left.length).replaceAll(/ {2,}/g, ' '), displayWidth(left)];
    const indent = start > width / 2 ? BELOW : start;
    const lines = wrapText(text, width - indent).map((part) => ' '.repeat(indent) + part);
    return indent === start ? [left + lines.join('\n').slice(start)] : [left.trimEnd(), ...lines];
  };
  return help.split('\n').flatMap(fit).join('\n');
}

/** Where a sentence begins that has no room beside its command line. */
const BELOW = 6;

function createParser(args: readonly string[]): Argv {
  return (
    yargs()
      .scriptName('svcd')
      .usage(`svcd ${commandWords().command}\n\n${commandWords().about}`)
      .parserConfiguration({
        'camel-case-expansion': false,
        'dot-notation': false,
        'parse-numbers': false,
        'parse-positional-numbers': false,
        'strip-aliased': true,
      })
      // Otherwise its own texts follow LANG while ours do not.
      .locale('en')
      .updateStrings(commandWords().parser)
      // Positionals are ours (input.ts): the parser loses words after "--" and drops "-".
      .strictOptions()
      .fail(false)
      .exitProcess(false)
      // Lines are broken by withinTerminal.
      .wrap(null)
      .help()
      .version(describeVersion(args.includes('--json')))
      .alias(SHORT_FORMS)
      .options(withoutChoices(everywhere()))
      .epilogue(args.includes('--all') ? '' : commandWords().more)
  );
}

function addEntry(line: Argv, entry: Entry, above: string, run: Run, isShown = true): Argv {
  const path = `${above} ${nameOf(entry)}`;
  return line.command({
    command: nameOf(entry),
    describe: isShown ? entry.what : false,
    builder: async (inner: Argv) => {
      const body = await loadBody(entry);
      inner.epilogue('');
      return 'run' in body
        ? describeCommand(
            inner.usage(`${above} ${entry.usage}\n\n${entry.what}${places(entry.usage)}`),
            body,
            path,
            run,
          )
        : describeGroup(inner.usage(`${path} ${commandWords().command}\n\n${entry.what}`), body, path, run);
    },
    handler: (parsed) => {
      throw new ParsedCommand(async () => {
        const body = await loadBody(entry);
        const words = wordsAfter(path, parsed);
        if ('run' in body) return runCommand({ ...entry, ...body }, above, { words, options: parsed }, run);
        const otherwise = findOtherwise(body);
        const [typed] = words;
        // A word after the group's name may be one of those of its usual command.
        if (typed !== undefined && (otherwise === undefined || !takesWords(otherwise))) {
          throw unknownCommand(typed, body.commands, path, run.entries);
        }
        if (otherwise === undefined) throw missingCommand(body.commands, path);
        return runCommand(otherwise, path, { words, options: parsed }, run);
      });
    },
  });
}

function describeCommand(line: Argv, body: CommandBody, path: string, run: Run): Argv {
  return addExamples(line.options(enter(path, body, run)), path, body.examples);
}

/** What the words of a usage stand for, where their name alone does not say it. */
function places(usage: string): string {
  const { places: told, parser } = commandWords();
  const known = Object.entries(told).filter(([place]) => new RegExp(`[<[]${place}\\b`).test(usage));
  if (known.length === 0) return '';
  return `\n\n${parser['Positionals:']}\n${known.map(([place, what]) => `  ${place}  ${what}`).join('\n')}`;
}

const SCREEN = 20;

function describeGroup(line: Argv, body: GroupBody, path: string, run: Run): Argv {
  const otherwise = findOtherwise(body);
  addExamples(line, path, body.examples ?? otherwise?.examples);
  const options = Object.entries(otherwise === undefined ? {} : enter(path, otherwise, run));
  const isLong = options.length > SCREEN;
  // The group's other commands must not inherit these.
  for (const [name, option] of options) {
    // The commands below must not drown in them: "config" would list every setting.
    line.option(name, { ...option, global: false, hidden: isLong });
  }
  return body.commands.reduce((into, command) => addEntry(into, command, path, run), line);
}

/** The options of a command; notes for error messages that the parser has come to it. */
function enter(path: string, body: CommandBody, run: Run) {
  const options = { ...homeOption(), ...body.options };
  run.path = path;
  run.options = Object.keys({ ...everywhere(), ...options });
  return withoutChoices(options);
}

/** Choices are for the completion (completion.ts); each command refuses a wrong value in words of its own. */
function withoutChoices(options: Readonly<Record<string, Options>>): Record<string, Options> {
  return Object.fromEntries(Object.entries(options).map(([name, option]) => [name, { ...option, choices: undefined }]));
}

function addExamples(line: Argv, path: string, examples: readonly string[] = [path]): Argv {
  return examples.reduce((into, example) => {
    const [command = '', what = ''] = example.split(' # ');
    return into.example(command, what);
  }, line);
}

async function runCommand(command: Command, above: string, typed: TypedCommand, run: Run): Promise<void> {
  checkSwitches({ ...everywhere(), ...command.options }, run.args);
  const usage = `${above} ${command.usage}`.replace('svcd ', '');
  if (typed.words.length > 0 && command.refuseWords !== undefined) throw command.refuseWords();
  await command.run(createInput(usage, typed));
}

/** Words after the name of a command or group. */
function wordsAfter(path: string, parsed: Parsed): string[] {
  return parsed._.map(String).slice(path.split(' ').length - 1);
}

/** Parses. The parser's own errors are plain ones and become ours. */
async function parse(parser: Argv, run: Run): Promise<Parsed | ParsedCommand> {
  let shown = '';
  try {
    const parsed: Parsed = await parser.parseAsync([...run.args], {}, (_error, _parsed, output) => {
      shown = output;
    });
    // eslint-disable-next-line no-console -- as the parser prints its own
    if (shown !== '') console.log(parsed['help'] === true ? withinTerminal(shown) : shown);
    return parsed;
  } catch (thrown) {
    if (thrown instanceof ParsedCommand) return thrown;
    throw explainUsageError(thrown, run.path, run.options);
  }
}

/** The version, the commit that it was built from, and the Node.js that runs it: a line for people, or JSON. */
function describeVersion(json: boolean): string {
  const node = process.versions.node;
  if (json) return JSON.stringify({ version: VERSION, commit: COMMIT, node });
  return `svcd ${VERSION} (${COMMIT ?? commandWords().unknownCommit}, Node ${node})`;
}
