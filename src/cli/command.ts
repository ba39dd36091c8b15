// What a command is to the command line: rows of a noun's file, and lighter rows that load such a file when called.

import type { Options } from 'yargs';
import type { SvcdError } from '../model/errors.js';
import type { Input } from './terminal/input.js';
import { LANGUAGES } from './terminal/language.js';
import { commandWords, type HelpGroup } from './words.js';

/** What a command accepts and does. Every command also has --home and --json. */
export interface CommandBody {
  readonly options?: Readonly<Record<string, Options>>;
  /** Command lines for the help, each with ` # ` and what it does; its own name alone where that says it all. */
  readonly examples?: readonly string[];
  /** What its first word may be, for completion. */
  readonly firstWords?: readonly string[];
  /** The error for positionals that the command does not take, where the usual one would repeat a secret. */
  refuseWords?(): SvcdError;
  /** Runs the command. Throws what stops it. */
  run(input: Input): Promise<void>;
}

/** Commands below a common name. */
export interface GroupBody {
  readonly commands: readonly Entry[];
  /** Name of the command to run when none is given. */
  readonly otherwise?: string;
  /** For the help of a group without such a command. */
  readonly examples?: readonly string[];
}

/** How the help lists a command. */
export interface Row {
  /** Name, then positionals as `<needed>`, `[optional]` or `<several..>`. */
  readonly usage: string;
  readonly what: string;
  /** Where the help of svcd itself lists it. */
  readonly group?: HelpGroup;
}

export type Command = Row & CommandBody;
export type Group = Row & GroupBody;

/** What a noun's file exports: bodies by the name of their row in main.ts. */
export type Bodies = Readonly<Record<string, CommandBody | GroupBody>>;

/** A row whose file is loaded when the command is called. */
export interface LazyRow extends Row {
  load(): Promise<{ readonly bodies: Bodies }>;
}

export type Entry = Command | Group | LazyRow;

/** What the help says of a command, as it stands in the `words.ts` of its noun. */
export interface Help {
  readonly what: string;
  /** One for a verb; two for a noun; none where its name alone says it all. */
  readonly examples?: readonly string[];
}

/** A command below a noun: its usage, its words, and what it does. */
export function command(usage: string, help: Help | string, body: CommandBody): Command {
  const { what, examples } = typeof help === 'string' ? { what: help } : help;
  return { usage, what, ...(examples && { examples }), ...body };
}

/** A group of commands below a noun. */
export function group(usage: string, what: string, body: GroupBody): Group {
  return { usage, what, ...body };
}

/** The name that a row's usage begins with. */
export function nameOf({ usage }: Pick<Row, 'usage'>): string {
  return usage.split(' ', 1)[0] ?? '';
}

/** What a row does; its file is loaded now. */
export async function loadBody(entry: Entry): Promise<CommandBody | GroupBody> {
  if (!('load' in entry)) return entry;
  const body = (await entry.load()).bodies[nameOf(entry)];
  if (body === undefined) throw new Error(`no body for the command ${nameOf(entry)}`);
  return body;
}

/** The command that runs when a group is called by its own name. */
export function findOtherwise({ commands, otherwise }: GroupBody): Command | undefined {
  return commands.find((one): one is Command => 'run' in one && nameOf(one) === otherwise);
}

/** Whether a command has positionals. */
export function takesWords({ usage }: Pick<Row, 'usage'>): boolean {
  return /[<[]/.test(usage);
}

/** An option with a value. */
export function textOption(describe: string): Options {
  return { type: 'string', requiresArg: true, describe };
}

/** An option without a value; `--no-NAME` turns it off. */
export function switchOption(describe: string): Options {
  return { type: 'boolean', describe };
}

/** An option with a value out of a few, which the completion lists; the command refuses others in its own words. */
export function choiceOption(describe: string, choices: readonly string[]): Options {
  return { ...textOption(describe), choices };
}

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
