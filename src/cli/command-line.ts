// The command line: rows become commands of yargs, and what was typed becomes an Input. The only importer of
// yargs. What does not fit is explained by usage-error.ts.

import yargs, { type Argv } from 'yargs';
import { VERSION } from '../platform/version.js';
import { nameOf, type Command, type CommandEntry, type CommandGroup, type Entry } from './command.js';
import { explainUsageError, missingCommand, unknownCommand } from './usage-error.js';
import { checkSwitches, createInput } from './input.js';
import { printLines } from './output.js';

const EVERYBODYS = {
  json: { type: 'boolean', describe: 'Answer, and complain, in JSON.' },
} as const;

/** One run of the parser over the rows. */
interface Run {
  readonly args: readonly string[];
  /** How far the parser came, for complaints. */
  path: string;
  options: readonly string[];
}

/** What was typed, understood: thrown by the parser's handlers, for one that returns has its help laid out in vain. */
class Understood extends Error {
  readonly exportLibrary: () => Promise<void>;
  constructor(exportLibrary: () => Promise<void>) {
    super();
    this.exportLibrary = exportLibrary;
  }
}

interface Parsed {
  readonly _: readonly (string | number)[];
  readonly [option: string]: unknown;
}

/** Runs the command that was typed. Throws `invalid_argument` for what cannot be understood, else what it throws. */
export async function runCommandLine(entries: readonly Entry[], args: readonly string[]): Promise<void> {
  const run: Run = { args, path: 'svcd', options: Object.keys(EVERYBODYS) };
  const parser = entries
    .reduce((line, entry) => addEntry(line, entry, 'svcd', run), createParser())
    // Last, so that the help lists it last.
    .completion('completion', 'Print a completion script for your shell.');
  if (asksAboutCompletion(args)) return printLines(...ABOUT_COMPLETION);
  const parsed = await parse(parser, run);
  if (parsed instanceof Understood) return parsed.exportLibrary();
  if (parsed['help'] === true || parsed['version'] === true) return;
  const [typed] = parsed._;
  if (typed === 'completion' || 'get-yargs-completions' in parsed) return;
  if (typed !== undefined) throw unknownCommand(String(typed), entries, 'svcd');
  parser.showHelp('log');
}

// The parser prints the script for `completion --help` too.
const ABOUT_COMPLETION = [
  'svcd completion',
  '',
  'Print a completion script for your shell.',
  '',
  'Examples:',
  '  svcd completion >> ~/.bashrc    complete commands and options with the Tab key',
  '  svcd completion >> ~/.zshrc     the same in zsh',
];

function asksAboutCompletion([command, ...options]: readonly string[]): boolean {
  return command === 'completion' && options.some((one) => one === '--help' || one === '-h');
}

function createParser(): Argv {
  return (
    yargs()
      .scriptName('svcd')
      .usage('svcd <command>\n\nStickers and images for video templates: found offline, paid for once.')
      .parserConfiguration({
        'camel-case-expansion': false,
        'dot-notation': false,
        'parse-numbers': false,
        'parse-positional-numbers': false,
        'strip-aliased': true,
      })
      // Its own texts would follow LANG while ours do not.
      .locale('en')
      // Positionals are ours (input.ts): the parser's lose words after "--" and take "-" for nothing.
      .strictOptions()
      .fail(false)
      .exitProcess(false)
      .wrap(Math.min(100, process.stdout.columns ?? 100))
      .help()
      .version(VERSION)
      .options(EVERYBODYS)
      .epilogue('svcd COMMAND --help tells more about each.')
  );
}

function addEntry(line: Argv, entry: Entry, above: string, run: Run): Argv {
  return 'load' in entry ? addCommand(line, entry, above, run) : addGroup(line, entry, above, run);
}

function addCommand(line: Argv, entry: CommandEntry, above: string, run: Run): Argv {
  const path = `${above} ${nameOf(entry)}`;
  return line.command({
    command: nameOf(entry),
    describe: entry.what,
    builder: async (inner: Argv) => {
      const command = await entry.load();
      arriveAt(path, command, run);
      const told = inner.usage(`${above} ${entry.usage}\n\n${entry.what}`).options(command.options);
      return command.examples.reduce(
        (into, [example, what]) => into.example(example, what),
        told.epilogue(''),
      );
    },
    handler: (parsed) => {
      throw new Understood(() => runCommand(entry, above, parsed, run));
    },
  });
}

function addGroup(line: Argv, group: CommandGroup, above: string, run: Run): Argv {
  const path = `${above} ${group.usage}`;
  const otherwise = findOtherwise(group);
  return line.command({
    command: group.usage,
    describe: group.what,
    builder: async (inner: Argv) => {
      const told = inner.usage(`${path} <command>\n\n${group.what}`).epilogue('');
      addExamples(told, { examples: group.examples ?? [] });
      if (otherwise !== undefined) addDefault(told, arriveAt(path, await otherwise.load(), run));
      return group.entries.reduce((into, entry) => addEntry(into, entry, path, run), told);
    },
    handler: (parsed) => {
      throw new Understood(async () => {
        const [typed] = wordsAfter(path, parsed);
        if (typed !== undefined) throw unknownCommand(typed, group.entries, path);
        if (otherwise === undefined) throw missingCommand(group.entries, path);
        await runCommand(otherwise, path, parsed, run);
      });
    },
  });
}

/** The command meant when a group is called by its own name. */
function findOtherwise({ entries, otherwise }: CommandGroup): CommandEntry | undefined {
  const entry = entries.find((one) => nameOf(one) === otherwise);
  return entry !== undefined && 'load' in entry ? entry : undefined;
}

/** Notes where the parser is, for complaints. */
function arriveAt(path: string, command: Command, run: Run): Command {
  run.path = path;
  run.options = Object.keys({ ...EVERYBODYS, ...command.options });
  return command;
}

/** What a group's default command takes, which the group's other commands must not inherit. */
function addDefault(line: Argv, command: Command): void {
  for (const [name, option] of Object.entries(command.options)) {
    line.option(name, { ...option, global: false });
  }
  addExamples(line, command);
}

function addExamples(line: Argv, { examples }: Pick<Command, 'examples'>): Argv {
  return examples.reduce((into, [example, what]) => into.example(example, what), line);
}

async function runCommand(entry: CommandEntry, above: string, parsed: Parsed, run: Run): Promise<void> {
  const command = await entry.load();
  checkSwitches({ ...EVERYBODYS, ...command.options }, run.args);
  const usage = `${above} ${entry.usage}`.replace('svcd ', '');
  const words = wordsAfter(`${above} ${nameOf(entry)}`, parsed);
  if (words.length > 0 && command.refuseWords !== undefined) throw command.refuseWords();
  await command.run(createInput(usage, { words, options: parsed }));
}

/** Words after the command's own name; a group's default command is not spelled out. */
function wordsAfter(path: string, parsed: Parsed): string[] {
  return parsed._.map(String).slice(path.split(' ').length - 1);
}

/** Parses. The parser's complaints are plain errors and become ours. */
async function parse(parser: Argv, run: Run): Promise<Parsed | Understood> {
  try {
    return await parser.parseAsync([...run.args]);
  } catch (thrown) {
    if (thrown instanceof Understood) return thrown;
    throw explainUsageError(thrown, run.path, run.options);
  }
}
