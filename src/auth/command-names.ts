// Names of the tokens of commands as they are kept: `run-1a2b3c4d`, and for a template `run-1a2b3c4d birthday-card@1.1.0`, so
// that purchases keep it. The first word is the run, which people and reports know it by.

/** Of the names that svcd gives; nobody else can. */
const COMMAND_PREFIX = 'run-';

/** The kept name of a token for a command, with a part that no other has. */
export function commandName(unique: string, template: string | undefined): string {
  return template === undefined ? COMMAND_PREFIX + unique : `${COMMAND_PREFIX}${unique} ${template}`;
}

/** Whether a run of this name is a command's. */
export function isCommandName(kept: string): boolean {
  return kept.startsWith(COMMAND_PREFIX);
}

/** The name without the template. */
export function shortName(kept: string): string {
  return kept.split(' ', 1)[0] ?? '';
}

/** `name@version` of the template that a token was for; undefined for every other token. */
export function templateOf(kept: string): string | undefined {
  const space = kept.indexOf(' ');
  return space === -1 ? undefined : kept.slice(space + 1);
}
