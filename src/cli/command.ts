// What a command is to the command line: a light row that says it exists, and a body loaded when it is called.

import type { Options } from 'yargs';
import type { SvcdError } from '../model/errors.js';
import type { Input } from './input.js';

/** A command's body, in a file of its own. */
export interface Command {
  /** Its own options; --json and --help are everybody's. */
  readonly options: Readonly<Record<string, Options>>;
  /** Command lines with what they do, for the help. */
  readonly examples: readonly (readonly [line: string, what: string])[];
  /** What to say to words that it takes none of, where the usual complaint would repeat a secret. */
  refuseWords?(): SvcdError;
  /** Does it, and throws what cannot be done. */
  run(input: Input): Promise<void>;
}

/** A command as the help lists it. */
export interface CommandEntry {
  /** Name, then positionals as `<needed>`, `[optional]` or `<several..>`. */
  readonly usage: string;
  readonly what: string;
  load(): Promise<Command>;
}

/** Commands below a common name. */
export interface CommandGroup {
  readonly usage: string;
  readonly what: string;
  readonly entries: readonly Entry[];
  /** Name of the entry meant when none is given. */
  readonly otherwise?: string;
  /** Command lines for the help, where no command of its own is meant when none is given. */
  readonly examples?: Command['examples'];
}

export type Entry = CommandEntry | CommandGroup;

/** The name a row's usage begins with. */
export function nameOf({ usage }: Entry): string {
  return usage.split(' ', 1)[0] ?? '';
}

/** The option that chooses the home folder, for commands that need nothing else of the settings. */
export const HOME_OPTION = {
  home: { type: 'string', requiresArg: true, describe: 'Folder with everything svcd keeps.' },
} as const satisfies Record<string, Options>;
