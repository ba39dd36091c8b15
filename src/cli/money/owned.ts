// svcd owned: what was paid for, into a file and from one.

import { accessSync, closeSync, constants, existsSync, readSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import * as zlib from 'node:zlib';
import { gzipSync } from 'node:zlib';
import { filesOf, type LockedAsset, type LockedFile } from '../../api/lock.js';
import { LOTTIE_TYPE } from '../../model/asset.js';
import { SvcdError } from '../../model/errors.js';
import { findLoss } from '../../operations/health/file-checks.js';
import { systemClock } from '../../platform/clock.js';
import { openForeignFile, readForeignFile } from '../../platform/files/foreign-file.js';
import { withReadableHome } from '../../platform/files/home-copy.js';
import { isWritable, lockHome, prepareHome } from '../../platform/files/home-folder.js';
import { isRecord } from '../../platform/json.js';
import {
  type BackupFacts,
  backUpOwned,
  inspectBackup,
  noteBackup,
  restoreOwned,
} from '../../purchases/sqlite/owned-backup.js';
import { readLock } from '../../video/lock/read-lock.js';
import { findProblem } from '../../video/lock/verify-files.js';
import { type Bodies, command, type GroupBody, switchOption, textOption } from '../command.js';
import { type Client, withClient } from '../connection/client.js';
import { isHub } from '../connection/running-daemon.js';
import { readTexts } from '../connection/read-events.js';
import { exportTo, importFrom, LINE_MAX_BYTES, writeExport } from '../library/transfer.js';
import { formatCount, sanitize } from '../terminal/format.js';
import { type Input, invalidArgument } from '../terminal/input.js';
import { OVERWRITE_OPTION } from '../terminal/options.js';
import { printAnswer } from '../terminal/output.js';
import { asFileError, lookAt, openTargetFile } from '../terminal/target-file.js';
import { ownedWords } from './words.js';

const words = ownedWords();

const ownedGroup: GroupBody = {
  commands: [
    command('export [file]', words.export, {
      options: {
        lock: textOption(words.lock),
        'without-projects': switchOption(words.withoutProjects),
        ...OVERWRITE_OPTION,
      },
      examples: words.exportExamples,
      run: (input) => {
        const lock = input.text('lock');
        if (lock !== undefined) return exportLocked(lock, input);
        if (input.findWord('file') !== undefined) {
          const query = input.flag('without-projects') === true ? '?projects=false' : '';
          return exportTo(`/svcd/owned/export${query}`, input);
        }
        throw invalidArgument(words.fileMissing, words.seeHelp);
      },
    }),
    command('import <file>', words.import, {
      options: { yes: { ...switchOption(words.yes), alias: 'y' } },
      run: async (input) => {
        if (await isHub(await input.home())) await (await import('./agree-to-import.js')).agreeToImport(input);
        return importFrom('/svcd/owned/import', input);
      },
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
  const isForced = input.flag('force') === true;
  if (!isForced) await keepBetter(home, target);
  const overwrite = isForced || /^SQLite format 3/;
  const opened = openTargetFile(target, { mode: 0o600, home, regular: true, overwrite });
  let facts: BackupFacts;
  try {
    facts = withReadableHome(home, isWritable(home), (folder) => backUpOwned(join(folder, 'owned.db'), opened.part));
    opened.commit();
  } catch (error) {
    throw asFileError(error, target, 'written');
  } finally {
    opened.abandon();
  }
  try {
    noteBackup(home, systemClock.now());
  } catch {
    // It is worth no failure: the backup is there.
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
    const head = readHead(file);
    const exported = findExportKind(head);
    if (exported !== undefined) throw invalidArgument(words.isExport(file), words.importIt(exported, file));
    if (head.subarray(0, DATABASE.length).equals(DATABASE)) return inspectBackup(file);
    throw invalidArgument(words.noBackup(file), words.nameBackup);
  } catch (error) {
    throw asFileError(error, file, 'read');
  }
}

const HEAD_BYTES = 4096;
/** How every file of SQLite begins. */
const DATABASE = Buffer.from('SQLite format 3\0');

/** What of svcd a file is an export of, packed or plain, by how it begins: exports are confused with backups; undefined for every other file. */
function findExportKind(head: Buffer): 'owned' | 'library' | undefined {
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
  const { fd } = openForeignFile(file);
  try {
    const bytes = Buffer.alloc(HEAD_BYTES);
    return bytes.subarray(0, readSync(fd, bytes));
  } finally {
    closeSync(fd);
  }
}

const FILE = 'bundle.ndjson.gz';
/** No remote is called so. */
const SCOPE = 'locked';
/** As many as one request may name. */
const AT_ONCE = 100;
/** The same choice gives the same bundle: what was kept when is of no matter. */
const KEPT_AT = new Date(0).toISOString();

/** Writes the FILE that was typed. Throws `lock_unmet` for what is neither owned nor beside the lock. */
export async function exportLocked(lockFile: string, input: Input): Promise<void> {
  const { lock } = readLock(lockFile);
  const file = input.findWord('file') ?? FILE;
  const slots = Object.entries(lock.assets);
  const digests = [...new Set(slots.flatMap(([, asset]) => filesOf(asset).map(({ sha256 }) => sha256)))];
  const lines = new Map<string, string[]>();
  await withClient(input, async (client) => {
    for (let from = 0; from < digests.length; from += AT_ONCE) {
      await readOwned(client, digests.slice(from, from + AT_ONCE), lines);
    }
  });
  const unmet: string[] = [];
  for (const [id, asset] of slots) {
    for (const one of filesOf(asset)) {
      if (lines.has(one.sha256)) continue;
      const kind = one === asset ? asset.kind : 'image';
      if (findProblem(dirname(lockFile), one) === undefined)
        lines.set(one.sha256, [lineOf(lockFile, { ...one, kind })]);
      else if (one === asset) unmet.push(id);
    }
  }
  if (unmet.length > 0) {
    throw new SvcdError('lock_unmet', ownedWords().neitherOwned(lockFile, unmet), {
      hint: ownedWords().neitherOwnedHint,
    });
  }
  const items = digests.flatMap((sha256) => lines.get(sha256) ?? []);
  await writeExport(file, bundleOf(items), () => undefined, input.flag('overwrite'));
  if (file === '-') return;
  return printAnswer(input, { file, lock: lockFile, files: lines.size, items: items.length }, () =>
    sanitize(ownedWords().exported(file, formatCount(lines.size, 'file'), lockFile)),
  );
}

/** Adds the lines of owned files by their digests. */
async function readOwned(client: Client, digests: readonly string[], lines: Map<string, string[]>): Promise<void> {
  const query = new URLSearchParams(digests.map((sha256): [string, string] => ['sha256', sha256]));
  const answer = await client.stream('GET', `/svcd/owned/export?${query.toString()}`);
  for await (const text of readTexts(answer, LINE_MAX_BYTES)) {
    const value = JSON.parse(text) as unknown;
    const sha256 = isRecord(value) ? value['sha256'] : undefined;
    if (typeof sha256 === 'string') lines.set(sha256, [...(lines.get(sha256) ?? []), text]);
  }
}

/** A file beside the lock, as a file that some remote named. */
function lineOf(lockFile: string, { file, sha256, kind, bytes: size }: LockedFile & Pick<LockedAsset, 'kind'>): string {
  const bytes = readForeignFile(join(dirname(lockFile), file), size);
  const end = file.split('.').at(-1) ?? '';
  const media = kind === 'music' ? `audio/${end}` : `image/${TYPES[end] ?? 'png'}`;
  const content_type = kind === 'sticker' ? LOTTIE_TYPE : media;
  const told = { scope: SCOPE, item: `file:/locked/${sha256}`, content_type, sha256, kept_at: KEPT_AT };
  return JSON.stringify({ ...told, gzip: gzipSync(bytes).toString('base64') });
}

const TYPES: Readonly<Record<string, string>> = { jpg: 'jpeg', webp: 'webp', gif: 'gif', avif: 'avif' };

async function* bundleOf(items: readonly string[]): AsyncGenerator<Uint8Array> {
  const ends = [
    { format: 'svcd-owned', version: 1, exported_at: KEPT_AT },
    { end: true, items: items.length },
  ];
  const [header = '', end = ''] = ends.map((one) => JSON.stringify(one));
  for (const line of [header, ...items, end]) yield Buffer.from(`${line}\n`);
}
