// svcd owned: what was paid for, into a file and from one.

import { accessSync, constants, existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SvcdError } from '../../model/errors.js';
import { systemClock } from '../../platform/clock.js';
import { lockHome, prepareHome } from '../../platform/home-folder.js';
import { type BackupFacts, backUpOwned, inspectBackup, restoreOwned } from '../../purchases/owned-backup.js';
import { type Bodies, command, type GroupBody, switchOption, textOption } from '../command.js';
import { findLoss } from '../doctor-money.js';
import { findExportKind } from '../export-kind.js';
import { exportLocked } from '../export-locked.js';
import { formatCount, formatNumber, sanitize } from '../format.js';
import type { Input } from '../input.js';
import { invalidArgument } from '../invalid-argument.js';
import { printAnswer } from '../output.js';
import { asFileError, lookAt, openTargetFile } from '../target-file.js';
import { exportTo, importFrom } from '../transfer.js';

const ownedGroup: GroupBody = {
  commands: [
    command('export [file]', 'Write everything you own to a file, or only what a lock names.', {
      options: { lock: textOption('Write only the files of this lock [to bundle.ndjson.gz].') },
      examples: [
        'svcd owned export owned.ndjson.gz # everything you paid for, of every remote',
        'svcd owned export --lock assets.lock.json bundle.ndjson.gz # for the colleague who renders it too',
      ],
      run: (input) => {
        const lock = input.text('lock');
        if (lock !== undefined) return exportLocked(lock, input);
        if (input.findWord('file') !== undefined) return exportTo('/svcd/owned/export', input);
        throw invalidArgument('FILE is missing: svcd owned export [file]', 'See "svcd owned export --help".');
      },
    }),
    command('import <file>', 'Add the contents of such a file. Each item is checked by its digest.', {
      examples: ['svcd owned import owned.ndjson.gz # items that are owned already stay as they are'],
      run: (input) => importFrom('/svcd/owned/import', input),
    }),
    command('backup <file>', 'Write a whole copy of everything about money, also while svcd runs.', {
      options: { force: switchOption('Replace FILE also when this home lost purchases that it may hold.') },
      examples: ['svcd owned backup owned-backup.db # purchases, budgets, tokens, and what you own'],
      run: backUp,
    }),
    command('restore <file>', 'Put such a copy back; svcd must be stopped.', {
      examples: ['svcd owned restore owned-backup.db # the file that was there is kept beside it'],
      run: restore,
    }),
  ],
  examples: [
    'svcd owned backup owned-backup.db # before anything that could lose the home',
    'svcd owned export mine.ndjson.gz # for another machine of yours',
    'svcd owned import mine.ndjson.gz # adds what is missing, each item checked by its digest',
  ],
};

export const bodies: Bodies = { owned: ownedGroup };

async function backUp(input: Input): Promise<void> {
  const home = await input.home();
  const target = readFileName(input);
  const source = join(home, 'owned.db');
  if (!existsSync(source)) {
    throw new SvcdError('not_found', `there is no ${source}: nothing was bought with this home`, {
      hint: 'Name another home with --home DIR.',
    });
  }
  if (input.flag('force') !== true) await keepBetter(home, target);
  const opened = openTargetFile(target, { mode: 0o600, home, regular: true });
  let facts: BackupFacts;
  try {
    facts = backUpOwned(source, opened.part);
    opened.commit();
  } catch (error) {
    throw asFileError(error, target, 'written');
  } finally {
    opened.abandon();
  }
  return printAnswer(input, { file: target, ...facts }, () =>
    sanitize(`${target}: ${formatCount(facts.purchases, 'purchase')}, ${formatNumber(facts.owned)} owned files.`),
  );
}

/** Throws `invalid_argument` where the home lost purchases and the file may be the backup that still has them. */
async function keepBetter(home: string, target: string): Promise<void> {
  const loss = lookAt(target) === undefined ? undefined : await findLoss(home);
  if (loss === undefined) return;
  throw invalidArgument(
    `${target} is there already and may be a better backup: ${loss}`,
    `"svcd owned restore ${target}" puts it back. To copy this home all the same, name another file, or give --force.`,
  );
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
        `owned.db is that of ${source}: ${formatCount(facts.purchases, 'purchase')}, ${formatNumber(facts.owned)} owned files.`,
        ...(replaced === undefined ? [] : [`What was there before is kept as ${replaced}.`]),
        ...(loss === undefined
          ? []
          : [`${loss}: nothing is bought until "svcd doctor --accept-loss", which pays again for what is missing.`]),
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
  throw invalidArgument(`FILE must be the name of a regular file, got ${JSON.stringify(typed)}`);
}

function inspect(file: string): BackupFacts {
  const found = lookAt(file);
  if (found === undefined) throw new SvcdError('not_found', `there is no file ${file}`);
  if (!found.isFile()) throw invalidArgument(`${file} is no regular file`, 'Name a file of "svcd owned backup".');
  try {
    accessSync(file, constants.R_OK);
    const exported = findExportKind(file);
    if (exported === undefined) return inspectBackup(file);
    throw invalidArgument(
      `${file} is an export, no backup`,
      `"svcd ${exported} import ${file}" adds what it holds to this home.`,
    );
  } catch (error) {
    throw asFileError(error, file, 'read');
  }
}
