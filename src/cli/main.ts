// The commands of svcd as the help lists them, and the end of a run. Nothing heavy is loaded here: each noun's file is
// loaded when it is called.

import { systemCode } from '../model/errors.js';
import { runCommandLine } from './command-line.js';
import { type LazyRow, nameOf } from './command.js';
import { chooseLanguage } from './terminal/language.js';
import { rememberHome } from './terminal/home-option.js';
import { printLines } from './terminal/output.js';
import { reportError } from './terminal/report-error.js';
import { type CommandName, commandWords } from './command-words.js';

/** Every command, in the order of the help: its usage and the file that has its body, loaded when it is called. */
export const COMMANDS = rows([
  ['start', () => import('./daemon/daemon.js')],
  ['open', () => import('./daemon/open.js')],
  ['stop', () => import('./daemon/daemon.js')],
  ['restart', () => import('./daemon/daemon.js')],
  ['status', () => import('./daemon/daemon.js')],
  ['logs', () => import('./daemon/logs.js')],
  ['offline', () => import('./daemon/daemon.js')],
  ['online', () => import('./daemon/daemon.js')],
  ['search [query..]', () => import('./search/search.js')],
  ['match [copy..]', () => import('./search/search.js')],
  ['related <preset>', () => import('./search/search.js')],
  ['complete <text..>', () => import('./search/search.js')],
  ['get [preset..]', () => import('./get/get.js')],
  ['image [prompt..]', () => import('./get/image.js')],
  ['facts <preset-or-file>', () => import('./library/facts.js')],
  ['plan', () => import('./video/plan.js')],
  ['apply [package]', () => import('./video/apply.js')],
  ['verify', () => import('./video/verify.js')],
  ['fetch', () => import('./video/apply.js')],
  ['usage', () => import('./money/spending.js')],
  ['purchases', () => import('./money/purchases.js')],
  ['budget', () => import('./money/spending.js')],
  ['stop-spending', () => import('./money/spending.js')],
  ['defaults', () => import('./library/defaults.js')],
  ['attribution <file>', () => import('./video/attribution.js')],
  ['key', () => import('./access/key.js')],
  ['token', () => import('./access/token.js')],
  ['library', () => import('./library/library.js')],
  ['owned', () => import('./money/owned.js')],
  ['synonyms', () => import('./library/synonyms.js')],
  ['origins', () => import('./access/origins.js')],
  ['env', () => import('./run/run.js')],
  ['run <command..>', () => import('./run/run.js')],
  ['done <package>', () => import('./video/done.js')],
  ['hub', () => import('./hub/hub.js')],
  ['join <code>', () => import('./hub/join.js')],
  ['leave', () => import('./hub/join.js')],
  ['service', () => import('./service/service.js')],
  ['doctor', () => import('./doctor/doctor.js')],
  ['sandbox', () => import('./sandbox/sandbox.js')],
  ['config', () => import('./access/config.js')],
  ['completion', () => import('./completion.js')],
]);

// A handle that something left open must not delay the end.
const LINGER_MS = 300;

/** Runs svcd with these arguments and settles the exit code of the process. Never rejects. */
export async function main(args: readonly string[]): Promise<void> {
  const end = args.indexOf('--');
  const json = args.slice(0, end === -1 ? undefined : end).some((arg) => /^--json(?:=true)?$/.test(arg));
  guardProcess(json);
  rememberHome(args);
  try {
    const rest = chooseLanguage(args, json);
    if (rest[0] === COMPLETE) await printCompletions(rest.slice(1));
    else await runCommandLine(COMMANDS, asOption(rest));
  } catch (error) {
    process.exitCode = reportError(error, json);
  }
  setTimeout(() => process.exit(), LINGER_MS).unref();
}

/** What the scripts of "svcd completion" call. */
const COMPLETE = '--get-yargs-completions';

/** Scripts of old begin with `svcd` and take names alone. */
async function printCompletions([first, ...rest]: readonly string[]): Promise<void> {
  const { completeWords } = await import('./complete-line.js');
  const isOld = first === 'svcd';
  const found = await completeWords(COMMANDS, isOld || first === undefined ? rest : [first, ...rest]);
  if (found.length > 0) await printLines(...found.map(({ word, what }) => (isOld ? word : `${word}\t${what}`)));
}

/** `svcd help search` is `svcd search --help`. */
function asOption(args: readonly string[]): readonly string[] {
  return args[0] === 'help' ? [...args.slice(1), '--help'] : args;
}

function guardProcess(json: boolean): void {
  // EPIPE: the reader has closed the pipe (`svcd search … | head -1`).
  process.stdout.on('error', (error) => process.exit(systemCode(error) === 'EPIPE' ? 0 : 1));
  process.stderr.on('error', () => undefined);
  process.on('uncaughtException', (error) => process.exit(reportError(error, json)));
}

function rows(entries: readonly (readonly [usage: string, load: LazyRow['load']])[]): LazyRow[] {
  return entries.map(([usage, load]) => ({
    usage,
    // Asked late: the language is settled after this file is loaded.
    get what() {
      return commandWords().commands[nameOf({ usage }) as CommandName];
    },
    load,
  }));
}
