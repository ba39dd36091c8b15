// svcd key: the user's Key for the service. No command prints it or takes it as an argument.

import { resolve } from 'node:path';
import { type KeyInFile, readKeyFrom, removeKeyFile, parseKey } from '../../auth/key-file.js';
import { exposedWords, type KeychainReport, type KeyReport } from '../../auth/user-key.js';
import { isSvcdError, type SvcdError } from '../../model/errors.js';
import { type Client, withClient } from '../connection/client.js';
import { type Bodies, command, type GroupBody, switchOption, textOption } from '../command.js';
import { describeFields } from '../terminal/describe-fields.js';
import { formatCount, formatTable, sanitize } from '../terminal/format.js';
import { type Input, invalidArgument } from '../terminal/input.js';
import { EXIT_CODE_OF } from '../terminal/exit-codes.js';
import { printAnswer, printJson, printLines, printNote } from '../terminal/output.js';
import {
  assertStorable,
  describeStoredKey,
  findKeyFile,
  isForHome,
  KEY_OPTIONS,
  type RemovedKey,
  type StoredKey,
  removeKey,
  storeKey,
} from './store-key.js';
import { describeKeySource } from './user-key.js';
import { agrees, readSecret } from '../terminal/terminal-input.js';
import { errorWords } from '../terminal/error-words.js';
import { keyWords } from './key-words.js';

const words = keyWords();

const keyGroup: GroupBody = {
  otherwise: 'status',
  commands: [
    command('set', words.set, {
      options: {
        ...KEY_OPTIONS,
        // Accepted only to be refused with a reason.
        key: { type: 'string', hidden: true },
      },
      examples: [`svcd key set # ${words.examples.set}`],
      refuseWords: keyInArguments,
      run: async (input) => {
        if (input.text('key') !== undefined) throw keyInArguments();
        await assertStorable(input);
        const typed = await readSecret(words.prompt);
        if (typed.trim() === '') throw nothingGiven(findKeyFile(input));
        return printAnswer(input, await storeAndAsk(input, parseKey(typed, 'what you gave')), describeAsked);
      },
    }),
    command('import <path>', words.import, {
      options: { ...KEY_OPTIONS, remove: switchOption(words.removeFile), keep: switchOption(words.keepFile) },
      examples: [`svcd key import ~/templates/birthday.motion # ${words.examples.package}`],
      run: importKey,
    }),
    command('status', words.status, {
      run: async (input) => printAnswer(input, await withClient(input, readStatus), describeStatus),
    }),
    command('remove', words.remove, {
      options: { ...KEY_OPTIONS, 'key-file': textOption(words.removeKeyFile) },
      run: async (input) => printAnswer(input, await removeKey(input), describeRemoved),
    }),
  ],
};

export const bodies: Bodies = { key: keyGroup };

function keyInArguments(): SvcdError {
  return invalidArgument(words.inArguments, words.inArgumentsHint);
}

function nothingGiven(keyFile: string | undefined): SvcdError {
  const how = words.howToGive;
  if (keyFile === undefined) return invalidArgument(words.nothingGiven, how);
  return invalidArgument(words.nothingForFile(keyFile), words.keyInFileAlready(how));
}

async function importKey(input: Input): Promise<void> {
  const path = resolve(input.word('path'));
  if (input.flag('remove') === true && input.flag('keep') === true) throw invalidArgument(words.eitherRemoveOrKeep);
  if (findKeyFile(input) === path) throw invalidArgument(words.sameFile(path));
  const found = await readKeyFrom(path);
  if (input.flag('remove') === true && !found.plain) {
    throw invalidArgument(words.packageStays(path), words.packageStaysHint);
  }
  if (found.exposed) printNote(exposedWords(found));
  const stored = await storeAndAsk(input, found.key).catch((error: unknown) => {
    if (!isSvcdError(error, 'keychain_unavailable')) throw error;
    // What works without one: the file that is there, or one that svcd writes.
    throw error.with({ hint: found.plain ? words.readFileInstead(found.path) : words.writeFileInstead(found.path) });
  });
  // Before the question, so that a person sees that the Key is safe.
  if (!input.json) await printLines(...describeAsked(stored));
  const removed = found.plain && (await wantsRemoval(input, found)) && (await removeKeyFile(found.path));
  if (input.json) return printJson({ ...stored, imported_from: found.path, removed });
  return printLines(describePlainFile(found, removed));
}

