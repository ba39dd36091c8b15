// How far owned.db once came, written down outside the file. A file that was put back from an old copy, emptied, or cut
// off from its write-ahead log knows nothing of what was bought later, and would buy it again without a word.

import { createHash } from 'node:crypto';
import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemCode } from '../../model/errors.js';
import { makeFolder } from '../../platform/files/files.js';
import type { Log } from '../../platform/log.js';
import type { Database } from '../../platform/open-database.js';

/** What a mark file says of owned.db. */
interface Mark {
  /** How many purchases. */
  readonly purchases: number;
  /** The number of the last. */
  readonly last: number;
  /** Changes that purchases ever saw: a trigger counts them. */
  readonly changes: number;
  /** Of all purchases up to the last. */
  readonly digest: string;
}

export interface HighWaterMark {
  /** What owned.db lacks of what the marks say, in words; undefined when it lacks nothing. */
  findLoss(): string | undefined;
  /** Writes down how far owned.db has come. To be called after each commit that moved money; never throws. */
  note(): void;
  /** How many changes purchases ever saw, whoever made them. */
  changes(): number;
  /** Makes owned.db as it is the truth. Throws the system's error when no mark can be written. */
  acceptLoss(): void;
}

export interface MarkFiles {
  readonly homeFile: string;
  /** One outside of it, kept only for real money; undefined for none. */
  readonly outsideFile: string | undefined;
}

export interface HighWaterMarkOptions extends MarkFiles {
  readonly db: Database;
  readonly log: Log;
}

/** Longer than any mark: it is written over the old one in one piece, so that a kill leaves one or the other. */
const MARK_BYTES = 256;

/** Opens the mark of an owned.db. A mark that is missing or cannot be read blocks nothing. */
export function openHighWaterMark({ db, homeFile, outsideFile, log }: HighWaterMarkOptions): HighWaterMark {
  const rowsOf = db.prepare<[number, number], { id: number; text: string; isReal: 0 | 1 }>(
    `SELECT id, scope || ' ' || item || ' ' || key_id AS text, scope <> 'sandbox' AS isReal FROM purchase
     WHERE id > ? AND id <= ? ORDER BY id`,
  );
  const changed = db.prepare<[], { changes: number }>(`SELECT changes FROM purchase_changes`);
  const chain = { purchases: 0, last: 0, hash: createHash('sha256'), holdsRealMoney: false };
  let warned = false;

  const present = (): Mark => {
    for (const { id, text, isReal } of rowsOf.iterate(chain.last, Number.MAX_SAFE_INTEGER)) {
      chain.hash.update(`${id} ${text}\n`);
      chain.purchases += 1;
      chain.last = id;
      chain.holdsRealMoney ||= isReal === 1;
    }
    const { purchases, last, hash } = chain;
    return { purchases, last, changes: changed.get()?.changes ?? 0, digest: hash.copy().digest('hex') };
  };
  const everywhere = outsideFile === undefined ? [homeFile] : [homeFile, outsideFile];
  const write = (mark: Mark) =>
    (chain.holdsRealMoney ? everywhere : [homeFile]).forEach((file) => writeMark(file, mark));

  const digestUpTo = (last: number): string => {
    const hash = createHash('sha256');
    for (const { id, text } of rowsOf.iterate(0, last)) hash.update(`${id} ${text}\n`);
    return hash.digest('hex');
  };

  const lossAgainst = (mark: Mark): string | undefined => {
    const { purchases, changes, last, digest } = present();
    const missing = mark.purchases - purchases;
    if (missing > 0)
      return `owned.db lacks ${missing} of the ${mark.purchases} purchases that svcd made with this home`;
    // A kill may have come between a commit and its mark: then the mark speaks of fewer.
    const known = mark.last === last ? digest : digestUpTo(mark.last);
    if (known !== mark.digest) return 'owned.db holds other purchases than svcd made with this home';
    return changes < mark.changes
      ? 'owned.db is an older copy: the last changes to its purchases are missing'
      : undefined;
  };
  return {
    changes: () => changed.get()?.changes ?? 0,
    findLoss: () =>
      everywhere
        .flatMap(readMark)
        .map(lossAgainst)
        .find((loss) => loss !== undefined),
    note: () => {
      try {
        write(present());
      } catch (error) {
        if (!warned) log.warn('the high-water mark of owned.db cannot be written', { why: String(error) });
        warned = true;
      }
    },
    acceptLoss: () => {
      const mark = present();
      write(mark);
      // One that says more than there is lies outside even where no real money is left.
      for (const file of everywhere) if (readMark(file).length > 0) writeMark(file, mark);
    },
  };
}

function readMark(file: string): Mark[] {
  try {
    const mark = JSON.parse(readFileSync(file, 'utf8')) as Partial<Mark> | null;
    const numbers = [mark?.purchases, mark?.last, mark?.changes];
    return numbers.every(Number.isSafeInteger) && typeof mark?.digest === 'string' ? [mark as Mark] : [];
  } catch {
    // Missing or cut short by a power cut: as if there were none.
    return [];
  }
}

function writeMark(file: string, mark: Mark): void {
  const { O_WRONLY, O_CREAT, O_NOFOLLOW } = constants;
  const open = () => openSync(file, O_WRONLY | O_CREAT | O_NOFOLLOW, 0o600);
  let fd: number;
  try {
    fd = open();
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
    makeFolder(dirname(file));
    fd = open();
  }
  try {
    writeSync(fd, JSON.stringify(mark).padEnd(MARK_BYTES - 1) + '\n', 0);
  } finally {
    closeSync(fd);
  }
}
