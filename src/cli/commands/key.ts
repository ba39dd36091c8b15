// svcd key: the user's Key for the service. No command prints it or takes it as an argument.

import { resolve } from 'node:path';
import { type KeyInFile, readKeyFrom, removeKeyFile } from '../../auth/key-file.js';
import { parseKey } from '../../auth/key-text.js';
import { exposedWords, type KeyReport } from '../../auth/user-key.js';
import { isSvcdError, SvcdError } from '../../model/errors.js';
import { type Client, withClient } from '../client.js';
import { type Bodies, command, type GroupBody, switchOption, textOption } from '../command.js';
import { describeFields } from '../describe-fields.js';
import { formatTable, sanitize } from '../format.js';
import type { Input } from '../input.js';
import { invalidArgument } from '../invalid-argument.js';
import { printAnswer, printJson, printLines, printNote } from '../output.js';
import { describeStoredKey, findKeyFile, KEY_OPTIONS, type RemovedKey, removeKey, storeKey } from '../store-key.js';
import { agrees, readSecret } from '../terminal-input.js';
import { describeKeySource } from '../user-key.js';

const keyGroup: GroupBody = {
  otherwise: 'status',
  commands: [
    command('set', 'Store the Key in the OS keychain: from a hidden prompt, or from stdin.', {
      options: {
        ...KEY_OPTIONS,
        // Accepted only to be refused with a reason.
        key: { type: 'string', hidden: true },
      },
      examples: [
        'svcd key set # type or paste it; nothing is shown',
        'pass show service | svcd key set # from a password manager',
        'svcd key set --key-file ~/.config/service.key # where there is no keychain: what you type is written to that file',
      ],
      refuseWords: keyInArguments,
      run: async (input) => {
        if (input.text('key') !== undefined) throw keyInArguments();
        const typed = await readSecret('Key of the service (not shown): ');
        if (typed.trim() === '') throw nothingGiven(findKeyFile(input));
        return printAnswer(input, await storeKey(input, parseKey(typed, 'what you gave')), describeStoredKey);
      },
    }),
    command('import <path>', 'Store the Key of a service.key.json or a template package.', {
      options: {
        ...KEY_OPTIONS,
        remove: switchOption('Remove the plain file afterwards, without asking.'),
        keep: switchOption('Leave the plain file, without asking.'),
      },
      examples: [
        'svcd key import ~/templates/birthday.motion # from a package, unpacked or not',
        'svcd key import service.key.json --remove # and remove the plain file',
      ],
      run: importKey,
    }),
    command('status', 'Show where the Key in use comes from and what the service says about it.', {
      examples: [
        'svcd key # its source, last four characters, and limits',
        'svcd key status --json # the same for a script',
      ],
      run: async (input) => printAnswer(input, await withClient(input, readStatus), describeStatus),
    }),
    command('remove', 'Remove the stored Key.', {
      options: { ...KEY_OPTIONS, 'key-file': textOption('Remove this key file instead.') },
      examples: [
        'svcd key remove # remove the Key of the configured remote',
        'svcd key remove --key-file ~/.config/service.key # remove a key file',
      ],
      run: async (input) => printAnswer(input, await removeKey(input), describeRemoved),
    }),
  ],
};

export const bodies: Bodies = { key: keyGroup };

function keyInArguments(): SvcdError {
  const message = "a Key must not be an argument: it is now in your shell's history, and other users could see it";
  return invalidArgument(
    message,
    'Nothing was stored. Remove that line from the history, preferably make a new Key, and give it to "svcd key set" alone, which asks for it.',
  );
}

function nothingGiven(keyFile: string | undefined): SvcdError {
  const how = 'Type the Key at the prompt, or pipe it in: "pass show service | svcd key set".';
  if (keyFile === undefined) return invalidArgument('what you gave holds no Key: nothing was typed or piped in', how);
  return invalidArgument(
    `what you gave holds no Key: nothing was typed or piped in, and --key-file names the file to write the Key to, ${keyFile}`,
    `Nothing was written. ${how} A Key that is in a file already: "svcd config set keyFile FILE", or "svcd key import FILE".`,
  );
}

