// The commands of svcd as the help lists them, and the end of a run. Nothing heavy is loaded here: each noun's file is
// loaded when it is called.

import { systemCode } from '../model/errors.js';
import { runCommandLine } from './command-line.js';
import type { LazyRow } from './command.js';
import { rememberHome } from './naming-home.js';
import { reportError } from './report-error.js';

/** The files of the nouns, each loaded when one of its commands is called. */
const FILES = {
  daemon: () => import('./commands/daemon.js'),
  find: () => import('./commands/find.js'),
  get: () => import('./commands/get.js'),
  plan: () => import('./commands/plan.js'),
  apply: () => import('./commands/apply.js'),
  verify: () => import('./commands/verify.js'),
  spending: () => import('./commands/spending.js'),
  purchases: () => import('./commands/purchases.js'),
  defaults: () => import('./commands/defaults.js'),
  attribution: () => import('./commands/attribution.js'),
  facts: () => import('./commands/facts.js'),
  key: () => import('./commands/key.js'),
  token: () => import('./commands/token.js'),
  library: () => import('./commands/library.js'),
  owned: () => import('./commands/owned.js'),
  synonyms: () => import('./commands/synonyms.js'),
  origins: () => import('./commands/origins.js'),
  run: () => import('./commands/run.js'),
  done: () => import('./commands/done.js'),
  open: () => import('./commands/open.js'),
  doctor: () => import('./commands/doctor.js'),
  sandbox: () => import('./commands/sandbox.js'),
  config: () => import('./commands/config.js'),
};

/** Every command, in the order of the help. */
export const COMMANDS = rows([
  ['start', 'Run the daemon: search, match and downloads on this machine.', FILES.daemon],
  ['stop', 'Finish running requests, then stop the daemon.', FILES.daemon],
  ['status', "Show the daemon's address, library, Key and connection.", FILES.daemon],
  ['offline', 'Stop contacting the remote, now and after a restart.', FILES.daemon],
  ['online', 'Contact the remote again.', FILES.daemon],
  ['search [query..]', 'Find stickers by words. Free, works offline.', FILES.find],
  ['match [copy..]', 'Find stickers that suit a text, with reasons. Free, works offline.', FILES.find],
  ['related <preset>', 'List stickers related to one: other styles first, then shared words.', FILES.find],
  ['complete <text..>', 'List words of the library that begin with a text.', FILES.find],
  ['get <preset>', 'Download the file of a sticker: 1 credit, unless it is owned.', FILES.get],
  ['facts <preset-or-file>', 'Show what is in a Lottie file, and what players make of it.', FILES.facts],
  ['plan', 'Show what the slots of a video get and cost; buys nothing.', FILES.plan],
  ['apply [package]', 'Buy the stickers and images of a video; write them and their lock.', FILES.apply],
  ['verify', 'Compare files with their lock. Needs no daemon and no network.', FILES.verify],
  ['fetch', 'Bring back the files of a lock from what you own.', FILES.apply],
  ['usage', 'Show the credits of the account, and what svcd spent and saved.', FILES.spending],
  ['purchases', 'List purchases; resolve ones with unknown outcome.', FILES.purchases],
  ['budget', 'Show and set the limits on what svcd may spend.', FILES.spending],
  ['stop-spending', 'Stop every purchase until you lift it, also after a restart.', FILES.spending],
  ['defaults', 'Manage your files that replace unavailable stickers.', FILES.defaults],
  ['attribution <file>', 'Print the credit lines of a video, from its report or lock.', FILES.attribution],
  ['key', 'Show, store and remove your Key for the service.', FILES.key],
  ['token', 'Manage the tokens that local programs spend with.', FILES.token],
  ['library', 'Fill the library, add stickers of your own, export and import.', FILES.library],
  ['owned', 'Export and import what you paid for.', FILES.owned],
  ['synonyms', 'Find and check the file with your own synonyms.', FILES.synonyms],
  ['origins', 'Manage the origins whose web pages may use svcd.', FILES.origins],
  ['env', 'Print the variables that make a template use svcd.', FILES.run],
  ['run <command..>', 'Run a command that uses svcd, with a token that ends with it.', FILES.run],
  ['done <package>', 'Tell the service that a video was made with a template.', FILES.done],
  ['open', 'Open svcd in your browser, signed in.', FILES.open],
  ['doctor', 'Check everything svcd needs, and say what to do.', FILES.doctor],
  ['sandbox', 'Run the sandbox alone, or change its accounts, money, time and faults.', FILES.sandbox],
  ['config', 'Show and change the settings.', FILES.config],
]);

// A handle that something left open must not delay the end.
const LINGER_MS = 300;

/** Runs svcd with these arguments and settles the exit code of the process. Never rejects. */
export async function main(args: readonly string[]): Promise<void> {
  const end = args.indexOf('--');
  const json = args.slice(0, end === -1 ? undefined : end).includes('--json');
  guardProcess(json);
  rememberHome(args);
  try {
    await runCommandLine(COMMANDS, asOption(args));
  } catch (error) {
    process.exitCode = reportError(error, json);
  }
  setTimeout(() => process.exit(), LINGER_MS).unref();
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

function rows(entries: readonly (readonly [usage: string, what: string, load: LazyRow['load']])[]): LazyRow[] {
  return entries.map(([usage, what, load]) => ({ usage, what, load }));
}
