// The commands svcd has, and how a run of it ends. Nothing heavy is loaded here: `svcd --help` reads this list.

import { systemCode } from '../model/errors.js';
import { doAfterServing } from './after-serving.js';
import type { Entry } from './command.js';
import { runCommandLine } from './command-line.js';
import { reportError } from './report-error.js';
import { SANDBOX_COMMANDS } from './sandbox-commands.js';

/** Every command, in the order the help and the README list them. */
export const COMMANDS: readonly Entry[] = [
  {
    usage: 'start',
    what: 'Run the daemon: search, match and downloads on this machine.',
    load: async () => (await import('./commands/start.js')).startCommand,
  },
  {
    usage: 'stop',
    what: 'Stop the daemon, after what is in flight.',
    load: async () => (await import('./commands/stop.js')).stopCommand,
  },
  {
    usage: 'status',
    what: 'Show what the daemon has and where it is.',
    load: async () => (await import('./commands/status.js')).statusCommand,
  },
  {
    usage: 'offline',
    what: 'Contact the remote no more, at once and after a restart too.',
    load: async () => (await import('./commands/offline.js')).offlineCommand,
  },
  {
    usage: 'online',
    what: 'Contact the remote again.',
    load: async () => (await import('./commands/online.js')).onlineCommand,
  },
  {
    usage: 'search [query..]',
    what: 'Find stickers by words. Free, and needs no network.',
    load: async () => (await import('./commands/search.js')).searchCommand,
  },
  {
    usage: 'match [copy..]',
    what: 'Find stickers that suit a copy, with reasons. Free, and needs no network.',
    load: async () => (await import('./commands/match.js')).matchCommand,
  },
  {
    usage: 'related <preset>',
    what: 'List stickers related to one: the same in other styles, then others of its words.',
    load: async () => (await import('./commands/related.js')).relatedCommand,
  },
  {
    usage: 'complete <text..>',
    what: 'List words of the library that begin like this.',
    load: async () => (await import('./commands/complete.js')).completeCommand,
  },
  {
    usage: 'get <preset>',
    what: 'Get the file of a sticker: 1 credit, unless it is owned.',
    load: async () => (await import('./commands/get.js')).getCommand,
  },
  {
    usage: 'usage',
    what: 'Show the credits of the account, and what svcd spent and saved.',
    load: async () => (await import('./commands/usage.js')).usageCommand,
  },
  {
    usage: 'purchases',
    what: 'Show what was bought, and settle what nobody saw the end of.',
    otherwise: 'list',
    entries: [
      {
        usage: 'list',
        what: 'List purchases, newest first.',
        load: async () => (await import('./commands/purchases-list.js')).purchasesListCommand,
      },
      {
        usage: 'settle <id>',
        what: 'Settle an unknown purchase: by the balance, or by your word. Free.',
        load: async () => (await import('./commands/purchases-settle.js')).purchasesSettleCommand,
      },
      {
        usage: 'retry <id>',
        what: 'Buy the sticker of a purchase again. May cost a second time.',
        load: async () => (await import('./commands/purchases-retry.js')).purchasesRetryCommand,
      },
    ],
  },
  {
    usage: 'budget',
    what: 'Show and set the limits on what svcd may spend.',
    otherwise: 'show',
    entries: [
      {
        usage: 'show',
        what: 'Show the limits, and what of them is used.',
        load: async () => (await import('./commands/budget-show.js')).budgetShowCommand,
      },
      {
        usage: 'set',
        what: 'Set limits in credits per request, day or month.',
        load: async () => (await import('./commands/budget-set.js')).budgetSetCommand,
      },
    ],
  },
  {
    usage: 'defaults',
    what: 'Show and change what stands in for a sticker that cannot be had.',
    otherwise: 'list',
    entries: [
      {
        usage: 'list',
        what: 'List the defaults you registered.',
        load: async () => (await import('./commands/defaults-list.js')).defaultsListCommand,
      },
      {
        usage: 'add <preset> <file>',
        what: "Register a Lottie file as the default of a preset, or of every preset ('*').",
        load: async () => (await import('./commands/defaults-add.js')).defaultsAddCommand,
      },
      {
        usage: 'remove <preset>',
        what: 'Remove a registered default.',
        load: async () => (await import('./commands/defaults-remove.js')).defaultsRemoveCommand,
      },
    ],
  },
  {
    usage: 'key',
    what: 'Show, store and remove your Key of the service.',
    otherwise: 'status',
    entries: [
      {
        usage: 'set',
        what: 'Store the Key in the OS keychain: from a hidden prompt, or from stdin.',
        load: async () => (await import('./commands/key-set.js')).keySetCommand,
      },
      {
        usage: 'import <path>',
        what: 'Store the Key of a service.key.json or a template package.',
        load: async () => (await import('./commands/key-import.js')).keyImportCommand,
      },
      {
        usage: 'status',
        what: 'Show where the Key in use comes from, and what the service says of it.',
        load: async () => (await import('./commands/key-status.js')).keyStatusCommand,
      },
      {
        usage: 'remove',
        what: 'Forget the stored Key.',
        load: async () => (await import('./commands/key-remove.js')).keyRemoveCommand,
      },
    ],
  },
  {
    usage: 'token',
    what: 'Show, change and add the tokens that local programs spend with.',
    otherwise: 'list',
    entries: [
      {
        usage: 'show',
        what: "Print the home's own token.",
        load: async () => (await import('./commands/token-show.js')).tokenShowCommand,
      },
      {
        usage: 'rotate',
        what: "Replace the home's own token; the old one is worth nothing at once.",
        load: async () => (await import('./commands/token-rotate.js')).tokenRotateCommand,
      },
      {
        usage: 'add <name>',
        what: 'Make a further token with a budget and a scope of its own.',
        load: async () => (await import('./commands/token-add.js')).tokenAddCommand,
      },
      {
        usage: 'list',
        what: 'List the further tokens, and what they spent.',
        load: async () => (await import('./commands/token-list.js')).tokenListCommand,
      },
      {
        usage: 'revoke <name>',
        what: 'End a further token at once.',
        load: async () => (await import('./commands/token-revoke.js')).tokenRevokeCommand,
      },
    ],
  },
  {
    usage: 'library',
    what: 'Fill the library, add stickers of your own, carry it to another machine.',
    otherwise: 'status',
    entries: [
      {
        usage: 'status',
        what: 'Show how many stickers are known, how many there are, and what goes on.',
        load: async () => (await import('./commands/library-status.js')).libraryStatusCommand,
      },
      {
        usage: 'sync',
        what: 'Fill the library by free requests, until practically everything is known.',
        load: async () => (await import('./commands/library-sync.js')).librarySyncCommand,
      },
      {
        usage: 'pause',
        what: 'Stop filling the library in the background, until resumed.',
        load: async () => (await import('./commands/library-pause.js')).libraryPauseCommand,
      },
      {
        usage: 'resume',
        what: 'Fill the library in the background again.',
        load: async () => (await import('./commands/library-resume.js')).libraryResumeCommand,
      },
      {
        usage: 'add <files..>',
        what: 'Add Lottie files of your own: found beside the others, free, never sent anywhere.',
        load: async () => (await import('./commands/library-add.js')).libraryAddCommand,
      },
      {
        usage: 'list',
        what: 'List the stickers you added.',
        load: async () => (await import('./commands/library-list.js')).libraryListCommand,
      },
      {
        usage: 'remove <presets..>',
        what: 'Remove stickers you added.',
        load: async () => (await import('./commands/library-remove.js')).libraryRemoveCommand,
      },
      {
        usage: 'export <file>',
        what: "Write the library to a file (.gz, .zst or plain; '-' is standard output).",
        load: async () => (await import('./commands/library-export.js')).libraryExportCommand,
      },
      {
        usage: 'import <file>',
        what: "Merge an exported library into this one ('-' is standard input).",
        load: async () => (await import('./commands/library-import.js')).libraryImportCommand,
      },
    ],
  },
  {
    usage: 'owned',
    what: 'Carry what you paid for from one machine to another.',
    entries: [
      {
        usage: 'export <file>',
        what: 'Write everything you own to a file.',
        load: async () => (await import('./commands/owned-export.js')).ownedExportCommand,
      },
      {
        usage: 'import <file>',
        what: 'Keep what such a file holds. Each item is checked by its digest.',
        load: async () => (await import('./commands/owned-import.js')).ownedImportCommand,
      },
    ],
    examples: [
      ['svcd owned export mine.ndjson.gz', 'for another machine of yours'],
      ['svcd owned import mine.ndjson.gz', 'keeps what is not there yet, each item checked by its digest'],
    ],
  },
  {
    usage: 'synonyms',
    what: 'Show where your own synonyms are, and check them.',
    otherwise: 'check',
    entries: [
      {
        usage: 'check [file]',
        what: 'Check your synonyms, or those in a file.',
        load: async () => (await import('./commands/synonyms-check.js')).synonymsCheckCommand,
      },
      {
        usage: 'path',
        what: 'Print where synonyms.txt is.',
        load: async () => (await import('./commands/synonyms-path.js')).synonymsPathCommand,
      },
    ],
  },
  {
    usage: 'origins',
    what: 'Show and change whose web pages may use svcd.',
    otherwise: 'list',
    entries: [
      {
        usage: 'list',
        what: 'List the origins whose pages may use svcd.',
        load: async () => (await import('./commands/origins-list.js')).originsListCommand,
      },
      {
        usage: 'add <origin>',
        what: 'Let the pages of an origin use svcd, at once.',
        load: async () => (await import('./commands/origins-add.js')).originsAddCommand,
      },
      {
        usage: 'remove <origin>',
        what: 'Refuse the pages of an origin again, at once.',
        load: async () => (await import('./commands/origins-remove.js')).originsRemoveCommand,
      },
    ],
  },
  {
    usage: 'env',
    what: 'Print the variables that make a template use svcd.',
    load: async () => (await import('./commands/env.js')).envCommand,
  },
  {
    usage: 'run <command..>',
    what: 'Run a command that uses svcd, with a token that ends with it.',
    load: async () => (await import('./commands/run.js')).runCommand,
  },
  {
    usage: 'open',
    what: 'Open svcd in your browser, signed in.',
    load: async () => (await import('./commands/open.js')).openCommand,
  },
  {
    usage: 'doctor',
    what: 'Check everything svcd needs, and say what to do.',
    load: async () => (await import('./commands/doctor.js')).doctorCommand,
  },
  {
    usage: 'sandbox',
    what: 'Run the sandbox alone, or change what it is like: accounts, money, time, faults.',
    entries: SANDBOX_COMMANDS,
    examples: [
      ['svcd sandbox start --seed 1', 'the documented service alone, the same every time'],
      ['svcd sandbox topup 12.50', 'buys credits for its main account'],
    ],
  },
  {
    usage: 'config',
    what: 'Show and change the settings.',
    otherwise: 'show',
    entries: [
      {
        usage: 'show',
        what: 'Show every setting and where its value comes from.',
        load: async () => (await import('./commands/config-show.js')).configShowCommand,
      },
      {
        usage: 'set <name> <value>',
        what: 'Write a setting to config.json.',
        load: async () => (await import('./commands/config-set.js')).configSetCommand,
      },
      {
        usage: 'unset <name>',
        what: 'Remove a setting from config.json.',
        load: async () => (await import('./commands/config-unset.js')).configUnsetCommand,
      },
      {
        usage: 'path',
        what: 'Print where config.json is.',
        load: async () => (await import('./commands/config-path.js')).configPathCommand,
      },
    ],
  },
];

// Whatever still waits when the work is done, nobody else waits for it.
const LINGER_MS = 300;

/**
 * Runs svcd with these arguments and settles the exit code of the process; does `afterServing` when it was a daemon to
 * its clean end. Never rejects.
 */
export async function main(args: readonly string[], afterServing: () => void): Promise<void> {
  doAfterServing(afterServing);
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
  // The reader has gone (`svcd search … | head -1`): there is nobody left to write for.
  process.stdout.on('error', (error) => process.exit(systemCode(error) === 'EPIPE' ? 0 : 1));
  process.stderr.on('error', () => undefined);
  process.on('uncaughtException', (error) => process.exit(reportError(error, json)));
}