async function importKey(input: Input): Promise<void> {
  const path = resolve(input.word('path'));
  if (input.flag('remove') === true && input.flag('keep') === true) {
    throw invalidArgument('--remove and --keep exclude each other');
  }
  if (findKeyFile(input) === path) {
    throw invalidArgument(`--key-file is the file to import from: ${path}`);
  }
  const found = await readKeyFrom(path);
  if (input.flag('remove') === true && !found.plain) {
    throw invalidArgument(
      `${path} is a package, and svcd does not rewrite packages`,
      'Leave out --remove, or unpack it and import the folder.',
    );
  }
  if (found.exposed) printNote(exposedWords(found));
  const stored = await storeKey(input, found.key).catch((error: unknown) => {
    throw isSvcdError(error, 'keychain_unavailable') ? withoutKeychain(error, found) : error;
  });
  // Before the question, so that a person sees that the Key is safe.
  if (!input.json) await printLines(...describeStoredKey(stored));
  const removed = found.plain && (await wantsRemoval(input, found)) && (await removeKeyFile(found.path));
  if (input.json) return printJson({ ...stored, imported_from: found.path, removed });
  return printLines(describePlainFile(found, removed));
}

/** What works without a keychain: the file that is there, or one that svcd writes. */
function withoutKeychain(error: SvcdError, { path, plain }: KeyInFile): SvcdError {
  const hint = plain
    ? `"svcd config set keyFile ${path}" makes svcd read the Key from that file; it needs mode 0600.`
    : `"svcd key import ${path} --key-file FILE" writes the Key to a file of mode 0600, which svcd then reads.`;
  return new SvcdError(error.code, error.message, { cause: error, hint });
}

async function wantsRemoval(input: Input, { path }: KeyInFile): Promise<boolean> {
  if (input.flag('remove') !== undefined) return input.flag('remove') === true;
  if (input.flag('keep') !== undefined || input.json) return false;
  return agrees(`Remove the plain file ${path}? A template that runs without svcd needs it.`);
}

function describePlainFile({ path, plain }: KeyInFile, removed: boolean): string {
  if (removed) return `${path} was removed.`;
  if (plain) return `${path} still holds the Key in plain text; --remove removes it.`;
  return `${path} still holds the Key in plain text: svcd does not rewrite packages.`;
}

function describeRemoved({ removed, account, path, still_in: still, daemon }: RemovedKey): string[] {
  const where = path ?? `the OS keychain, for ${account}`;
  const lines = [
    removed ? `The Key was removed from ${where}.` : `There was no Key in ${where}.`,
    ...(still === null ? [] : [`There is still one in ${still}, which svcd uses.`]),
  ];
  if (daemon === null) return lines;
  if (daemon.source === 'none') return [...lines, 'The running daemon has no Key now; it still serves what is owned.'];
  return [...lines, `The running daemon uses another one, ${describeKeySource(daemon.source)}.`];
}

interface KeyStatus extends KeyReport {
  /** The answer of GET /api/v1/me; null when it was not asked, or refused. */
  readonly service: object | null;
  /** Why there is no such answer. */
  readonly service_error: { readonly code: string; readonly message: string } | null;
}

/** Makes svcd look for the Key everywhere, so that a keyring unlocked just now is seen, and asks the service about it. */
async function readStatus(client: Client): Promise<KeyStatus> {
  const report = await client.ask<KeyReport>('POST', '/svcd/key/refresh');
  if (report.source === 'none') return { ...report, service: null, service_error: null };
  const { remote } = await client.status();
  if (remote.offline) {
    const message = `the service is not asked: ${remote.why ?? 'it is away'}`;
    return { ...report, service: null, service_error: { code: 'offline', message } };
  }
  const answer = await client.request('GET', '/api/v1/me');
  const body = answer.json() as object;
  if (answer.status < 400) return { ...report, service: body, service_error: null };
  return { ...report, service: null, service_error: body as NonNullable<KeyStatus['service_error']> };
}

function describeStatus(status: KeyStatus): string[] {
  const { source, path, last_four: lastFour, account, keychain, service, service_error: error } = status;
  const rows = [
    ['Key', source === 'none' ? 'none' : `ends in ${lastFour}, ${describeKeySource(source)}`],
    ['file', path ?? ''],
    ['remote', account ?? ''],
    ['keychain', keychain.words],
    ['', keychain.hint ?? ''],
  ].filter(([, value]) => value !== '');
  const serviceRows = describeFields(service).map(([label, value]) => [`  ${label}`, value]);
  return [
    ...formatTable(rows.map(([name = '', value = '']) => [name, sanitize(value)])),
    ...status.warnings.map((warning) => sanitize(`Warning: ${warning}`)),
    ...(service === null ? [] : ['', 'The service says:', ...formatTable(serviceRows)]),
    ...(error === null ? [] : ['', sanitize(`The service: ${error.message}`)]),
  ];
}
