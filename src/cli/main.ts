// The commands of svcd as the help lists them, and the end of a run. Nothing heavy is loaded here: each noun's file is
// loaded when it is called.

import { SvcdError, systemCode } from '../model/errors.js';
import { runCommandLine } from './command-line.js';
import { type LazyRow, nameOf } from './command.js';
import { chooseLanguage } from './terminal/language.js';
import { errorWords } from './terminal/error-words.js';
import { rememberHome } from './terminal/format.js';
import { printLines, releaseLines } from './terminal/output.js';
import { reportError } from './terminal/report-error.js';
import { withPresentName } from './other-names.js';
import { type CommandName, commandWords, type HelpGroup } from './words.js';

/** Every command, in the order of the help: its usage and the file that has its body, loaded when it is called. */
const GROUPS: Readonly<Partial<Record<HelpGroup, readonly (readonly [usage: string, load: LazyRow['load']])[]>>> = {
  run: [
    ['start', () => import('./daemon/daemon.js')],
    ['stop', () => import('./daemon/daemon.js')],
    ['restart', () => import('./daemon/daemon.js')],
    ['status', () => import('./daemon/daemon.js')],
    ['logs', () => import('./daemon/logs.js')],
    ['open', () => import('./daemon/daemon.js')],
    ['service', () => import('./service/service.js')],
    ['doctor', () => import('./doctor/doctor.js')],
    ['offline', () => import('./daemon/daemon.js')],
  ],
  find: [
    ['search [query..]', () => import('./search/search.js')],
    ['match [copy..]', () => import('./search/search.js')],
    ['look <preset..>', () => import('./search/look.js')],
    ['get [preset..]', () => import('./get/get.js')],
    ['image [prompt..]', () => import('./get/image.js')],
    ['library', () => import('./library/library.js')],
  ],
  video: [
    ['plan', () => import('./video/plan.js')],
    ['apply [package]', () => import('./video/apply.js')],
    ['verify', () => import('./video/apply.js')],
    ['fetch', () => import('./video/apply.js')],
    ['run <command..>', () => import('./run/run.js')],
    ['mcp', () => import('./run/mcp.js')],
  ],
  money: [
    ['usage', () => import('./money/spending.js')],
    ['purchases', () => import('./money/purchases.js')],
    ['budget', () => import('./money/spending.js')],
    ['owned', () => import('./money/owned.js')],
  ],
  access: [
    ['key', () => import('./access/key.js')],
    ['token', () => import('./access/token.js')],
    ['config', () => import('./access/config.js')],
  ],
  studio: [
    ['hub', () => import('./hub/hub.js')],
    ['sandbox', () => import('./sandbox/sandbox.js')],
  ],
  more: [
    ['attribution <file>', () => import('./video/done.js')],
    ['done <package>', () => import('./video/done.js')],
    ['completion [shell]', () => import('./completion.js')],
  ],
};

export const COMMANDS: readonly LazyRow[] = Object.entries(GROUPS).flatMap(([group, rows]) =>
  rows.map(([usage, load]) => ({
    usage,
    group: group as HelpGroup,
    // Asked late: the language is settled after this file is loaded.
    get what() {
      return commandWords().commands[nameOf({ usage }) as CommandName];
    },
    load,
  })),
);

// A handle that something left open must not delay the end.
const LINGER_MS = 300;

/** Runs svcd with these arguments and settles the exit code of the process. Never rejects. */
export async function main(args: readonly string[]): Promise<void> {
  const end = args.indexOf('--');
  const json = args.slice(0, end === -1 ? undefined : end).some((arg) => /^--json(?:=true)?$/.test(arg));
  guardProcess(json);
  try {
    await runTyped(args, json);
  } catch (error) {
    process.exitCode = reportError(error, json);
  }
  setTimeout(() => process.exit(), LINGER_MS).unref();
}

/** Runs the command that was typed, under any of its names. Throws what stops it. */
export async function runTyped(args: readonly string[], json: boolean): Promise<void> {
  rememberHome(args);
  const rest = chooseLanguage(args, json);
  try {
    if (rest[0] === COMPLETE) await printCompletions(rest.slice(1));
    else await runCommandLine(COMMANDS, withPresentName(asOption(rest)));
  } finally {
    releaseLines();
  }
}

/** What the scripts of "svcd completion" call. */
const COMPLETE = '--get-yargs-completions';

/** Scripts of old begin with `svcd` and take names alone. */
async function printCompletions([first, ...rest]: readonly string[]): Promise<void> {
  const { completeWords } = await import('./completion.js');
  const isOld = first === 'svcd';
  const typed = isOld || first === undefined ? rest : [first, ...rest];
  const found = await completeWords(COMMANDS, [...withPresentName(typed.slice(0, -1)), ...typed.slice(-1)]);
  if (found.length > 0) await printLines(...found.map(({ word, what }) => (isOld ? word : `${word}\t${what}`)));
}

/** `svcd help search` is `svcd search --help`, and `svcd version` is `svcd --version`. */
function asOption(args: readonly string[]): readonly string[] {
  if (args[0] === 'help') return [...args.slice(1), '--help'];
  return args[0] === 'version' ? [...args.slice(1), '--version'] : args;
}

function guardProcess(json: boolean): void {
  // EPIPE: the reader has closed the pipe (`svcd search … | head -1`).
  process.stdout.on('error', (error) => {
    const code = systemCode(error) ?? 'unknown';
    process.exit(code === 'EPIPE' ? 0 : reportError(new SvcdError('internal', errorWords().notPrinted(code)), json));
  });
  process.stderr.on('error', () => undefined);
  process.on('uncaughtException', (error) => process.exit(reportError(error, json)));
}