async function wantsRemoval(input: Input, { path }: KeyInFile): Promise<boolean> {
  if (input.flag('remove') !== undefined) return input.flag('remove') === true;
  if (input.flag('keep') !== undefined || input.json) return false;
  return agrees(words.askRemoval(path));
}

function describePlainFile({ path, plain }: KeyInFile, removed: boolean): string {
  if (removed) return words.fileRemoved(path);
  if (plain) return words.fileStays(path);
  return words.packageHolds(path);
}

function describeRemoved({ removed, account, path, still_in: still, daemon }: RemovedKey): string[] {
  const where = path ?? words.keychainOf(account);
  const lines = [
    removed ? words.removed(where) : words.wasNone(where),
    ...(still === null ? [] : [words.stillIn(still)]),
  ];
  if (daemon === null) return lines;
  if (daemon.source === 'none') return [...lines, words.daemonHasNone];
  return [...lines, words.daemonUses(describeKeySource(daemon.source))];
}

type AskedKey = StoredKey & Partial<Pick<KeyStatus, 'service' | 'service_error'>>;

/** Stores it, and asks the service for nothing whether it takes it, where the home uses this Key there. */
async function storeAndAsk(input: Input, key: string): Promise<AskedKey> {
  const stored = await storeKey(input, key);
  if (!isForHome(stored)) return stored;
  // It is stored all the same.
  const status = await withClient(input, readStatus).catch((error: unknown) => {
    if (!isSvcdError(error)) throw error;
    return { last_four: stored.last_four, service: null, service_error: { code: error.code, message: error.message } };
  });
  if (status.last_four !== stored.last_four) return stored;
  const { service, service_error } = status;
  if (isRefusal(service_error)) process.exitCode = EXIT_CODE_OF.invalid_key;
  return { ...stored, service, service_error };
}

function isRefusal(error: KeyStatus['service_error']): boolean {
  return error?.code === 'invalid_key' || error?.code === 'key_disabled';
}

function describeAsked(stored: AskedKey): string[] {
  const { service = null, service_error: error = null } = stored;
  const { balance } = (service ?? {}) as { balance?: number };
  const told =
    error === null
      ? balance === undefined
        ? []
        : [words.valid(formatCount(balance, 'credit'))]
      : [
          isRefusal(error)
            ? words.wrong(errorWords().translated(error.message))
            : words.untried(errorWords().translated(error.message.replace(/\.$/, ''))),
        ];
  return [...describeStoredKey(stored), ...told.map(sanitize)];
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
    const message = words.notAskedService(remote.why ?? words.away);
    return { ...report, service: null, service_error: { code: 'offline', message } };
  }
  const answer = await client.request('GET', '/api/v1/me');
  const body = answer.json() as object;
  if (answer.status < 400) return { ...report, service: body, service_error: null };
  return { ...report, service: null, service_error: body as NonNullable<KeyStatus['service_error']> };
}

/** The daemon's words, or those of the chosen language. */
function keychainAdviceOf({ state, words: english, hint }: KeychainReport): { words: string; hint: string } {
  if (state === 'not_asked') return { words: words.keychainNotNeeded, hint: '' };
  const own = words.keychain[state];
  return { words: own?.words ?? english, hint: hint === null ? '' : (own?.hint ?? hint) };
}

function describeStatus(status: KeyStatus): string[] {
  const { source, path, last_four: lastFour, account, keychain, service, service_error: error } = status;
  const rows = [
    [words.rows.key, lastFour === null ? describeKeySource(source) : words.endsIn(lastFour, describeKeySource(source))],
    [words.rows.file, path ?? ''],
    [words.rows.remote, account ?? ''],
    [words.rows.keychain, keychainAdviceOf(keychain).words],
    // What to do instead is done where there is a Key.
    ['', source === 'none' ? keychainAdviceOf(keychain).hint : ''],
  ].filter(([, value]) => value !== '');
  const serviceRows = describeFields(service).map(([label, value]) => [`  ${label}`, value]);
  return [
    ...formatTable(rows.map(([name = '', value = '']) => [name, sanitize(value)])),
    ...status.warnings.map((warning) => sanitize(words.warning(errorWords().translated(warning)))),
    ...(service === null ? [] : ['', words.serviceSays, ...formatTable(serviceRows)]),
    ...(error === null ? [] : ['', sanitize(words.serviceError(errorWords().translated(error.message)))]),
  ];
}
