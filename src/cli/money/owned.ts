// svcd owned: what was paid for, into a file and from one.

import { accessSync, closeSync, constants, existsSync, openSync, readSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SvcdError } from '../../model/errors.js';
import { systemClock } from '../../platform/clock.js';
import { lockHome, prepareHome } from '../../platform/files/home-folder.js';
import {
  type BackupFacts,
  backUpOwned,
  inspectBackup,
  noteBackup,
  restoreOwned,
} from '../../purchases/owned-backup.js';
import { type Bodies, command, type GroupBody, switchOption, textOption } from '../command.js';
import { findLoss } from '../../operations/health/file-checks.js';
import { exportLocked } from './export-locked.js';
import { sanitize } from '../terminal/format.js';
import type { Input } from '../terminal/input.js';
import { invalidArgument } from '../terminal/invalid-argument.js';
import { printAnswer } from '../terminal/output.js';
import { asFileError, lookAt, openTargetFile } from '../terminal/target-file.js';
import { exportTo, importFrom } from '../library/transfer.js';
import { ownedWords } from './owned-words.js';
import * as zlib from 'node:zlib';

const words = ownedWords();

const ownedGroup: GroupBody = {
  commands: [
    command('export [file]', words.export, {
      options: { lock: textOption(words.lock) },
      examples: words.exportExamples,
      run: (input) => {
        const lock = input.text('lock');
        if (lock !== undefined) return exportLocked(lock, input);
        if (input.findWord('file') !== undefined) return exportTo('/svcd/owned/export', input);
        throw invalidArgument(words.fileMissing, words.seeHelp);
      },
    }),
    command('import <file>', words.import, {
      examples: [`svcd owned import owned.ndjson.gz # ${words.importExample}`],
      run: (input) => importFrom('/svcd/owned/import', input),
    }),
    command('backup <file>', words.backup, {
      options: { force: switchOption(words.force) },
      examples: [`svcd owned backup owned-backup.db # ${words.backupExample}`],
      run: backUp,
    }),
    command('restore <file>', words.restore, {
      examples: [`svcd owned restore owned-backup.db # ${words.restoreExample}`],
      run: restore,
    }),
  ],
  examples: words.examples,
};

export const bodies: Bodies = { owned: ownedGroup };

async function backUp(input: Input): Promise<void> {
  const home = await input.home();
  const target = readFileName(input);
  const source = join(home, 'owned.db');
  if (!existsSync(source)) {
    throw new SvcdError('not_found', words.noDatabase(source), { hint: words.otherHome });
  }
  if (input.flag('force') !== true) await keepBetter(home, target);
  const opened = openTargetFile(target, { mode: 0o600, home, regular: true });
  let facts: BackupFacts;
  try {
    facts = backUpOwned(source, opened.part);
    opened.commit();
    noteBackup(home, systemClock.now());
  } catch (error) {
    throw asFileError(error, target, 'written');
  } finally {
    opened.abandon();
  }
  return printAnswer(input, { file: target, ...facts }, () =>
    sanitize(words.backedUp(target, facts.purchases, facts.owned)),
  );
}

/** Throws `invalid_argument` where the home lost purchases and the file may be the backup that still has them. */
async function keepBetter(home: string, target: string): Promise<void> {
  const loss = lookAt(target) === undefined ? undefined : await findLoss(home);
  if (loss === undefined) return;
  throw invalidArgument(words.mayBeBetter(target, loss), words.putBack(target));
}

async function restore(input: Input): Promise<void> {
  const home = await input.home();
  const source = readFileName(input);
  const facts = inspect(source);
  prepareHome(home);
  const lock = lockHome(home, 0);
  try {
    const replaced = restoreOwned(join(home, 'owned.db'), source, systemClock.now());
    const loss = await findLoss(home);
    return await printAnswer(input, { home, ...facts, replaced: replaced ?? null, loss: loss ?? null }, () =>
      [
        words.restored(source, facts.purchases, facts.owned),
        ...(replaced === undefined ? [] : [words.kept(replaced)]),
        ...(loss === undefined ? [] : [words.loss(loss)]),
      ].map(sanitize),
    );
  } finally {
    lock.release();
  }
}

/** The file that was typed, absolute. Throws `invalid_argument` for a name that SQLite would take for another one. */
function readFileName(input: Input): string {
  const typed = input.word('file');
  // better-sqlite3 cuts white space off; and a slash at the end would be lost.
  if (typed !== '-' && !/[\s/]$/.test(typed)) return resolve(typed);
  throw invalidArgument(words.regularName(typed));
}

function inspect(file: string): BackupFacts {
  const found = lookAt(file);
  if (found === undefined) throw new SvcdError('not_found', words.noFile(file));
  if (!found.isFile()) throw invalidArgument(words.notRegular(file), words.nameBackup);
  try {
    accessSync(file, constants.R_OK);
    const exported = findExportKind(file);
    if (exported === undefined) return inspectBackup(file);
    throw invalidArgument(words.isExport(file), words.importIt(exported, file));
  } catch (error) {
    throw asFileError(error, file, 'read');
  }
}

const HEAD_BYTES = 4096;

/** What of svcd a file is an export of, packed or plain, by how it begins: exports are confused with backups; undefined for every other file. Throws the system's error. */
function findExportKind(file: string): 'owned' | 'library' | undefined {
  const head = readHead(file);
  for (const unpack of UNPACKERS) {
    const [, kind] = /^\s*\{\s*"format"\s*:\s*"svcd-(owned|library)"/.exec(textOf(head, unpack)) ?? [];
    if (kind === 'owned' || kind === 'library') return kind;
  }
  return undefined;
}

type Unpack = (bytes: Buffer) => Buffer;

/** The head is cut off somewhere: what can be unpacked of it is enough. */
const UNPACKERS: readonly Unpack[] = [
  (bytes) => bytes,
  (bytes) => zlib.gunzipSync(bytes, { finishFlush: zlib.constants.Z_SYNC_FLUSH }),
  (bytes) => zlib.brotliDecompressSync(bytes, { finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH }),
];

function textOf(head: Buffer, unpack: Unpack): string {
  try {
    return unpack(head).toString('latin1');
  } catch {
    return '';
  }
}

function readHead(file: string): Buffer {
  const fd = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(HEAD_BYTES);
    return bytes.subarray(0, readSync(fd, bytes));
  } finally {
    closeSync(fd);
  }
}
