// The commands of svcd as the help lists them, and the end of a run. Nothing heavy is loaded here: each noun's file is
// loaded when it is called.

import { systemCode } from '../model/errors.js';
import { runCommandLine } from './command-line.js';
import type { LazyRow } from './command.js';
import { reportError } from './report-error.js';

/** The files of the nouns, each loaded when one of its commands is called. */
const FILES = {
  daemon: () => import('./commands/daemon.js'),
  find: () => import('./commands/find.js'),
  get: () => import('./commands/get.js'),
  spending: () => import('./commands/spending.js'),
  purchases: () => import('./commands/purchases.js'),
  defaults: () => import('./commands/defaults.js'),
  key: () => import('./commands/key.js'),
  token: () => import('./commands/token.js'),
  library: () => import('./commands/library.js'),
  owned: () => import('./commands/owned.js'),
  synonyms: () => import('./commands/synonyms.js'),
  origins: () => import('./commands/origins.js'),
  run: () => import('./commands/run.js'),
  open: () => import('./commands/open.js'),
  doctor: () => import('./commands/doctor.js'),
  sandbox: () => import('./commands/sandbox.js'),
  config: () => import('./commands/config.js'),
};

/** Every command, in the order of the help. */
export const COMMANDS: readonly LazyRow[] = [
  {
    usage: 'start',
    what: 'Run the daemon: search, match and downloads on this machine.',
    load: FILES.daemon,
  },
  { usage: 'stop', what: 'Finish running requests, then stop the daemon.', load: FILES.daemon },
  { usage: 'status', what: "Show the daemon's address, library, Key and connection.", load: FILES.daemon },
  { usage: 'offline', what: 'Stop contacting the remote, now and after a restart.', load: FILES.daemon },
  { usage: 'online', what: 'Contact the remote again.', load: FILES.daemon },
  { usage: 'search [query..]', what: 'Find stickers by words. Free, works offline.', load: FILES.find },
  {
    usage: 'match [copy..]',
    what: 'Find stickers that suit a text, with reasons. Free, works offline.',
    load: FILES.find,
  },
  {
    usage: 'related <preset>',
    what: 'List stickers related to one: other styles first, then shared words.',
    load: FILES.find,
  },
  { usage: 'complete <text..>', what: 'List words of the library that begin with a text.', load: FILES.find },
  {
    usage: 'get <preset>',
    what: 'Download the file of a sticker: 1 credit, unless it is owned.',
    load: FILES.get,
  },
  {
    usage: 'usage',
    what: 'Show the credits of the account, and what svcd spent and saved.',
    load: FILES.spending,
  },
  { usage: 'purchases', what: 'List purchases; resolve ones with unknown outcome.', load: FILES.purchases },
  { usage: 'budget', what: 'Show and set the limits on what svcd may spend.', load: FILES.spending },
  { usage: 'defaults', what: 'Manage your files that replace unavailable stickers.', load: FILES.defaults },
  { usage: 'key', what: 'Show, store and remove your Key for the service.', load: FILES.key },
  { usage: 'token', what: 'Manage the tokens that local programs spend with.', load: FILES.token },
  {
    usage: 'library',
    what: 'Fill the library, add stickers of your own, export and import.',
    load: FILES.library,
  },
  { usage: 'owned', what: 'Export and import what you paid for.', load: FILES.owned },
  { usage: 'synonyms', what: 'Find and check the file with your own synonyms.', load: FILES.synonyms },
  { usage: 'origins', what: 'Manage the origins whose web pages may use svcd.', load: FILES.origins },
  { usage: 'env', what: 'Print the variables that make a template use svcd.', load: FILES.run },
  {
    usage: 'run <command..>',
    what: 'Run a command that uses svcd, with a token that ends with it.',
    load: FILES.run,
  },
  { usage: 'open', what: 'Open svcd in your browser, signed in.', load: FILES.open },
  { usage: 'doctor', what: 'Check everything svcd needs, and say what to do.', load: FILES.doctor },
  {
    usage: 'sandbox',
    what: 'Run the sandbox alone, or change its accounts, money, time and faults.',
    load: FILES.sandbox,
  },
  { usage: 'config', what: 'Show and change the settings.', load: FILES.config },
];

// A handle that something left open must not delay the end.
const LINGER_MS = 300;

/** Runs svcd with these arguments and settles the exit code of the process. Never rejects. */
export async function main(args: readonly string[]): Promise<void> {
  const end = args.indexOf('--');
  const json = args.slice(0, end === -1 ? undefined : end).includes('--json');
  guardProcess(json);
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
